#pragma once
// A law driven by force behind a spring of stiffness ks: driven by displacement, so that it can stand at joints,
//
//     u = xi(f) + f/ks,
//
// solved for f at every step. xi grows with f, so that there is one answer however stiff the spring; a law that is
// rigid while it sticks (six-state) needs a spring that is not. Straight paths of u are straight paths of f: what the
// law says of cuts holds here too.

#include "faying/core/error.hpp"
#include "faying/core/newton.hpp"
#include "faying/laws/parameters.hpp"

namespace faying::laws {

template <class L>
class InSeries {
 public:
    using Scalar = typename L::Scalar;
    using Description = L;
    struct Parameters : ParametersOf<L> {
        using Scalar = typename L::Scalar;
        Scalar ks;
    };
    template <class U>
    using rebind = typename detail::MadeOn<InSeries, L, U>::type;
    static constexpr std::string_view key = L::key;
    static constexpr Claims claims = claims_of<L>();

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = [] {
            auto entries = lifted_table<L, Parameters, 64>();
            entries.push_back(core::parameter<&Parameters::ks, Parameters>(
                "ks", "k_s", "N/m", core::positive, core::Scale::logarithmic, "spring in series with the law"));
            return entries;
        }();
        return t;
    }
    static std::string why_not_admissible(const Parameters& p) requires requires { L::why_not_admissible(p); }
    { return L::why_not_admissible(p); }
    static std::vector<Specimen> specimens() { return {}; }  // it has a spring that the law knows nothing of

    explicit InSeries(const Parameters& p) : law_(law_from<L>(p)), ks_(p.ks) {}
    Parameters parameters() const { return {parameters_of(law_), ks_}; }

    struct State {
        typename L::State behind{};
        Scalar force{};
    };
    State virgin() const { return {law_.virgin(), Scalar(0.0)}; }

    Step<Scalar, State> step(const State& z, const Scalar& u) const {
        Root root{*this, z.behind, value(u), value(z.force)};
        const auto end =
            core::newton(root, {.tolerance = 1e-12, .enough = 4e-16, .most_iterations = 200, .most_cuts = 0});
        if (!end.converged())
            throw core::NotConverged(std::string(key) + ": the force at a displacement was not found",
                                     end.residual / end.scale);
        const Scalar force = core::implicit_root<Scalar>(root.f, [&](const Scalar& f) {
            const auto s = law_.step(z.behind, f);
            return std::pair(Scalar(s.force + f / ks_ - u), Scalar(s.tangent + 1.0 / ks_));
        });
        const auto s = law_.step(z.behind, force);
        return {force, 1.0 / (s.tangent + 1.0 / ks_), s.work + 0.5 * force * force / ks_, s.dissipated,
                State{s.next, force}};
    }

 private:
    L law_;
    Scalar ks_;

    /// f as core::newton sees it, kept between bounds: where the law begins to slip its compliance jumps.
    struct Root {
        const InSeries& law;
        const typename L::State& behind;
        double u, f;
        double r = 0, slope = 1, xi = 0, change = 0;
        double low = -core::infinity, high = core::infinity;

        double scale() const { return std::abs(u) + std::abs(xi) + slope * std::abs(f); }
        double evaluate() {
            const auto s = law.law_.step(behind, Scalar(f));
            const double ks = value(law.ks_);
            xi = value(s.force);
            slope = value(s.tangent) + 1 / ks;
            return std::abs(r = xi + f / ks - u);
        }
        bool direction() {
            (r > 0 ? high : low) = f;
            change = r / slope;
            if (!(f - change > low && f - change < high)) change = f - 0.5 * (low + high);
            return std::isfinite(change);
        }
        void move(double from, double to) { f -= (to - from) * change; }
        bool settled(double before, double after, double) const {
            return std::abs(change) <= 4e-16 * std::abs(f) || (after >= before && after <= 1e-14 * scale());
        }
    };
};

}  // namespace faying::laws
