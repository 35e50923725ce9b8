#include "faying/laws/law_file.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "faying/network/m_state.hpp"
#include "faying/network/network_file.hpp"
#include "io/toml_file.hpp"

namespace faying::network {

namespace {

/// A law of m states as other laws are. The drive is part of a law's type.
template <class T, laws::Drive D>
struct FileLaw {
    using Scalar = T;
    template <class U>
    using rebind = FileLaw<U, D>;
    static constexpr std::string_view key = "m-state";
    static constexpr std::string_view title = "m hidden states: sliders joined by springs, a polytope or an ellipsoid";
    static constexpr std::string_view source = "[S3] ch. 2, 3";
    static constexpr laws::Drive drive = D;
    static constexpr laws::Claims claims{.cut_tolerance = 1e-9};

    T force_scale = T(1.0), displacement_scale = T(1.0);
    std::shared_ptr<const MState> inner = {};

    static const core::ParameterTable<FileLaw>& table() {
        static const core::ParameterTable<FileLaw> t = {
            core::parameter<&FileLaw::force_scale>("force_scale", "", "factor on forces", core::positive, 1.0),
            core::parameter<&FileLaw::displacement_scale>("displacement_scale", "", "factor on displacements",
                                                          core::positive, 1.0)};
        return t;
    }

    struct Plain {
        NetworkState inner;
    };
    struct WithSlopes {
        NetworkState inner;
        MStateSlopes slopes;
    };
    using State = std::conditional_t<core::is_dual<T>, WithSlopes, Plain>;

    State virgin() const {
        if constexpr (core::is_dual<T>)
            return {inner->virgin(), inner->no_slopes()};
        else
            return {inner->virgin()};
    }

    /// In two walks from the state, one each way.
    void respond_along(const State& z, std::span<const T> u, std::span<T> force, std::span<T> tangent) const {
        const T given = D == laws::Drive::force ? force_scale : displacement_scale;
        const T answer = D == laws::Drive::force ? displacement_scale : force_scale;
        for (const double way : {-1.0, 1.0}) {
            std::vector<std::size_t> met;
            for (std::size_t i = 0; i < u.size(); ++i)
                if ((laws::value(u[i] / given) < z.inner.load) == (way < 0)) met.push_back(i);
            std::sort(met.begin(), met.end(),
                      [&](std::size_t i, std::size_t j) { return way * laws::value(u[i]) < way * laws::value(u[j]); });
            std::vector<T> loads;
            for (const std::size_t i : met) loads.push_back(u[i] / given);
            const auto answers = [&] {
                if constexpr (core::is_dual<T>)
                    return inner->follow(z.inner, z.slopes, loads);
                else
                    return inner->follow(z.inner, loads);
            }();
            for (std::size_t k = 0; k < met.size(); ++k) {
                force[met[k]] = answer * answers[k].answer;
                tangent[met[k]] = answer / given * answers[k].tangent;
            }
        }
    }

    bool kinks(const State& z, std::vector<double>& at) const {
        const std::size_t first = at.size();
        const bool known = D == laws::Drive::displacement && inner->kinks(z.inner, at);
        for (std::size_t i = first; i < at.size(); ++i) at[i] *= laws::value(displacement_scale);
        return known;
    }

    laws::Step<T, State> step(State z, const T& load) const {
        const T given = D == laws::Drive::force ? force_scale : displacement_scale;
        const T answer = D == laws::Drive::force ? displacement_scale : force_scale;
        const T energy = force_scale * displacement_scale;
        if constexpr (core::is_dual<T>) {
            const auto a = inner->step(z.inner, z.slopes, load / given);
            return {answer * a.answer, answer / given * a.tangent, energy * a.work, energy * a.dissipated,
                    std::move(z)};
        } else {
            const auto a = inner->step(z.inner, load / given);
            return {answer * a.answer, answer / given * a.tangent, energy * z.inner.work, energy * z.inner.dissipated,
                    std::move(z)};
        }
    }
};

/// The type of a law in a file does not hold its numbers, so derivatives are asked for here.
template <laws::Drive D>
class FileLawModel final : public laws::LawModel {
 public:
    explicit FileLawModel(const FileLaw<double, D>& law) : law_(law), plain_(law) {}

    laws::Joint joint(std::size_t sites) const override { return plain_.joint(sites); }
    laws::JointOf<core::Dual> joint(std::size_t sites, laws::Seeds seeds) const override {
        return laws::JointOf<core::Dual>(seeded(seeds), sites);
    }
    std::optional<double> macroslip() const override { return plain_.macroslip(); }
    bool linear() const override { return plain_.linear(); }
    laws::History follow(const laws::Path& path) const override { return plain_.follow(path); }
    laws::Cycle<double> cycle(double amplitude, const laws::CycleOptions& options) const override {
        return plain_.cycle(amplitude, options);
    }
    laws::History loop(double amplitude, int points) const override { return plain_.loop(amplitude, points); }

    std::vector<laws::History> follow_derivatives(const laws::Path& path) const override {
        std::vector<laws::History> all(2);
        const bool force = D == laws::Drive::force;
        laws::detail::walk(seeded(both), path, [&](double, const auto& s) {
            for (std::size_t k = 0; k < all.size(); ++k) {
                all[k].u.push_back(force ? s.force.v[long(k)] : 0.0);
                all[k].f.push_back(force ? 0.0 : s.force.v[long(k)]);
                all[k].tangent.push_back(s.tangent.v[long(k)]);
                all[k].work.push_back(s.work.v[long(k)]);
                all[k].dissipated.push_back(s.dissipated.v[long(k)]);
            }
        });
        return all;
    }
    std::vector<laws::Cycle<double>> cycle_derivatives(double amplitude,
                                                       const laws::CycleOptions& options) const override {
        const auto c = laws::steady_cycle(seeded(both), amplitude, options);
        std::vector<laws::Cycle<double>> all;
        for (long k = 0; k < 2; ++k)
            all.push_back({amplitude, c.dissipation.v[k], c.secant.v[k], c.harmonic_stiffness.v[k],
                           c.harmonic_damping.v[k], c.residual, c.loops});
        return all;
    }
    laws::ContactHistory follow(std::span<const laws::Vector3<double>> path) const override {
        return plain_.follow(path);
    }

 private:
    FileLaw<double, D> law_;
    laws::LawModelOf<FileLaw<double, D>> plain_;
    static constexpr std::array<int, 2> both{0, 1};

    FileLaw<core::Dual, D> seeded(laws::Seeds seeds) const {
        FileLaw<core::Dual, D> law{core::Dual(law_.force_scale), core::Dual(law_.displacement_scale), law_.inner};
        if (!seeds.empty() && seeds[0] >= 0) law.force_scale.v[seeds[0]] = 1.0;
        if (seeds.size() > 1 && seeds[1] >= 0) law.displacement_scale.v[seeds[1]] = 1.0;
        return law;
    }
};

template <laws::Drive D>
laws::LawEntry entry_for(std::shared_ptr<const MState> law) {
    laws::LawEntry entry;
    entry.info = laws::info_of<FileLaw<double, D>>();
    if (const auto* e = law->ellipsoid(); e && e->slip == Slip::formula) {
        entry.info.claims.cut_tolerance = 0.0;
        entry.info.claims.dissipative = false;
    }
    entry.make = [law](const std::vector<double>& values) -> std::shared_ptr<const laws::LawModel> {
        return std::make_shared<FileLawModel<D>>(FileLaw<double, D>{values.at(0), values.at(1), law});
    };
    return entry;
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
    file.only_keys(root, {"law", "set", "slip", "drive", "K", "A", "C", "mu", "b", "g", "k0"});
    const auto& law = file.required(root, "law");
    if (file.text(law, "law") != "m-state")
        file.reject(law, fmt::format("a law file holds law = \"m-state\"; '{}' is not that", file.text(law, "law")));
    const std::string set = file.text(root, "set",
                                      root.contains("A")   ? "ellipsoid"
                                      : root.contains("C") ? "polytope"
                                                           : "box");
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
            const std::string slip = file.text(root, "slip", "exact");
            if (slip != "exact" && slip != "formula")
                file.reject(*root.get("slip"), fmt::format("unknown slip '{}'; allowed are: exact, formula", slip));
            return MState(Ellipsoid{K, A, b, drive, k0, slip == "exact" ? Slip::exact : Slip::formula}, file.path());
        }
        if (root.contains("slip")) file.reject(*root.get("slip"), "slip belongs to set = \"ellipsoid\"");
        if (set != "box" && set != "polytope")
            file.reject(*root.get("set"), fmt::format("unknown set '{}'; allowed are: box, polytope, ellipsoid", set));
        const Eigen::VectorXd mu = file.vector(file.required(root, "mu"), "mu");
        if (set == "polytope")
            return MState(Polytope{K, file.matrix(file.required(root, "C"), "C"), mu, b, drive, k0}, file.path());
        if (root.contains("C")) file.reject(*root.get("C"), "C belongs to set = \"polytope\"");
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
    text +=
        fmt::format("law = \"m-state\"\nset = \"{}\"\ndrive = \"{}\"\n", law.set(), force ? "force" : "displacement");
    const auto add = [&](const Eigen::MatrixXd& K, const Eigen::VectorXd& b, double k0) {
        text += "K = " + rows(K) + "\n" + (force ? "b = " : "g = ") + numbers(b) + "\n";
        if (!force) text += fmt::format("k0 = {:.17g}\n", k0);
    };
    if (const auto* p = law.polytope()) {
        add(p->stiffness, p->coupling, p->held);
        text += "C = " + rows(p->normals) + "\nmu = " + numbers(p->friction) + "\n";
    } else if (const auto* box = law.sliders()) {
        add(box->stiffness, box->coupling, box->held);
        text += "mu = " + numbers(box->friction) + "\n";
    } else {
        const auto& e = *law.ellipsoid();
        add(e.stiffness, e.coupling, e.held);
        text += "A = " + rows(e.friction) + "\n";
        if (e.slip == Slip::formula) text += "slip = \"formula\"\n";
    }
    return text;
}

laws::LawEntry law_from_file(const std::string& path) {
    const auto law = std::make_shared<const MState>(read_m_state(path));
    auto entry = law->drive() == laws::Drive::force ? entry_for<laws::Drive::force>(law)
                                                    : entry_for<laws::Drive::displacement>(law);
    entry.info.key = path;
    entry.starts = file_starts;
    return entry;
}

void add_law_files() { laws::read_law_files_with(law_from_file); }

}  // namespace faying::network
