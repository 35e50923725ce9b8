// Structures that are not condensed, against the same condensed: many small groups of contact sites, and one large.

#include <gtest/gtest.h>

#include <numeric>

#include "faying/core/error.hpp"
#include "faying/modes/quasistatic.hpp"

namespace {

using namespace faying;
using namespace faying::modes;

/// In place of MUMPS, whose folder this one does not know.
class DenseFactor final : public SparseFactor {
 public:
    bool compute(const Eigen::SparseMatrix<double>& matrix) override {
        lu_.compute(Eigen::MatrixXd(matrix));
        return lu_.isInvertible();
    }
    Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const override { return lu_.solve(b); }

 private:
    Eigen::FullPivLU<Eigen::MatrixXd> lu_;
};

/// Cells in a row, each of four: two ways of a body on a spring and, beside them, sliding and approach of the two
/// faces inside it, which a contact site reads. Bodies pull on their neighbours.
structure::Model cracked_row(int cells) {
    structure::Model m;
    const int n = 4 * cells;
    m.mass = Eigen::MatrixXd::Identity(n, n);
    m.stiffness = Eigen::MatrixXd::Zero(n, n);
    const auto spring = [&](const Eigen::VectorXd& way, double k) { m.stiffness += k * way * way.transpose(); };
    for (int c = 0; c < cells; ++c) {
        const auto of = [&](int i) { return Eigen::VectorXd(Eigen::VectorXd::Unit(n, 4 * c + i)); };
        spring(of(0), 1);
        spring(of(1), 1);
        spring(of(0) - of(2), 2);
        spring(of(1) - of(3), 3);
        spring(of(2) + 0.3 * of(3), 0.4);
        spring(of(3) - 0.2 * of(2), 0.3);
        for (int i = 0; i < 2 && c + 1 < cells; ++i) spring(of(i) - Eigen::VectorXd::Unit(n, 4 * (c + 1) + i), 0.3);
        Eigen::MatrixXd map = Eigen::MatrixXd::Zero(3, n);
        map(0, 4 * c + 2) = map(2, 4 * c + 3) = 1;
        const double mu = 0.2 + 0.1 * (c % 3);
        m.joints.push_back({"crack " + std::to_string(c),
                            laws::Law("elastic-dry-friction", {{"kt", 200}, {"mu", mu}, {"kn", 300}}),
                            map,
                            Eigen::VectorXd::Ones(1),
                            {},
                            {}});
    }
    return m;
}

SparseStructure left_as_it_is(structure::Model m) {
    SparseStructure s;
    s.stiffness = m.stiffness.sparseView();
    std::vector<Eigen::Triplet<double>> entries;
    int row = 0;
    for (auto& joint : m.joints) {
        for (Eigen::Index r = 0; r < joint.map.rows(); ++r, ++row)
            for (Eigen::Index c = 0; c < joint.map.cols(); ++c)
                if (joint.map(r, c) != 0) entries.emplace_back(row, int(c), joint.map(r, c));
        joint.map.resize(joint.map.rows(), 0);
    }
    s.sites.resize(row, s.stiffness.rows());
    s.sites.setFromTriplets(entries.begin(), entries.end());
    s.model = std::move(m);
    s.factor = [](bool) { return std::make_unique<DenseFactor>(); };
    return s;
}

/// Unlike in every cell.
Eigen::VectorXd load(Eigen::Index size, Eigen::Index way) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(size);
    for (Eigen::Index i = way; i < size; i += 4) row(i) = 1 + 0.3 * std::sin(double(i));
    return row;
}

double lost(const QuasistaticPoint& p) { return std::accumulate(p.dissipated.begin(), p.dissipated.end(), 0.0); }

TEST(ScatteredContact, LoadsAndPrescribedWaysGiveWhatTheCondensedStructureGives) {
    const auto m = cracked_row(9);
    const auto n = m.stiffness.rows();
    Eigen::VectorXd end = Eigen::VectorXd::Zero(n);
    end(4) = 1;
    end(6) = 0.5;  // faces too
    const std::vector<Drive> drives = {{DriveKind::force, load(n, 0), "x"},
                                       {DriveKind::force, load(n, 1), "y"},
                                       {DriveKind::displacement, end, "end"}};
    const std::vector<std::vector<double>> values = {
        {0.2, 1, -1, 0.5, -0.3}, {1, 1.5, 0.3, -1, 1}, {0, 0.3, -0.2, 0.1, 0.2}};
    const auto dense = quasistatic(m, Interface(m), drives, values),
               sparse = quasistatic(left_as_it_is(m), drives, values);
    ASSERT_TRUE(dense.stopped.empty() && sparse.stopped.empty()) << dense.stopped << sparse.stopped;
    for (std::size_t i = 0; i < dense.points.size(); ++i) {
        const auto &a = dense.points[i], &b = sparse.points[i];
        EXPECT_TRUE(b.converged) << b.residual;
        EXPECT_LT((a.x - b.x).norm(), 1e-9 * a.x.norm());
        EXPECT_LT((a.force - b.force).norm(), 1e-9 * a.force.norm());
        EXPECT_NEAR(lost(a), lost(b), 1e-8 * lost(a));
    }
    EXPECT_GT(lost(dense.points.back()), 0.01);
}

TEST(ScatteredContact, MoreCracksTakeNoMoreSteps) {
    const auto iterations = [](int cells) {
        const auto s = left_as_it_is(cracked_row(cells));
        const auto n = s.stiffness.rows();
        const std::vector<Drive> drives = {{DriveKind::force, load(n, 0), "x"}, {DriveKind::force, load(n, 1), "y"}};
        const auto run = quasistatic(s, drives, {{0.5, 1, -1}, {1, 1, -0.5}}, {.path_tolerance = 1});
        EXPECT_TRUE(run.stopped.empty()) << run.stopped;
        int most = 0;
        for (const auto& p : run.points) most = std::max(most, p.iterations);
        return most;
    };
    EXPECT_LE(iterations(120), iterations(12) + 2);
}

TEST(ScatteredContact, AWayPrescribedTwiceIsRefused) {
    const auto s = left_as_it_is(cracked_row(3));
    const Drive end = {DriveKind::displacement, load(12, 0), "x"};
    EXPECT_THROW(quasistatic(s, {end, end}, {{1}, {1}}), core::BadInput);
}

/// A strip pressed on the ground, its sites one behind the other, each on a body by springs that mix sliding and approach; ends of the
/// strip are pulled up. Site coordinates are two of sliding and the approach, the body's the last three.
structure::Model pressed_strip(int sites) {
    structure::Model m;
    const int n = 3 * sites + 3;
    m.mass = Eigen::MatrixXd::Identity(n, n);
    m.stiffness = Eigen::MatrixXd::Zero(n, n);
    const auto spring = [&](std::vector<std::pair<int, double>> way, double k) {
        for (const auto& [i, a] : way)
            for (const auto& [j, b] : way) m.stiffness(i, j) += k * a * b;
    };
    for (int s = 0; s < sites; ++s)
        for (int i = 0; i < 3; ++i) {
            spring({{3 * s + i, 1}, {3 * sites + i, -1}, {3 * s + 2, i == 0 ? 0.2 : 0.0}}, 2 + 0.3 * std::sin(s + i));
            if (s > 0) spring({{3 * s + i, 1}, {3 * s - 3 + i, -1}}, 40);
        }
    for (int i = 0; i < 3; ++i) spring({{3 * sites + i, 1}}, 5);
    m.joints.push_back({"strip",
                        laws::Law("elastic-dry-friction", {{"kt", 50}, {"mu", 0.3}, {"kn", 80}}),
                        Eigen::MatrixXd::Identity(3 * sites, n),
                        Eigen::VectorXd::Ones(sites),
                        {},
                        {}});
    m.static_force = Eigen::VectorXd::Zero(n);
    for (int s = 0; s < sites; ++s) m.static_force(3 * s + 2) = std::cos(6.0 * s / sites - 3) + 0.2;
    m.outputs = {{"last", Eigen::VectorXd::Unit(n, 3 * sites - 3)}};
    return m;
}

/// Along the strip by force, across it by a prescribed way.
std::vector<Drive> pushes(const structure::Model& m, double across) {
    const auto n = m.stiffness.rows();
    return {{DriveKind::force, 60 * Eigen::VectorXd::Unit(n, n - 3), "along"},
            {DriveKind::displacement, across * Eigen::VectorXd::Unit(n, n - 2), "across"},
            {DriveKind::displacement, Eigen::VectorXd::Unit(n, n - 1), "pressed", true}};
}

/// Fine enough that no step needs to be cut.
std::vector<double> there_and_back() {
    std::vector<double> shares;
    for (int k = 1; k <= 24; ++k) shares.push_back(0.9 * std::sin(0.25 * k));
    return shares;
}

std::vector<std::vector<double>> ways(const std::vector<double>& shares) {
    std::vector<double> across, none(shares.size(), 0.0);
    for (const double s : shares) across.push_back(0.4 * s * s - 0.1);
    return {shares, across, none};
}

TEST(OneLargeContact, ItsFlexibilityGivesWhatTheCondensedStructureGives) {
    const auto m = pressed_strip(220);
    const auto drives = pushes(m, 1);
    const auto dense = quasistatic(m, Interface(m), drives, ways(there_and_back()), {.path_tolerance = 1}),
               flexible = quasistatic(left_as_it_is(m), drives, ways(there_and_back()),
                                      {.path_tolerance = 1, .shapes = false});
    ASSERT_TRUE(dense.stopped.empty() && flexible.stopped.empty()) << dense.stopped << flexible.stopped;
    ASSERT_EQ(dense.points.size(), flexible.points.size());
    const Eigen::VectorXd swing = dense.points[5].force - dense.points[18].force;
    for (std::size_t i = 0; i < dense.points.size(); ++i) {
        const auto &a = dense.points[i], &b = flexible.points[i];
        EXPECT_TRUE(b.converged) << b.residual;
        ASSERT_TRUE(a.steps == 1 && b.steps == 1) << i << ": " << a.steps << ", " << b.steps;
        EXPECT_LT((a.force - b.force).norm(), 1e-9 * swing.norm());
        EXPECT_LT((a.displacement - b.displacement).norm(), 1e-9 * dense.points[5].displacement.norm());
        EXPECT_NEAR(a.outputs(0), b.outputs(0), 1e-9 * dense.points[5].outputs.norm());
        EXPECT_NEAR(lost(a), lost(b), 1e-8 * lost(dense.points.back()));
    }
    EXPECT_GT(lost(dense.points.back()), 0.1);
}

TEST(OneLargeContact, AnswersDoNotDependOnHowTheHistoryIsCut) {
    const auto m = pressed_strip(205);
    const auto s = left_as_it_is(m);
    const std::vector<double> legs = {0.7, -0.4};
    std::vector<double> thirds;
    for (std::size_t i = 0; i < legs.size(); ++i)
        for (int k = 1; k <= 3; ++k)
            thirds.push_back((i ? legs[i - 1] : 0.0) + (legs[i] - (i ? legs[i - 1] : 0.0)) * k / 3);
    const auto drives = pushes(m, 1);
    const auto taken = [&](const std::vector<double>& shares) {
        const auto run = quasistatic(
            s, drives, {shares, std::vector<double>(shares.size(), 0.0), std::vector<double>(shares.size(), 0.0)},
            {.shapes = false});
        EXPECT_TRUE(run.stopped.empty()) << run.stopped;
        return run.points.back();
    };
    const auto a = taken(legs), b = taken(thirds);
    EXPECT_LT((a.displacement - b.displacement).norm(), 1e-8 * a.displacement.norm());
    EXPECT_NEAR(lost(a), lost(b), 1e-8 * lost(a));
    EXPECT_GT(lost(a), 0.01);
}

TEST(OneLargeContact, AWayPrescribedTwiceIsRefusedAndSoIsAMechanism) {
    auto m = pressed_strip(205);
    const auto drives = pushes(m, 1);
    EXPECT_THROW(quasistatic(left_as_it_is(m), {drives[1], drives[1]}, {{1}, {1}}, {.shapes = false}), core::BadInput);
    const auto n = m.stiffness.rows();
    m.stiffness.row(n - 1).setZero();
    m.stiffness.col(n - 1).setZero();
    EXPECT_THROW(quasistatic(left_as_it_is(m), {drives[0]}, {{1}}, {.shapes = false}), core::BadInput);
}

}  // namespace
