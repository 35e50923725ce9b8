// check_law says nothing of the library's own laws and names the invariant a broken one breaks.

#include "faying/laws/check.hpp"

#include "faying/laws/along_line.hpp"
#include "faying/laws/bouc_wen.hpp"
#include "faying/laws/generalized_valanis.hpp"
#include "faying/laws/iwan5_stiction.hpp"
#include "faying/laws/iwan_sliders.hpp"
#include "faying/laws/jenkins.hpp"
#include "faying/laws/parallel.hpp"
#include "faying/laws/pinched.hpp"
#include "faying/laws/polynomial.hpp"
#include "faying/laws/six_state.hpp"
#include "faying/laws/two_state.hpp"
#include "faying/laws/valanis.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;

template <class L>
void expect_clean(const L& law, double length) {
    for (const double amplitude : {0.3 * length, 3.0 * length, 100.0 * length})
        for (const auto& f : check_law(law, {.amplitude = amplitude}))
            ADD_FAILURE() << L::key << " at " << amplitude << ": " << f.invariant << ": " << f.evidence;
}

TEST(CheckLaw, SaysNothingOfLibraryLaws) {
    expect_clean(Jenkins<>({3.0, 2.0}), 1.0);
    expect_clean(JenkinsPrager<>({3.0, 2.0, 0.5}), 1.0);
    expect_clean(Prager<>({3e9, 2.0, 0.5}), 1.0);
    expect_clean(Iwan4<>({10.0, 2.0, -0.4, 1.5}), 6.0);
    expect_clean(Iwan5<>({10.0, 2.0, -0.4, 1.5, 0.6}), 6.0);
    expect_clean(Iwan5Stiction<>({10.0, 2.0, -0.4, 1.5, 0.6}), 6.0);
    expect_clean(Iwan4Sliders<>({10.0, 2.0, -0.4, 1.5, 30, 1.1}), 6.0);
    expect_clean(EqualSliders<>({3.0, 1.0, 20}), 1.0);
    for (const double n : {0.6, 1.0, 2.0, 4.0}) {
        expect_clean(BoucWen<>({3.0, 0.8, -0.3, n}), 1.0);
        expect_clean(BoucWenMasing<>({3.0, 1.1, n}), 1.0);
    }
    for (const double kappa : {0.0, 0.5, 1.0}) {
        expect_clean(Valanis<>({5.0, 0.4, 3.0, kappa}), 0.3);
        expect_clean(ValanisMasing<>({5.0, 0.4, 3.0, kappa}), 0.3);
    }
    expect_clean(TwoState<>({3.3311, 0.1524, 1.1334, 1.4232, 0.2942, 1.0}), 0.3);
    expect_clean(Pinched<>({2.0, 1.0, 0.8, 1e-2}), 0.1);
    expect_clean(Reid<>({2.0, 0.4}), 1.0);
    expect_clean(AlongLine<ElasticDryFriction<>>({{3.0, 0.0, 0.5, 0.0, 10.0}, 0.4}), 0.7);
    expect_clean(AlongLine<JenkinsPrager2d<>>({{3.0, 2.0, 0.0, 0.2, 10.0}, 0.4}), 0.7);
}

TEST(Parallel, ClaimsTheCutToleranceOfItsLooserPart) {
    static_assert(Parallel<Jenkins<>, Iwan5Stiction<>>::claims.cut_tolerance == Iwan5Stiction<>::claims.cut_tolerance);
    static_assert(Parallel<Jenkins<>, SixState<>>::claims.cut_tolerance == SixState<>::claims.cut_tolerance);
    static_assert(Parallel<Jenkins<>, Valanis<>>::claims.cut_tolerance == Claims{}.cut_tolerance);
}

/// A slider whose tangent, standing still, is always that of going up.
struct AlwaysUp : Valanis<> {
    static constexpr std::string_view key = "always-up";
    using Valanis<>::Valanis;
    Step<double, State> step(State z, double u) const {
        z.direction = 1;
        return Valanis<>::step(z, u);
    }
};

TEST(CheckLaw, StandingStillIsOddToo) {
    const auto findings = check_law(AlwaysUp({5.0, 0.4, 3.0, 0.5}), {.amplitude = 0.5});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].invariant, "odd symmetry");
}

TEST(CheckLaw, SaysNothingOfForceDrivenAndPolynomialLaws) {
    SixState<>::Parameters printed{};
    for (const auto& e : SixState<>::table()) e.at(printed) = *e.fallback;
    const SixState<> six(printed);
    for (const auto& f : check_law(six, {.amplitude = 3 * six.stick_half_width(), .walks = 3}))
        ADD_FAILURE() << f.invariant << ": " << f.evidence;
    Polynomial<>::Parameters cubic{};
    cubic.k[0] = 1.0;
    cubic.k[1] = 0.3;
    cubic.k[2] = 2.0;
    expect_clean(Polynomial<>(cubic), 1.0);
    expect_clean(Parallel<Iwan4<>, Polynomial<>>(Iwan4<>({10.0, 2.0, -0.4, 1.5}), Polynomial<>(cubic)), 1.0);
    GeneralizedValanis<>::Parameters p{};
    p.down.fill(std::nan(""));
    p.up[0] = 10;
    p.up[1] = 4;
    p.up[2] = 5;
    expect_clean(GeneralizedValanis<>(p), 0.1);
}

// Jenkins with something wrong.

template <class Derived>
struct Broken {
    using Scalar = double;
    using State = Jenkins<>::State;
    static constexpr Claims claims{.return_point = true, .masing = true};
    Jenkins<> law{{3.0, 2.0}};
    State virgin() const { return law.virgin(); }
    Step<double, State> step(const State& z, double u) const {
        auto s = law.step(z, u);
        static_cast<const Derived*>(this)->spoil(z, u, s);
        return s;
    }
};

struct CutDependent : Broken<CutDependent> {
    static constexpr std::string_view key = "cut-dependent";
    void spoil(const State& z, double u, Step<double, State>& s) const { s.force += 0.01 * (u - z.u) * (u - z.u); }
};
struct WrongTangent : Broken<WrongTangent> {
    static constexpr std::string_view key = "wrong-tangent";
    void spoil(const State&, double, Step<double, State>& s) const { s.tangent *= 1.01; }
};
struct WrongWork : Broken<WrongWork> {
    static constexpr std::string_view key = "wrong-work";
    void spoil(const State&, double, Step<double, State>& s) const { s.work *= 1.01; }
};
struct Lopsided : Broken<Lopsided> {
    static constexpr std::string_view key = "lopsided";
    void spoil(const State&, double u, Step<double, State>& s) const {
        s.force += 0.01 * u * u;
        s.tangent += 0.02 * u;
        s.work += 0.01 * u * u * u / 3;
    }
};
struct EnergyMaker : Broken<EnergyMaker> {
    static constexpr std::string_view key = "energy-maker";
    void spoil(const State&, double, Step<double, State>& s) const { s.dissipated *= -1; }
};
struct NotANumber : Broken<NotANumber> {
    static constexpr std::string_view key = "not-a-number";
    void spoil(const State&, double u, Step<double, State>& s) const {
        if (u > 0.5) s.force = std::nan("");
    }
};
struct Impure : Broken<Impure> {
    static constexpr std::string_view key = "impure";
    mutable int calls = 0;
    void spoil(const State&, double, Step<double, State>& s) const { s.force += 1e-6 * ++calls; }
};

/// Claims what Bouc-Wen cannot do.
struct Boasting : BoucWen<> {
    static constexpr std::string_view key = "boasting";
    static constexpr Claims claims{.return_point = true, .masing = true};
    Boasting() : BoucWen<>({3.0, 0.8, -0.3, 1.0}) {}
};

template <class L>
std::string invariants(const L& law) {
    std::string all;
    for (const auto& f : check_law(law, {.amplitude = 3.0})) {
        EXPECT_FALSE(f.evidence.empty());
        all += "[" + f.invariant + "]";
    }
    return all;
}

TEST(CheckLaw, NamesTheInvariantThatIsBroken) {
    EXPECT_NE(invariants(CutDependent{}).find("[path-cut independence]"), std::string::npos);
    EXPECT_EQ(invariants(WrongTangent{}), "[tangent is the slope of the force]");
    EXPECT_EQ(invariants(WrongWork{}), "[work is the integral of the force]");
    EXPECT_NE(invariants(Lopsided{}).find("[odd symmetry]"), std::string::npos);
    EXPECT_EQ(invariants(Lopsided{}).find("path-cut"), std::string::npos);
    EXPECT_EQ(invariants(EnergyMaker{}), "[dissipation never decreases]");
    EXPECT_NE(invariants(NotANumber{}).find("[finite answers]"), std::string::npos);
    EXPECT_NE(invariants(Impure{}).find("[a pure step]"), std::string::npos);
    const std::string boasts = invariants(Boasting{});
    EXPECT_NE(boasts.find("[return-point memory]"), std::string::npos);
    EXPECT_NE(boasts.find("[Masing's rule]"), std::string::npos);
}

}  // namespace
