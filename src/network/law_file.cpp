#include "faying/laws/law_file.hpp"

#include <array>
#include <atomic>

#include "faying/network/m_state.hpp"
#include "faying/network/network_file.hpp"
#include "io/toml_file.hpp"

namespace faying::network {

namespace {

/// A law of m states as other laws are. The drive is part of a law's type.
template <laws::Drive D>
struct FileLaw {
    using Scalar = double;
    static constexpr std::string_view key = "m-state";
    static constexpr std::string_view title = "m hidden states: sliders joined by springs, or one ellipsoid";
    static constexpr std::string_view source = "[S3] ch. 2, 3";
    static constexpr laws::Drive drive = D;
    static constexpr laws::Claims claims{.cut_tolerance = 1e-9};

    double force_scale = 1, displacement_scale = 1;
    std::shared_ptr<const MState> inner = {};

    static const core::ParameterTable<FileLaw>& table() {
        static const core::ParameterTable<FileLaw> t = {
            core::parameter<&FileLaw::force_scale>("force_scale", "", "factor on forces", core::positive, 1.0),
            core::parameter<&FileLaw::displacement_scale>("displacement_scale", "", "factor on displacements",
                                                          core::positive, 1.0)};
        return t;
    }

    struct State {
        NetworkState inner;
    };
    State virgin() const { return {inner->virgin()}; }

    laws::Step<double, State> step(State z, double load) const {
        const double given = D == laws::Drive::force ? force_scale : displacement_scale;
        const double answer = D == laws::Drive::force ? displacement_scale : force_scale;
        const double energy = force_scale * displacement_scale;
        const auto a = inner->step(z.inner, load / given);
        return {answer * a.answer, answer / given * a.tangent, energy * z.inner.work, energy * z.inner.dissipated,
                std::move(z)};
    }
};

/// An entry of the catalogue makes its law by a plain function, so each file has one of these.
constexpr std::size_t most_files = 256;
std::array<std::shared_ptr<const MState>, most_files> loaded;
std::atomic<std::size_t> files = 0;

using Make = std::shared_ptr<const laws::LawModel> (*)(const std::vector<double>&);

template <std::size_t I, laws::Drive D>
std::shared_ptr<const laws::LawModel> make(const std::vector<double>& values) {
    return laws::model_of(FileLaw<D>{values.at(0), values.at(1), loaded[I]});
}
template <laws::Drive D, std::size_t... I>
constexpr std::array<Make, most_files> makers(std::index_sequence<I...>) {
    return {&make<I, D>...};
}

/// Where identification begins: the scales at which the law's own amplitudes would be those of the loop.
laws::Starts file_starts(const laws::LoopFeatures& seen, const core::ParameterValues&) {
    laws::Starts all;
    for (const double size : {1.0, 0.3, 3.0})
        all.push_back({{"force_scale", size * seen.force}, {"displacement_scale", size * seen.amplitude}});
    return all;
}

laws::Drive drive_named(const io::TomlFile& file, const toml::table& table, bool displacement_by_default) {
    const std::string name = file.text(table, "drive", displacement_by_default ? "displacement" : "force");
    if (name == "force") return laws::Drive::force;
    if (name == "displacement") return laws::Drive::displacement;
    file.reject(*table.get("drive"), fmt::format("unknown drive '{}'; allowed are: force, displacement", name));
}

MState read_law_table(const io::TomlFile& file) {
    const auto& root = file.root();
    file.only_keys(root, {"law", "set", "drive", "K", "A", "mu", "b", "g", "k0"});
    const auto& law = file.required(root, "law");
    if (file.text(law, "law") != "m-state")
        file.reject(law, fmt::format("a law file holds law = \"m-state\"; '{}' is not that", file.text(law, "law")));
    const std::string set = file.text(root, "set", root.contains("A") ? "ellipsoid" : "box");
    if (root.contains("b") == root.contains("g"))
        file.reject(root, "b (driven by force) or g (driven by displacement) is needed");
    const char* coupling = root.contains("g") ? "g" : "b";
    const auto drive = drive_named(file, root, root.contains("g"));
    const Eigen::MatrixXd K = file.matrix(file.required(root, "K"), "K");
    const Eigen::VectorXd b = file.vector(*root.get(coupling), coupling);
    const double k0 = drive == laws::Drive::force ? 0.0 : file.number(file.required(root, "k0"), "k0");
    return file.at_place(root, [&]() -> MState {
        if (set == "ellipsoid") {
            const Eigen::MatrixXd A = file.matrix(file.required(root, "A"), "A");
            return MState(Ellipsoid{K, A, b, drive, k0}, file.path());
        }
        if (set != "box")
            file.reject(*root.get("set"), fmt::format("unknown set '{}'; allowed are: box, ellipsoid", set));
        const Eigen::VectorXd mu = file.vector(file.required(root, "mu"), "mu");
        return MState(Network{K, mu, b, drive, k0}, file.path());
    });
}

std::string numbers(const Eigen::VectorXd& v) {
    std::string text = "[";
    for (Eigen::Index i = 0; i < v.size(); ++i) text += fmt::format("{}{:.17g}", i > 0 ? ", " : "", v(i));
    return text + "]";
}
std::string rows(const Eigen::MatrixXd& m) {
    std::string text = "[\n";
    for (Eigen::Index i = 0; i < m.rows(); ++i) text += "  " + numbers(m.row(i).transpose()) + ",\n";
    return text + "]";
}

}  // namespace

MState read_m_state(const std::string& path) {
    const io::TomlFile file(path);
    if (file.root().contains("network")) return MState(read_network(path), path);
    return read_law_table(file);
}

std::string m_state_text(const MState& law, const std::vector<std::string>& remarks) {
    std::string text;
    for (const auto& remark : remarks) text += "# " + remark + "\n";
    const bool force = law.drive() == laws::Drive::force;
    text += fmt::format("law = \"m-state\"\nset = \"{}\"\ndrive = \"{}\"\n", law.is_box() ? "box" : "ellipsoid",
                        force ? "force" : "displacement");
    const auto add = [&](const Eigen::MatrixXd& K, const Eigen::VectorXd& b, double k0) {
        text += "K = " + rows(K) + "\n" + (force ? "b = " : "g = ") + numbers(b) + "\n";
        if (!force) text += fmt::format("k0 = {:.17g}\n", k0);
    };
    if (const auto* box = law.box()) {
        add(box->stiffness, box->coupling, box->held);
        text += "mu = " + numbers(box->friction) + "\n";
    } else {
        const auto& e = *law.ellipsoid();
        add(e.stiffness, e.coupling, e.held);
        text += "A = " + rows(e.friction) + "\n";
    }
    return text;
}

laws::LawEntry law_from_file(const std::string& path) {
    static constexpr auto by_force = makers<laws::Drive::force>(std::make_index_sequence<most_files>{});
    static constexpr auto by_displacement = makers<laws::Drive::displacement>(std::make_index_sequence<most_files>{});
    const auto law = std::make_shared<const MState>(read_m_state(path));
    const std::size_t slot = files++;
    if (slot >= most_files)
        throw core::BadInput(path, fmt::format("more than {} law files in one program", most_files));
    loaded[slot] = law;
    const bool force = law->drive() == laws::Drive::force;
    laws::LawEntry entry;
    entry.info =
        force ? laws::info_of<FileLaw<laws::Drive::force>>() : laws::info_of<FileLaw<laws::Drive::displacement>>();
    entry.info.key = path;
    entry.make = force ? by_force[slot] : by_displacement[slot];
    entry.starts = file_starts;
    return entry;
}

void add_law_files() { laws::read_law_files_with(law_from_file); }

}  // namespace faying::network
