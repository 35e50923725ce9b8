#pragma once
// A law with its parameters and without its type: whole paths, whole cycles and whole patches of sites are asked of it,
// never a step. Any SiteLaw becomes one, a user's as well as the library's.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "faying/core/stop.hpp"
#include "faying/laws/cycle.hpp"
#include "faying/laws/differences.hpp"
#include "faying/laws/joint.hpp"

namespace faying::laws {

/// A law's answer along a path. `u` is always displacement and `f` always force, also for a law driven by force (its
/// `tangent` is then the compliance du/df). Energies are totals since virgin.
struct History {
    std::vector<double> u, f, tangent, work, dissipated;
};

/// A path of displacements (forces for a force-driven law), with times if the law needs them.
struct Path {
    std::span<const double> points;
    std::span<const double> times = {};
};

/// A contact law's answer along (x, y, n) points.
struct ContactHistory {
    std::vector<Vector3<double>> u, f;
    std::vector<std::array<Vector3<double>, 3>> tangent;
    std::vector<double> work, dissipated;
};

/// Where parameter derivatives come from: dual numbers through the same code, or central differences for a law that is
/// not a template of its scalar.
enum class Derivatives { exact, differences };

class LawModel {
 public:
    virtual ~LawModel() = default;

    /// At the sites of a joint.
    virtual Joint joint(std::size_t sites) const = 0;
    /// The same carrying derivatives to the seeded parameters.
    virtual JointOf<core::Dual> joint(std::size_t sites, Seeds seeds) const = 0;
    /// The displacement beyond which every part of it slips; none where the law has no such point.
    virtual std::optional<double> macroslip() const = 0;
    /// A spring whose stiffness is the same everywhere.
    virtual bool linear() const = 0;

    // Laws of one displacement; contact laws throw BadInput.
    virtual History follow(const Path& path) const = 0;
    virtual Cycle<double> cycle(double amplitude, const CycleOptions& options) const = 0;
    /// The steady loop, drawn with `points` points per branch; only u and f are filled.
    virtual History loop(double amplitude, int points) const = 0;
    /// Derivatives of every answer to the parameter of each index, in table order.
    virtual std::vector<History> follow_derivatives(const Path& path) const = 0;
    virtual std::vector<Cycle<double>> cycle_derivatives(double amplitude, const CycleOptions& options) const = 0;

    // Contact laws; others throw BadInput.
    virtual ContactHistory follow(std::span<const Vector3<double>> path) const = 0;
};

namespace detail {

/// The law on dual numbers, its parameters seeded as asked.
template <class L>
JointOf<core::Dual> seeded_joint(const L& law, std::size_t sites, Seeds seeds) {
    if constexpr (DualLaw<L>) {
        using D = typename L::template rebind<core::Dual>;
        const auto values = values_of(law);
        ParametersOf<D> p{};
        for (std::size_t i = 0; i < values.size(); ++i) {
            core::Dual x(values[i]);
            if (i < seeds.size() && seeds[i] >= 0) x.v[seeds[i]] = 1.0;
            D::table()[i].at(p) = x;
        }
        return JointOf<core::Dual>(law_from<D>(p), sites);
    } else {
        return JointOf<core::Dual>(Differenced<L>(law, seeds), sites);
    }
}

template <class L>
std::optional<double> macroslip_of(const L& law) {
    if constexpr (requires { law.macroslip(); })
        return value(law.macroslip());
    else
        return std::nullopt;
}

template <class L>
bool linear_of(const L& law) {
    if constexpr (requires { law.linear(); })
        return law.linear();
    else
        return false;
}

template <class L>
concept TimedLaw = requires(const L law) {
    { law.needs_time() } -> std::convertible_to<bool>;
};

/// Calls visit(input, step) at every point of the path.
template <class L, class Visit>
void walk(const L& law, const Path& path, Visit&& visit) {
    using T = typename L::Scalar;
    auto z = law.virgin();
    for (std::size_t i = 0; i < path.points.size(); ++i) {
        const T u(path.points[i]);
        auto s = [&] {
            if constexpr (TimedLaw<L>)
                if (law.needs_time() && !path.times.empty())
                    return law.step(std::move(z), u, i == 0 ? 0.0 : path.times[i] - path.times[i - 1]);
            return law.step(std::move(z), u);
        }();
        visit(path.points[i], s);
        z = std::move(s.next);
    }
}

/// (up - down)/step, column by column.
inline History difference(const History& up, const History& down, double step) {
    History out = up;
    const auto subtract = [step](std::vector<double>& from, const std::vector<double>& other) {
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = (from[i] - other[i]) / step;
    };
    subtract(out.u, down.u);
    subtract(out.f, down.f);
    subtract(out.tangent, down.tangent);
    subtract(out.work, down.work);
    subtract(out.dissipated, down.dissipated);
    return out;
}
inline Cycle<double> difference(const Cycle<double>& up, const Cycle<double>& down, double step) {
    Cycle<double> out = up;
    out.dissipation = (up.dissipation - down.dissipation) / step;
    out.secant = (up.secant - down.secant) / step;
    out.harmonic_stiffness = (up.harmonic_stiffness - down.harmonic_stiffness) / step;
    out.harmonic_damping = (up.harmonic_damping - down.harmonic_damping) / step;
    return out;
}

}  // namespace detail

template <HysteresisLaw L>
class LawModelOf final : public LawModel {
 public:
    explicit LawModelOf(const L& law) : law_(law) {}

    Joint joint(std::size_t sites) const override { return Joint(law_, sites); }
    JointOf<core::Dual> joint(std::size_t sites, Seeds seeds) const override {
        return detail::seeded_joint(law_, sites, seeds);
    }
    std::optional<double> macroslip() const override { return detail::macroslip_of(law_); }
    bool linear() const override { return detail::linear_of(law_); }

    History follow(const Path& path) const override { return follow(law_, path); }
    Cycle<double> cycle(double amplitude, const CycleOptions& options) const override {
        return steady_cycle(law_, amplitude, options);
    }
    History loop(double amplitude, int points) const override {
        History h;
        for (const auto& [input, output] : steady_loop(law_, amplitude, points)) {
            h.u.push_back(by_force ? output : input);
            h.f.push_back(by_force ? input : output);
        }
        return h;
    }

    std::vector<History> follow_derivatives(const Path& path) const override {
        if constexpr (DualLaw<L>) {
            std::vector<History> all(L::table().size());
            each_pass([&](const auto& dual, std::size_t first, std::size_t count) {
                detail::walk(dual, path, [&](double, const auto& s) {
                    for (std::size_t k = 0; k < count; ++k)
                        record(all[first + k], 0.0, s.force.v[k], s.tangent.v[k], s.work.v[k], s.dissipated.v[k]);
                });
            });
            return all;
        } else {
            return differences<History>([&](const L& law) { return follow(law, path); });
        }
    }

    std::vector<Cycle<double>> cycle_derivatives(double amplitude, const CycleOptions& options) const override {
        if constexpr (DualLaw<L>) {
            std::vector<Cycle<double>> all(L::table().size());
            each_pass([&](const auto& dual, std::size_t first, std::size_t count) {
                const auto c = steady_cycle(dual, amplitude, options);
                for (std::size_t k = 0; k < count; ++k)
                    all[first + k] = {amplitude,
                                      c.dissipation.v[k],
                                      c.secant.v[k],
                                      c.harmonic_stiffness.v[k],
                                      c.harmonic_damping.v[k],
                                      c.residual,
                                      c.loops};
            });
            return all;
        } else {
            return differences<Cycle<double>>([&](const L& law) { return steady_cycle(law, amplitude, options); });
        }
    }

    ContactHistory follow(std::span<const Vector3<double>>) const override {
        throw core::BadInput(std::string(L::key), "is a law of one displacement and does not take x:y:n points");
    }

 private:
    L law_;
    static constexpr bool by_force = drive_of<L>() == Drive::force;

    static History follow(const L& law, const Path& path) {
        History h;
        detail::walk(law, path,
                     [&](double input, const auto& s) { record(h, input, s.force, s.tangent, s.work, s.dissipated); });
        return h;
    }

    static void record(History& h, double input, double output, double tangent, double work, double dissipated) {
        core::stop_point();
        h.u.push_back(by_force ? output : input);
        h.f.push_back(by_force ? input : output);
        h.tangent.push_back(tangent);
        h.work.push_back(work);
        h.dissipated.push_back(dissipated);
    }

    /// The law on dual numbers, as many parameters at a time as there are directions.
    template <class Body>
    void each_pass(Body&& body) const {
        using D = typename L::template rebind<core::Dual>;
        const auto values = values_of(law_);
        const auto& table = D::table();
        for (std::size_t first = 0; first < values.size(); first += core::directions) {
            const std::size_t count = std::min<std::size_t>(core::directions, values.size() - first);
            auto p = parameters_from<D>(values);
            for (std::size_t k = 0; k < count; ++k) table[first + k].at(p).v[k] = 1.0;
            body(law_from<D>(p), first, count);
        }
    }

    template <class Answer, class Ask>
    std::vector<Answer> differences(const Ask& ask) const {
        std::vector<Answer> all;
        if constexpr (NamedParameters<L>)
            for (const auto& entry : L::table()) {
                auto up = parameters_of(law_), down = up;
                const auto to = moved(entry, entry.at(up));
                entry.at(up) = to.up;
                entry.at(down) = to.down;
                all.push_back(detail::difference(ask(law_from<L>(up)), ask(law_from<L>(down)), to.up - to.down));
            }
        return all;
    }
};

/// Contact laws and elements: laws of several displacements.
template <SiteLaw C>
class ElementModelOf final : public LawModel {
 public:
    explicit ElementModelOf(const C& law) : law_(law) {}

    Joint joint(std::size_t sites) const override { return Joint(law_, sites); }
    JointOf<core::Dual> joint(std::size_t sites, Seeds seeds) const override {
        return detail::seeded_joint(law_, sites, seeds);
    }
    std::optional<double> macroslip() const override { return detail::macroslip_of(law_); }
    bool linear() const override { return detail::linear_of(law_); }

    History follow(const Path&) const override { throw several_displacements(); }
    Cycle<double> cycle(double, const CycleOptions&) const override { throw several_displacements(); }
    History loop(double, int) const override { throw several_displacements(); }
    std::vector<History> follow_derivatives(const Path&) const override { throw several_displacements(); }
    std::vector<Cycle<double>> cycle_derivatives(double, const CycleOptions&) const override {
        throw several_displacements();
    }

    ContactHistory follow(std::span<const Vector3<double>> path) const override {
        if constexpr (width_of<C>() == 3) {
            auto z = law_.virgin();
            ContactHistory h;
            for (const auto& u : path) {
                core::stop_point();
                auto s = law_.step(z, u);
                h.u.push_back(u);
                h.f.push_back(s.force);
                h.tangent.push_back(s.tangent);
                h.work.push_back(s.work);
                h.dissipated.push_back(s.dissipated);
                z = s.next;
            }
            return h;
        }
        throw several_displacements();
    }

 private:
    C law_;

    static core::BadInput several_displacements() {
        return core::BadInput(
            std::string(C::key),
            ContactLaw<C> ? "is a contact law on three displacements: along one of them it needs its normal approach "
                            "'un' (x:y:n points carry it themselves)"
                          : "is an element of " + std::to_string(width_of<C>()) +
                                " displacements: it stands at joints, and has no path of one");
    }
};

template <class L>
std::shared_ptr<const LawModel> model_of(const L& law) {
    if constexpr (HysteresisLaw<L>)
        return std::make_shared<LawModelOf<L>>(law);
    else
        return std::make_shared<ElementModelOf<L>>(law);
}

}  // namespace faying::laws
