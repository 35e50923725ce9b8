// [S3] Table 5.1: the exact law against the thesis' explicit slip direction (Eqs. 5.3-5.4), four printed cases.

#include "faying/laws/two_state.hpp"
#include "faying/laws/two_state_increment.hpp"
#include "published/scoreboard.hpp"
#include "reference.hpp"
#include "turning_points.hpp"

namespace {

using namespace faying::laws;
using faying::tests::expect_row;
using faying::tests::reference;
using faying::tests::TwoSines;
using Patched = TwoStateIncrement<SlipDirection::patched>;

struct Case {
    const char *saturated, *patch, *exact, *approximate, *apart;  ///< rows of the page
    TwoStateParameters<double> p;
    TwoSines u;
};
const std::vector<Case> cases = {
    {"5.1a", "5.1b", "5.1c", "5.1d", "5.1e", {0.6134, 0.2254, 0.3353, 0.6353, 0, 1}, {3, 1}},
    {"5.2a", "5.2b", "5.2c", "5.2d", "5.2e", {5.0000, 0.2800, 1.5457, 1.2692, 0, 1}, {2, 1, 0.85, 5.1524}},
    {"5.3a", "5.3b", "5.3c", "5.3d", "5.3e", {17.6663, 0.0906, 1.7959, 2.5594, 0, 1}, {1, 1, 0.4, 4.3675}},
    {"5.4a", "5.4b", "5.4c", "5.4d", "5.4e", {7.8443, 0.5570, 1.9537, 1.9020, 0, 1}, {5, 1, 1.9, 4.2314}}};

constexpr int windows = 5;

/// Turning points of the k-th 2 pi, its end included.
std::vector<double> window(const TwoSines& u, int k) {
    return u.turns(2 * std::numbers::pi * k, 2 * std::numbers::pi * (k + 1));
}

std::vector<double> exact_work(const Case& c) {
    const TwoState<> law(c.p);
    auto z = law.virgin();
    std::vector<double> total = {0};
    for (int k = 0; k < windows; ++k) {
        Step<double, TwoState<>::State> s;
        for (const double u : window(c.u, k)) {
            s = law.step(z, u);
            z = s.next;
        }
        total.push_back(s.work);
    }
    for (int k = windows; k > 0; --k) total[k] -= total[k - 1];
    return {total.begin() + 1, total.end()};
}

/// The patched rule with n increments an arc: forces at 256 points of every arc, Int f du of every window.
struct Stepped {
    Eigen::VectorXd forces, work;
};
Stepped patched(const Case& c, int n) {
    const Patched law(c.p);
    auto z = law.virgin();
    double before = 0;
    std::vector<double> forces;
    Stepped out{{}, Eigen::VectorXd::Zero(windows)};
    for (int k = 0; k < windows; ++k)
        for (const double to : window(c.u, k)) {
            const double from = z.u;
            for (int i = 1; i <= n; ++i) {
                const auto s = law.step(z, from + (to - from) * i / n);
                out.work(k) += 0.5 * (before + s.force) * (s.next.u - z.u);  // trapezoid: O(1/n^2)
                before = s.force;
                z = s.next;
                if (i % (n / 256) == 0) forces.push_back(s.force);
            }
        }
    out.forces = Eigen::Map<Eigen::VectorXd>(forces.data(), forces.size());
    return out;
}

/// The exact law at the same points.
Eigen::VectorXd exact_forces(const Case& c) {
    const TwoState<> law(c.p);
    auto z = law.virgin();
    std::vector<double> forces;
    for (int k = 0; k < windows; ++k)
        for (const double to : window(c.u, k)) {
            for (int i = 1; i <= 256; ++i) forces.push_back(law.step(z, z.u + (to - z.u) * i / 256).force);
            z = law.step(z, to).next;
        }
    return Eigen::Map<Eigen::VectorXd>(forces.data(), forces.size());
}

TEST(PublishedTable51, ExactAndPatchedSlipDirections) {
    for (const Case& c : cases) {
        const Patched law(c.p);
        expect_row(c.saturated, {law.saturated()(0), law.saturated()(1)});
        expect_row(c.patch, {law.patch()(0), law.patch()(1)});
        const auto exact = exact_work(c);
        expect_row(c.exact, exact);
        // First order in the increment, so 2 f(2n) - f(n) leaves an error of second order.
        const auto coarse = patched(c, 2048), fine = patched(c, 4096), finest = patched(c, 8192);
        const Eigen::VectorXd work = 2 * finest.work - fine.work, earlier = 2 * fine.work - coarse.work;
        expect_row(c.approximate, {work.begin(), work.end()});
        EXPECT_LT((work - earlier).cwiseAbs().maxCoeff(), 4e-6);
        const Eigen::VectorXd forces = exact_forces(c), apart = 2 * finest.forces - fine.forces - forces;
        const double most = apart.cwiseAbs().maxCoeff(), range = forces.maxCoeff() - forces.minCoeff();
        expect_row(c.apart, {most, 100 * most / range, 100 * (work(4) - exact[4]) / exact[4]});
    }
}

TEST(PublishedTable51, ReferenceOfTheSecondCase) {
    const auto data = reference("low_dimensional")["table_5_1_case2"];
    const Case& c = cases[1];
    const Patched law(c.p);
    const TwoState<> exact_law(c.p);
    for (int i = 0; i < 2; ++i) {
        EXPECT_RELATIVE(law.saturated()(i), data["cs"][i].get<double>(), 1e-13);
        EXPECT_RELATIVE(law.patch()(i), data["Q"][i].get<double>(), 1e-13);
    }
    const auto exact = exact_work(c);
    for (int k = 0; k < windows; ++k) EXPECT_RELATIVE(exact[k], data["exact_work_per_2pi"][k].get<double>(), 1e-12);
    // The reference's patched numbers are those of 20000 equal time steps a window, not the limit.
    const int n = 20000;
    auto z = law.virgin();
    auto y = exact_law.virgin();
    double force = 0, most = 0;
    for (int k = 0; k < windows; ++k) {
        double work = 0;
        for (int i = 1; i <= n; ++i) {
            const auto s = law.step(z, c.u(2 * std::numbers::pi * (k + double(i) / n)));
            const auto truth = exact_law.step(y, s.next.u);
            work += 0.5 * (force + s.force) * (s.next.u - z.u);
            most = std::max(most, std::abs(s.force - truth.force));
            force = s.force;
            z = s.next;
            y = truth.next;
        }
        EXPECT_RELATIVE(work, data["approx_work_per_2pi"][k].get<double>(), 1e-12);
    }
    EXPECT_RELATIVE(most, data["max_abs_df"].get<double>(), 1e-4);
}

}  // namespace
