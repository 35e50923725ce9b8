#include "condensed_statics.hpp"

#include <algorithm>

#include "faying/solve/dense.hpp"
#include "gmres.hpp"

namespace faying::modes {

namespace {

constexpr Eigen::Index few_unknowns = 120;  ///< up to here a fresh factorisation costs nothing
constexpr std::size_t most_inverses = 3;    ///< kept
constexpr double no_stiffness = 1e-14;      ///< reciprocal condition, rows and columns scaled

bool singular(const Eigen::MatrixXd& a) {
    if (a.rows() <= few_unknowns) return Eigen::FullPivLU<Eigen::MatrixXd>(a).rank() < a.rows();
    Eigen::MatrixXd scaled = a;
    for (int pass = 0; pass < 2; ++pass) {
        const Eigen::VectorXd rows = scaled.cwiseAbs().rowwise().maxCoeff().cwiseMax(1e-300).cwiseSqrt();
        const Eigen::VectorXd columns = scaled.cwiseAbs().colwise().maxCoeff().cwiseMax(1e-300).cwiseSqrt();
        scaled = (rows.cwiseInverse().asDiagonal() * scaled * columns.cwiseInverse().asDiagonal()).eval();
    }
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(scaled);
    // An exact zero makes the estimate of the condition meaningless.
    return !(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0 && lu.rcond() > no_stiffness);
}

}  // namespace

CondensedStatics::CondensedStatics(const Interface& interface, Sites& sites)
    : StiffnessStatics(interface.site_map(), sites), interface_(interface) {
    omega2_ = interface.omega2();
    coupling_ = interface.stiffness_coupling();
    for (Eigen::Index k = 0; k < interface.modes(); ++k)
        (interface.couples_by_stiffness(k) ? rigid_ : elastic_).push_back(k);
}

bool CondensedStatics::prepare(const Sites& closed) {
    known_.clear();
    stuck_.setZero(size(), size());
    stuck_.topLeftCorner(width(), width()) = interface_.stiffness();
    add_stiffness(closed, interface_, stuck_);
    stiffness_scale_ = width() > 0 ? stuck_.diagonal().head(width()).cwiseAbs().maxCoeff() : 1.0;
    if (!(stiffness_scale_ > 0)) stiffness_scale_ = 1.0;
    linear_part(stuck_);
    return !singular(stuck_);
}

Eigen::VectorXd CondensedStatics::solve_stuck(const Eigen::VectorXd& r) {
    Eigen::VectorXd change(size());
    solve::DenseLu lu;
    lu.compute(stuck_);
    lu.solve(r, change);
    return change;
}

std::pair<Eigen::VectorXd, Eigen::VectorXd> CondensedStatics::inside(const structure::Model& model,
                                                                     const Eigen::VectorXd& x,
                                                                     const Eigen::VectorXd& joints) const {
    Eigen::VectorXd held = Eigen::VectorXd::Zero(model.size());
    Eigen::Index row = 0;
    for (const auto& joint : model.joints) {
        held += joint.map.transpose() * joints.segment(row, joint.map.rows());
        row += joint.map.rows();
    }
    return {model.stiffness * x, held};
}

/// Everything but K_y and the joints.
void CondensedStatics::linear_part(Eigen::MatrixXd& j) const {
    const Eigen::Index w = width();
    for (std::size_t k = 0; k < rigid_.size(); ++k) {
        const Eigen::Index at = w + Eigen::Index(k);
        j.col(at).head(w) = coupling_.col(rigid_[k]);
        j.row(at).head(w) = coupling_.col(rigid_[k]).transpose();
        j(at, at) = omega2_(rigid_[k]);
        for (Eigen::Index r = 0; r < held_; ++r) {
            j(at, size() - held_ + r) = -held_xi_(rigid_[k], r);
            j(size() - held_ + r, at) = held_xi_(rigid_[k], r) * stiffness_scale_;
        }
    }
    if (held_ == 0) return;
    j.topRightCorner(w, held_) = -held_y_;
    j.bottomLeftCorner(held_, w) = held_y_.transpose() * stiffness_scale_;
    j.bottomRightCorner(held_, held_) = flexibility_ * stiffness_scale_;
}

void CondensedStatics::jacobian(const Eigen::VectorXd&, Eigen::MatrixXd& j) {
    j.setZero(size(), size());
    j.topLeftCorner(width(), width()) = interface_.stiffness();
    add_stiffness(sites_, interface_, j);
    linear_part(j);
}

bool CondensedStatics::step(const Eigen::VectorXd& z, const Eigen::VectorXd& r, Eigen::VectorXd& change) {
    if (size() <= few_unknowns) return false;
    Inverse* nearest = nullptr;
    ChangedTangents least;
    for (auto& one : known_)
        if (ChangedTangents changed(sites_, one.tangents); !nearest || changed.rows.size() < least.rows.size()) {
            nearest = &one;
            least = std::move(changed);
        }
    if (nearest) {
        nearest->used = ++clock_;
        change = nearest->matrix * r;
        if (2 * Eigen::Index(least.rows.size()) <= size()) {
            by_few_sites(nearest->matrix, least, change);
            return true;
        }
        if (nearest->spent < size() / 2 && by_iteration(*nearest, least, change)) return true;
    }
    Eigen::MatrixXd j;
    jacobian(z, j);
    solve::DenseLu lu;
    lu.compute(j);
    Inverse fresh{lu.solve(Eigen::MatrixXd(Eigen::MatrixXd::Identity(size(), size()))), tangents_of(sites_), 0,
                  ++clock_};
    change = fresh.matrix * r;
    // One that iterations have worn out is the one to go, else the one not used for longest.
    if (known_.size() < most_inverses) {
        known_.push_back(std::move(fresh));
        return true;
    }
    const auto oldest = std::min_element(known_.begin(), known_.end(),
                                         [](const Inverse& a, const Inverse& b) { return a.used < b.used; });
    (nearest->spent >= size() / 2 ? *nearest : *oldest) = std::move(fresh);
    return true;
}

/// (J0 + S^T D S)^-1 r = x - V (1 + D S V)^-1 D S x with x = J0^-1 r, V = J0^-1 S^T (Woodbury).
void CondensedStatics::by_few_sites(const Eigen::MatrixXd& inverse, const ChangedTangents& now,
                                    Eigen::VectorXd& change) const {
    using Entry = Interface::SiteMap::InnerIterator;
    const auto& map = map_;
    const auto& [rows, blocks] = now;
    const auto many = Eigen::Index(rows.size());
    if (many == 0) return;
    Eigen::MatrixXd v = Eigen::MatrixXd::Zero(size(), many), g(many, many);
    Eigen::VectorXd moved = Eigen::VectorXd::Zero(many);
    for (Eigen::Index c = 0; c < many; ++c)
        for (Entry e(map, rows[std::size_t(c)]); e; ++e) {
            v.col(c) += e.value() * inverse.col(e.col());
            moved(c) += e.value() * change(e.col());
        }
    g.setZero();
    for (Eigen::Index c = 0; c < many; ++c)
        for (Entry e(map, rows[std::size_t(c)]); e; ++e) g.row(c) += e.value() * v.row(e.col());
    Eigen::Index at = 0;
    for (const auto& d : blocks) {
        const Eigen::Index width = d.rows();
        g.middleRows(at, width) = (d * g.middleRows(at, width)).eval();
        moved.segment(at, width) = (d * moved.segment(at, width)).eval();
        at += width;
    }
    g.diagonal().array() += 1;
    solve::DenseLu lu;
    lu.compute(g);
    Eigen::VectorXd push;
    push.resize(many);
    lu.solve(moved, push);
    change -= v * push;
}

/// (1 + J0^-1 S^T D S) x = J0^-1 r by GMRES: where most sites slide, each has changed a little. Once such iterations have
/// cost about as much as a fresh inverse, that is made. False: not in so many.
bool CondensedStatics::by_iteration(Inverse& inverse, const ChangedTangents& now, Eigen::VectorXd& change) const {
    const auto apply = [&](const Eigen::VectorXd& x) {
        ++inverse.spent;
        return Eigen::VectorXd(x + inverse.matrix * now.times(map_, x));
    };
    return gmres(apply, change, int(std::clamp<Eigen::Index>(size() / 8, 20, 200)), gmres_enough);
}

}  // namespace faying::modes
