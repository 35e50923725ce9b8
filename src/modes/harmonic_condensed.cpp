// The equations of a HarmonicSystem, on the joints' displacements and the modes kept beside them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/solve/dense.hpp"
#include "harmonic_system.hpp"

namespace faying::modes {

Eigen::VectorXcd HarmonicSystem::complex_of(const Eigen::MatrixXd& m, const Order& order) const {
    return order.k == 0 ? Eigen::VectorXcd(m.col(order.at).cast<Complex>())
                        : Eigen::VectorXcd(m.col(order.at) - i_unit * m.col(order.at + 1));
}

/// What the other modes' velocities do to a mode.
Complex HarmonicSystem::coupled_damping(Eigen::Index mode, const Eigen::VectorXcd& q) const {
    return (damping_matrix_.row(mode).cast<Complex>() * q)(0) - damping_(mode) * q(mode);
}

void HarmonicSystem::fill_order(Order& order) {
    const Eigen::Index n = modes();
    const double k = order.k, kw = k * w_;
    order.d.resize(n);
    order.flexible.resize(n);
    order.d_w.resize(n);
    order.d_zeta = -2.0 * i_unit * kw * w_;
    std::size_t next = 0;
    const double rigid = 1e-9 * omega_.maxCoeff();
    for (Eigen::Index r = 0; r < n; ++r) {
        const double real = omega_(r) * omega_(r) - kw * kw, imaginary = kw * (damping_(r) - 2 * zeta_ * w_);
        order.d(r) = {real, imaginary};
        order.d_w(r) = {-2 * k * kw, k * (damping_(r) - 4 * zeta_ * w_)};
        const bool kept = next < order.kept.size() && order.kept[next] == r;
        next += kept;
        const bool floating = order.k == 0 && !(omega_(r) > rigid);  // nothing holds a rigid motion in place
        const double size = real * real + imaginary * imaginary;
        order.flexible(r) = kept || floating ? Complex(0.0) : Complex(real / size, -imaginary / size);
    }
}

double HarmonicSystem::evaluate(const Eigen::Ref<const Eigen::VectorXd>& x, double a, double w, double zeta,
                                Eigen::Ref<Eigen::VectorXd> r) {
    if (evaluated_ && a == a_ && w == w_ && zeta == zeta_ && x == x_) {  // as when a point is accepted
        r = r_;
        return size_of_residual_;
    }
    if (!x.allFinite() || !std::isfinite(w * zeta)) return std::numeric_limits<double>::infinity();
    a_ = a;
    w_ = w;
    zeta_ = zeta;
    x_ = x;
    y_ = Eigen::Map<const Eigen::MatrixXd>(x.data(), width_, functions_);
    joints_ = joints_at(a_ * y_);
    g_ = joints_.force / a_;
    load_ = map_.transpose() * g_ - force_ / a_;
    q_.resize(modes(), functions_);
    double kept_residual = 0;
    for (auto& order : orders_) {
        fill_order(order);
        const Eigen::VectorXcd load = complex_of(load_, order);
        Eigen::VectorXcd q = -order.flexible.cwiseProduct(load);
        const auto count = Eigen::Index(order.kept.size());
        for (Eigen::Index i = 0; i < count; ++i)
            q(order.kept[std::size_t(i)]) = Complex(x(order.kept_at + i), -x(order.kept_at + count + i));
        q_.col(order.at) = q.real();
        if (order.k > 0) q_.col(order.at + 1) = -q.imag();
        for (Eigen::Index i = 0; i < count; ++i) {
            const Eigen::Index m = order.kept[std::size_t(i)];
            Complex e = order.d(m) * q(m) + load(m);
            if (damping_matrix_.size() > 0) e += i_unit * (order.k * w_) * coupled_damping(m, q);
            e /= omega_(m) * omega_(m) + order.k * order.k * w_ * w_;
            r(order.kept_at + i) = e.real();
            r(order.kept_at + count + i) = -e.imag();
            kept_residual = std::max(kept_residual, std::abs(e));
        }
        const Eigen::Index parts = order.k > 0 ? 2 : 1;
        for (Eigen::Index b = order.at; b < order.at + parts; ++b)
            r.segment(b * width_, width_) = y_.col(b) - map_ * q_.col(b);
    }
    double motion = std::max(y_.norm(), std::numeric_limits<double>::min());
    if (capped_)
        motion = std::max(motion, pushed_by_joints().norm());  // of which y is a small difference where it sticks
    const double size = width_ > 0 ? r.head(width_ * functions_).norm() / motion : 0.0;
    size_of_residual_ = std::max(size, kept_residual / std::max(q_.norm(), std::numeric_limits<double>::min()));
    r_ = r;
    evaluated_ = true;
    return size_of_residual_;
}

Eigen::MatrixXd HarmonicSystem::physical(const Eigen::MatrixXd& modal) const {
    return solve::times_transposed(shapes_, modal.transpose());
}

/// What the joints' forces do to y through the modes that are not kept.
Eigen::MatrixXd HarmonicSystem::pushed_by_joints() const {
    Eigen::MatrixXd q = Eigen::MatrixXd::Zero(modes(), functions_);
    const Eigen::MatrixXd pulled = map_.transpose() * g_;
    for (const auto& order : orders_) {
        const Eigen::VectorXcd on = order.flexible.cwiseProduct(complex_of(pulled, order));
        q.col(order.at) = on.real();
        if (order.k > 0) q.col(order.at + 1) = -on.imag();
    }
    return map_ * q;
}

void HarmonicSystem::jacobian(Eigen::Index offset, std::vector<Eigen::Index>& columns, Eigen::MatrixXd& to_x) const {
    using Row = Interface::SiteMap::InnerIterator;
    // Displacements that moving sites see, and where they stand among the columns.
    std::vector<Eigen::Index> place(std::size_t(width_), -1), seen;
    for (const auto& site : joints_.moving)
        for (int c = 0; c < site.width; ++c)
            for (Row i(sites_on_y_, site.row + c); i; ++i) place[std::size_t(i.col())] = 0;
    for (Eigen::Index i = 0; i < width_; ++i) {
        if (place[std::size_t(i)] < 0) continue;
        place[std::size_t(i)] = Eigen::Index(seen.size());
        seen.push_back(i);
    }
    const auto many = Eigen::Index(seen.size()), joints = width_ * functions_;
    for (Eigen::Index b = 0; b < functions_; ++b)
        for (const Eigen::Index i : seen) columns.push_back(offset + b * width_ + i);
    const Eigen::Index first = Eigen::Index(columns.size()) - many * functions_, kept_first = first + many * functions_;
    for (Eigen::Index i = joints; i < size_; ++i) columns.push_back(offset + i);
    to_x.setZero(offset + size_, Eigen::Index(columns.size()));
    for (Eigen::Index b = 0; b < functions_; ++b)
        for (Eigen::Index i = 0; i < many; ++i)
            to_x(offset + b * width_ + seen[std::size_t(i)], first + b * many + i) = 1;
    const Eigen::MatrixXd seen_map = map_(seen, Eigen::all);
    Eigen::MatrixXd real_rows, imaginary_rows, on_cosine, on_sine;
    for (const auto& order : orders_) {
        const Eigen::Index at = order.at * width_;
        const auto count = Eigen::Index(order.kept.size());
        const bool mean = order.k == 0;
        // What a force on y does: P diag(1/d) P^T, then what it does to the kept modes' rows.
        Eigen::VectorXd scale(count);
        Eigen::MatrixXd kept_map(many, count);
        for (Eigen::Index i = 0; i < count; ++i) {
            const Eigen::Index m = order.kept[std::size_t(i)];
            scale(i) = 1 / (omega_(m) * omega_(m) + order.k * order.k * w_ * w_);
            kept_map.col(i) = seen_map.col(m) * scale(i);
        }
        const Eigen::MatrixXd real = solve::times_transposed(map_ * order.flexible.real().asDiagonal(), seen_map);
        Eigen::MatrixXd imaginary;
        if (!mean) imaginary = solve::times_transposed(map_ * order.flexible.imag().asDiagonal(), seen_map);
        for (const auto& site : joints_.moving) {
            // site components' forces on all y, and on kept modes
            const int width = site.width;
            real_rows.setZero(width_, width);
            imaginary_rows.setZero(width_, width);
            Eigen::MatrixXd kept_rows = Eigen::MatrixXd::Zero(count, width);
            for (int c = 0; c < width; ++c)
                for (Row i(sites_on_y_, site.row + c); i; ++i) {
                    const Eigen::Index column = place[std::size_t(i.col())];
                    real_rows.col(c) += i.value() * real.col(column);
                    if (!mean) imaginary_rows.col(c) += i.value() * imaginary.col(column);
                    kept_rows.col(c) += i.value() * kept_map.row(column).transpose();
                }
            const auto cosine = site.block.middleRows(order.at * width, width);
            on_cosine.noalias() = real_rows * cosine;
            Eigen::MatrixXd kept_cosine = kept_rows * cosine, kept_sine;
            if (!mean) {
                const auto sine = site.block.middleRows((order.at + 1) * width, width);
                on_cosine.noalias() += imaginary_rows * sine;
                on_sine.noalias() = real_rows * sine;
                on_sine.noalias() -= imaginary_rows * cosine;
                kept_sine = kept_rows * sine;
            }
            for (Eigen::Index d = 0; d < functions_; ++d)
                for (int e = 0; e < width; ++e)
                    for (Row j(sites_on_y_, site.row + e); j; ++j) {
                        auto to = to_x.col(first + d * many + place[std::size_t(j.col())]);
                        const Eigen::Index from = d * width + e;
                        to.segment(offset + at, width_) += j.value() * on_cosine.col(from);
                        if (mean) continue;
                        to.segment(offset + at + width_, width_) += j.value() * on_sine.col(from);
                        to.segment(offset + order.kept_at, count) += j.value() * kept_cosine.col(from);
                        to.segment(offset + order.kept_at + count, count) += j.value() * kept_sine.col(from);
                    }
        }
        for (Eigen::Index i = 0; i < count; ++i) {
            const Eigen::Index m = order.kept[std::size_t(i)], c = order.kept_at + i, s = c + count,
                               c_at = kept_first + c - joints, s_at = kept_first + s - joints;
            to_x.col(c_at).segment(offset + at, width_) -= map_.col(m);
            to_x.col(s_at).segment(offset + at + width_, width_) -= map_.col(m);
            to_x(offset + c, c_at) += scale(i) * order.d(m).real();
            to_x(offset + c, s_at) += scale(i) * order.d(m).imag();
            to_x(offset + s, s_at) += scale(i) * order.d(m).real();
            to_x(offset + s, c_at) -= scale(i) * order.d(m).imag();
            if (damping_matrix_.size() > 0)
                for (Eigen::Index k = 0; k < count; ++k) {
                    const Eigen::Index other = order.kept[std::size_t(k)];
                    if (other == m) continue;
                    const double coupled = scale(i) * order.k * w_ * damping_matrix_(m, other);
                    const Eigen::Index there = kept_first + order.kept_at + k - joints;
                    to_x(offset + c, there + count) += coupled;
                    to_x(offset + s, there) -= coupled;
                }
        }
    }
}

void HarmonicSystem::slopes(Eigen::Ref<Eigen::VectorXd> to_w, Eigen::Ref<Eigen::VectorXd> to_zeta,
                            Eigen::Ref<Eigen::VectorXd> to_log_a) const {
    to_w.setZero();
    to_zeta.setZero();
    to_log_a.setZero();
    const Eigen::MatrixXd moved = map_.transpose() * (slope_times(joints_, y_) - g_) + force_ / a_;
    const auto put = [&](const Order& order, const Eigen::VectorXcd& on_q, Eigen::Ref<Eigen::VectorXd> out) {
        const Eigen::VectorXcd on_y = map_ * on_q;
        out.segment(order.at * width_, width_) += on_y.real();
        if (order.k > 0) out.segment((order.at + 1) * width_, width_) -= on_y.imag();
    };
    for (const auto& order : orders_) {
        const Eigen::VectorXcd q = complex_of(q_, order), load = complex_of(moved, order);
        put(order, order.flexible.cwiseProduct(load), to_log_a);
        if (order.k == 0) continue;
        put(order, order.flexible.cwiseProduct(order.d_w).cwiseProduct(q), to_w);
        put(order, order.d_zeta * order.flexible.cwiseProduct(q), to_zeta);
        const auto count = Eigen::Index(order.kept.size());
        if (count == 0) continue;
        const Eigen::VectorXcd loads = complex_of(load_, order);
        for (Eigen::Index i = 0; i < count; ++i) {
            const Eigen::Index m = order.kept[std::size_t(i)], c = order.kept_at + i, s = c + count;
            const double kw = order.k * w_, scale = 1 / (omega_(m) * omega_(m) + kw * kw);
            Complex on_w = order.d_w(m) * q(m), residual = order.d(m) * q(m) + loads(m);
            if (damping_matrix_.size() > 0) {
                const Complex coupled = coupled_damping(m, q);
                on_w += i_unit * double(order.k) * coupled;
                residual += i_unit * kw * coupled;
            }
            on_w = scale * (on_w - residual * scale * 2.0 * kw * double(order.k));
            const Complex on_zeta = scale * order.d_zeta * q(m), on_a = scale * load(m);
            to_w(c) = on_w.real();
            to_w(s) = -on_w.imag();
            to_zeta(c) = on_zeta.real();
            to_zeta(s) = -on_zeta.imag();
            to_log_a(c) = on_a.real();
            to_log_a(s) = -on_a.imag();
        }
    }
}

HarmonicSystem::Row HarmonicSystem::modal_row(std::size_t index, const Eigen::VectorXd& cosine,
                                              const Eigen::VectorXd& sine) const {
    const Order& order = orders_[index];
    Row row{.to_x = Eigen::RowVectorXd::Zero(size_)};
    const Eigen::VectorXcd weight = cosine.cast<Complex>() + i_unit * sine.cast<Complex>();
    const Eigen::VectorXcd lever = weight.cwiseProduct(order.flexible), v = map_ * lever, q = complex_of(q_, order);
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(width_, functions_);
    left.col(order.at) = v.real();
    left.col(order.at + 1) = v.imag();
    const Eigen::MatrixXd to_y = slope_transposed_times(joints_, left);
    row.to_x.head(to_y.size()) -= Eigen::Map<const Eigen::RowVectorXd>(to_y.data(), to_y.size());
    const auto count = Eigen::Index(order.kept.size());
    for (Eigen::Index i = 0; i < count; ++i) {
        row.to_x(order.kept_at + i) = cosine(order.kept[std::size_t(i)]);
        row.to_x(order.kept_at + count + i) = sine(order.kept[std::size_t(i)]);
    }
    const auto real_sum = [](const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
        return (a.transpose() * b)(0).real();
    };
    row.to_w = -real_sum(lever, order.d_w.cwiseProduct(q));
    row.to_zeta = -real_sum(lever, order.d_zeta * q);
    const Eigen::MatrixXd moved = map_.transpose() * (slope_times(joints_, y_) - g_) + force_ / a_;
    row.to_log_a = -real_sum(lever, complex_of(moved, order));
    return row;
}

void HarmonicSystem::force_slope(const Eigen::VectorXd& force, Eigen::Ref<Eigen::VectorXd> to) const {
    to.setZero();
    const Order& order = orders_[first_];
    const Eigen::VectorXcd on_y = map_ * (order.flexible.cwiseProduct(force.cast<Complex>()) / a_);
    to.segment(order.at * width_, width_) = -on_y.real();
    to.segment((order.at + 1) * width_, width_) = on_y.imag();
    for (std::size_t i = 0; i < order.kept.size(); ++i) {
        const Eigen::Index m = order.kept[i];
        to(order.kept_at + Eigen::Index(i)) = -force(m) / (a_ * (omega_(m) * omega_(m) + w_ * w_));
    }
}

double HarmonicSystem::force_row(const Eigen::VectorXd& force, const Eigen::VectorXd& cosine,
                                 const Eigen::VectorXd& sine) const {
    const Eigen::VectorXcd q = orders_[first_].flexible.cwiseProduct(force.cast<Complex>()) / a_;
    return cosine.dot(q.real()) - sine.dot(q.imag());
}

}  // namespace faying::modes
