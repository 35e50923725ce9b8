#pragma once
// Erasing a law's type for the catalogue: everything here is instantiated once a law, in that law's own .cpp.

#include "faying/laws/catalogue.hpp"

namespace faying::laws {

template <class P>
std::vector<core::ParameterInfo> infos_of(const core::ParameterTable<P>& table) {
    return {table.begin(), table.end()};
}

/// Parameters on scalar T from plain values, seeding directions first, first+1, .. when T is a dual number.
template <class L>
typename L::Parameters parameters_from(const std::vector<double>& values, std::size_t first = 0) {
    using T = typename L::Scalar;
    typename L::Parameters p{};
    const auto& table = L::table();
    for (std::size_t i = 0; i < table.size(); ++i) {
        T x(values[i]);
        if constexpr (is_dual<T>)
            if (i >= first && i < first + core::directions) x.v[i - first] = 1.0;
        table[i].at(p) = x;
    }
    return p;
}

/// The law at the sites of a joint, its parameters seeded as asked.
template <class L>
JointOf<core::Dual> seeded_joint(const std::vector<double>& values, std::size_t sites, Seeds seeds) {
    if constexpr (requires { typename L::template rebind<core::Dual>; }) {
        using D = typename L::template rebind<core::Dual>;
        typename D::Parameters p{};
        for (std::size_t i = 0; i < values.size(); ++i) {
            core::Dual x(values[i]);
            if (i < seeds.size() && seeds[i] >= 0) x.v[seeds[i]] = 1.0;  // kp seeds the first coefficient only
            D::table()[i].at(p) = x;
        }
        return JointOf<core::Dual>(D(p), sites);
    } else {
        throw core::BadInput(std::string(L::key), "has no derivatives (it is not written for dual numbers)");
    }
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

template <class L>
class LawModelOf final : public LawModel {
 public:
    explicit LawModelOf(const std::vector<double>& values) : values_(values), law_(parameters_from<L>(values)) {}

    History follow(const Path& path) const override {
        History h;
        walk(law_, path,
             [&](double input, const auto& s) { record(h, input, s.force, s.tangent, s.work, s.dissipated); });
        return h;
    }

    Cycle<double> cycle(double amplitude, const CycleOptions& options) const override {
        return steady_cycle(law_, amplitude, options);
    }

    History loop(double amplitude, int points) const override {
        History h;
        for (const auto& [input, output] : steady_loop(law_, amplitude, points)) {
            const bool by_force = drive_of<L>() == Drive::force;
            h.u.push_back(by_force ? output : input);
            h.f.push_back(by_force ? input : output);
        }
        return h;
    }

    std::vector<History> follow_derivatives(const Path& path) const override {
        std::vector<History> all(values_.size());
        each_pass([&](const auto& dual, std::size_t first, std::size_t count) {
            walk(dual, path, [&](double, const auto& s) {
                for (std::size_t k = 0; k < count; ++k)
                    record(all[first + k], 0.0, s.force.v[k], s.tangent.v[k], s.work.v[k], s.dissipated.v[k]);
            });
        });
        return all;
    }

    std::vector<Cycle<double>> cycle_derivatives(double amplitude, const CycleOptions& options) const override {
        std::vector<Cycle<double>> all(values_.size());
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
    }

    Joint joint(std::size_t sites) const override { return Joint(law_, sites); }
    JointOf<core::Dual> joint(std::size_t sites, Seeds seeds) const override {
        return seeded_joint<L>(values_, sites, seeds);
    }

 private:
    std::vector<double> values_;
    L law_;

    static void record(History& h, double input, double output, double tangent, double work, double dissipated) {
        const bool by_force = drive_of<L>() == Drive::force;
        h.u.push_back(by_force ? output : input);
        h.f.push_back(by_force ? input : output);
        h.tangent.push_back(tangent);
        h.work.push_back(work);
        h.dissipated.push_back(dissipated);
    }

    template <class Body>
    void each_pass(Body&& body) const {
        if constexpr (requires { typename L::template rebind<core::Dual>; }) {
            using D = typename L::template rebind<core::Dual>;
            for (std::size_t first = 0; first < values_.size(); first += core::directions)
                body(D(parameters_from<D>(values_, first)), first,
                     std::min<std::size_t>(core::directions, values_.size() - first));
        } else {
            throw core::BadInput(std::string(L::key), "has no derivatives (it is not written for dual numbers)");
        }
    }
};

template <class L>
LawEntry entry(std::string title, std::string source) {
    static_assert(HysteresisLaw<L>);
    LawEntry e;
    e.info = {std::string(L::key),
              std::move(title),
              std::move(source),
              infos_of(L::table()),
              claims_of<L>(),
              drive_of<L>(),
              1};
    e.make = [](const std::vector<double>& values) -> std::shared_ptr<const LawModel> {
        if constexpr (requires(typename L::Parameters p) { L::complaint(p); }) {
            const std::string complaint = L::complaint(parameters_from<L>(values));
            if (!complaint.empty()) throw core::BadInput(std::string(L::key), complaint);
        }
        return std::make_shared<LawModelOf<L>>(values);
    };
    return e;
}

// One function a family, defined beside its instantiation.
void add_jenkins(std::vector<LawEntry>& all);
void add_iwan(std::vector<LawEntry>& all);
void add_sliders(std::vector<LawEntry>& all);
void add_bouc_wen(std::vector<LawEntry>& all);
void add_valanis(std::vector<LawEntry>& all);
void add_two_state(std::vector<LawEntry>& all);
void add_six_state(std::vector<LawEntry>& all);
void add_pinched(std::vector<LawEntry>& all);
void add_contact(std::vector<LawEntry>& all);

}  // namespace faying::laws
