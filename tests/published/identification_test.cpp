// [S4] Tables 2-5: parameters identified from one branch of the steady loop.
//
// With exact slopes the least squares give the law back. With slopes differenced from samples they carry the error of
// the differences: the paper's digits are of that kind, but its time step, solver tolerance and cut are not printed.

#include "published/identify.hpp"
#include "published/scoreboard.hpp"
#include "reference.hpp"

namespace {

using namespace faying::tests;
namespace fit = faying::fit;

std::vector<double> list(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

/// One period of the settled motion, dt apart.
template <class Slope>
std::vector<Motion> settled_period(const Oscillator<Slope>& oscillator, int periods, double dt) {
    return oscillator.sample(oscillator.settle(periods), dt, static_cast<int>(oscillator.period() / dt) + 2);
}

/// The two ways to come by slopes; the paper's own time step is only printed for its flange (0.0025 s).
template <class Slope, class Columns>
struct Example {
    Slope slope;
    Columns columns;
    int periods;

    Identified exact(double s, double dt = 0.0025, double cut = 0.1) const {
        return fit::fitted_to_slopes(branch(exact_slopes(samples(dt), slope), s, cut), columns);
    }
    Identified differenced(double s, double dt = 0.0025, double cut = 0.1) const {
        return fit::fitted_to_slopes(branch(central_differences(samples(dt)), s, cut), columns);
    }
    /// How well given parameters restore df/dx on the branch: root mean square over the largest slope, per cent.
    double misfit(const Eigen::VectorXd& parameters, double s) const {
        double sum = 0, largest = 0;
        const auto points = branch(exact_slopes(samples(0.0025), slope), s, 0.1);
        for (const auto& p : points) {
            const auto row = columns(p);
            double restored = 0;
            for (std::size_t j = 0; j < row.size(); ++j) restored += row[j] * parameters(static_cast<Eigen::Index>(j));
            sum += (restored - p.slope) * (restored - p.slope);
            largest = std::max(largest, std::abs(p.slope));
        }
        return 100 * std::sqrt(sum / static_cast<double>(points.size())) / largest;
    }
    std::vector<Motion> samples(double dt) const { return settled_period(Oscillator(slope), periods, dt); }
};

const Example example1{[](double x, double, double f, double s) { return 10 + s * (5 * x - 20 * f); },
                       [](const LoopPoint& p) {
                           return std::vector<double>{1, p.x, -p.f};
                       },
                       600};
const Example example2{
    [](double x, double v, double f, double s) { return 10 + s * (30 * x + 1400 * x * x * std::abs(v) - 20 * f); },
    [](const LoopPoint& p) {
        return std::vector<double>{1, p.x, p.x * p.x * p.v, -p.f};
    },
    600};
const Example example3{
    [](double x, double v, double f, double s) { return 30 + s * ((5 * x + 3 * std::exp(x) * v) * 1e4 - 500 * f); },
    [](const LoopPoint& p) {
        return std::vector<double>{1, p.x, p.v, p.x * p.v, -p.f};
    },
    200};
const auto slope4 = [](double x, double, double f, double s) {
    return s > 0 ? 10 + 40 * std::sin(x) - 20 * f : 10 - (15 * x - 20 * f);
};
const Example example4_up{slope4,
                          [](const LoopPoint& p) {
                              return std::vector<double>{1, p.x, std::pow(p.x, 3), std::pow(p.x, 5), -p.f};
                          },
                          600};
const Example example4_down{slope4, [](const LoopPoint& p) { return std::vector<double>{1, -p.x, p.f}; }, 600};

/// Differenced at the reference's time steps, cut at a tenth of the greatest speed: the same errors. The phase of the
/// samples is free, which moves an error by a few per cent of itself.
template <class Example>
void expect_same_errors(const Example& example, const Eigen::VectorXd& truth, const nlohmann::json& data,
                        const std::vector<std::string>& names, double largest_dt, double tolerance) {
    int compared = 0;
    for (const auto& [dt, row] :
         {std::pair{1e-4, "id_grad_dt0.0001_trim0.1"}, std::pair{1e-3, "id_grad_dt0.001_trim0.1"},
          std::pair{2e-3, "id_grad_dt0.002_trim0.1"}, std::pair{5e-3, "id_grad_dt0.005_trim0.1"}}) {
        if (dt > largest_dt) continue;
        ++compared;
        const auto ours = example.differenced(1, dt).parameters;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const double theirs = data[row][names[i]].template get<double>(), error = theirs - truth(i);
            EXPECT_NEAR(ours(i), theirs, tolerance * std::abs(error)) << row << ' ' << names[i];
        }
    }
    EXPECT_GE(compared, 2);
}

TEST(PublishedIdentification, Table2) {
    const auto exact = example1.exact(1);
    expect_row("T2a", list(exact.parameters));
    expect_row("T2b", list(example1.differenced(1).parameters));
    expect_row("T2c", {exact.condition});
    expect_row("T2d", {example1.misfit(Eigen::Vector3d(10.004, 5.017, 20.011), 1)});
    const auto data = reference("generalized_valanis")["identification"]["ex1"];
    const std::vector<std::string> names = {"E1", "alpha", "E2"};
    for (int i = 0; i < 3; ++i)
        EXPECT_RELATIVE(exact.parameters(i), data["id_exact_deriv"][names[i]].get<double>(), 1e-10);
    expect_same_errors(example1, exact.parameters, data, names, 5e-3, 0.05);
}

TEST(PublishedIdentification, EndsOfTheBranchSpoilIt) {
    // Without a cut the sample that straddles the reversal decides: the same loop, sampled a little later each time.
    const Oscillator oscillator(example1.slope);
    Motion start = oscillator.settle(600);
    double low = 1e9, high = -1e9;
    for (int i = 0; i < 10; ++i) {
        const auto samples = oscillator.sample(start, 0.0025, static_cast<int>(oscillator.period() / 0.0025) + 2);
        const double alpha =
            fit::fitted_to_slopes(branch(central_differences(samples), 1, 0), example1.columns).parameters(1);
        low = std::min(low, alpha);
        high = std::max(high, alpha);
        oscillator.step(start, 0.00025);
    }
    expect_row("T2e", {low, high});
}

TEST(PublishedIdentification, WithoutDerivativesTheSameSamplesGiveTheLaw) {
    // Where differences over the reversal give E2 = -60 for 20 (0.005 s, no cut): the whole branch, its turns unknown.
    const auto samples = Oscillator(example1.slope).sample(Oscillator(example1.slope).settle(600), 0.005, 1000);
    const auto all = fit::fitted_to_slopes(branch(central_differences(samples), 1, 0), example1.columns).parameters;
    EXPECT_GT(std::abs(all(2) / 20 - 1), 0.5);
    fit::Loop loop;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        loop.u.push_back(samples[i].x);
        loop.f.push_back(samples[i].f);
        loop.t.push_back(0.005 * double(i));
    }
    for (const auto& [form, tolerance] :
         {std::pair{fit::LoopForm::integral, 1e-6}, std::pair{fit::LoopForm::spline, 1e-3}}) {
        const auto found = fit::fit_generalized_valanis(loop, {.symmetric = true, .form = form}).parameters;
        EXPECT_NEAR(found.at("E1") / 10, 1, tolerance);
        EXPECT_NEAR(found.at("E2") / 20, 1, tolerance);
        EXPECT_NEAR(found.at("a1") / 5, 1, 10 * tolerance);
    }
}

TEST(PublishedIdentification, Table3) {
    const auto exact = example2.exact(1);
    expect_row("T3a", list(exact.parameters));
    expect_row("T3b", list(example2.differenced(1).parameters));
    expect_row("T3c", {exact.condition});
    expect_row("T3d", {example2.misfit(Eigen::Vector4d(10.018, 30.53, 1397.1, 20.042), 1)});
}

TEST(PublishedIdentification, Table4) {
    const auto exact = example3.exact(1);
    expect_row("T4a", list(exact.parameters));
    expect_row("T4b", list(example3.differenced(1).parameters));
    expect_row("T4c", {exact.condition});
    Eigen::VectorXd printed(5);
    printed << 29.52, 5e4, 29991, 22104, 499.53;
    expect_row("T4d", {example3.misfit(printed, 1)});
    const auto data = reference("generalized_valanis")["identification"]["ex3"];
    const auto everywhere = example3.exact(1, 1e-4, 0.0).parameters;
    const std::vector<std::string> names = {"E1", "a1", "a2", "a3", "E2"};
    for (int i = 0; i < 5; ++i)
        EXPECT_RELATIVE(everywhere(i), data["id_exact_deriv"][names[i]].get<double>(), 1e-6) << names[i];
    // At 0.005 the phase of the samples moves a3 by half of itself.
    expect_same_errors(example3, exact.parameters, data, names, 2e-3, 0.2);
}

TEST(PublishedIdentification, Table5) {
    const auto up = example4_up.exact(1), down = example4_down.exact(-1);
    expect_row("T5a", list(up.parameters));
    expect_row("T5b", list(example4_up.differenced(1).parameters));
    expect_row("T5c", list(down.parameters));
    expect_row("T5d", list(example4_down.differenced(-1).parameters));
    expect_row("T5e", {up.condition, down.condition});
    Eigen::VectorXd printed(5);
    printed << 10, 40.09, -22.24, 1176.6, 20.02;
    expect_row("T5f", {example4_up.misfit(printed, 1), example4_down.misfit(Eigen::Vector3d(10, 15.14, 20.02), -1)});
    // a2 and a3 hide behind each other: what both add to P at the end of the loop, printed and exact
    const double x = 0.1356541352879864;
    EXPECT_NEAR(40 * std::sin(x), 5.4, 0.05);
    expect_row("T5g", {-22.24 * std::pow(x, 3) + 1176.6 * std::pow(x, 5), 40 * (std::sin(x) - x)});
}

}  // namespace
