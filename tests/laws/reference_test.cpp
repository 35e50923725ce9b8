// Every law against independently computed numbers.

#include "reference.hpp"

#include <gtest/gtest.h>

#include "faying/laws/catalogue.hpp"
#include "faying/laws/iwan.hpp"
#include "faying/laws/six_state.hpp"
#include "faying/laws/two_state.hpp"
#include "faying/laws/two_state_increment.hpp"
#include "faying/laws/valanis.hpp"
#include "turning_points.hpp"

namespace {

using namespace faying::laws;
using faying::tests::reference;
using faying::tests::rows;
using faying::tests::turning_points;

TEST(Reference, Iwan4ClosedForms) {
    const auto data = reference("laws")["iwan4_S2"];
    const Law law("iwan4", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}});
    const IwanPopulation<double> population(10, 1, -0.5, 5);
    EXPECT_RELATIVE(population.phi_max, data["phimax"].get<double>(), 1e-14);
    EXPECT_RELATIVE(population.R, data["R"].get<double>(), 1e-14);
    EXPECT_RELATIVE(population.S, data["S"].get<double>(), 1e-14);
    EXPECT_RELATIVE(population.c, data["c"].get<double>(), 1e-14);
    for (const auto& row : rows(data["table"], 5)) {
        const double A = row["A"];
        const auto h = law.follow({A});
        EXPECT_RELATIVE(h.f[0], row["F_monotonic"].get<double>(), 1e-12);
        EXPECT_NEAR(h.tangent[0], row["K_tangent"].get<double>(), 1e-12);
        const auto c = law.cycle(A);
        EXPECT_RELATIVE(c.secant, row["K_secant"].get<double>(), 1e-12);
        EXPECT_RELATIVE(c.dissipation, row["D_cycle"].get<double>(), 1e-12);
        EXPECT_RELATIVE(c.harmonic_stiffness, row["K_first_harmonic"].get<double>(), 1e-12) << "A " << A;
        EXPECT_RELATIVE(c.damping_ratio(), row["zeta_elem_D_over_2piKsecA2"].get<double>(), 1e-12);
    }
}

TEST(Reference, JenkinsClosedForms) {
    const Law law("jenkins", {{"kt", 1}, {"fs", 2}});
    for (const auto& row : rows(reference("laws")["jenkins"]["table"], 5)) {
        const auto c = law.cycle(row["A"]);
        EXPECT_NEAR(c.dissipation, row["D"].get<double>(), 1e-12 * (1 + row["D"].get<double>()));
        EXPECT_RELATIVE(c.harmonic_stiffness, row["K_first_harmonic"].get<double>(), 1e-12);
    }
}

TEST(Reference, BoucWenPath) {
    const auto data = reference("laws")["bouc_wen_n1"];
    const Law law("bouc-wen", {{"A", data["A"]}, {"alpha", data["alpha"]}, {"beta", data["beta"]}, {"n", 1}});
    const auto h = law.follow(rows(data["path"], 6).get<std::vector<double>>());
    ASSERT_EQ(h.f.size(), 6u);
    for (std::size_t i = 0; i < h.f.size(); ++i) EXPECT_NEAR(h.f[i], data["n1_eq12"][i].get<double>(), 1e-10 * 3);
}

TEST(Reference, ValanisPath) {
    const auto data = reference("laws")["valanis"];
    const Law law("valanis", {{"E0", 2}, {"Et", 0.1}, {"lambda", 1.5}, {"kappa", 0.6}});
    for (const auto& [u, f] : rows(data["monotonic"], 3).items())
        EXPECT_RELATIVE(law.follow({std::stod(u)}).f[0], f.get<double>(), 1e-12);
    const auto h = law.follow(rows(data["path"], 6).get<std::vector<double>>());
    ASSERT_EQ(h.f.size(), 6u);
    for (std::size_t i = 0; i < h.f.size(); ++i) EXPECT_NEAR(h.f[i], data["cyclic"][i].get<double>(), 1e-10);
    const ValanisBranch<double> branch({2, 0.1, 1.5, 0.6});
    EXPECT_RELATIVE(branch.asymptote_offset(), data["asymptote_offset"].get<double>(), 1e-14);
}

TEST(Reference, GeneralizedValanisSteadyLoop) {
    const auto data = reference("generalized_valanis")["ex1"];
    const double xm = data["xmax"];
    const Law law("generalized-valanis", {{"E1", 10}, {"E2", 20}, {"a1", 5}});
    const auto c = law.cycle(xm);
    EXPECT_RELATIVE(c.secant * xm, data["F_at_xmax"].get<double>(), 1e-9);  // the reference's own closure
    EXPECT_RELATIVE(c.dissipation, data["D_per_cycle"].get<double>(), 1e-9);
    const double amplitude = 10.0 / 20 - 5.0 / 400;  // [S4] Eqs. 9-10
    EXPECT_RELATIVE(c.secant * xm, amplitude * std::tanh(20 * xm) + 0.25 * xm, 1e-13);
}

TEST(Reference, SixStateCases) {
    const auto data = reference("low_dimensional")["six_state"];
    const SixState<> law(SixState<>::Parameters{[] {
        SixState<>::Parameters p{};
        for (const auto& e : SixState<>::table()) e.at(p) = *e.fallback;
        return p;
    }()});
    EXPECT_RELATIVE(law.stick_half_width(), data["virgin_stick_halfwidth_f"].get<double>(), 1e-12);
    struct Forcing {
        double a1, w1, a2, w2;
    };
    const double pi = std::numbers::pi;
    const std::map<std::string, Forcing> cases = {
        {"2.1.1", {0.4, 1, 1, 4.16753}}, {"2.1.2", {1, 1, 0.4, 4.16753}}, {"2.2.1", {1, 1, 1.5, pi / 4}}};
    for (const auto& [name, w] : cases) {
        const auto f = [&w = w](double t) { return w.a1 * std::sin(w.w1 * t) + w.a2 * std::sin(w.w2 * t); };
        const auto rate = [&w = w](double t) {
            return w.a1 * w.w1 * std::cos(w.w1 * t) + w.a2 * w.w2 * std::cos(w.w2 * t);
        };
        auto z = law.virgin();
        double t = 0, work = 0, dissipated = 0;
        for (const auto& row : rows(data["cases"][name], 10)) {
            Step<double, SixState<>::State> s;
            for (const double point : turning_points(f, rate, t, row["t"])) {
                s = law.step(z, point);
                z = s.next;
            }
            t = row["t"];
            EXPECT_RELATIVE(s.force, row["xi"].get<double>(), 1e-9) << name << " t " << t;
            EXPECT_RELATIVE(s.dissipated - dissipated, row["D"].get<double>(), 1e-9) << name << " t " << t;
            EXPECT_RELATIVE(s.work - work, row["W"].get<double>(), 1e-9) << name << " t " << t;
            const auto& q = z.q;
            for (int i = 0; i < 6; ++i) EXPECT_NEAR(q[i], row["q"][i].get<double>(), 1e-8);
            work = s.work;
            dissipated = s.dissipated;
        }
    }
}

double chapter3_input(double t) { return 0.6748 * std::sin(t) + 0.2887 * std::sin(6.5581 * t); }
double chapter3_rate(double t) { return 0.6748 * std::cos(t) + 0.2887 * 6.5581 * std::cos(6.5581 * t); }

void expect_chapter3(const Law& law, const nlohmann::json& states) {
    std::vector<double> path;
    std::vector<std::size_t> stops;
    for (int t = 1; t <= 12; ++t) {
        for (const double u : turning_points(chapter3_input, chapter3_rate, t - 1, t)) path.push_back(u);
        stops.push_back(path.size() - 1);
    }
    const auto h = law.follow(path);
    for (int t = 1; t <= 12; ++t) {
        const auto& row = states.at(std::to_string(t));
        EXPECT_NEAR(h.f[stops[t - 1]], row["f"].get<double>(), 1e-9);
        EXPECT_NEAR(h.work[stops[t - 1]], row["W"].get<double>(), 1e-9);
        EXPECT_NEAR(h.dissipated[stops[t - 1]], row["D"].get<double>(), 1e-9);
    }
}

TEST(Reference, Chapter3Sliders) {
    expect_chapter3(Law("equal-sliders", {{"k", 1}, {"phi_max", 1}, {"count", 500}}),
                    reference("low_dimensional")["chapter3"]["full500"]["exact_at_integer_t"]);
}

TEST(Reference, Chapter3TwoState) {
    const auto data = reference("low_dimensional")["chapter3"]["twostate_alpha_0.0008"];
    const Law law("two-state", {{"alpha", 1.0 / 500},
                                {"sigma", data["sigma"]},
                                {"mu", data["mubar"]},
                                {"b1", data["rotated_b"][0]},
                                {"b2", data["rotated_b"][1]}});
    expect_chapter3(law, data["rows"]);
}

TEST(Reference, ThesisIncrementIsFirstOrderAndConvergesToTheClosedForm) {
    const auto data = reference("low_dimensional")["chapter3"]["twostate_alpha_0.0008"];
    const TwoStateParameters<double> p{1.0 / 500, data["sigma"], data["rotated_b"][0], data["rotated_b"][1],
                                       0.0,       data["mubar"]};
    const TwoStateIncrement<SlipDirection::eigenproblem> law(p);
    for (const auto& [dt, row] : rows(data["rows"]["incmap"], 3).items()) {
        auto z = law.virgin();
        double force = 0;
        const int n = static_cast<int>(std::lround(12.0 / std::stod(dt)));
        for (int i = 1; i <= n; ++i) {
            const auto s = law.step(z, chapter3_input(12.0 * i / n));
            z = s.next;
            force = s.force;
        }
        EXPECT_NEAR(force, row["f12"].get<double>(), 1e-9);
    }
}

std::vector<double> per_cycle(const Law& law, bool two) {
    const double pi = std::numbers::pi;
    const auto u = [&](double t) { return std::sin(2 * pi * t) + (two ? 0.6 * std::sin(8 * pi * t) : 0.0); };
    const auto rate = [&](double t) {
        return 2 * pi * std::cos(2 * pi * t) + (two ? 0.6 * 8 * pi * std::cos(8 * pi * t) : 0.0);
    };
    std::vector<double> path;
    std::vector<std::size_t> stops;
    for (int k = 1; k <= 12; ++k) {
        for (const double x : turning_points(u, rate, k - 1, k)) path.push_back(x);
        path.back() = 0.0;
        stops.push_back(path.size() - 1);
    }
    const auto h = law.follow(path);
    std::vector<double> work;
    for (std::size_t k = 0; k < stops.size(); ++k) work.push_back(h.work[stops[k]] - (k ? h.work[stops[k - 1]] : 0.0));
    return work;
}

TEST(Reference, AppendixF) {
    const auto data = reference("low_dimensional")["appendix_F"]["per_cycle_k1_to_12"];
    const Law bouc_wen("bouc-wen", {{"A", 1}, {"alpha", 0.8}, {"beta", -0.2}, {"n", 1}});
    const Law two_state(
        "two-state", {{"mu", 1}, {"sigma", 0.1524}, {"alpha", 3.3311}, {"b1", 1.1334}, {"b2", 1.4232}, {"ks", 0.2942}});
    for (const bool two : {false, true}) {
        const auto& cycles = data[two ? "two" : "single"];
        const auto bw = per_cycle(bouc_wen, two), ts = per_cycle(two_state, two);
        for (int k = 0; k < 12; ++k) {
            EXPECT_RELATIVE(bw[k], rows(cycles["BW"], 12)[k].get<double>(), 1e-11) << k;
            EXPECT_RELATIVE(ts[k], rows(cycles["two_state"], 12)[k].get<double>(), 1e-11) << k;
        }
    }
    EXPECT_RELATIVE(bouc_wen.cycle(1.0).dissipation, data["single"]["BW"][11].get<double>(), 1e-11);
    EXPECT_RELATIVE(two_state.cycle(1.0).dissipation, data["single"]["two_state"][11].get<double>(), 1e-11);
}

TEST(Reference, TwoStateSaturation) {
    const auto data = reference("low_dimensional")["saturation_and_pinched"];
    struct Case {
        const char* name;
        double alpha, sigma;
    };
    for (const auto& c :
         {Case{"sat_al3.3311_sig0.1524", 3.3311, 0.1524}, Case{"sat_al0.6667_sig0.0625", 2.0 / 3, 1.0 / 16},
          Case{"sat_al0.5000_sig0.4900", 0.5, 0.49}}) {
        const auto row = data[c.name];
        const Law law("two-state", {{"alpha", c.alpha}, {"sigma", c.sigma}, {"b1", row["b1"]}, {"b2", row["b2"]}});
        EXPECT_NEAR(law.follow({60.0}).f[0], row["f_u60"].get<double>(), 2e-12);
    }
}

TEST(Reference, PinchedSteadyDissipation) {
    const auto data = reference("low_dimensional")["saturation_and_pinched"];
    struct Case {
        const char* name;
        double K0, eps, xm;
    };
    for (const auto& c : {Case{"pinched_K0_4_thm_2_beta_1.8_eps_0.0001_xm_1", 4, 1e-4, 1},
                          Case{"pinched_K0_0.5_thm_2_beta_1.8_eps_0.0001_xm_1", 0.5, 1e-4, 1},
                          Case{"pinched_K0_4_thm_2_beta_1.8_eps_0.0001_xm_0.01", 4, 1e-4, 0.01},
                          Case{"pinched_K0_1.5_thm_2_beta_1.8_eps_1e-08_xm_2", 1.5, 1e-8, 2}}) {
        const Law law("pinched", {{"K0", c.K0}, {"theta_m", 2}, {"beta", 1.8}, {"eps", c.eps}});
        EXPECT_RELATIVE(law.cycle(c.xm).dissipation, data[c.name]["D_steady"].get<double>(), 1e-9) << c.name;
        const Law sharp("pinched", {{"K0", c.K0}, {"theta_m", 2}, {"beta", 1.8}, {"eps", 1e-6 * c.xm}});
        EXPECT_RELATIVE(sharp.cycle(c.xm).dissipation, data[c.name]["formula"].get<double>(), c.K0 < 1 ? 1e-2 : 1e-3);
    }
}

}  // namespace
