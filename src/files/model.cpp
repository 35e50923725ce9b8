#include "faying/files/model.hpp"

#include <algorithm>

#include "faying/laws/law_file.hpp"
#include "io/toml_file.hpp"
#include "model_matrices.hpp"
#include "model_on_pairs.hpp"

namespace faying::files {

using structure::Joint;
using structure::Model;
using structure::Output;
using structure::Reduced;

namespace {

class Reader {
 public:
    Reader(const std::string& path, const std::function<Reduced(const std::string&)>& reader)
        : file_(path), reader_(reader) {}

    Model model() {
        file_.only_keys(file_.root(), {"structure", "joint", "output"});
        const auto* given = file_.root().get("structure");
        if (!given) file_.reject(file_.root(), "a [structure] table with mass and stiffness, or file, is needed");
        const auto* structure = given->as_table();
        if (!structure) file_.wrong_kind(*given, "structure", "a table with mass and stiffness, or file");
        if (structure->contains("file") && !structure->contains("mass"))
            read_file(*structure);
        else
            read_structure(*structure);
        const std::string where = file_.place(*structure);
        check(where);
        file_.each_table("joint", [&](const toml::table& table) {
            for (Joint& made : joints(table)) {
                for (const auto& other : model_.joints)
                    if (other.name == made.name) taken(table, "joint", made.name);
                model_.joints.push_back(std::move(made));
            }
        });
        file_.each_table("output", [&](const toml::table& table) {
            Output made = output(table);
            for (const auto& other : model_.outputs)
                if (other.name == made.name) taken(table, "output", made.name);
            model_.outputs.push_back(std::move(made));
        });
        check(where);
        return std::move(model_);
    }
    const std::vector<std::size_t>& pairs() const { return pairs_; }

 private:
    io::TomlFile file_;
    const std::function<Reduced(const std::string&)>& reader_;
    Reduced reduced_;
    bool is_reduced_ = false;
    Model model_;
    Eigen::MatrixXd interface_;  ///< u = L x: the dofs of joints count its rows; empty: they are DOF
    bool self_excited_ = false;  ///< the damping may feed energy in

    mutable std::vector<std::size_t> pairs_;  ///< of each joint on one

    bool has_coordinates() const { return !is_reduced_ || reduced_.mass.size() > 0; }

    void check(const std::string& where) const {
        if (!has_coordinates()) return;
        if (!self_excited_ || model_.damping.size() == 0) return structure::check_model(model_, where);
        // Everything but the sign of the damping, which is lifted by so much of the mass that it takes energy away.
        Model lifted = model_;
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> mass(model_.mass, Eigen::EigenvaluesOnly);
        if (mass.eigenvalues()(0) > 0) lifted.damping += model_.damping.norm() / mass.eigenvalues()(0) * model_.mass;
        structure::check_model(lifted, where);
    }

    /// Matrices written out, or by name in other files.
    void read_structure(const toml::table& structure) {
        file_.only_keys(structure, {"file", "mass", "stiffness", "damping", "self_excited", "static", "interface"});
        self_excited_ = file_.flag(structure, "self_excited", false);
        const auto elsewhere = matrices_of_other_files(structure);
        const auto read_matrix = [&](const char* key) {
            const auto found = elsewhere.find(key);
            return found != elsewhere.end() ? found->second : file_.matrix(file_.required(structure, key), key);
        };
        model_.mass = read_matrix("mass");
        model_.stiffness = read_matrix("stiffness");
        if (elsewhere.contains("damping"))
            model_.damping = elsewhere.at("damping");
        else if (const auto* damping = structure.get("damping"))
            read_damping(*damping);
        if (elsewhere.contains("static"))
            model_.static_force = column(elsewhere.at("static"), *structure.get("static"), "static");
        else if (const auto* force = structure.get("static"))
            model_.static_force = file_.vector(*force, "static");
        if (structure.contains("interface")) interface_ = read_matrix("interface");
        check_sizes(structure);
    }

    /// The number of DOF that most speak of is taken for the right one (mass, where they are even), so that the message
    /// names the one that is wrong.
    void check_sizes(const toml::table& structure) const {
        struct Size {
            const char* key;
            Eigen::Index rows, columns;
            Eigen::Index dofs;  ///< it says that there are so many
        };
        std::vector<Size> sizes;
        const auto add = [&](const char* key, const Eigen::MatrixXd& m) {
            if (m.rows() != m.cols())
                file_.reject(*structure.get(key), fmt::format("{}{} is {} x {}; it must be square", key,
                                                              origin(structure, key), m.rows(), m.cols()));
            sizes.push_back({key, m.rows(), m.cols(), m.rows()});
        };
        add("mass", model_.mass);
        add("stiffness", model_.stiffness);
        if (model_.damping.size() > 0) add("damping", model_.damping);
        if (const auto n = model_.static_force.size(); n > 0) sizes.push_back({"static", n, 1, n});
        if (interface_.size() > 0)
            sizes.push_back({"interface", interface_.rows(), interface_.cols(), interface_.cols()});
        const Size* right = &sizes.front();
        const auto votes = [&](const Size& one) {
            return std::count_if(sizes.begin(), sizes.end(), [&](const Size& s) { return s.dofs == one.dofs; });
        };
        for (const auto& one : sizes)
            if (votes(one) > votes(*right)) right = &one;
        for (const auto& [key, rows, columns, dofs] : sizes) {
            if (dofs == right->dofs) continue;
            const auto like = fmt::format("like {}{}", right->key, origin(structure, right->key));
            const auto name = fmt::format("{}{}", key, origin(structure, key));
            const std::string_view kind = key;
            file_.reject(
                *structure.get(key),
                kind == "static" ? fmt::format("{} has {} entries; expected {} {}", name, rows, right->dofs, like)
                : kind == "interface"
                    ? fmt::format("{} has {} columns; expected {}, one per DOF, {}", name, columns, right->dofs, like)
                    : fmt::format("{} is {} x {}; expected {} x {} {}", name, rows, columns, right->dofs, right->dofs,
                                  like));
        }
    }

    /// " ('K' of rom.mat)" or " (K.mtx)"; nothing where the matrix is written out.
    static std::string origin(const toml::table& structure, const char* key) {
        const auto text = structure[key].value<std::string>();
        if (!text) return "";
        const auto file = structure["file"].value<std::string>();
        return file ? fmt::format(" ('{}' of {})", *text, *file) : fmt::format(" ({})", *text);
    }

    [[noreturn]] void taken(const toml::table& table, const char* what, const std::string& name) const {
        const auto* node = table.get("name");
        file_.reject(node ? *node : table,
                     fmt::format("there are two {}s named '{}'; every {} needs a name of its own", what, name, what));
    }

    std::string name_in(const toml::node& node) const {
        const std::string name = file_.text(node, "name");
        if (name.empty()) file_.reject(node, "name must not be empty");
        return name;
    }

    /// Those whose value is a text: a variable of `file`, or a file of its own.
    std::map<std::string, Eigen::MatrixXd> matrices_of_other_files(const toml::table& structure) const {
        MatrixNames names;
        for (const char* key : {"mass", "stiffness", "damping", "static", "interface"})
            if (const auto* node = structure.get(key); node && node->is_string()) names[key] = file_.text(*node, key);
        if (const auto* file = structure.get("file")) {
            file_.text(*file, "file");
            if (names.empty()) file_.reject(*file, "file needs the names of its variables, as in mass = \"M\"");
        }
        if (names.empty()) return {};
        return read_matrices(folder().string(), file_.text(structure, "file", ""), names);
    }

    std::filesystem::path folder() const { return std::filesystem::path(file_.path()).parent_path(); }

    Eigen::VectorXd column(const Eigen::MatrixXd& m, const toml::node& at, std::string_view what) const {
        if (m.cols() != 1 && m.rows() != 1)
            file_.reject(at, fmt::format("{} is {} x {}; a vector is needed", what, m.rows(), m.cols()));
        return m.cols() == 1 ? Eigen::VectorXd(m.col(0)) : Eigen::VectorXd(m.row(0).transpose());
    }

    void read_file(const toml::table& structure) {
        file_.only_keys(structure, {"file", "damping", "static"});
        const auto& node = file_.required(structure, "file");
        const std::filesystem::path name = file_.text(node, "file");
        const auto beside = name.is_absolute() ? name : folder() / name;
        if (const auto* damping = structure.get("damping")) read_damping(*damping);
        std::map<std::string, double> factors;
        if (const auto* loads = structure.get("static")) {
            const auto* table = loads->as_table();
            if (!table) file_.reject(*loads, "static is written as { load = factor, .. } on a reduced model");
            for (const auto& [key, value] : *table) factors[std::string(key.str())] = file_.number(value, key.str());
        }
        file_.at_place(node, [&] {
            reduced_ = reader_(beside.string());
            is_reduced_ = true;
            if (has_coordinates()) structure::check_reduced(reduced_, beside.string());
            Model made = structure::bare_model(reduced_, factors);
            made.damping = model_.damping;
            made.damping_ratio = model_.damping_ratio;
            model_ = std::move(made);
        });
        if (const auto& c = model_.damping; c.size() > 0 && (c.rows() != model_.size() || c.cols() != model_.size()))
            file_.reject(*structure.get("damping"),
                         fmt::format("damping is {} x {}; expected {} x {} like M of {}", c.rows(), c.cols(),
                                     model_.size(), model_.size(), beside.string()));
        is_reduced_ = true;
    }

    void read_damping(const toml::node& node) {
        if (const auto* table = node.as_table()) {
            file_.only_keys(*table, {"ratio"});
            model_.damping_ratio = file_.number(file_.required(*table, "ratio"), "damping ratio");
        } else {
            model_.damping = file_.matrix(node, "damping");
        }
    }

    /// `fallback`: of parameters that the table leaves out and the law has.
    laws::Law law(const toml::table& table, const core::ParameterValues& fallback = {}) const {
        std::string name = file_.text(file_.required(table, "law"), "law");
        if (laws::is_law_file(name.substr(0, name.find('+'))) && std::filesystem::path(name).is_relative())
            name = (folder() / name).string();
        core::ParameterValues values;
        if (const auto* node = table.get("parameters")) {
            const auto* parameters = node->as_table();
            if (!parameters) file_.reject(*node, "parameters are written as { key = value, .. }");
            for (const auto& [key, value] : *parameters)
                values[std::string(key.str())] = file_.number(value, fmt::format("parameter '{}'", key.str()));
        }
        for (const auto& [key, value] : fallback) values.try_emplace(key, value);
        return laws::Law(name, values);
    }

    /// A contact law on each of the pairs named, a joint per pair. Stiffnesses and friction that the table leaves out
    /// are the pair's own.
    std::vector<Joint> pair_joints(const toml::table& table, const std::string& name) const {
        file_.only_keys(table, {"law", "parameters", "pair", "name"});
        const auto pairs = structure::find_pairs(reduced_, names(file_.required(table, "pair")));
        const bool friction = file_.text(file_.required(table, "law"), "law").starts_with("elastic-dry-friction");
        std::vector<Joint> made;
        for (const auto* pair : pairs) {
            core::ParameterValues own;
            if (friction) own = {{"kn", pair->penalty}, {"kt", pair->penalty}};
            if (friction && pair->friction) own["mu"] = *pair->friction;
            made.push_back(structure::joint_on_pair(
                reduced_, pairs.size() == 1 ? name : fmt::format("{}: {}", name, pair->name), law(table, own), *pair));
            pairs_.push_back(std::size_t(pair - reduced_.pairs.data()));
        }
        return made;
    }

    std::vector<Joint> joints(const toml::table& table) const {
        return file_.at_place(table, [&]() -> std::vector<Joint> {
            const auto* named = table.get("name");
            const std::string name = named ? name_in(*named) : fmt::format("joint {}", model_.joints.size() + 1);
            if (is_reduced_ && table.contains("pair")) return pair_joints(table, name);
            if (!has_coordinates())
                file_.reject(table,
                             "a structure that is not condensed takes contact laws on its pairs: pair = \"name\" "
                             "(or \"all\")");
            return {is_reduced_ ? reduced_joint(table, name) : plain_joint(table, name)};
        });
    }

    Joint plain_joint(const toml::table& table, const std::string& name) const {
        file_.only_keys(table, {"law", "parameters", "dofs", "weight", "gap", "name"});
        const auto& node = file_.required(table, "dofs");
        Joint joint{name, law(table), sites(node), {}, {}, {}};
        if (joint.map.rows() % joint.components() != 0)
            file_.reject(node, fmt::format("{} reads {} displacements and needs as many rows per site, [[..],[..],..]",
                                           joint.law.name(), joint.components()));
        const Eigen::Index count = joint.map.rows() / joint.components();
        joint.weight = Eigen::VectorXd::Ones(count);
        if (const auto* weight = table.get("weight")) {
            joint.weight = weight->is_array() ? file_.vector(*weight, "weight")
                                              : Eigen::VectorXd::Constant(count, file_.number(*weight, "weight"));
            if (joint.weight.size() != count || !(joint.weight.array() > 0).all())
                file_.reject(*weight, fmt::format("weight must be one positive number, or {} (one per site)", count));
        }
        if (const auto* gap = table.get("gap")) {
            joint.gap = gap->is_array() ? file_.vector(*gap, "gap")
                                        : Eigen::VectorXd::Constant(count, file_.number(*gap, "gap"));
            if (!joint.law.contact() || joint.gap.size() != count)
                file_.reject(*gap, fmt::format("gap is of contact laws: one number, or {} (one per site)", count));
        }
        return joint;
    }

    Joint reduced_joint(const toml::table& table, const std::string& name) const {
        file_.only_keys(table, {"law", "parameters", "patch", "along", "per", "interface", "name"});
        const auto* along_node = table.get("along");
        const std::string along = along_node ? file_.text(*along_node, "along") : "";
        const bool everywhere = file_.flag(table, "interface", false);
        if (everywhere == table.contains("patch"))
            file_.reject(
                table, "give one of patch = \"name\" (or \"all\"), pair = \"name\" (or \"all\") and interface = true");
        if (everywhere) return structure::joint_on_interface(reduced_, name, law(table), along);
        const auto* per = table.get("per");
        if (per && file_.text(*per, "per") != "area") file_.reject(*per, "per = \"area\" is the only scaling");
        return structure::joint_on_patches(reduced_, name, law(table), names(file_.required(table, "patch")), along,
                                           per != nullptr);
    }

    std::vector<std::string> names(const toml::node& node) const {
        if (!node.is_array()) return {file_.text(node, "patch")};
        std::vector<std::string> list;
        for (const auto& entry : *node.as_array()) list.push_back(file_.text(entry, "patch"));
        return list;
    }

    /// [2, 3], 3, or a list of such rows.
    Eigen::MatrixXd sites(const toml::node& node) const {
        const auto* list = node.as_array();
        if (!list || list->empty() || !list->front().is_array()) return direction(node).transpose();
        Eigen::MatrixXd rows(static_cast<Eigen::Index>(list->size()), model_.size());
        for (std::size_t i = 0; i < list->size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = direction((*list)[i]);
        return rows;
    }

    Eigen::VectorXd direction(const toml::node& node) const {
        Eigen::VectorXd dofs(1);
        if (node.is_array())
            dofs = file_.vector(node, "dofs");
        else
            dofs(0) = file_.number(node, "dofs");
        if (dofs.size() < 1 || dofs.size() > 2) file_.reject(node, "dofs must be one number (against ground) or two");
        const Eigen::Index count = interface_.size() > 0 ? interface_.rows() : model_.size();
        Eigen::VectorXd b = Eigen::VectorXd::Zero(count);
        for (Eigen::Index i = 0; i < dofs.size(); ++i)
            b(dof(dofs(i), node, count)) += i + 1 == dofs.size() ? 1.0 : -1.0;
        if (b.isZero()) file_.reject(node, "the two dofs of a joint must differ");
        if (interface_.size() > 0) return interface_.transpose() * b;
        return b;
    }

    Eigen::Index dof(double number, const toml::node& node, Eigen::Index count) const {
        if (number != std::floor(number) || number < 1 || number > double(count))
            file_.reject(node, fmt::format("DOF {:g} does not exist; allowed are 1 to {}", number, count));
        return static_cast<Eigen::Index>(number) - 1;
    }

    Output output(const toml::table& table) const {
        file_.only_keys(table, {"name", "dof", "row"});
        if (!has_coordinates())
            file_.reject(table, "outputs of a structure that is not condensed are those of its reduction");
        Output out{name_in(file_.required(table, "name")), Eigen::VectorXd::Zero(model_.size())};
        if (table.contains("dof") == table.contains("row")) file_.reject(table, "an output has either dof or row");
        if (const auto* node = table.get("dof"))
            out.row(dof(file_.number(*node, "dof"), *node, model_.size())) = 1.0;
        else
            out.row = file_.vector(file_.required(table, "row"), "row");
        if (out.row.size() != model_.size())
            file_.reject(table, fmt::format("row has {} numbers; expected {}", out.row.size(), model_.size()));
        return out;
    }
};

}  // namespace

Model read_model(const std::string& path, const std::function<Reduced(const std::string&)>& reader) {
    return Reader(path, reader).model();
}

ModelOnPairs read_model_on_pairs(const std::string& path, const std::function<Reduced(const std::string&)>& reader) {
    Reader read(path, reader);
    ModelOnPairs made{read.model(), {}};
    made.pairs = read.pairs();
    return made;
}

}  // namespace faying::files
