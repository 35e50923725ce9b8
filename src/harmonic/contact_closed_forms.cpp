// Pieces of a contact's path that are linear in the motion: products of cosines and sines in closed form.

#include "contact_path.hpp"

namespace faying::harmonic::detail {

void ContactPath::over(double from, double to) {
    integrals_.over(from, to);
    moments_.noalias() = integrals_.second * u_.transpose();
    moments_.noalias() += integrals_.first * base_.transpose();
}

void ContactPath::add_stick(double from, double to) {
    if (!(to > from)) return;
    over(from, to);
    for (Eigen::Index axis = 0; axis < 2; ++axis) {
        auto& slope = slope_[std::size_t(axis)];
        force_.col(axis) += now_.s(axis) * integrals_.first + law_.kt * moments_.col(axis);
        slope.noalias() += integrals_.first * now_.ds.row(axis);
        if (slopes_) {
            slope.noalias() += integrals_.first * (law_.kt * slopes_->base.row(axis));
            slope.noalias() += moments_.col(axis) * slopes_->kt;
        } else {
            for (Eigen::Index b = 0; b < functions_; ++b) slope.col(3 * b + axis) += law_.kt * integrals_.second.col(b);
        }
    }
}

void ContactPath::add_straight_slip(double from, double to) {
    if (!(to > from)) return;
    over(from, to);
    const double way = std::cos(now_.theta) > 0 ? 1.0 : -1.0, sloped = law_.mu * law_.kn;
    auto& slope = slope_[0];
    if (!regime_.sloped) {
        force_.col(0) += way * law_.fs * integrals_.first;
        if (slopes_) slope.noalias() += way * integrals_.first * slopes_->fs;
        return;
    }
    force_.col(0) += way * sloped * moments_.col(2);
    if (slopes_) {
        slope.noalias() += way * moments_.col(2) * (law_.kn * slopes_->mu + law_.mu * slopes_->kn);
        slope.noalias() += way * sloped * integrals_.first * slopes_->base.row(2);
    } else {
        for (Eigen::Index b = 0; b < functions_; ++b) slope.col(3 * b + 2) += way * sloped * integrals_.second.col(b);
    }
}

void ContactPath::add_springs(double from, double to) {
    over(from, to);
    force_.col(2) += law_.kn * moments_.col(2);
    if (slopes_) {
        slope_[2].noalias() += moments_.col(2) * slopes_->kn;
        slope_[2].noalias() += law_.kn * integrals_.first * slopes_->base.row(2);
    } else {
        for (Eigen::Index b = 0; b < functions_; ++b) slope_[2].col(3 * b + 2) += law_.kn * integrals_.second.col(b);
    }
    if (!(law_.kp > 0)) return;
    for (Eigen::Index axis = 0; axis < 2; ++axis) {
        auto& slope = slope_[std::size_t(axis)];
        const Eigen::VectorXd stretch = moments_.col(axis) - now_.reference(axis) * integrals_.first;
        force_.col(axis) += law_.kp * stretch;
        slope.noalias() -= integrals_.first * (law_.kp * now_.dreference.row(axis));
        if (slopes_) {
            slope.noalias() += integrals_.first * (law_.kp * slopes_->base.row(axis));
            slope.noalias() += stretch * slopes_->kp;
        } else {
            for (Eigen::Index b = 0; b < functions_; ++b) slope.col(3 * b + axis) += law_.kp * integrals_.second.col(b);
        }
    }
}

}  // namespace faying::harmonic::detail
