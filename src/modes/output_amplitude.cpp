#include "faying/modes/output_amplitude.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/modes/linear.hpp"

namespace faying::modes {

namespace {

constexpr double close_enough = 1e-10;
constexpr int most_rounds = 40;

/// One amplitude's search in ln q for ln(reached/wanted) = 0.
struct Search {
    double q = 0, error = 0, last_q = 0, last_error = 0;
    bool failed = false;

    void take(double now) {
        last_error = error;
        error = now;
    }
    /// Secant; slope 1 at first, and never far from it.
    void move(bool have_two) {
        double slope = 1.0;
        const double run = std::log(q / last_q);
        if (have_two && run != 0.0) slope = std::clamp((error - last_error) / run, 0.25, 4.0);
        last_q = q;
        q *= std::exp(std::clamp(-error / slope, -1.0, 1.0));
    }
};

void check(const OutputAmplitudes& wanted, const structure::Model& model) {
    if (wanted.row.size() != model.size())
        throw core::BadInput("output",
                             fmt::format("its row has {} entries, the model {}", wanted.row.size(), model.size()));
    if (wanted.values.empty()) throw core::BadInput("backbone", "no amplitude is given");
    for (std::size_t i = 0; i < wanted.values.size(); ++i) {
        if (!(wanted.values[i] >= least_amplitude && wanted.values[i] <= largest_amplitude))
            throw core::BadInput("backbone", fmt::format("amplitude {:g} is not in [{:g}, {:g}]", wanted.values[i],
                                                         least_amplitude, largest_amplitude));
        if (i > 0 && wanted.values[i] <= wanted.values[i - 1])
            throw core::BadInput("backbone", "amplitudes must ascend");
    }
}

/// How much the output moves for q = 1 with all joints stuck: where the search starts.
double gain_of_linear_mode(const structure::Model& model, int mode, const OutputAmplitudes& wanted) {
    if (mode < 1 || mode > model.size())
        throw core::BadInput("backbone", fmt::format("there is no mode {}; allowed are 1 to {}", mode, model.size()));
    const auto linear = linear_modes(model.mass, structure::stuck_stiffness(model), mode);
    const Eigen::VectorXd shape = linear.shapes.col(mode - 1);
    const double moved = std::abs(wanted.row.dot(shape)), omega = linear.omega(mode - 1);
    if (!(moved > 1e-9 * wanted.row.norm() * shape.norm()))
        throw core::BadInput("output", fmt::format("mode {} does not move it", mode));
    return wanted.quantity == Quantity::displacement ? moved : moved * omega * omega;
}

std::vector<double> amplitudes_of(const std::vector<Search>& searches) {
    std::vector<double> q;
    for (const auto& s : searches) {
        if (!q.empty() && s.q <= q.back())
            throw core::NotConverged("backbone: the amplitude at the output does not grow with the mode's",
                                     std::numeric_limits<double>::quiet_NaN());
        q.push_back(s.q);
    }
    return q;
}

}  // namespace

double amplitude_of(const BackbonePoint& point, const Eigen::VectorXd& row, Quantity quantity) {
    const double moved = std::abs(row.dot(point.shape)) * point.q;
    return quantity == Quantity::displacement ? moved : moved * point.omega * point.omega;
}

std::vector<BackbonePoint> backbone_at_output(const structure::Model& model, const Interface& interface, int mode,
                                              const OutputAmplitudes& wanted, const BackboneOptions& options) {
    check(wanted, model);
    const double gain = gain_of_linear_mode(model, mode, wanted);
    std::vector<Search> searches;
    for (const double value : wanted.values) searches.push_back({value / gain});
    BackboneOptions plain = options;
    plain.derivatives = false;
    std::vector<BackbonePoint> points;
    bool found = false;
    for (int round = 0; round < most_rounds && !found; ++round) {
        const auto q = amplitudes_of(searches);
        points = backbone(model, interface, mode, q, plain);
        found = true;
        for (std::size_t i = 0; i < points.size(); ++i) {
            auto& s = searches[i];
            s.failed = !points[i].converged;
            if (s.failed) continue;
            s.take(std::log(amplitude_of(points[i], wanted.row, wanted.quantity) / wanted.values[i]));
            if (std::abs(s.error) <= close_enough) continue;
            found = false;
            s.move(round > 0);
        }
    }
    if (options.derivatives) points = backbone(model, interface, mode, amplitudes_of(searches), options);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!searches[i].failed && std::abs(searches[i].error) > close_enough) {
            points[i].converged = false;
            points[i].reason = fmt::format("its amplitude at the output is off by {:.2g}, relative", searches[i].error);
        }
    return points;
}

}  // namespace faying::modes
