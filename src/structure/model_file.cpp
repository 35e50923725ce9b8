#include "faying/structure/model_file.hpp"

#include <fmt/format.h>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <filesystem>

#include "faying/core/error.hpp"
#include "model_matrices.hpp"

namespace faying::structure {

namespace {

/// Reads one file; every complaint names the line.
class Reader {
 public:
    explicit Reader(const std::string& path) : path_(path) {
        if (!std::filesystem::is_regular_file(path)) throw core::BadInput(path, "there is no such file");
        try {
            root_ = toml::parse_file(path);
        } catch (const toml::parse_error& error) {
            throw core::BadInput(fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
        }
    }

    Model model() {
        only_keys(root_, {"structure", "joint"});
        const auto* structure = root_["structure"].as_table();
        if (!structure) complain(root_, "a [structure] table with mass and stiffness is needed");
        only_keys(*structure, {"file", "mass", "stiffness", "damping", "static", "interface"});
        const auto elsewhere = matrices_of_other_files(*structure);
        const auto read_matrix = [&](const char* key) {
            const auto found = elsewhere.find(key);
            return found != elsewhere.end() ? found->second : matrix(required(*structure, key), key);
        };
        Model m;
        m.mass = read_matrix("mass");
        m.stiffness = read_matrix("stiffness");
        if (elsewhere.contains("damping"))
            m.damping = elsewhere.at("damping");
        else if (const auto* damping = structure->get("damping"))
            read_damping(*damping, m);
        if (elsewhere.contains("static"))
            m.static_force = column(elsewhere.at("static"), *structure->get("static"), "static");
        else if (const auto* force = structure->get("static"))
            m.static_force = vector(*force, "static");
        check_model(m, fmt::format("{}:{}", path_, structure->source().begin.line));
        if (const auto* joints = root_.get("joint")) {
            const auto* list = joints->as_array();
            if (!list || !list->is_array_of_tables()) complain(*joints, "joints are written as [[joint]] tables");
            // With a map u = L x, joints count its rows, and act on x along L^T.
            const bool mapped = structure->contains("interface");
            const Eigen::MatrixXd map = mapped ? read_matrix("interface") : Eigen::MatrixXd();
            if (mapped && map.cols() != m.size())
                complain(*structure->get("interface"),
                         fmt::format("interface has {} columns; expected {}, one a DOF", map.cols(), m.size()));
            for (const auto& entry : *list) {
                auto made = joint(*entry.as_table(), mapped ? map.rows() : m.size(), m.joints.size() + 1);
                if (mapped) made.direction = (map.transpose() * made.direction).eval();
                m.joints.push_back(std::move(made));
            }
        }
        return m;
    }

 private:
    std::string path_;
    toml::table root_;

    [[noreturn]] void complain(const toml::node& at, const std::string& what) const {
        throw core::BadInput(fmt::format("{}:{}: {}", path_, std::max(1u, unsigned(at.source().begin.line)), what));
    }

    void only_keys(const toml::table& table, std::initializer_list<std::string_view> allowed) const {
        for (const auto& [key, node] : table) {
            bool known = false;
            std::string list;
            for (const auto name : allowed) {
                known = known || key.str() == name;
                list += (list.empty() ? "" : ", ") + std::string(name);
            }
            if (!known) complain(node, fmt::format("unknown key '{}'; allowed are: {}", key.str(), list));
        }
    }

    const toml::node& required(const toml::table& table, std::string_view key) const {
        const auto* node = table.get(key);
        if (!node) complain(table, fmt::format("'{}' is missing", key));
        return *node;
    }

    /// Those whose value is a text: a variable of `file`, or a file of its own.
    std::map<std::string, Eigen::MatrixXd> matrices_of_other_files(const toml::table& structure) const {
        MatrixNames names;
        for (const char* key : {"mass", "stiffness", "damping", "static", "interface"})
            if (const auto text = structure[key].value<std::string>()) names[key] = *text;
        const auto* file = structure.get("file");
        if (file && !file->is_string()) complain(*file, "file must be the name of a .mat or .h5 file");
        if (file && names.empty()) complain(*file, "file needs the names of its variables, as in mass = \"M\"");
        if (names.empty()) return {};
        const auto folder = std::filesystem::path(path_).parent_path().string();
        return read_matrices(folder, structure["file"].value_or(std::string()), names);
    }

    Eigen::VectorXd column(const Eigen::MatrixXd& m, const toml::node& at, std::string_view what) const {
        if (m.cols() != 1 && m.rows() != 1)
            complain(at, fmt::format("{} is {} x {}; a vector is needed", what, m.rows(), m.cols()));
        return m.cols() == 1 ? Eigen::VectorXd(m.col(0)) : Eigen::VectorXd(m.row(0).transpose());
    }

    double number(const toml::node& node, std::string_view what) const {
        const auto x = node.value<double>();
        if (!x || !std::isfinite(*x)) complain(node, fmt::format("{} must be a finite number", what));
        return *x;
    }

    Eigen::VectorXd vector(const toml::node& node, std::string_view what) const {
        const auto* list = node.as_array();
        if (!list) complain(node, fmt::format("{} must be a list of numbers", what));
        Eigen::VectorXd v(static_cast<Eigen::Index>(list->size()));
        for (std::size_t i = 0; i < list->size(); ++i) v(static_cast<Eigen::Index>(i)) = number((*list)[i], what);
        return v;
    }

    Eigen::MatrixXd matrix(const toml::node& node, std::string_view what) const {
        const auto* rows = node.as_array();
        if (!rows || rows->empty()) complain(node, fmt::format("{} must be a list of rows, [[..], ..]", what));
        Eigen::MatrixXd m;
        for (std::size_t i = 0; i < rows->size(); ++i) {
            const Eigen::VectorXd row = vector((*rows)[i], fmt::format("row {} of {}", i + 1, what));
            if (i == 0) m.resize(static_cast<Eigen::Index>(rows->size()), row.size());
            if (row.size() != m.cols())
                complain((*rows)[i], fmt::format("row {} of {} has {} numbers; the first has {}", i + 1, what,
                                                 row.size(), m.cols()));
            m.row(static_cast<Eigen::Index>(i)) = row;
        }
        return m;
    }

    void read_damping(const toml::node& node, Model& m) const {
        if (const auto* table = node.as_table()) {
            only_keys(*table, {"ratio"});
            m.damping_ratio = number(required(*table, "ratio"), "damping ratio");
        } else {
            m.damping = matrix(node, "damping");
        }
    }

    JointSite joint(const toml::table& table, Eigen::Index size, std::size_t number_of) const {
        only_keys(table, {"law", "parameters", "dofs", "name"});
        const auto law = required(table, "law").value<std::string>();
        if (!law) complain(required(table, "law"), "law must be a name, such as \"iwan4\"");
        core::ParameterValues values;
        if (const auto* node = table.get("parameters")) {
            const auto* parameters = node->as_table();
            if (!parameters) complain(*node, "parameters are written as { key = value, .. }");
            for (const auto& [key, value] : *parameters)
                values[std::string(key.str())] = number(value, fmt::format("parameter '{}'", key.str()));
        }
        try {
            laws::Law made(*law, values);
            if (made.drive() == laws::Drive::force) complain(table, *law + " is driven by force and cannot be a joint");
            const auto name = table["name"].value_or(fmt::format("joint {}", number_of));
            return {name, std::move(made), direction(required(table, "dofs"), size)};
        } catch (const core::BadInput& error) {
            const std::string text = error.what();
            if (text.rfind(path_, 0) == 0) throw;
            complain(table, text);
        }
    }

    Eigen::VectorXd direction(const toml::node& node, Eigen::Index size) const {
        Eigen::VectorXd dofs(1);
        if (node.is_array())
            dofs = vector(node, "dofs");
        else
            dofs(0) = number(node, "dofs");
        if (dofs.size() < 1 || dofs.size() > 2) complain(node, "dofs must be one number (against ground) or two");
        Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
        for (Eigen::Index i = 0; i < dofs.size(); ++i) {
            const double dof = dofs(i);
            if (dof != std::floor(dof) || dof < 1 || dof > double(size))
                complain(node, fmt::format("DOF {:g} does not exist; allowed are 1 to {}", dof, size));
            b(static_cast<Eigen::Index>(dof) - 1) += i + 1 == dofs.size() ? 1.0 : -1.0;
        }
        if (b.isZero()) complain(node, "the two dofs of a joint must differ");
        return b;
    }
};

}  // namespace

Model read_model(const std::string& path) { return Reader(path).model(); }

}  // namespace faying::structure
