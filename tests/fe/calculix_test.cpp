// Against the real CalculiX: its stored matrices equal ours, element by element and assembled; and its driver.
// Needs the program ccx (Debian package calculix-ccx); without it these tests fail and say so.

#include "faying/fe/calculix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <fstream>

#include "box_mesh.hpp"
#include "deck_text.hpp"

namespace {

using namespace faying;
using namespace faying::fe;

constexpr double young = 200, poisson = 0.3, density = 7.8;
const std::string store = "*STEP\n*FREQUENCY,SOLVER=MATRIXSTORAGE\n*END STEP\n";

struct Compared {
    double stiffness, mass;  ///< largest difference over largest entry
};

/// Largest difference from ccx's matrices, rows found through its DOF map.
Compared compare(const Mesh& mesh) {
    io::ScratchFolder folder;
    const auto run = run_calculix(tests::deck_text(mesh, young, poisson, density, store), folder.path());
    const auto stored = read_stored_matrices(run.folder, run.job);
    const auto ours = assemble(mesh, {.mass = MassPoints::as_stiffness});
    EXPECT_EQ(static_cast<Eigen::Index>(stored.dof.size()), ours.stiffness.rows());
    Eigen::VectorXi place(static_cast<Eigen::Index>(stored.dof.size()));
    for (std::size_t i = 0; i < stored.dof.size(); ++i)
        place[static_cast<Eigen::Index>(i)] = 3 * (stored.dof[i].node - 1) + stored.dof[i].direction - 1;
    const auto difference = [&](const Eigen::SparseMatrix<double>& theirs, const Eigen::SparseMatrix<double>& mine) {
        Eigen::MatrixXd d = Eigen::MatrixXd(mine);
        const double size = d.cwiseAbs().maxCoeff();
        for (int c = 0; c < theirs.outerSize(); ++c)
            for (Eigen::SparseMatrix<double>::InnerIterator it(theirs, c); it; ++it)
                d(place[it.row()], place[it.col()]) -= it.value();
        return d.cwiseAbs().maxCoeff() / size;
    };
    return {difference(stored.stiffness, ours.stiffness), difference(stored.mass, ours.mass)};
}

class StoredMatricesOf : public testing::TestWithParam<ElementTraits> {
 protected:
    static constexpr double tolerance = 1e-12;  // ccx prints 14 digits
};

std::vector<ElementTraits> equal_to_calculix() {
    std::vector<ElementTraits> all;
    for (const auto& t : all_element_kinds())
        if (t.stress == Stress::solid && t.formulation == Formulation::plain) all.push_back(t);
    return all;
}
INSTANTIATE_TEST_SUITE_P(Calculix, StoredMatricesOf, testing::ValuesIn(equal_to_calculix()),
                         [](const auto& info) { return tests::kind_name(info.param); });

TEST_P(StoredMatricesOf, OneDistortedElement) {
    Mesh mesh{
        tests::distorted(GetParam(), 0.15), {{GetParam().kind, {}, {}, 0, 1}}, {isotropic(young, poisson, density)}};
    tests::round_coordinates(mesh.nodes);
    for (int a = 0; a < GetParam().nodes(); ++a) mesh.blocks[0].nodes.push_back(a);
    const auto d = compare(mesh);
    RecordProperty("stiffness", fmt::format("{:.2e}", d.stiffness));
    RecordProperty("mass", fmt::format("{:.2e}", d.mass));
    EXPECT_LT(d.stiffness, tolerance);
    EXPECT_LT(d.mass, tolerance);
}

TEST_P(StoredMatricesOf, ADistortedMesh) {
    Mesh mesh = tests::box_mesh(GetParam().kind, {2, 3, 2, {1, 1.5, 1}, tests::scattered(0.08, true)},
                                isotropic(young, poisson, density));
    tests::round_coordinates(mesh.nodes);
    const auto d = compare(mesh);
    EXPECT_LT(d.stiffness, tolerance);
    EXPECT_LT(d.mass, tolerance);
}

Eigen::MatrixXd stored_stiffness(ElementKind kind, const Coordinates& nodes) {
    const Mesh mesh{nodes, {{kind, {0, 1, 2, 3, 4, 5, 6, 7}, {}, 0, 1}}, {isotropic(young, poisson, density)}};
    io::ScratchFolder folder;
    run_calculix(tests::deck_text(mesh, young, poisson, density, store), folder.path());
    return Eigen::MatrixXd(read_stored_matrices(folder.path(), "job").stiffness);
}

/// ccx keeps the bubbles of C3D8I as three more nodes. Condensed here, they give our stiffness on a parallelepiped; on
/// other shapes ccx leaves out the correction that makes the patch test hold: a linear field then loads its bubbles.
TEST(Calculix, IncompatibleModesAreEqualOnParallelepipeds) {
    Eigen::Matrix3d shear;
    shear << 1.5, 0.25, -0.125, 0.125, 0.75, 0.25, 0.0, 0.125, 1.25;
    const Coordinates x = node_coordinates(Shape::hex8) * shear.transpose();
    const auto all = stored_stiffness(ElementKind::C3D8I, x);
    ASSERT_EQ(all.rows(), 33);
    const Eigen::MatrixXd coupling = all.bottomLeftCorner(9, 24), inner = all.bottomRightCorner(9, 9);
    const Eigen::MatrixXd condensed = all.topLeftCorner(24, 24) - coupling.transpose() * inner.ldlt().solve(coupling);
    const auto ours = element_matrices(ElementKind::C3D8I, x, isotropic(young, poisson, density));
    EXPECT_LT((condensed - ours.stiffness).cwiseAbs().maxCoeff(), 1e-12 * condensed.cwiseAbs().maxCoeff());
}

TEST(Calculix, ItsIncompatibleModesFailThePatchTest) {
    Coordinates x = tests::distorted(traits(ElementKind::C3D8I), 0.15);
    tests::round_coordinates(x);
    const auto all = stored_stiffness(ElementKind::C3D8I, x);
    Eigen::VectorXd pull(24);
    for (int a = 0; a < 8; ++a) pull.segment<3>(3 * a) << x(a, 0), 0, 0;
    EXPECT_GT((all.bottomLeftCorner(9, 24) * pull).norm(), 0.01 * (all.topLeftCorner(24, 24) * pull).norm());
}

/// Why ccx's own C3D8R is not followed: a rigid rotation of a distorted element costs it energy.
TEST(Calculix, ItsReducedBrickResistsRigidRotation) {
    Coordinates x = tests::distorted(traits(ElementKind::C3D8R), 0.15);
    tests::round_coordinates(x);
    const auto k = stored_stiffness(ElementKind::C3D8R, x);
    EXPECT_GT((k * rigid_motions(x, 3)).cwiseAbs().maxCoeff(), 1e-4 * k.cwiseAbs().maxCoeff());
}

TEST(Calculix, FrequenciesOfACantilever) {
    Mesh mesh = tests::box_mesh(ElementKind::C3D20R, {4, 2, 2, {6, 1, 1}, {}}, isotropic(young, poisson, density));
    std::string held = "*NSET,NSET=ROOT\n";
    std::vector<int> free;
    for (int a = 0; a < mesh.nodes.rows(); ++a)
        if (mesh.nodes(a, 0) < 1e-9)
            held += fmt::format("{},\n", a + 1);
        else
            for (int i = 0; i < 3; ++i) free.push_back(3 * a + i);
    held += "*BOUNDARY\nROOT,1,3\n";
    io::ScratchFolder folder;
    const auto run = run_calculix(
        tests::deck_text(mesh, young, poisson, density, held + "*STEP\n*FREQUENCY\n6\n*END STEP\n"), folder.path());
    const auto theirs = read_eigenfrequencies(run.folder, run.job);
    ASSERT_EQ(theirs.size(), 6u);
    const auto a = assemble(mesh, {.mass = MassPoints::as_stiffness});
    const Eigen::MatrixXd k = Eigen::MatrixXd(a.stiffness)(free, free), m = Eigen::MatrixXd(a.mass)(free, free);
    // Eight points leave the mass of C3D20R singular, so M is measured in K: 1/omega^2 from the top.
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(m, k, Eigen::EigenvaluesOnly | Eigen::Ax_lBx);
    for (int i = 0; i < 6; ++i)
        EXPECT_NEAR(1 / std::sqrt(eigen.eigenvalues()[eigen.eigenvalues().size() - 1 - i]),
                    theirs[static_cast<std::size_t>(i)].omega,
                    5e-7 * theirs[static_cast<std::size_t>(i)].omega);  // ccx prints 7 digits
}

TEST(CalculixDriver, QuotesItsErrors) {
    io::ScratchFolder folder;
    try {
        run_calculix("*NODE\n1,0,0,0\n*ELEMENT,TYPE=C3D99,ELSET=E\n1,1\n*STEP\n*STATIC\n*END STEP\n", folder.path());
        FAIL() << "not refused";
    } catch (const CalculixFailed& e) {
        EXPECT_NE(std::string(e.what()).find("C3D99 is an unknown element type"), std::string::npos) << e.what();
        EXPECT_EQ(e.run.exit_status, 201);
        EXPECT_FALSE(e.run.log.empty());
    }
}

TEST(CalculixDriver, NamesTheLineThatItRefuses) {
    io::ScratchFolder folder;
    try {
        run_calculix("*NODE\n1,0,0,0\n*BOUNDARY\n Nope, 1, 3\n*STEP\n*STATIC\n*END STEP\n", folder.path());
        FAIL() << "not refused";
    } catch (const CalculixFailed& e) {
        EXPECT_NE(std::string(e.what()).find("(job.inp:4)"), std::string::npos) << e.what();
    }
}

TEST(CalculixDriver, AMissingProgramNamesThePackage) {
    io::ScratchFolder folder;
    try {
        run_calculix("*NODE\n", folder.path(), {.program = "no-such-ccx"});
        FAIL() << "not refused";
    } catch (const core::BadInput& e) {
        EXPECT_NE(std::string(e.what()).find("calculix-ccx"), std::string::npos) << e.what();
    }
}

TEST(CalculixDriver, StopsAtTheTimeLimit) {
    io::ScratchFolder folder;
    const auto slow = folder.path() / "slow.sh";
    std::ofstream(slow) << "#!/bin/sh\nexec sleep 30\n";
    std::filesystem::permissions(slow, std::filesystem::perms::owner_all);
    try {
        run_calculix("*NODE\n", folder.path(), {.program = slow.string(), .time_limit = 0.1});
        FAIL() << "not stopped";
    } catch (const CalculixFailed& e) {
        EXPECT_NE(std::string(e.what()).find("within 0.1 s"), std::string::npos) << e.what();
    }
}

TEST(CalculixDriver, ScratchFolderIsRemovedAndBadFilesAreNamed) {
    std::filesystem::path gone;
    {
        io::ScratchFolder folder;
        gone = folder.path();
        EXPECT_TRUE(std::filesystem::exists(gone));
        EXPECT_THROW(read_stored_matrices(gone, "job"), core::BadInput);
        std::ofstream(gone / "job.dof") << "1.1\n1.2\n";
        std::ofstream(gone / "job.sti") << "1 1 2.0\n3 1 1.0\n";
        try {
            read_stored_matrices(gone, "job");
            FAIL() << "not refused";
        } catch (const core::BadInput& e) {
            EXPECT_NE(std::string(e.what()).find("job.sti:2"), std::string::npos) << e.what();
        }
        std::ofstream(gone / "job.dat") << "nothing\n";
        EXPECT_THROW(read_eigenfrequencies(gone, "job"), core::BadInput);
    }
    EXPECT_FALSE(std::filesystem::exists(gone));
}

}  // namespace
