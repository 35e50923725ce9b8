#include "driven_statics.hpp"

#include <algorithm>

#include "faying/core/error.hpp"

namespace faying::modes {

namespace {

constexpr double least_share = 1e-3;     ///< of the largest so far
constexpr double rounding_share = 1e-4;  ///< times the tolerance: a few roundings
constexpr double same_tangent = 1e-13;   ///< of a site's largest entry

}  // namespace

DrivenStatics::DrivenStatics(const Interface::SiteMap& map, Sites& sites) : map_(map), sites_(sites) {}

void DrivenStatics::drive(const structure::Model& model, const std::vector<Drive>& drives) {
    drives_ = drives;
    static_force_ = model.static_force;
    static_norm_ = static_force_.norm();
    const auto count = Eigen::Index(drives.size());
    drive_y_.resize(width(), count);
    drive_xi_.resize(omega2_.size(), count);
    row_.assign(drives.size(), -1);
    held_ = 0;
    for (Eigen::Index j = 0; j < count; ++j) {
        drive_y_.col(j) = on_y(drives[std::size_t(j)].row);
        drive_xi_.col(j) = on_modes(drives[std::size_t(j)].row);
        if (drives[std::size_t(j)].kind == DriveKind::displacement) row_[std::size_t(j)] = held_++;
    }
    static_y_ = static_norm_ > 0 ? on_y(static_force_) : Eigen::VectorXd::Zero(width());
    static_xi_ = static_norm_ > 0 ? on_modes(static_force_) : Eigen::VectorXd::Zero(omega2_.size());
    held_y_.resize(width(), held_);
    held_xi_.resize(omega2_.size(), held_);
    for (Eigen::Index j = 0; j < count; ++j)
        if (const auto r = row_[std::size_t(j)]; r >= 0) {
            held_y_.col(r) = drive_y_.col(j);
            held_xi_.col(r) = drive_xi_.col(j);
        }
    flexibility_.setZero(held_, held_);
    for (const auto k : elastic_) flexibility_ += held_xi_.row(k).transpose() * held_xi_.row(k) / omega2_(k);

    std::vector<laws::SiteGroup> touching;  // as if there were no gaps
    for (const auto& joint : model.joints) touching.push_back({joint.law, joint.weight});
    Sites closed(touching);
    closed.evaluate(closed.just_closed());
    if (!prepare(closed))
        throw core::BadInput("quasistatic", held_ > 0 ? "the joints do not hold the structure, or a prescribed row "
                                                        "cannot move (fixed, or given twice)"
                                                      : "the joints do not hold the structure against its loads: it is "
                                                        "a mechanism");
}

void DrivenStatics::set(const DrivenLoad& load) {
    load_ = load;
    force_y_ = load.share * static_y_;
    force_xi_ = load.share * static_xi_;
    target_.setZero(held_);
    for (std::size_t j = 0; j < drives_.size(); ++j) {
        const double v = load.value(Eigen::Index(j));
        if (row_[j] >= 0) {
            target_(row_[j]) = v;
        } else {
            force_y_ += v * drive_y_.col(Eigen::Index(j));
            force_xi_ += v * drive_xi_.col(Eigen::Index(j));
        }
    }
}

/// Forces on a body that only moves are nothing but the rounding of stiffness times way: the ways so far, and the one
/// that is prescribed.
double DrivenStatics::rounding() const {
    const double target = held_ > 0 ? target_.lpNorm<Eigen::Infinity>() : 0.0;
    return rounding_share * stiffness_scale_ * std::max(farthest_, target);
}

void DrivenStatics::reached(const Eigen::VectorXd& z, const Eigen::VectorXd& joints) {
    if (width() > 0) farthest_ = std::max(farthest_, z.head(width()).lpNorm<Eigen::Infinity>());
    const Eigen::VectorXd on_y = map_.transpose() * joints;
    least_force_ = std::max({least_force_, least_share * on_y.norm(), least_share * force_y_.norm(), rounding()});
    least_way_ = std::max({least_way_, least_share * z.head(width()).norm(), least_share * target_.norm()});
}

double StiffnessStatics::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& r) {
    const Eigen::Index w = width(), n = Eigen::Index(rigid_.size());
    sites_.evaluate(displacements(z));
    const Eigen::VectorXd elastic = times_stiffness(z.head(w));
    const Eigen::VectorXd joints = map_.transpose() * sites_.force();
    const Eigen::VectorXd held = held_y_ * z.tail(held_);
    r.resize(size());
    r.head(w) = elastic + joints - force_y_ - held;
    for (Eigen::Index k = 0; k < n; ++k) {
        const auto mode = rigid_[std::size_t(k)];
        r.head(w) += coupling_.col(mode) * z(w + k);
        r(w + k) = coupling_.col(mode).dot(z.head(w)) + omega2_(mode) * z(w + k) - force_xi_(mode) -
                   held_xi_.row(mode).dot(z.tail(held_));
    }
    const auto share = [](double part, double whole) { return part > 0 ? part / whole : 0.0; };
    const double acting =
        std::max({elastic.norm(), joints.norm(), force_y_.norm(), held.norm(), least_force_, rounding()});
    const double forces = share(r.head(w + n).norm(), acting);
    if (held_ == 0) return forces;
    Eigen::VectorXd way = held_y_.transpose() * z.head(w) + flexibility_ * z.tail(held_);
    for (Eigen::Index k = 0; k < n; ++k) way += held_xi_.row(rigid_[std::size_t(k)]).transpose() * z(w + k);
    for (const auto k : elastic_) way += held_xi_.row(k).transpose() * force_xi_(k) / omega2_(k);
    r.tail(held_) = stiffness_scale_ * (way - target_);
    return std::max(forces, share((way - target_).norm(), std::max({target_.norm(), z.head(w).norm(), least_way_})));
}

std::vector<double> tangents_of(const Sites& sites) {
    std::vector<double> all;
    sites.each_tangent([&](Eigen::Index, int width, const double* k) { all.insert(all.end(), k, k + width * width); });
    return all;
}

ChangedTangents::ChangedTangents(const Sites& sites, const std::vector<double>& then) {
    std::size_t at = 0;
    sites.each_tangent([&](Eigen::Index row, int width, const double* k) {
        const double* before = then.data() + at;
        at += std::size_t(width * width);
        double largest = 0, most = 0;
        for (int i = 0; i < width * width; ++i) {
            largest = std::max({largest, std::abs(k[i]), std::abs(before[i])});
            most = std::max(most, std::abs(k[i] - before[i]));
        }
        if (!(most > same_tangent * largest)) return;
        using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        blocks.push_back(Eigen::Map<const RowMajor>(k, width, width) -
                         Eigen::Map<const RowMajor>(before, width, width));
        for (int a = 0; a < width; ++a) rows.push_back(row + a);
    });
}

Eigen::VectorXd ChangedTangents::times(const Interface::SiteMap& map, const Eigen::VectorXd& x) const {
    using Entry = Interface::SiteMap::InnerIterator;
    Eigen::VectorXd force = Eigen::VectorXd::Zero(x.size()), moved = Eigen::VectorXd::Zero(Eigen::Index(rows.size()));
    for (std::size_t c = 0; c < rows.size(); ++c)
        for (Entry e(map, rows[c]); e; ++e) moved(Eigen::Index(c)) += e.value() * x(e.col());
    Eigen::Index at = 0;
    for (const auto& d : blocks) {
        moved.segment(at, d.rows()) = (d * moved.segment(at, d.rows())).eval();
        at += d.rows();
    }
    for (std::size_t c = 0; c < rows.size(); ++c)
        for (Entry e(map, rows[c]); e; ++e) force(e.col()) += e.value() * moved(Eigen::Index(c));
    return force;
}

Eigen::VectorXd DrivenStatics::stuck_start(const DrivenLoad& load, const Eigen::VectorXd& z) {
    set(load);
    Eigen::VectorXd r(size());
    evaluate(z, r);
    return z - solve_stuck(r);
}

Eigen::VectorXd DrivenStatics::inner(const Eigen::VectorXd& z) const {
    Eigen::VectorXd xi = Eigen::VectorXd::Zero(omega2_.size());
    for (std::size_t k = 0; k < rigid_.size(); ++k) xi(rigid_[k]) = z(width() + Eigen::Index(k));
    for (const auto k : elastic_) xi(k) = (force_xi_(k) + held_xi_.row(k).dot(z.tail(held_))) / omega2_(k);
    return xi;
}

Eigen::VectorXd DrivenStatics::driving_forces(const Eigen::VectorXd& z) const {
    Eigen::VectorXd forces = load_.value;
    for (std::size_t j = 0; j < drives_.size(); ++j)
        if (row_[j] >= 0) forces(Eigen::Index(j)) = z.tail(held_)(row_[j]);
    return forces;
}

Eigen::VectorXd DrivenStatics::outside(const Eigen::VectorXd& z, Eigen::Index size) const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(size);
    if (static_norm_ > 0) all += load_.share * static_force_;
    const Eigen::VectorXd forces = driving_forces(z);
    for (std::size_t j = 0; j < drives_.size(); ++j) all += forces(Eigen::Index(j)) * drives_[j].row;
    return all;
}

double StiffnessStatics::full_residual(const structure::Model& model, const Eigen::VectorXd& z,
                                       const Eigen::VectorXd& joints) {
    const Eigen::VectorXd x = full(z);
    const auto [elastic, held] = inside(model, x, joints);
    const Eigen::VectorXd from_outside = outside(z, x.size());
    const double acting = std::max({elastic.norm(), held.norm(), from_outside.norm(), least_force_});
    return acting > 0 ? (elastic + held - from_outside).norm() / acting : 0.0;
}

}  // namespace faying::modes
