#pragma once
// A law driven along a measured loop, as a function of the parameters that are sought.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "faying/fit/identify.hpp"
#include "faying/laws/catalogue.hpp"

namespace faying::fit {

/// A record as the law is driven through it, and where the comparison begins.
struct Drive {
    std::vector<double> input, times, output;  ///< output: measured, over one pass
    std::size_t first = 0;                     ///< index in input of the first compared point
};

inline Drive drive_of(const Loop& loop, laws::Drive by, Memory memory, int passes) {
    Drive d;
    const auto& in = by == laws::Drive::force ? loop.f : loop.u;
    d.output = by == laws::Drive::force ? loop.u : loop.f;
    const int rounds = memory == Memory::steady ? passes : 1;
    const double step = loop.t.empty() ? 0 : (loop.t.back() - loop.t.front()) / double(loop.size() - 1);
    for (int k = 0; k < rounds; ++k) {
        d.first = d.input.size();
        d.input.insert(d.input.end(), in.begin(), in.end());
        for (const double t : loop.t) d.times.push_back(t + k * (loop.t.back() - loop.t.front() + step));
    }
    return d;
}

/// Which parameters are sought, and the coordinates the solver moves: logarithms of those the table calls logarithmic.
class Coordinates {
 public:
    Coordinates(std::string law, std::vector<core::ParameterInfo> free, core::ParameterValues fixed)
        : law_(std::move(law)), free_(std::move(free)), fixed_(std::move(fixed)) {}

    std::size_t size() const { return free_.size(); }
    const std::vector<core::ParameterInfo>& free() const { return free_; }
    const std::string& law() const { return law_; }

    core::ParameterValues values(const double* x) const {
        core::ParameterValues v = fixed_;
        for (std::size_t i = 0; i < size(); ++i) v[free_[i].key] = logarithmic(i) ? std::exp(x[i]) : x[i];
        return v;
    }
    double slope(std::size_t i, const double* x) const { return logarithmic(i) ? std::exp(x[i]) : 1; }
    std::vector<double> of(const core::ParameterValues& values) const {
        std::vector<double> x;
        for (std::size_t i = 0; i < size(); ++i) {
            const double v = std::clamp(values.at(free_[i].key), lowest(i), highest(i));
            x.push_back(logarithmic(i) ? std::log(v) : v);
        }
        return x;
    }
    /// How far a start may be off: a factor of e, or half the range, or half of itself.
    double reach(std::size_t i, double x) const {
        if (logarithmic(i)) return 1;
        const double range = highest(i) - lowest(i);
        return std::isfinite(range) ? range / 2 : std::max(std::abs(x), std::isfinite(lowest(i)) ? 1.0 : 0.0) / 2;
    }
    /// Ends of coordinate i that the law allows.
    double lower(std::size_t i) const { return logarithmic(i) ? std::log(lowest(i)) : lowest(i); }
    double upper(std::size_t i) const { return logarithmic(i) ? std::log(highest(i)) : highest(i); }

 private:
    std::string law_;
    std::vector<core::ParameterInfo> free_;
    core::ParameterValues fixed_;

    bool logarithmic(std::size_t i) const { return free_[i].scale == core::Scale::logarithmic; }
    double lowest(std::size_t i) const {
        const auto& b = free_[i].bounds;
        if (logarithmic(i)) return std::max(b.lower, 1e-150);
        return b.lower_open && std::isfinite(b.lower) ? b.lower + 1e-6 * std::max(1.0, std::abs(b.lower)) : b.lower;
    }
    double highest(std::size_t i) const {
        const auto& b = free_[i].bounds;
        if (logarithmic(i)) return std::min(b.upper, 1e150);
        return b.upper_open && std::isfinite(b.upper) ? b.upper - 1e-6 * std::max(1.0, std::abs(b.upper)) : b.upper;
    }
};

/// The law's answer along the drive, and its derivatives to the free parameters.
class Response {
 public:
    Response(const Coordinates& coordinates, std::vector<Drive> drives)
        : coordinates_(coordinates), drives_(std::move(drives)) {
        for (const auto& d : drives_) measured_.insert(measured_.end(), d.output.begin(), d.output.end());
    }

    std::size_t points() const { return measured_.size(); }
    std::size_t size() const { return coordinates_.size(); }

    std::vector<double> output(const double* x) const {
        const laws::Law law(coordinates_.law(), coordinates_.values(x));
        std::vector<double> all;
        for (const auto& d : drives_) {
            const auto part = last_pass(law, law.follow(laws::Path{d.input, d.times}), d);
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }

    /// A column a free parameter (its value, not its coordinate).
    Eigen::MatrixXd jacobian(const double* x) const {
        const laws::Law law(coordinates_.law(), coordinates_.values(x));
        Eigen::MatrixXd J = Eigen::MatrixXd::Zero(long(points()), long(size()));
        Eigen::Index row = 0;
        for (const auto& d : drives_) {
            const auto all = law.follow_derivatives(laws::Path{d.input, d.times});
            const auto rows = Eigen::Index(d.output.size());
            for (std::size_t k = 0; k < size(); ++k) {
                const auto& key = coordinates_.free()[k].key;
                std::size_t index = 0;
                while (law.parameters()[index].key != key) ++index;
                const auto column = last_pass(law, all[index], d);
                J.col(Eigen::Index(k)).segment(row, rows) = Eigen::Map<const Eigen::VectorXd>(column.data(), rows);
            }
            row += rows;
        }
        return J;
    }

    const std::vector<double>& measured() const { return measured_; }

    static std::vector<double> last_pass(const laws::Law& law, const laws::History& h, const Drive& drive) {
        const auto& all = law.drive() == laws::Drive::force ? h.u : h.f;
        return {all.begin() + long(drive.first), all.end()};
    }

 private:
    const Coordinates& coordinates_;
    std::vector<Drive> drives_;
    std::vector<double> measured_;  ///< of all records in turn
};

}  // namespace faying::fit
