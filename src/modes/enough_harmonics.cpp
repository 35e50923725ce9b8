#include "faying/modes/enough_harmonics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/core/error.hpp"
#include "harmonic_system.hpp"

namespace faying::modes {

namespace {

class Spectrum {
 public:
    Spectrum(const structure::Model& model, const Interface& interface, int highest,
             const harmonic::HarmonicOptions& joints)
        : interface_(interface), system_(model, interface, core::Harmonics::up_to(highest), wide(joints, highest)) {}

    Eigen::VectorXd operator()(const HarmonicPoint& motion, const core::Harmonics& harmonics) const {
        const auto& all = system_.harmonics();
        Eigen::MatrixXd y = Eigen::MatrixXd::Zero(system_.width(), all.size());
        const Eigen::MatrixXd given = system_.of_interface(interface_.rows() * motion.harmonics);
        for (std::size_t i = 0; i < harmonics.orders().size(); ++i) {
            const int k = harmonics.orders()[i];
            if (k <= all.highest())
                y.middleCols(all.at(std::size_t(k)), k > 0 ? 2 : 1) = given.middleCols(harmonics.at(i), k > 0 ? 2 : 1);
        }
        const Eigen::MatrixXd force = system_.joints_at(y).force + system_.tangent() * y;
        Eigen::VectorXd size(all.highest() + 1);
        for (int k = 0; k <= all.highest(); ++k)
            size(k) = force.middleCols(all.at(std::size_t(k)), k > 0 ? 2 : 1).norm();
        return size;
    }

 private:
    const Interface& interface_;
    HarmonicSystem system_;

    static harmonic::HarmonicOptions wide(harmonic::HarmonicOptions joints, int highest) {
        if (joints.samples > 0) joints.samples = std::max(joints.samples, 4 * highest);
        return joints;
    }
};

}  // namespace

void EnoughOptions::check() const {
    core::require(tolerance >= 1e-12 && tolerance <= 0.5, "harmonics", "1e-12 <= tolerance <= 0.5");
    core::require(most >= 1 && most <= 500, "harmonics", "1 <= most <= 500");
    core::require(looked_at >= 2, "harmonics", "looked_at >= 2");
}

Eigen::VectorXd joint_force_spectrum(const structure::Model& model, const Interface& interface,
                                     const HarmonicPoint& motion, const core::Harmonics& harmonics, int highest,
                                     const harmonic::HarmonicOptions& joints) {
    return Spectrum(model, interface, highest, joints)(motion, harmonics);
}

EnoughHarmonics with_enough_harmonics(const structure::Model& model, const Interface& interface,
                                      HarmonicOptions options, const EnoughOptions& wanted, const HarmonicRun& run) {
    wanted.check();
    EnoughHarmonics out;
    out.harmonics = core::Harmonics({0, 1});
    for (;;) {
        ++out.rounds;
        options.harmonics = out.harmonics;
        out.points = run(options);
        const int highest = std::max(9, wanted.looked_at * out.harmonics.highest());
        const Spectrum spectrum(model, interface, highest, options.joints);
        const auto& orders = out.harmonics.orders();
        Eigen::VectorXd worst = Eigen::VectorXd::Zero(highest + 1);  // shares of the orders that are not there
        out.neglected = 0;
        out.neglected_at.assign(out.points.size(), std::numeric_limits<double>::quiet_NaN());
        for (std::size_t i = 0; i < out.points.size(); ++i) {
            if (!out.points[i].converged) continue;
            Eigen::VectorXd size = spectrum(out.points[i], out.harmonics);
            const double all = size.tail(highest).norm();
            for (const int k : orders) size(k) = 0;
            if (all > 0) size /= all;
            worst = worst.cwiseMax(size);
            out.neglected_at[i] = size.norm();
            out.neglected = std::max(out.neglected, size.norm());
        }
        out.enough = out.neglected <= wanted.tolerance;
        if (out.enough) return out;
        // Those that matter, from the largest on, until the rest of this round's is small; not too many at once.
        std::vector<int> by_size;
        for (int k = 2; k <= std::min(highest, wanted.most); ++k)
            if (worst(k) > 1e-3 * wanted.tolerance) by_size.push_back(k);  // not rounding
        std::stable_sort(by_size.begin(), by_size.end(), [&](int a, int b) { return worst(a) > worst(b); });
        std::vector<int> next = orders;
        double rest = worst.squaredNorm();
        for (const int k : by_size) {
            if (std::sqrt(std::max(rest, 0.0)) <= 0.5 * wanted.tolerance) break;
            next.push_back(k);
            rest -= worst(k) * worst(k);
        }
        if (next.size() == orders.size()) return out;  // nothing more may be added
        std::sort(next.begin(), next.end());
        out.harmonics = core::Harmonics(next);
    }
}

}  // namespace faying::modes
