#include "jacobian_factors.hpp"

#include <algorithm>
#include <cmath>

#include "faying/core/anderson.hpp"

namespace faying::modes {

namespace {

constexpr double same_tangent = 1e-13;  ///< of a site's largest entry
constexpr double too_much = 0.75;       ///< share of the unknowns whose rows change: then from nothing
constexpr Eigen::Index few_rows = 100;  ///< of the inverse, that are gone through one by one
constexpr double refined = 1e-11;       ///< relative change of a column by its last step
constexpr int most_refinements = 12;

using Entry = Interface::SiteMap::InnerIterator;
using Change = Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator;

double largest_of(const double* a, const double* b, int count) {
    double largest = 0;
    for (int i = 0; i < count; ++i) largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
    return largest;
}

/// A x for symmetric A. Column by column: one product of so few columns packs all of A, which costs more than four of
/// these.
Eigen::MatrixXd products(const Eigen::MatrixXd& a, const Eigen::MatrixXd& x) {
    Eigen::MatrixXd y(x.rows(), x.cols());
    for (Eigen::Index c = 0; c < x.cols(); ++c) solve::multiply_symmetric(a, x.col(c), y.col(c));
    return y;
}

/// Places in a list, by number; -1: not there.
struct Places {
    std::vector<int> at;
    std::vector<Eigen::Index> list;

    explicit Places(Eigen::Index size) : at(std::size_t(size), -1) {}
    void note(Eigen::Index i) {
        if (at[std::size_t(i)] >= 0) return;
        at[std::size_t(i)] = int(list.size());
        list.push_back(i);
    }
};

}  // namespace

JointTangents::JointTangents(const Interface& interface, const Sites& joints)
    : on_y(interface.width(), interface.width()) {
    const auto& map = interface.site_map();
    std::vector<Eigen::Triplet<double>> entries;
    joints.each_tangent([&](Eigen::Index row, int width, const double* k) {
        sites.insert(sites.end(), k, k + width * width);
        for (int a = 0; a < width; ++a)
            for (int b = 0; b < width; ++b, ++k)
                for (Entry j(map, row + b); *k != 0.0 && j; ++j)
                    for (Entry i(map, row + a); i; ++i)
                        entries.emplace_back(int(i.col()), int(j.col()), *k * i.value() * j.value());
    });
    on_y.setFromTriplets(entries.begin(), entries.end());
}

bool JointTangents::are_those_of(const Sites& joints) const {
    bool same = true;
    const double* before = sites.data();
    joints.each_tangent([&](Eigen::Index, int width, const double* k) {
        const double largest = largest_of(k, before, width * width);
        for (int i = 0; i < width * width; ++i) same = same && !(std::abs(k[i] - before[i]) > same_tangent * largest);
        before += width * width;
    });
    return same;
}

KnownInverse::KnownInverse(const Interface& interface, double lambda, std::vector<Eigen::Index> kept,
                           std::shared_ptr<const JointTangents> tangents)
    : interface_(interface), lambda_(lambda), kept_(std::move(kept)), tangents_(std::move(tangents)) {
    matrix_ = interface.dynamic_stiffness(lambda, kept_);
    invert();
}

KnownInverse::KnownInverse(const Interface& interface, std::shared_ptr<const JointTangents> tangents)
    : interface_(interface), tangents_(std::move(tangents)), matrix_(interface.stiffness()) {
    invert();
}

void KnownInverse::invert() {
    const Eigen::Index m = interface_.width();
    matrix_.topLeftCorner(m, m) += tangents_->on_y;
    auto inverse = solve::symmetric_inverse(matrix_);
    matrix_ = std::move(inverse.matrix);
    positive_ = inverse.positive;
    finite_ = matrix_.allFinite();
}

Eigen::MatrixXd KnownInverse::shifted(double lambda, const Eigen::MatrixXd& x) const {
    const Eigen::Index m = interface_.width(), n = m + Eigen::Index(kept_.size());
    const double d = lambda - lambda_;
    Eigen::MatrixXd out(n, x.cols());
    const Eigen::MatrixXd y = x.topRows(m);
    out.topRows(m) = d * products(interface_.mass(), y);
    if (interface_.modes() == 0) return out;
    const bool rigid = interface_.couples_by_stiffness(0);  // else no mode couples by stiffness
    const auto& heavy = interface_.mass_coupling();
    const Eigen::MatrixXd s = heavy.transpose() * y;
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(s.rows(), s.cols());
    if (rigid) k = interface_.stiffness_coupling().transpose() * y;
    const Eigen::VectorXd here_flexible = (interface_.omega2().array() - lambda).inverse(),
                          there_flexible = (interface_.omega2().array() - lambda_).inverse();
    const Eigen::MatrixXd here = here_flexible.asDiagonal() * (k - lambda * s),
                          there = there_flexible.asDiagonal() * (k - lambda_ * s);
    Eigen::MatrixXd by_stiffness = here - there, by_mass = lambda_ * there - lambda * here;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        const auto mode = kept_[i];
        const Eigen::Index at = m + Eigen::Index(i);
        by_stiffness.row(mode).setZero();
        by_mass.row(mode) = d * x.row(at);
        out.row(at) = d * (s.row(mode) + x.row(at));
    }
    out.topRows(m) += heavy * by_mass;
    if (rigid) out.topRows(m) += interface_.stiffness_coupling() * by_stiffness;
    return out;
}

bool UpdatedInverse::compute(std::shared_ptr<const KnownInverse> known, const Sites& sites) {
    known_ = std::move(known);
    const auto& map = known_->interface().site_map();
    const Eigen::Index n = known_->matrix().rows();
    struct Changed {
        Eigen::Index row, column;  ///< of S
        double by;
    };
    std::vector<Changed> changed;
    Places rows(n), columns(n);
    const double* before = known_->tangents().sites.data();
    sites.each_tangent([&](Eigen::Index row, int width, const double* k) {
        const double largest = largest_of(k, before, width * width);
        for (int a = 0, i = 0; a < width; ++a)
            for (int b = 0; b < width; ++b, ++i) {
                const double by = k[i] - before[i];
                if (!(std::abs(by) > same_tangent * largest)) continue;
                changed.push_back({row + a, row + b, by});
                for (Entry e(map, row + a); e; ++e) rows.note(e.col());
                for (Entry e(map, row + b); e; ++e) columns.note(e.col());
            }
        before += width * width;
    });
    rows_ = std::move(rows.list);
    columns_ = std::move(columns.list);
    if (double(rows_.size()) > too_much * double(n)) return false;
    const auto count = Eigen::Index(rows_.size()), across = Eigen::Index(columns_.size());
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(across, count);  // D^T: its few entries a row are told from it
    for (const auto& c : changed)
        for (Entry i(map, c.row); i; ++i)
            for (Entry j(map, c.column); j; ++j)
                dense(columns.at[std::size_t(j.col())], rows.at[std::size_t(i.col())]) += c.by * i.value() * j.value();
    change_.resize(count, across);
    for (Eigen::Index i = 0; i < count; ++i) {
        change_.startVec(i);
        for (Eigen::Index j = 0; j < across; ++j)
            if (dense(j, i) != 0.0) change_.insertBack(i, j) = dense(j, i);
    }
    change_.finalize();
    if (count == 0) return true;
    Eigen::MatrixXd flexible(count, across), transposed = Eigen::MatrixXd::Identity(count, count);
    for (Eigen::Index j = 0; j < across; ++j) {
        const auto column = known_->matrix().col(columns_[std::size_t(j)]);
        for (Eigen::Index i = 0; i < count; ++i) flexible(i, j) = column(rows_[std::size_t(i)]);
    }
    for (Eigen::Index i = 0; i < count; ++i)
        for (Change d(change_, i); d; ++d) transposed.col(i) += d.value() * flexible.col(d.col());
    lu_.compute(transposed);
    return true;
}

void UpdatedInverse::add_change(Eigen::MatrixXd& matrix) const {
    for (Eigen::Index i = 0; i < change_.rows(); ++i)
        for (Change d(change_, i); d; ++d) matrix(rows_[std::size_t(i)], columns_[std::size_t(d.col())]) += d.value();
}

void UpdatedInverse::solve(Eigen::Ref<Eigen::MatrixXd> columns) const {
    const auto count = Eigen::Index(rows_.size()), across = Eigen::Index(columns_.size());
    columns = products(known_->matrix(), columns);
    if (count == 0) return;
    Eigen::MatrixXd there(across, columns.cols());
    for (Eigen::Index j = 0; j < across; ++j) there.row(j) = columns.row(columns_[std::size_t(j)]);
    const Eigen::MatrixXd taken = lu_.solve_transposed(change_ * there);
    if (count <= few_rows) {
        for (Eigen::Index c = 0; c < columns.cols(); ++c)
            for (Eigen::Index i = 0; i < count; ++i)
                columns.col(c) -= taken(i, c) * known_->matrix().col(rows_[std::size_t(i)]);
        return;
    }
    Eigen::MatrixXd everywhere = Eigen::MatrixXd::Zero(columns.rows(), columns.cols());
    for (Eigen::Index i = 0; i < count; ++i) everywhere.row(rows_[std::size_t(i)]) = taken.row(i);
    columns -= products(known_->matrix(), everywhere);
}

void JacobianFactors::compute(const Eigen::MatrixXd& jacobian) {
    size_ = jacobian.rows();
    updated_ = false;
    lu_.compute(jacobian);
}

bool JacobianFactors::compute(std::shared_ptr<const KnownInverse> known, const Sites& sites, double lambda,
                              const Eigen::VectorXd& border, double corner) {
    updated_ = known->finite() && update_.compute(std::move(known), sites);
    if (!updated_) return false;
    const Eigen::Index n = border.size();
    size_ = n + 1;
    lambda_ = lambda;
    corner_ = corner;
    border_ = border;
    across_ = border;
    update_.solve(across_);
    lu_ = {};
    return true;
}

void JacobianFactors::step_all(Eigen::MatrixXd& x) const {
    const Eigen::Index n = size_ - 1;
    update_.solve(x.topRows(n));
    const double stiffness = corner_ - border_.dot(across_);
    const Eigen::RowVectorXd last = (x.row(n) - border_.transpose() * x.topRows(n)) / stiffness;
    x.topRows(n) -= across_ * last;
    x.row(n) = last;
}

void JacobianFactors::step(const Eigen::VectorXd& r, Eigen::VectorXd& x) const {
    if (!updated_) return lu_.solve(r, x);
    Eigen::MatrixXd column = r;
    step_all(column);
    x = column;
}

/// x = (J + E)^-1 (r + E x), J + E what steps are taken with: a map that has few slow directions, modes close by.
Eigen::MatrixXd JacobianFactors::solve(const Eigen::MatrixXd& r) const {
    if (!updated_ || lu_.size() > 0) return lu_.solve(r);
    Eigen::MatrixXd x = r;
    step_all(x);
    if (update_.known().lambda() == lambda_) return x;
    const Eigen::Index n = size_ - 1;
    std::vector<core::Anderson> mixing(std::size_t(r.cols()), core::Anderson(most_refinements));
    for (int k = 0; k < most_refinements; ++k) {
        Eigen::MatrixXd image = r;
        image.topRows(n) += update_.known().shifted(lambda_, x.topRows(n));
        step_all(image);
        bool same = true;
        for (Eigen::Index c = 0; c < r.cols(); ++c)
            same = same && (image.col(c) - x.col(c)).head(n).norm() <= refined * image.col(c).head(n).norm();
        if (same) return image;
        for (Eigen::Index c = 0; c < r.cols(); ++c)
            x.col(c) = mixing[std::size_t(c)].next(x.col(c).head(n), image.col(c));
    }
    lu_.compute(whole());
    return lu_.solve(r);
}

Eigen::MatrixXd JacobianFactors::whole() const {
    const auto& known = update_.known();
    const Eigen::Index n = size_ - 1;
    Eigen::MatrixXd j = Eigen::MatrixXd::Zero(size_, size_);
    j.topLeftCorner(n, n) = known.interface().dynamic_stiffness(lambda_, known.kept());
    const Eigen::Index m = known.interface().width();
    j.topLeftCorner(m, m) += known.tangents().on_y;
    update_.add_change(j);
    j.col(n).head(n) = border_;
    j.row(n).head(n) = border_.transpose();
    j(n, n) = corner_;
    return j;
}

}  // namespace faying::modes
