#pragma once
// What every hysteresis law is held to, written once: each checker takes a row of specimens.hpp.

#include <algorithm>

#include "faying/core/quadrature.hpp"
#include "faying/laws/cycle.hpp"
#include "properties/paths.hpp"
#include "properties/specimens.hpp"

namespace faying::tests {

template <class Case>
using LawOf = typename Case::template Law<double>;

/// A drawn law on a drawn path, ready to be questioned.
template <class Case>
struct Trial {
    using L = LawOf<Case>;
    Sample sample = Case::draw();
    L law = make<L>(sample);
    std::vector<double> path;
    Walk<L> way;

    explicit Trial(int most_turns = 8) : path(random_path(sample.length, most_turns)), way(walk(law, path)) {}
    std::string text() const { return sample.text() + "\n" + text_of(path); }
    auto where() const {
        return [this] { return text(); };
    }
};

/// Cutting legs into pieces, and pausing, changes neither force, tangent nor energies.
template <class Case>
void check_path_cuts() {
    property(Case::effort, [] {
        const Trial<Case> t;
        auto z = t.law.virgin();
        for (const auto& leg : t.way.legs) {
            const int pieces = pick(1, 4);
            double part = 0;
            auto s = leg.end;
            for (int i = 1; i <= pieces; ++i) {
                part = i == pieces ? 1.0 : part + (1.0 - part) * uniform(0.001, 0.999);
                s = t.law.step(z, i == pieces ? leg.to : leg.from + part * (leg.to - leg.from));
                if (pick(0, 3) == 0) {  // a pause
                    const auto still = t.law.step(s.next, i == pieces ? leg.to : leg.from + part * (leg.to - leg.from));
                    expect_close("force after a pause", still.force, s.force, Case::cut * t.way.force, t.where());
                    s.next = still.next;
                }
                z = s.next;
            }
            expect_close("force after cuts", s.force, leg.end.force, Case::cut * t.way.force, t.where());
            expect_close("work after cuts", s.work, leg.end.work, Case::cut * t.way.energy(), t.where());
            expect_close("dissipation after cuts", s.dissipated, leg.end.dissipated, Case::cut * t.way.energy(),
                         t.where());
        }
    });
}

/// Work is the integral of the force: adaptive Gauss quadrature of trial forces over each leg.
template <class Case>
void check_work() {
    property(std::max(Case::effort / 4, 2), [] {
        const Trial<Case> t(4);
        double work = 0;
        for (const auto& leg : t.way.legs) {
            // Laws change quickly after a reversal and where x crosses zero (pinched): panels that see it.
            const double run = leg.to - leg.from, zero = -leg.from / run;
            std::vector<double> parts = {0.0, 1e-4, 1e-2, 0.1, 1.0};
            for (const double part : {zero - 1e-2, zero - 1e-4, zero, zero + 1e-4, zero + 1e-2})
                if (part > 0.0 && part < 1.0) parts.push_back(part);
            std::sort(parts.begin(), parts.end());
            for (std::size_t i = 1; i < parts.size(); ++i)
                work += core::integrate([&](double u) { return laws::respond(t.law, leg.before, u).force; },
                                        leg.from + parts[i - 1] * run, leg.from + parts[i] * run,
                                        std::max(1e-11, 0.1 * Case::cut) * t.way.force * std::abs(run));
            // The quadrature's tolerance of 1e-11 a panel; each kink (a set of 60 sliders has 60) may cost a few
            // panels'.
            expect_close("work", leg.end.work, work, std::max(4e-9, 10 * Case::cut) * t.way.energy(), t.where());
        }
    });
}

/// Dissipation never decreases, anywhere along the way (where the law claims it).
template <class Case>
void check_dissipation() {
    if (!laws::claims_of<LawOf<Case>>().dissipative) GTEST_SKIP() << "no potential is known for this law";
    property(Case::effort, [] {
        const Trial<Case> t;
        double before = 0;
        for (const auto& leg : t.way.legs)
            for (const double part : {0.01, 0.1, 0.3, 0.6, 0.9, 1.0}) {
                const double now = laws::respond(t.law, leg.before, leg.from + part * (leg.to - leg.from)).dissipated;
                expect_true(now >= before - Case::cut * t.way.energy(), "dissipation decreases", [&] {
                    return "from " + std::to_string(before) + " to " + std::to_string(now) + " before " +
                           std::to_string(leg.to) + "\n" + t.text();
                });
                before = now;
            }
    });
}

/// The tangent is the slope of the force wherever the force has one: two central differences agree.
template <class Case>
void check_tangent() {
    int asked = 0, kinks = 0;
    property(Case::effort, [&] {
        const Trial<Case> t(5);
        for (const auto& leg : t.way.legs) {
            const double run = leg.to - leg.from;
            if (run == 0) continue;
            const double u = leg.from + run * uniform(0.05, 0.95), h = 1e-4 * std::abs(run);
            const auto force = [&](double x) { return laws::respond(t.law, leg.before, x).force; };
            const double wide = (force(u + 2 * h) - force(u - 2 * h)) / (4 * h);
            const double near = (force(u + h) - force(u - h)) / (2 * h);
            const double slope = (4 * near - wide) / 3;
            const double tangent = laws::respond(t.law, leg.before, u).tangent;
            const double scale = std::max(std::abs(slope), t.way.force / std::abs(run));
            ++asked;
            if (std::abs(wide - near) > 1e-4 * scale) {
                ++kinks;
                continue;
            }
            expect_close("tangent", tangent, slope, 1e-7 * scale, t.where());
        }
    });
    EXPECT_LT(kinks, asked / 4) << "too few smooth points to mean anything";
}

/// A mirrored history gives the mirrored force and the same energies.
template <class Case>
void check_odd() {
    if (!laws::claims_of<LawOf<Case>>().odd && !Case::odd) GTEST_SKIP() << "not odd";
    property(Case::effort, [] {
        const Trial<Case> t;
        auto z = t.law.virgin();
        for (const auto& leg : t.way.legs) {
            const auto s = t.law.step(z, -leg.to);
            expect_close("mirrored force", -s.force, leg.end.force, Case::cut * t.way.force, t.where());
            expect_close("mirrored work", s.work, leg.end.work, Case::cut * t.way.energy(), t.where());
            expect_close("mirrored dissipation", s.dissipated, leg.end.dissipated, Case::cut * t.way.energy(),
                         t.where());
            z = s.next;
        }
    });
}

/// A walk inside the last leg that returns to its end leaves no trace in the forces that follow.
template <class Case>
void check_return_point() {
    if (!laws::claims_of<LawOf<Case>>().return_point) GTEST_SKIP() << "not claimed";
    int drawn = 0, compared = 0;
    property(Case::effort, [&] {
        const Trial<Case> t(5);
        const auto& leg = t.way.legs.back();
        ++drawn;
        if (leg.to == leg.from) return;
        ++compared;
        auto z = leg.end.next;
        for (int i = pick(1, 5); i > 0; --i) z = t.law.step(z, leg.from + (leg.to - leg.from) * uniform(0.0, 1.0)).next;
        const auto back = t.law.step(z, leg.to);
        expect_close("force on return", back.force, leg.end.force, 10 * Case::cut * t.way.force, t.where());
        for (const double further : {1.001, 1.2, 3.0, -0.5, -4.0}) {
            const double u = leg.from + further * (leg.to - leg.from);
            const auto plain = laws::respond(t.law, leg.end.next, u), after = laws::respond(t.law, back.next, u);
            const double scale = std::max(t.way.force, std::abs(plain.force));
            expect_close("force beyond a closed loop", after.force, plain.force, 10 * Case::cut * scale, t.where());
        }
    });
    EXPECT_GT(2 * compared, drawn) << "too few walks to mean anything";
}

/// The first unloading branch is the virgin curve at twice the scale.
template <class Case>
void check_masing() {
    if (!laws::claims_of<LawOf<Case>>().masing) GTEST_SKIP() << "not claimed";
    property(Case::effort, [] {
        const Trial<Case> t(1);
        const auto& tip = t.way.legs.front();
        const double A = tip.to, u = A * uniform(-1.0, 1.0);
        const auto branch = t.law.step(tip.end.next, u);
        const auto half = laws::respond(t.law, t.law.virgin(), 0.5 * (A - u));
        expect_close("Masing's branch", branch.force, tip.end.force - 2 * half.force, 4 * Case::cut * t.way.force,
                     t.where());
        expect_close("Masing's tangent", branch.tangent, half.tangent,
                     1e-10 * std::max(std::abs(half.tangent), t.way.force / std::abs(A)), t.where());
    });
}

/// The steady cycle: never makes energy, and is where plain repetition leads.
template <class Case>
void check_steady_cycle() {
    int compared = 0;
    property(std::max(Case::effort / 5, 2), [&] {
        const Sample sample = Case::draw();
        const auto law = make<LawOf<Case>>(sample);
        const double A = sample.length * log_uniform(0.02, 10.0);
        const auto c = laws::steady_cycle(law, A);
        const double f = std::max(std::abs(c.secant) * A, std::abs(c.harmonic_stiffness) * A);
        const auto where = [&] { return sample.text() + "\namplitude " + std::to_string(A / sample.length); };
        if (laws::claims_of<LawOf<Case>>().dissipative)
            expect_true(c.dissipation >= -1e-12 * f * A, "a closed cycle makes energy", where);
        if (A < 0.3 * sample.length) return;  // repetition is slow to settle below
        auto z = law.virgin();
        double work = 0, tip = 0;
        for (int loop = 0; loop < 60; ++loop) {
            const auto up = law.step(z, A);
            tip = up.force;
            z = law.step(up.next, -A).next;
        }
        const auto at = laws::respond(law, z, -A);
        const auto up = law.step(z, A);
        const auto down = law.step(up.next, -A);
        work = down.work - at.work;
        const double settled = std::abs(up.force - tip) / std::max(std::abs(tip), 1e-300);
        if (settled > 1e-12) return;  // not there yet after 60 loops: nothing to compare with
        ++compared;
        const double scale = std::max({f, std::abs(up.force), std::abs(down.force)}) * A;
        expect_close("work of the steady loop", c.dissipation, work, 1e-9 * scale, where);
        expect_close("secant", c.secant, (up.force - down.force) / (2 * A), 1e-9 * scale / (A * A), where);
    });
    if (effort() >= 1) {
        EXPECT_GT(compared, 0) << "no loop settled: nothing was compared";
    }
}

}  // namespace faying::tests
