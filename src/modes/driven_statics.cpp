#include "driven_statics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "faying/core/error.hpp"
#include "faying/solve/dense.hpp"

namespace faying::modes {

namespace {

constexpr Eigen::Index few_unknowns = 120;  ///< up to here a fresh factorisation costs nothing
constexpr double least_share = 1e-3;        ///< of the largest so far
constexpr double rounding_share = 1e-4;     ///< times the tolerance: a few roundings
constexpr double same_tangent = 1e-13;      ///< of a site's largest entry
constexpr double enough = 1e-9;             ///< of GMRES: Newton's own convergence stays what it is
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

DrivenStatics::DrivenStatics(const Interface& interface, Sites& sites) : interface_(interface), sites_(sites) {
    for (Eigen::Index k = 0; k < interface.modes(); ++k)
        (interface.couples_by_stiffness(k) ? rigid_ : elastic_).push_back(k);
}

void DrivenStatics::drive(const structure::Model& model, const std::vector<Drive>& drives) {
    drives_ = drives;
    known_.clear();
    const Eigen::VectorXd f = model.static_force.size() > 0 ? model.static_force : Eigen::VectorXd::Zero(model.size());
    static_norm_ = f.norm();
    static_y_ = interface_.force_on_y(f);
    static_xi_ = interface_.force_on_modes(f);
    const auto count = Eigen::Index(drives.size());
    drive_y_.resize(width(), count);
    drive_xi_.resize(interface_.modes(), count);
    row_.assign(drives.size(), -1);
    held_ = 0;
    for (Eigen::Index j = 0; j < count; ++j) {
        drive_y_.col(j) = interface_.force_on_y(drives[std::size_t(j)].row);
        drive_xi_.col(j) = interface_.force_on_modes(drives[std::size_t(j)].row);
        if (drives[std::size_t(j)].kind == DriveKind::displacement) row_[std::size_t(j)] = held_++;
    }
    held_y_.resize(width(), held_);
    held_xi_.resize(interface_.modes(), held_);
    for (Eigen::Index j = 0; j < count; ++j)
        if (const auto r = row_[std::size_t(j)]; r >= 0) {
            held_y_.col(r) = drive_y_.col(j);
            held_xi_.col(r) = drive_xi_.col(j);
        }
    flexibility_.setZero(held_, held_);
    for (const auto k : elastic_)
        flexibility_ += held_xi_.row(k).transpose() * held_xi_.row(k) / interface_.omega2()(k);

    stuck_.setZero(size(), size());
    stuck_.topLeftCorner(width(), width()) = interface_.stiffness();
    std::vector<laws::SiteGroup> touching;  // as if there were no gaps
    for (const auto& joint : model.joints) touching.push_back({joint.law, joint.weight});
    Sites closed(touching);
    closed.evaluate(closed.just_closed());
    add_stiffness(closed, interface_, stuck_);
    stiffness_scale_ = width() > 0 ? stuck_.diagonal().head(width()).cwiseAbs().maxCoeff() : 1.0;
    if (!(stiffness_scale_ > 0)) stiffness_scale_ = 1.0;
    linear_part(stuck_);
    if (singular(stuck_))
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
    const Eigen::VectorXd on_y = interface_.site_map().transpose() * joints;
    least_force_ = std::max({least_force_, least_share * on_y.norm(), least_share * force_y_.norm(), rounding()});
    least_way_ = std::max({least_way_, least_share * z.head(width()).norm(), least_share * target_.norm()});
}

/// Everything but K_y and the joints.
void DrivenStatics::linear_part(Eigen::MatrixXd& j) const {
    const Eigen::Index w = width();
    for (std::size_t k = 0; k < rigid_.size(); ++k) {
        const Eigen::Index at = w + Eigen::Index(k);
        j.col(at).head(w) = interface_.stiffness_coupling().col(rigid_[k]);
        j.row(at).head(w) = interface_.stiffness_coupling().col(rigid_[k]).transpose();
        j(at, at) = interface_.omega2()(rigid_[k]);
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

double DrivenStatics::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& r) {
    const Eigen::Index w = width(), n = Eigen::Index(rigid_.size());
    sites_.evaluate(displacements(z));
    const Eigen::VectorXd elastic = interface_.stiffness() * z.head(w);
    const Eigen::VectorXd joints = interface_.site_map().transpose() * sites_.force();
    const Eigen::VectorXd held = held_y_ * z.tail(held_);
    r.resize(size());
    r.head(w) = elastic + joints - force_y_ - held;
    for (Eigen::Index k = 0; k < n; ++k) {
        const auto mode = rigid_[std::size_t(k)];
        r.head(w) += interface_.stiffness_coupling().col(mode) * z(w + k);
        r(w + k) = interface_.stiffness_coupling().col(mode).dot(z.head(w)) + interface_.omega2()(mode) * z(w + k) -
                   force_xi_(mode) - held_xi_.row(mode).dot(z.tail(held_));
    }
    const auto share = [](double part, double whole) { return part > 0 ? part / whole : 0.0; };
    const double acting =
        std::max({elastic.norm(), joints.norm(), force_y_.norm(), held.norm(), least_force_, rounding()});
    const double forces = share(r.head(w + n).norm(), acting);
    if (held_ == 0) return forces;
    Eigen::VectorXd way = held_y_.transpose() * z.head(w) + flexibility_ * z.tail(held_);
    for (Eigen::Index k = 0; k < n; ++k) way += held_xi_.row(rigid_[std::size_t(k)]).transpose() * z(w + k);
    for (const auto k : elastic_) way += held_xi_.row(k).transpose() * force_xi_(k) / interface_.omega2()(k);
    r.tail(held_) = stiffness_scale_ * (way - target_);
    return std::max(forces, share((way - target_).norm(), std::max({target_.norm(), z.head(w).norm(), least_way_})));
}

void DrivenStatics::jacobian(const Eigen::VectorXd&, Eigen::MatrixXd& j) {
    j.setZero(size(), size());
    j.topLeftCorner(width(), width()) = interface_.stiffness();
    add_stiffness(sites_, interface_, j);
    linear_part(j);
}

DrivenStatics::Changed DrivenStatics::changed_since(const Inverse& then) const {
    Changed changed;
    std::size_t at = 0;
    sites_.each_tangent([&](Eigen::Index row, int width, const double* k) {
        const double* before = then.tangents.data() + at;
        at += std::size_t(width * width);
        double largest = 0, most = 0;
        for (int i = 0; i < width * width; ++i) {
            largest = std::max({largest, std::abs(k[i]), std::abs(before[i])});
            most = std::max(most, std::abs(k[i] - before[i]));
        }
        if (!(most > same_tangent * largest)) return;
        using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        changed.blocks.push_back(Eigen::Map<const RowMajor>(k, width, width) -
                                 Eigen::Map<const RowMajor>(before, width, width));
        for (int a = 0; a < width; ++a) changed.rows.push_back(row + a);
    });
    return changed;
}

bool DrivenStatics::step(const Eigen::VectorXd& z, const Eigen::VectorXd& r, Eigen::VectorXd& change) {
    if (size() <= few_unknowns) return false;
    Inverse* nearest = nullptr;
    Changed least;
    for (auto& one : known_)
        if (Changed changed = changed_since(one); !nearest || changed.rows.size() < least.rows.size()) {
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
    Inverse fresh{lu.solve(Eigen::MatrixXd(Eigen::MatrixXd::Identity(size(), size()))), {}, 0, ++clock_};
    sites_.each_tangent([&](Eigen::Index, int width, const double* k) {
        fresh.tangents.insert(fresh.tangents.end(), k, k + width * width);
    });
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
void DrivenStatics::by_few_sites(const Eigen::MatrixXd& inverse, const Changed& now, Eigen::VectorXd& change) const {
    using Entry = Interface::SiteMap::InnerIterator;
    const auto& map = interface_.site_map();
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
bool DrivenStatics::by_iteration(Inverse& inverse, const Changed& now, Eigen::VectorXd& change) const {
    using Entry = Interface::SiteMap::InnerIterator;
    const auto& map = interface_.site_map();
    const auto& rows = now.rows;
    const auto& blocks = now.blocks;
    const auto apply = [&](const Eigen::VectorXd& x) {
        Eigen::VectorXd force = Eigen::VectorXd::Zero(size()), moved(Eigen::Index(rows.size()));
        for (std::size_t c = 0; c < rows.size(); ++c) {
            moved(Eigen::Index(c)) = 0;
            for (Entry e(map, rows[c]); e; ++e) moved(Eigen::Index(c)) += e.value() * x(e.col());
        }
        Eigen::Index at = 0;
        for (const auto& d : blocks) {
            moved.segment(at, d.rows()) = (d * moved.segment(at, d.rows())).eval();
            at += d.rows();
        }
        for (std::size_t c = 0; c < rows.size(); ++c)
            for (Entry e(map, rows[c]); e; ++e) force(e.col()) += e.value() * moved(Eigen::Index(c));
        return Eigen::VectorXd(x + inverse.matrix * force);
    };
    const int most = int(std::clamp<Eigen::Index>(size() / 8, 20, 200));
    const double whole = change.norm();
    if (!(whole > 0)) return true;
    Eigen::MatrixXd basis(size(), most + 1), h = Eigen::MatrixXd::Zero(most + 1, most);
    basis.col(0) = change / whole;
    Eigen::VectorXd g = Eigen::VectorXd::Zero(most + 1);
    std::vector<Eigen::JacobiRotation<double>> turns(static_cast<std::size_t>(most));
    g(0) = whole;
    for (int k = 0; k < most; ++k) {
        Eigen::VectorXd next = apply(basis.col(k));
        ++inverse.spent;
        for (int pass = 0; pass < 2; ++pass) {  // twice is enough to stay orthogonal
            const Eigen::VectorXd along = basis.leftCols(k + 1).transpose() * next;
            next -= basis.leftCols(k + 1) * along;
            h.col(k).head(k + 1) += along;
        }
        h(k + 1, k) = next.norm();
        if (h(k + 1, k) > 0) basis.col(k + 1) = next / h(k + 1, k);
        for (int i = 0; i < k; ++i) h.col(k).applyOnTheLeft(i, i + 1, turns[std::size_t(i)].adjoint());
        turns[std::size_t(k)].makeGivens(h(k, k), h(k + 1, k));
        h.col(k).applyOnTheLeft(k, k + 1, turns[std::size_t(k)].adjoint());
        g.applyOnTheLeft(k, k + 1, turns[std::size_t(k)].adjoint());
        if (!(std::abs(g(k + 1)) <= enough * whole)) continue;
        const Eigen::VectorXd shares =
            h.topLeftCorner(k + 1, k + 1).triangularView<Eigen::Upper>().solve(g.head(k + 1));
        change = basis.leftCols(k + 1) * shares;
        return change.allFinite();
    }
    return false;
}

Eigen::VectorXd DrivenStatics::stuck_start(const DrivenLoad& load, const Eigen::VectorXd& z) {
    set(load);
    Eigen::VectorXd r(size()), change(size());
    evaluate(z, r);
    solve::DenseLu lu;
    lu.compute(stuck_);
    lu.solve(r, change);
    return z - change;
}

Eigen::VectorXd DrivenStatics::inner(const Eigen::VectorXd& z) const {
    Eigen::VectorXd xi = Eigen::VectorXd::Zero(interface_.modes());
    for (std::size_t k = 0; k < rigid_.size(); ++k) xi(rigid_[k]) = z(width() + Eigen::Index(k));
    for (const auto k : elastic_) xi(k) = (force_xi_(k) + held_xi_.row(k).dot(z.tail(held_))) / interface_.omega2()(k);
    return xi;
}

Eigen::VectorXd DrivenStatics::full(const Eigen::VectorXd& z) const {
    return interface_.full(z.head(width()), inner(z));
}

Eigen::VectorXd DrivenStatics::driving_forces(const Eigen::VectorXd& z) const {
    Eigen::VectorXd forces = load_.value;
    for (std::size_t j = 0; j < drives_.size(); ++j)
        if (row_[j] >= 0) forces(Eigen::Index(j)) = z.tail(held_)(row_[j]);
    return forces;
}

double DrivenStatics::full_residual(const structure::Model& model, const Eigen::VectorXd& z,
                                    const Eigen::VectorXd& joints) const {
    const Eigen::VectorXd elastic = model.stiffness * full(z);
    Eigen::VectorXd held = Eigen::VectorXd::Zero(model.size()), outside = held;
    Eigen::Index row = 0;
    for (const auto& joint : model.joints) {
        held += joint.map.transpose() * joints.segment(row, joint.map.rows());
        row += joint.map.rows();
    }
    if (static_norm_ > 0) outside += load_.share * model.static_force;
    const Eigen::VectorXd forces = driving_forces(z);
    for (std::size_t j = 0; j < drives_.size(); ++j) outside += forces(Eigen::Index(j)) * drives_[j].row;
    const double acting = std::max({elastic.norm(), held.norm(), outside.norm(), least_force_});
    return acting > 0 ? (elastic + held - outside).norm() / acting : 0.0;
}

}  // namespace faying::modes
