// Contact laws in the plane: objectivity, consistent tangents with normal coupling, re-closure, energies along a line
// of travel, parameter derivatives. Normal displacements open and close the contact on the way.

#include "faying/laws/contact.hpp"

#include <Eigen/Dense>

#include "properties/specimens.hpp"

namespace faying::tests {

using laws::Vector3;
using Point = Vector3<double>;

template <template <class> class C>
struct Contact {
    template <class T>
    using Law = C<T>;
    static constexpr bool fades = false;
};
/// With mu_max: the limit goes to zero with the pressure.
template <template <class> class C>
struct Fading : Contact<C> {
    static constexpr bool fades = true;
};

/// Parameters, and the sizes of tangential and normal displacements that matter.
struct ContactSample : Sample {
    double approach = 1.0;
};

template <class Case>
ContactSample draw_contact() {
    const double kt = some_stiffness(), kn = kt * log_uniform(0.1, 10.0), limit = some_force();
    const double mu = log_uniform(0.05, 2.0);
    ContactSample s;
    s.length = limit / kt;
    s.approach = limit / (mu * kn);
    for (const auto& entry : Case::template Law<double>::table())
        if (entry.key == "mu_max" && !Case::fades)
            s.fixed(*entry.fallback);
        else
            s.add(entry.key == "kt"       ? kt
                  : entry.key == "fs"     ? limit
                  : entry.key == "mu"     ? mu
                  : entry.key == "kp"     ? kt * log_uniform(1e-3, 1.0)
                  : entry.key == "mu_max" ? mu * log_uniform(0.3, 30.0)
                                          : kn);
    return s;
}

/// Points (x, y, n); along one line of travel, or anywhere in the plane.
inline std::vector<Point> random_points(const ContactSample& s, bool along_line) {
    std::vector<Point> path;
    double angle = uniform(0.0, 2 * std::numbers::pi);
    path.push_back({0, 0, s.approach * uniform(0.1, 1.0)});
    for (int i = pick(1, 6); i > 0; --i) {
        if (!along_line) angle = uniform(0.0, 2 * std::numbers::pi);
        const double x = sign_of_chance() * s.length * log_uniform(0.1, 6.0);
        const double n = s.approach * (pick(0, 3) == 0 ? uniform(-1.0, -0.1) : uniform(0.1, 2.0));
        path.push_back({x * std::cos(angle), x * std::sin(angle), n});
    }
    return path;
}

template <class Case>
struct ContactTrial {
    using L = typename Case::template Law<double>;
    struct Leg {
        Point from{}, to{};
        typename L::State before;
        laws::ContactStep<double, typename L::State> end;
    };
    ContactSample sample = draw_contact<Case>();
    L law = make<L>(sample);
    std::vector<Point> path;
    std::vector<Leg> legs;
    double force = 0, energy = 0;

    explicit ContactTrial(bool along_line) : path(random_points(sample, along_line)) {
        Leg leg;
        leg.before = law.virgin();
        for (const auto& to : path) {
            leg.to = to;
            leg.end = law.step(leg.before, to);
            double run = 0;
            for (int i = 0; i < 3; ++i) {
                force = std::max({force, std::abs(leg.end.force[i]), sample.values[0] * sample.length});
                run += std::abs(to[i] - leg.from[i]);
            }
            energy += force * run;
            legs.push_back(leg);
            leg.before = leg.end.next;
            leg.from = to;
        }
    }
    auto where() const {
        return [this] {
            std::ostringstream out;
            out.precision(17);
            out << sample.text() << "\npath";
            for (const auto& u : path) out << " (" << u[0] << ", " << u[1] << ", " << u[2] << ")";
            return out.str();
        };
    }
};

template <class Case>
class EveryContactLaw : public testing::Test {};

struct ContactName {
    template <class Case>
    static std::string GetName(int) {
        std::string name = std::string(Case::template Law<double>::key) + (Case::fades ? "_fading" : "");
        for (char& c : name)
            if (c == '-' || c == '+') c = '_';
        return name;
    }
};

using ContactLaws =
    testing::Types<Contact<laws::ElasticDryFriction>, Contact<laws::ElasticDryFrictionLinear>,
                   Contact<laws::ElasticDryFrictionSpring>, Contact<laws::Jenkins2d>, Contact<laws::Jenkins2dPenalty>,
                   Contact<laws::JenkinsPrager2d>, Contact<laws::JenkinsPrager2dPenalty>,
                   Fading<laws::Jenkins2dPenalty>, Fading<laws::JenkinsPrager2dPenalty>>;
TYPED_TEST_SUITE(EveryContactLaw, ContactLaws, ContactName);

Eigen::Matrix3d matrix(const std::array<Point, 3>& rows) {
    Eigen::Matrix3d m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m(i, j) = rows[i][j];
    return m;
}

/// Rotating the axes, or mirroring one, rotates or mirrors force and tangent and leaves the energies alone.
TYPED_TEST(EveryContactLaw, IsObjective) {
    property(200, [] {
        const ContactTrial<TypeParam> t(false);
        const double angle = uniform(0.0, 2 * std::numbers::pi);
        Eigen::Matrix3d Q = Eigen::Matrix3d::Identity();
        Q.topLeftCorner<2, 2>() << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
        if (pick(0, 1) == 1) Q.col(0) *= -1.0;
        auto z = t.law.virgin();
        for (const auto& leg : t.legs) {
            const Eigen::Vector3d u = Q * Eigen::Vector3d(leg.to[0], leg.to[1], leg.to[2]);
            const auto s = t.law.step(z, {u(0), u(1), u(2)});
            const Eigen::Vector3d want = Q * Eigen::Vector3d(leg.end.force[0], leg.end.force[1], leg.end.force[2]);
            for (int i = 0; i < 3; ++i) expect_close("rotated force", s.force[i], want(i), 1e-12 * t.force, t.where());
            const Eigen::Matrix3d K = Q * matrix(leg.end.tangent) * Q.transpose();
            expect_close("rotated tangent", (matrix(s.tangent) - K).norm(), 0, 1e-11 * K.norm(), t.where());
            expect_close("work", s.work, leg.end.work, 1e-12 * t.energy, t.where());
            expect_close("dissipation", s.dissipated, leg.end.dissipated, 1e-12 * t.energy, t.where());
            z = s.next;
        }
    });
}

/// d force / d u, all nine entries, against central differences: sticking, sliding, and while contact is regained.
TYPED_TEST(EveryContactLaw, TangentIsConsistent) {
    int asked = 0, kinks = 0;
    property(200, [&] {
        const ContactTrial<TypeParam> t(false);
        for (const auto& leg : t.legs)
            for (int j = 0; j < 3; ++j) {
                const double h = 1e-5 * (j == 2 ? t.sample.approach : t.sample.length);
                const auto at = [&](double change) {
                    Point u = leg.to;
                    u[j] += change;
                    return t.law.step(leg.before, u).force;
                };
                const auto a = at(h), b = at(-h), c = at(2 * h), d = at(-2 * h);
                for (int i = 0; i < 3; ++i) {
                    const double near = (a[i] - b[i]) / (2 * h), wide = (c[i] - d[i]) / (4 * h);
                    const double scale = t.sample.values[0] * (j == 2 ? t.sample.length / t.sample.approach : 1.0);
                    ++asked;
                    if (std::abs(near - wide) > 1e-4 * scale) {
                        ++kinks;
                        continue;
                    }
                    expect_close("tangent", leg.end.tangent[i][j], (4 * near - wide) / 3,
                                 1e-7 * std::max(scale, std::abs(near)),
                                 [&] { return "entry " + std::to_string(3 * i + j) + "\n" + t.where()(); });
                }
            }
    });
    EXPECT_LT(kinks, asked / 20);
}

/// Along one line of travel, normal displacement changing as well, cuts change nothing.
TYPED_TEST(EveryContactLaw, CutsAlongALineChangeNothing) {
    property(300, [] {
        const ContactTrial<TypeParam> t(true);
        auto z = t.law.virgin();
        for (const auto& leg : t.legs) {
            const double part = uniform(0.01, 0.99);
            Point cut;
            for (int i = 0; i < 3; ++i) cut[i] = leg.from[i] + part * (leg.to[i] - leg.from[i]);
            const auto s = t.law.step(t.law.step(z, cut).next, leg.to);
            for (int i = 0; i < 3; ++i) expect_close("force", s.force[i], leg.end.force[i], 1e-12 * t.force, t.where());
            expect_close("work", s.work, leg.end.work, 1e-12 * t.energy, t.where());
            expect_close("dissipation", s.dissipated, leg.end.dissipated, 1e-12 * t.energy, t.where());
            z = s.next;
        }
    });
}

/// Along one line of travel work is the integral of force by displacement. Only while contact lasts: opening drops
/// what the springs hold, which `dissipated` counts and the integral sees as well.
TYPED_TEST(EveryContactLaw, WorkIsTheIntegralOfTheForce) {
    property(100, [] {
        const ContactTrial<TypeParam> t(true);
        double work = 0;
        for (const auto& leg : t.legs) {
            work += core::integrate(
                [&](double r) {
                    Point u;
                    for (int i = 0; i < 3; ++i) u[i] = leg.from[i] + r * (leg.to[i] - leg.from[i]);
                    const auto f = t.law.step(leg.before, u).force;
                    double power = 0;
                    for (int i = 0; i < 3; ++i) power += f[i] * (leg.to[i] - leg.from[i]);
                    return power;
                },
                0.0, 1.0, 1e-12 * t.energy);
            expect_close("work", leg.end.work, work, 1e-9 * t.energy, t.where());
        }
    });
}

TYPED_TEST(EveryContactLaw, DissipationNeverDecreases) {
    property(300, [] {
        const ContactTrial<TypeParam> t(false);
        double before = 0;
        for (const auto& leg : t.legs) {
            expect_true(leg.end.dissipated >= before - 1e-12 * t.energy, "dissipation decreases", t.where());
            before = leg.end.dissipated;
        }
    });
}

/// Parameter derivatives along random paths against central differences.
TYPED_TEST(EveryContactLaw, ParameterDerivatives) {
    int asked = 0, kinks = 0;
    property(60, [&] {
        const ContactTrial<TypeParam> t(false);
        const auto answers = [&](const auto& law) {
            using T = typename std::decay_t<decltype(law)>::Scalar;
            auto z = law.virgin();
            laws::ContactStep<T, typename std::decay_t<decltype(law)>::State> s;
            for (const auto& u : t.path) {
                s = law.step(z, {T(u[0]), T(u[1]), T(u[2])});
                z = s.next;
            }
            return std::array<T, 7>{s.force[0],      s.force[1], s.force[2],  s.tangent[0][0],
                                    s.tangent[1][2], s.work,     s.dissipated};
        };
        using D = typename TypeParam::template Law<core::Dual>;
        const double k = t.sample.values[0];
        const std::array<double, 7> scales = {t.force,  t.force, t.force, k, k * t.sample.length / t.sample.approach,
                                              t.energy, t.energy};
        for (std::size_t p = 0; p < t.sample.values.size(); ++p) {
            if (t.sample.scales[p] == 0.0) continue;
            const auto exact = answers(make<D>(t.sample, p));
            const double h = 1e-4 * t.sample.scales[p];
            const auto at = [&](double change) {
                Sample moved = t.sample;
                moved.values[p] += change;
                return answers(make<typename TypeParam::template Law<double>>(moved));
            };
            const auto a = at(h), b = at(-h), c = at(2 * h), d = at(-2 * h);
            for (std::size_t q = 0; q < exact.size(); ++q) {
                const double near = (a[q] - b[q]) / (2 * h), wide = (c[q] - d[q]) / (4 * h);
                const double size = std::max(std::abs(near), scales[q] / t.sample.scales[p]);
                ++asked;
                if (std::abs(near - wide) > 1e-4 * size) {
                    ++kinks;
                    continue;
                }
                expect_close("derivative", exact[q].v[0], (4 * near - wide) / 3, 1e-6 * size, [&] {
                    return "of answer " + std::to_string(q) + " to parameter " + std::to_string(p) + "\n" + t.where()();
                });
            }
        }
    });
    EXPECT_LT(kinks, asked / 20);
}

template <class Case>
class EveryFadingLaw : public testing::Test {};
using FadingLaws = testing::Types<Fading<laws::Jenkins2dPenalty>, Fading<laws::JenkinsPrager2dPenalty>>;
TYPED_TEST_SUITE(EveryFadingLaw, FadingLaws, ContactName);

/// mu_max -> infinity is the law without it: wherever the limit is fs again at once, and what the slider holds when the
/// contact opens is lost either way. What is left goes as 1/mu_max.
TYPED_TEST(EveryFadingLaw, FadesLessTheSteeperItIs) {
    property(200, [] {
        const ContactTrial<TypeParam> t(true);
        auto p = t.law.parameters();
        p.mu_max = core::infinity;
        const typename ContactTrial<TypeParam>::L jumps(p);
        for (const double steep : {1e4, 1e8}) {
            p.mu_max = steep * t.law.parameters().mu_max;
            const typename ContactTrial<TypeParam>::L fades(p);
            auto a = jumps.virgin(), b = fades.virgin();
            for (const auto& u : t.path) {
                const auto x = jumps.step(a, u), y = fades.step(b, u);
                for (int i = 0; i < 3; ++i)
                    expect_close("force", y.force[i], x.force[i], 1e3 / steep * t.force, t.where());
                expect_close("dissipation", y.dissipated, x.dissipated, 1e3 / steep * t.energy, t.where());
                a = x.next;
                b = y.next;
            }
        }
    });
}

/// A slipping site at a share of the approach where the limit is fs again holds that share of fs: all of the jump is
/// there to be held.
TYPED_TEST(EveryFadingLaw, HoldsEveryValueOfTheJump) {
    property(200, [] {
        const ContactTrial<TypeParam> t(true);
        const auto p = t.law.parameters();
        const double full = p.fs / (p.mu_max * p.kn), share = uniform(0.0, 1.0);
        const auto pressed = t.law.step(t.law.virgin(), {0, 0, 2 * full}).next;
        const auto s = t.law.step(pressed, {20 * t.sample.length, 0, share * full});
        expect_close("traction", s.next.traction[0], share * p.fs, 1e-14 * p.fs, t.where());
    });
}

/// Tractions stay within min(fs, mu_max fn), on either side of the kink and down to where contact opens.
TYPED_TEST(EveryFadingLaw, KeepsWithinTheSteepLine) {
    property(200, [] {
        const ContactTrial<TypeParam> t(false);
        const auto p = t.law.parameters();
        for (const auto& leg : t.legs) {
            const double held = std::hypot(leg.end.next.traction[0], leg.end.next.traction[1]);
            const double limit = std::min(p.fs, p.mu_max * std::max(0.0, leg.end.force[2]));
            expect_true(held <= limit * (1 + 1e-14), "beyond the limit", t.where());
        }
    });
}

/// Without a cap the steep line is Coulomb's.
TEST(Fading, WithoutACapIsDryFriction) {
    property(200, [] {
        const ContactTrial<Contact<laws::ElasticDryFriction>> t(false);
        const auto p = t.law.parameters();
        const laws::Jenkins2dPenalty<> law({p.kt, 1e300, 0.0, 0.0, p.kn, p.mu});
        auto z = law.virgin();
        for (const auto& leg : t.legs) {
            const auto s = law.step(z, leg.to);
            for (int i = 0; i < 3; ++i) expect_close("force", s.force[i], leg.end.force[i], 0.0, t.where());
            expect_close("dissipation", s.dissipated, leg.end.dissipated, 0.0, t.where());
            z = s.next;
        }
    });
}

/// [S0] Eq. 5: after a gap, traction counts from the point where contact was regained.
TEST(Reclosure, CountsFromWhereContactWasRegained) {
    property(200, [] {
        const double kt = some_stiffness(), kn = some_stiffness(), gap = log_uniform(1e-6, 1e-3);
        const double fraction = uniform(0.01, 0.99), depth = gap * (1.0 - fraction) / fraction;
        const laws::ElasticDryFriction<> law({kt, 0.0, 1e30, 0.0, kn});  // mu so large that it sticks
        const laws::JenkinsPrager2dPenalty<> spring({kt, 1e30, 0.0, 0.3 * kt, kn});
        const Point open{gap * uniform(-1, 1), gap * uniform(-1, 1), -gap};
        const Point shut{gap * uniform(-1, 1), gap * uniform(-1, 1), depth};
        const auto touch = [](const auto& l) { return l.step(l.virgin(), {1e-4, -2e-4, 1e-5}).next; };
        const auto f = law.step(law.step(touch(law), open).next, shut).force;
        const auto g = spring.step(spring.step(touch(spring), open).next, shut).force;
        for (int i = 0; i < 2; ++i) {
            const double regained = open[i] + fraction * (shut[i] - open[i]);
            const auto where = [] { return std::string(); };
            expect_close("traction", f[i], kt * (shut[i] - regained), 1e-12 * kt * gap, where);
            expect_close("traction with spring", g[i], 1.3 * kt * (shut[i] - regained), 1e-12 * kt * gap, where);
        }
    });
}

}  // namespace faying::tests
