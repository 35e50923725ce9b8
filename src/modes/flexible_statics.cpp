#include "flexible_statics.hpp"

#include <algorithm>

#include "faying/core/error.hpp"

namespace faying::modes {

namespace {

constexpr double same_force = 1e-14;           ///< of a site's forces: rounding, not a change
constexpr double turned_little = 0.02;         ///< change of a tangent times the site's own flexibility that waits
constexpr double slow = 0.3;                   ///< of a residual, from step to step: less waits then
constexpr Eigen::Index least_late = 90;        ///< rows that one factorisation more does not pay for
constexpr double settled_enough = 1e-3;        ///< residual from which on sites are about where they will be
constexpr Eigen::Index most_columns = 200000;  ///< of P, before P g is made anew: roundings

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd pick(const Eigen::MatrixXd& a, const std::vector<Eigen::Index>& rows,
                     const std::vector<Eigen::Index>& columns) {
    Eigen::MatrixXd picked(Eigen::Index(rows.size()), Eigen::Index(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j)
        for (std::size_t i = 0; i < rows.size(); ++i) picked(Eigen::Index(i), Eigen::Index(j)) = a(rows[i], columns[j]);
    return picked;
}

Eigen::VectorXd pick(const Eigen::VectorXd& a, const std::vector<Eigen::Index>& rows) {
    Eigen::VectorXd picked(Eigen::Index(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) picked(Eigen::Index(i)) = a(rows[i]);
    return picked;
}

}  // namespace

FlexibleStatics::FlexibleStatics(const FlexibleStructure& structure, Sites& sites)
    : DrivenStatics(structure.sites, sites), structure_(structure), rows_(structure.sites.rows()) {
    std::size_t at = 0;
    sites.each_tangent([&](Eigen::Index row, int width, const double*) {
        each_.push_back({row, width, at});
        at += std::size_t(width * width);
    });
}

Eigen::MatrixXd FlexibleStatics::block(const std::vector<double>& tangents, Eigen::Index site) const {
    const Site& s = each_[std::size_t(site)];
    return Eigen::Map<const RowMajor>(tangents.data() + s.at, s.width, s.width);
}

bool FlexibleStatics::prepare(const Sites&) {
    stiffness_scale_ = 1;
    for (const double k : structure_.stuck) stiffness_scale_ = std::max(stiffness_scale_, std::abs(k));
    return make_base(structure_.stuck);
}

/// P from F: without the tangents of sites that have none in `tangents`, with the prescribed rows held. False where
/// nothing holds the structure so, or a prescribed row cannot move.
bool FlexibleStatics::make_base(const std::vector<double>& tangents) {
    std::vector<Eigen::Index> let_go;
    std::vector<double> base = structure_.stuck;
    for (std::size_t i = 0; i < each_.size(); ++i) {
        const Eigen::MatrixXd k = block(base, Eigen::Index(i));
        if (!block(tangents, Eigen::Index(i)).isZero(0) || k.isZero(0) || !k.isDiagonal(0) ||
            k.diagonal().minCoeff() < 0)
            continue;
        for (int a = 0; a < each_[i].width; ++a) let_go.push_back(each_[i].row + a);
        std::fill_n(base.begin() + std::ptrdiff_t(each_[i].at), each_[i].width * each_[i].width, 0.0);
    }
    Eigen::MatrixXd p = structure_.flexibility;
    if (!let_go.empty()) {
        // F + F L (1 - L^T F L)^-1 L^T F, L L^T the tangents let go of
        const auto& f = structure_.flexibility;
        Eigen::MatrixXd some(Eigen::Index(let_go.size()), f.cols());
        for (std::size_t i = 0; i < let_go.size(); ++i) some.row(Eigen::Index(i)) = f.row(let_go[i]);
        Eigen::VectorXd root(some.rows());
        Eigen::Index at = 0;
        for (std::size_t i = 0; i < each_.size(); ++i) {
            if (at == some.rows() || each_[i].row != let_go[std::size_t(at)]) continue;
            root.segment(at, each_[i].width) = block(structure_.stuck, Eigen::Index(i)).diagonal().cwiseSqrt();
            at += each_[i].width;
        }
        some = root.asDiagonal() * some;
        Eigen::MatrixXd left(some.rows(), some.rows());
        for (std::size_t j = 0; j < let_go.size(); ++j)
            left.col(Eigen::Index(j)) = -root(Eigen::Index(j)) * some.col(let_go[j]);
        left.diagonal().array() += 1;
        if (!solve::divide_by_root(left, some)) return false;
        solve::add_gram(p, some);
    }
    along_.resize(p.rows(), held_);
    stiff_.resize(held_, held_);
    if (held_ > 0) {
        const Eigen::MatrixXd flexible = p * held_y_, between = held_y_.transpose() * flexible;
        const Eigen::FullPivLU<Eigen::MatrixXd> lu(between);
        if (lu.rank() < held_) return false;
        stiff_ = lu.inverse();
        along_ = flexible * stiff_;
        p.noalias() -= along_ * flexible.transpose();
    }
    p_ = std::move(p);
    tangents_ = std::move(base);
    own_ = p_.diagonal();
    force_ = Eigen::VectorXd::Zero(p_.rows());
    answer_ = force_;
    followed_ = 0;
    kept_ = {};
    return true;
}

/// P g for another g: columns of what has changed.
void FlexibleStatics::follow(const Eigen::VectorXd& force) {
    constexpr Eigen::Index strip = 1024;
    std::vector<Eigen::Index> columns;
    std::vector<double> by;
    for (Eigen::Index i = 0; i < force.size(); ++i)
        if (force(i) != force_(i)) {
            columns.push_back(i);
            by.push_back(force(i) - force_(i));
        }
    followed_ += Eigen::Index(columns.size());
    if (followed_ > most_columns) {
        answer_.setZero();
        columns.clear();
        by.clear();
        for (Eigen::Index i = 0; i < force.size(); ++i)
            if (force(i) != 0) {
                columns.push_back(i);
                by.push_back(force(i));
            }
        followed_ = 0;
    }
    force_ = force;
    const Eigen::Index n = answer_.size();
    for (Eigen::Index from = 0; from < n; from += strip) {
        const Eigen::Index count = std::min(strip, n - from);
        auto out = answer_.segment(from, count);
        std::size_t c = 0;
        for (; c + 4 <= columns.size(); c += 4)
            out += by[c] * p_.col(columns[c]).segment(from, count) +
                   by[c + 1] * p_.col(columns[c + 1]).segment(from, count) +
                   by[c + 2] * p_.col(columns[c + 2]).segment(from, count) +
                   by[c + 3] * p_.col(columns[c + 3]).segment(from, count);
        for (; c < columns.size(); ++c) out += by[c] * p_.col(columns[c]).segment(from, count);
    }
}

Eigen::VectorXd FlexibleStatics::reactions() const { return stiff_ * target_ - along_.transpose() * force_; }

/// P g and the residual with these forces of joints; what differs by rounding only stays as it was.
void FlexibleStatics::answer(const Eigen::VectorXd& z, const Eigen::VectorXd& joints, Eigen::VectorXd& r) {
    const Eigen::Index n = width();
    Eigen::VectorXd force = force_y_;
    for (const Site& s : each_) {
        double largest = 0;
        bool same = true;
        const double* k = tangents_.data() + s.at;
        for (int a = 0; a < s.width; ++a, k += s.width) {
            double base = 0;
            for (int b = 0; b < s.width; ++b) base += k[b] * z(s.row + b);
            force(s.row + a) += base - joints(s.row + a);
            largest = std::max({largest, std::abs(base), std::abs(joints(s.row + a))});
        }
        for (int a = 0; a < s.width; ++a)
            same = same && std::abs(force(s.row + a) - force_(s.row + a)) <= same_force * largest;
        if (same) force.segment(s.row, s.width) = force_.segment(s.row, s.width);
    }
    follow(force);
    r.resize(size());
    r.head(n) = z.head(n) - answer_ - along_ * target_;
    r.tail(held_) = z.tail(held_) - reactions();
}

double FlexibleStatics::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& r) {
    sites_.evaluate(z.head(rows_));
    answer(z, sites_.force(), r);
    const bool here =
        at_.size() == z.size() && at_target_.size() == held_ && force_y_ == at_load_ && target_ == at_target_;
    if (!here) {
        at_load_ = force_y_;
        at_target_ = target_;
        last_size_ = std::numeric_limits<double>::infinity();
    }
    at_ = z;
    return size_ = misfit(z, sites_.force(), r);
}

/// The misfit of displacements times what stuck sites are held by, over the forces that act.
double FlexibleStatics::misfit(const Eigen::VectorXd& z, const Eigen::VectorXd& joints,
                               const Eigen::VectorXd& r) const {
    const auto share = [](double part, double whole) { return part > 0 ? part / whole : 0.0; };
    double held = 0;
    for (const Site& s : each_)
        held +=
            (Eigen::Map<const RowMajor>(structure_.stuck.data() + s.at, s.width, s.width) * r.segment(s.row, s.width))
                .squaredNorm();
    held += r.tail(held_).squaredNorm();
    const double acting = std::max({joints.norm(), force_y_.norm(), z.tail(held_).norm(), least_force_, rounding()});
    const Eigen::Index others = width() - rows_;
    const double ways = r.segment(rows_, others).norm();
    return std::max(share(std::sqrt(held), acting),
                    share(ways, std::max({z.head(width()).norm(), target_.norm(), least_way_})));
}

double FlexibleStatics::full_residual(const structure::Model&, const Eigen::VectorXd& z,
                                      const Eigen::VectorXd& joints) {
    Eigen::VectorXd r;
    answer(z, joints, r);
    return misfit(z, joints, r);
}

void FlexibleStatics::jacobian(const Eigen::VectorXd&, Eigen::MatrixXd&) {
    throw core::NotConverged("quasistatic: the Jacobian is singular", std::numeric_limits<double>::quiet_NaN());
}

std::vector<double> FlexibleStatics::changes_now() const {
    std::vector<double> changes = tangents_of(sites_);
    for (std::size_t i = 0; i < changes.size(); ++i) changes[i] -= tangents_[i];
    return changes;
}

/// How much a site's change of tangent means there.
double FlexibleStatics::local(const std::vector<double>& changes, Eigen::Index site) const {
    const Site& s = each_[std::size_t(site)];
    const double change = block(changes, site).cwiseAbs().maxCoeff();
    return change > 0 ? change * own_.segment(s.row, s.width).maxCoeff() : 0.0;
}

void FlexibleStatics::keep(const std::vector<double>& changes) {
    kept_ = {};
    kept_.changes = changes;
    kept_.is_late.assign(each_.size(), false);
    for (std::size_t i = 0; i < each_.size(); ++i) {
        if (local(changes, Eigen::Index(i)) <= 1e-13) {
            std::fill_n(kept_.changes.begin() + std::ptrdiff_t(each_[i].at), each_[i].width * each_[i].width, 0.0);
            continue;
        }
        kept_.sites.push_back(Eigen::Index(i));
        for (int a = 0; a < each_[i].width; ++a) kept_.rows.push_back(each_[i].row + a);
    }
    if (kept_.rows.empty()) return;
    Eigen::MatrixXd matrix = pick(p_, kept_.rows, kept_.rows);
    Eigen::Index at = 0;
    for (const auto site : kept_.sites) {
        const int w = each_[std::size_t(site)].width;
        matrix.middleCols(at, w) = (matrix.middleCols(at, w) * block(changes, site)).eval();
        at += w;
    }
    matrix.diagonal().array() += 1;
    kept_.factor.compute(matrix);
}

void FlexibleStatics::add_late(const std::vector<Eigen::Index>& sites) {
    std::vector<Eigen::Index> rows;
    for (const auto site : sites) {
        kept_.late.push_back(site);
        kept_.is_late[std::size_t(site)] = true;
        for (int a = 0; a < each_[std::size_t(site)].width; ++a) rows.push_back(each_[std::size_t(site)].row + a);
    }
    const Eigen::Index before = Eigen::Index(kept_.late_rows.size()), more = Eigen::Index(rows.size()),
                       kept = Eigen::Index(kept_.rows.size());
    kept_.late_rows.insert(kept_.late_rows.end(), rows.begin(), rows.end());
    const Eigen::MatrixXd between = pick(p_, kept_.rows, rows);  // P is symmetric
    kept_.moved.conservativeResize(kept, before + more);
    kept_.across.conservativeResize(before + more, kept);
    kept_.own.conservativeResize(before + more, before + more);
    if (kept > 0) {
        kept_.moved.rightCols(more) = kept_.factor.solve(between);
        // D is not symmetric: P_ls D = (D^T P_sl)^T
        Eigen::MatrixXd across = between;
        Eigen::Index at = 0;
        for (const auto site : kept_.sites) {
            const int w = each_[std::size_t(site)].width;
            across.middleRows(at, w) = (block(kept_.changes, site).transpose() * across.middleRows(at, w)).eval();
            at += w;
        }
        kept_.across.bottomRows(more) = across.transpose();
    }
    kept_.own.rightCols(more) = pick(p_, kept_.late_rows, rows);
    kept_.own.bottomLeftCorner(more, before) = kept_.own.topRightCorner(before, more).transpose();
    if (kept > 0) {
        kept_.own.rightCols(more) -= solve::product(kept_.across, kept_.moved.rightCols(more));
        kept_.own.bottomLeftCorner(more, before) =
            pick(p_, rows, {kept_.late_rows.begin(), kept_.late_rows.begin() + before}) -
            solve::product(kept_.across.bottomRows(more), kept_.moved.leftCols(before));
    }
}

FlexibleStatics::OfChanged FlexibleStatics::solve(const std::vector<double>& changes, const Eigen::VectorXd& r,
                                                  double neglected) {
    if (kept_.changes.empty()) keep(changes);
    std::vector<double> since(changes.size());
    for (std::size_t i = 0; i < changes.size(); ++i) since[i] = changes[i] - kept_.changes[i];
    std::vector<Eigen::Index> late;
    Eigen::Index rows = Eigen::Index(kept_.late_rows.size());
    for (std::size_t i = 0; i < each_.size(); ++i)
        if (!kept_.is_late[i] && local(since, Eigen::Index(i)) > neglected) {
            late.push_back(Eigen::Index(i));
            rows += each_[i].width;
        }
    if (rows > std::max(least_late, Eigen::Index(kept_.rows.size()) / 4)) {
        keep(changes);
        std::fill(since.begin(), since.end(), 0.0);
        late.clear();
    }
    if (!late.empty()) add_late(late);
    Eigen::VectorXd way;
    if (!kept_.rows.empty()) kept_.factor.solve(pick(r, kept_.rows), way);
    if (kept_.late.empty()) return {kept_.rows, way};
    const Eigen::VectorXd before = pick(r, kept_.late_rows) - kept_.across * way;
    Eigen::MatrixXd matrix = kept_.own;
    Eigen::Index at = 0;
    for (const auto site : kept_.late) {
        const int w = each_[std::size_t(site)].width;
        matrix.middleCols(at, w) = (matrix.middleCols(at, w) * block(since, site)).eval();
        at += w;
    }
    matrix.diagonal().array() += 1;
    solve::DenseLu lu;
    lu.compute(matrix);
    Eigen::VectorXd of_late(matrix.rows());
    lu.solve(before, of_late);
    Eigen::VectorXd push = of_late;
    at = 0;
    for (const auto site : kept_.late) {
        const int w = each_[std::size_t(site)].width;
        push.segment(at, w) = (block(since, site) * push.segment(at, w)).eval();
        at += w;
    }
    way -= kept_.moved * push;
    OfChanged all{kept_.rows, Eigen::VectorXd(way.size() + of_late.size())};
    all.rows.insert(all.rows.end(), kept_.late_rows.begin(), kept_.late_rows.end());
    all.way << way, of_late;
    return all;
}

/// Whether so many sites have opened or closed since the base was made that another costs less.
bool FlexibleStatics::worn_out() const {
    Eigen::Index other = 0;
    std::size_t i = 0;
    sites_.each_tangent([&](Eigen::Index, int width, const double* k) {
        const double* base = tangents_.data() + each_[i++].at;
        const auto none = [&](const double* all) {
            return std::all_of(all, all + width * width, [](double v) { return v == 0; });
        };
        if (none(k) != none(base)) other += width;
    });
    return other > rows_ / 10;
}

bool FlexibleStatics::step(const Eigen::VectorXd& z, const Eigen::VectorXd& given, Eigen::VectorXd& change) {
    Eigen::VectorXd r = given;
    if (size_ < settled_enough && worn_out() && make_base(tangents_of(sites_))) evaluate(z, r);
    const bool lost = size_ > slow * last_size_;
    last_size_ = size_;
    const OfChanged changed = solve(changes_now(), r, lost ? 0.1 * turned_little : turned_little);
    // They go there; all others follow from what they then push.
    Eigen::VectorXd next = z;
    for (std::size_t i = 0; i < changed.rows.size(); ++i)
        next(changed.rows[i]) = z(changed.rows[i]) - changed.way(Eigen::Index(i));
    if (!next.allFinite()) {
        change = next;
        return true;
    }
    evaluate(next, change);
    for (std::size_t i = 0; i < changed.rows.size(); ++i) change(changed.rows[i]) = changed.way(Eigen::Index(i));
    return true;
}

Eigen::VectorXd FlexibleStatics::solve_stuck(const Eigen::VectorXd& given) {
    if (tangents_ == structure_.stuck) return given;
    Eigen::VectorXd r;
    make_base(structure_.stuck);
    evaluate(Eigen::VectorXd(at_), r);
    return r;
}

}  // namespace faying::modes
