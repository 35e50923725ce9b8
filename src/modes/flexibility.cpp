#include "flexibility.hpp"

#include "driven_statics.hpp"
#include "faying/core/error.hpp"

namespace faying::modes {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using RowMajorSparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr Eigen::Index most_rows = 12000;  ///< of sites: 1.2 GB each of two matrices
constexpr Eigen::Index at_once = 64;       ///< solutions
constexpr double unanswered = 1e-6;        ///< residual of a solution that is none
constexpr double beyond_measure = 1e14;    ///< to a load of one, stiffness counted: more is a mechanism

/// As if there were no gaps.
Sites stuck_sites(const structure::Model& model) {
    std::vector<laws::SiteGroup> touching;
    for (const auto& joint : model.joints) touching.push_back({joint.law, joint.weight});
    Sites closed(touching);
    closed.evaluate(closed.just_closed());
    return closed;
}

std::vector<double> symmetric_tangents(const Sites& stuck) {
    std::vector<double> all;
    stuck.each_tangent([&](Eigen::Index, int width, const double* k) {
        for (int a = 0; a < width; ++a)
            for (int b = 0; b < width; ++b) all.push_back(0.5 * (k[a * width + b] + k[b * width + a]));
    });
    return all;
}

Sparse matrix_of(const Sites& sites, const std::vector<double>& tangents) {
    std::vector<Eigen::Triplet<double>> entries;
    auto value = tangents.begin();
    sites.each_tangent([&](Eigen::Index row, int width, const double*) {
        for (int a = 0; a < width; ++a)
            for (int b = 0; b < width; ++b) entries.emplace_back(int(row) + a, int(row) + b, *value++);
    });
    Sparse k(sites.rows(), sites.rows());
    k.setFromTriplets(entries.begin(), entries.end());
    return k;
}

/// R: sites first, then these.
RowMajorSparse all_rows(const Sparse& sites, const std::vector<Eigen::VectorXd>& others) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index j = 0; j < sites.outerSize(); ++j)
        for (Sparse::InnerIterator it(sites, j); it; ++it) entries.emplace_back(int(it.row()), int(j), it.value());
    for (std::size_t k = 0; k < others.size(); ++k)
        for (Eigen::Index j = 0; j < others[k].size(); ++j)
            if (others[k](j) != 0) entries.emplace_back(int(sites.rows()) + int(k), int(j), others[k](j));
    RowMajorSparse rows(sites.rows() + Eigen::Index(others.size()), sites.cols());
    rows.setFromTriplets(entries.begin(), entries.end());
    return rows;
}

/// Whether a load on all coordinates moves them by less than beyond all measure: what a factorisation does not call
/// singular may be a mechanism all the same.
bool answers(const Sparse& held, const SparseFactor& factor, const RowMajorSparse& rows) {
    Eigen::VectorXd load(rows.rows());
    for (Eigen::Index i = 0; i < load.size(); ++i) load(i) = 1 + double(i % 7);
    const Eigen::VectorXd force = rows.transpose() * load;
    const Eigen::VectorXd way = factor.solve(force);
    return way.allFinite() && way.norm() * held.diagonal().cwiseAbs().maxCoeff() < beyond_measure * force.norm() &&
           (held * way - force).norm() < unanswered * force.norm();
}

}  // namespace

bool may_be_flexible(const SparseStructure& structure) { return structure.sites.rows() <= most_rows; }

FlexibleStructure flexible(const SparseStructure& structure, const std::vector<Drive>& drives) {
    FlexibleStructure made{structure.model, drives, {}, {}, {}};
    const Sparse sites = structure.sites;
    const Sites stuck = stuck_sites(structure.model);
    made.stuck = symmetric_tangents(stuck);
    std::vector<Eigen::VectorXd> others;
    for (const auto& drive : drives) others.push_back(drive.row);
    for (const auto& output : structure.model.outputs) others.push_back(output.row);
    const bool loaded = structure.model.static_force.size() > 0 && !structure.model.static_force.isZero(0);
    if (loaded) others.push_back(structure.model.static_force);
    const auto rows = all_rows(sites, others);
    const Eigen::Index count = rows.rows();

    const Sparse held = structure.stiffness + Sparse(sites.transpose() * Sparse(matrix_of(stuck, made.stuck) * sites));
    const auto factor = structure.factor(true);
    if (!factor->compute(held) || !answers(held, *factor, rows))
        throw core::BadInput("quasistatic",
                             "the joints do not hold the structure against its loads: it is a mechanism");
    const Sparse columns = rows.transpose();
    made.flexibility.resize(count, count);
    for (Eigen::Index from = 0; from < count; from += at_once) {
        const Eigen::Index many = std::min(at_once, count - from);
        const Eigen::MatrixXd forces = columns.middleCols(from, many);
        made.flexibility.middleCols(from, many) = rows * factor->solve(forces);
    }
    made.flexibility = (0.5 * (made.flexibility + made.flexibility.transpose())).eval();

    const auto unit = [&](Eigen::Index at) { return Eigen::VectorXd(Eigen::VectorXd::Unit(count, at)); };
    Eigen::Index at = sites.rows();
    for (auto& drive : made.drives) drive.row = unit(at++);
    for (auto& output : made.model.outputs) output.row = unit(at++);
    if (loaded) made.model.static_force = unit(at++);
    made.sites.resize(sites.rows(), count);
    made.sites.reserve(Eigen::VectorXi::Constant(sites.rows(), 1));
    for (Eigen::Index r = 0; r < sites.rows(); ++r) made.sites.insert(r, r) = 1.0;
    return made;
}

}  // namespace faying::modes
