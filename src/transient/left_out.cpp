#include "left_out.hpp"

#include <algorithm>
#include <cmath>

namespace faying::transient::detail {

LeftOutMotion::LeftOutMotion(const System& system, const Loads& loads)
    : system_(system), loads_(loads), pull_(system.left_out().map.transpose()) {
    for (auto* x : {&z_, &speed_, &force_}) x->setZero(system.left_out().omega.size());
}

Eigen::VectorXd LeftOutMotion::force_at(const Motion& m) const {
    Eigen::VectorXd force;
    loads_.left_out_at(m.time, force);
    if (system_.width() > 0) force.noalias() -= pull_ * m.g;
    const Eigen::Index shapes = system_.size() - system_.kept();
    if (shapes > 0) force.noalias() -= system_.left_out().coupling * m.q.tail(shapes);
    return force;
}

void LeftOutMotion::measure(const Motion& m) {
    joints_ = std::max(joints_, (system_.left_out().map * z_).norm());
    joints_reach_ = std::max(joints_reach_, (m.y - rest_y_).norm());
    motion_ = std::max(motion_, z_.norm());
    motion_reach_ = std::max(motion_reach_, (m.q - rest_).norm());
}

void LeftOutMotion::begin(const Motion& m, const Start& start, const Eigen::VectorXd& rest) {
    if (z_.size() == 0) return;
    rest_ = rest;
    rest_y_ = system_.map() * rest;
    joints_reach_ = 1e-9 * rest_y_.norm();  // below that nothing moves
    motion_reach_ = 1e-9 * rest_.norm();
    time_ = m.time;
    if (start.displacement.size() > 0) z_ = system_.left_out().projection * start.displacement;
    if (start.velocity.size() > 0) speed_ = system_.left_out().projection * start.velocity;
    force_ = force_at(m);
    measure(m);
}

/// Each mode by its exact motion under a force that is linear in time. It is an estimate: a mode that is damped beyond
/// 0.99 of critical is taken for one that is.
void LeftOutMotion::follow(const Motion& m) {
    if (z_.size() == 0) return;
    const double h = m.time - time_;
    const Eigen::VectorXd force = force_at(m);
    const LeftOut& left = system_.left_out();
    for (Eigen::Index r = 0; r < z_.size(); ++r) {
        const double k = left.omega(r) * left.omega(r), decay = std::min(0.5 * left.damping(r), 0.99 * left.omega(r));
        const double turning = std::sqrt(k - decay * decay), rate = (force(r) - force_(r)) / (h * k);
        const double lag = 2 * decay * rate / k;
        const double a = z_(r) - force_(r) / k + lag, b = (speed_(r) - rate + decay * a) / turning;
        const double shrink = std::exp(-decay * h), c = shrink * std::cos(turning * h),
                     s = shrink * std::sin(turning * h);
        z_(r) = force(r) / k - lag + a * c + b * s;
        speed_(r) = rate + (turning * b - decay * a) * c - (turning * a + decay * b) * s;
    }
    force_ = force;
    time_ = m.time;
    measure(m);
}

Truncation LeftOutMotion::found() const {
    const auto share = [](double part, double all) { return part > 0 ? part / std::max(all, 1e-9 * part) : 0.0; };
    return {system_.kept(), system_.size() - system_.kept(), z_.size(), share(joints_, joints_reach_),
            share(motion_, motion_reach_)};
}

}  // namespace faying::transient::detail
