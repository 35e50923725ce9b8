// Systems solved by what has slipped or opened since a matrix was inverted, against factorisations from nothing.

#include "jacobian_factors.hpp"

#include <gtest/gtest.h>

#include "faying/structure/model.hpp"
#include "lap_joint.hpp"

namespace {

using namespace faying;
using namespace faying::modes;

struct Joint {
    structure::Model model;
    Interface interface;
    Sites sites;

    explicit Joint(structure::Model m) : model(std::move(m)), interface(model), sites(structure::joint_set(model)) {}
};

Joint dry_friction() {
    const auto r = tests::full_joint(6, 3, 10);
    auto model = structure::bare_model(r, {{"preload", 300.0}});
    const laws::Law law("elastic-dry-friction", {{"kt", 5e12}, {"mu", 0.1}, {"kn", 1e13}});
    model.joints.push_back(structure::joint_on_interface(r, "interface", law, ""));
    return Joint(std::move(model));
}

/// A quarter of the sites slips and a few of them are open; all stick for `moved` = 0.
void displace(Sites& sites, double moved) {
    const Eigen::Index count = sites.rows() / 3;
    Eigen::VectorXd u = Eigen::VectorXd::Zero(sites.rows());
    for (Eigen::Index site = 0; site < count; ++site) {
        u(3 * site + 2) = moved > 0 && site < count / 20 ? -1e-6 : 1e-6;
        if (site < count / 4) u(3 * site) = moved;
    }
    sites.evaluate(u);
}

Eigen::MatrixXd whole(const Joint& joint, double lambda, const std::vector<Eigen::Index>& kept,
                      const Eigen::VectorXd& border, double corner) {
    const Eigen::Index n = border.size();
    Eigen::MatrixXd j = Eigen::MatrixXd::Zero(n + 1, n + 1);
    j.topLeftCorner(n, n) = joint.interface.dynamic_stiffness(lambda, kept);
    add_stiffness(joint.sites, joint.interface, j);
    j.col(n).head(n) = border;
    j.row(n).head(n) = border.transpose();
    j(n, n) = corner;
    return j;
}

class Changes : public testing::TestWithParam<bool> {};

TEST_P(Changes, AreSolvedForAsFromNothing) {
    Joint joint = dry_friction();
    const bool keeps = GetParam();
    const std::vector<Eigen::Index> kept = keeps ? std::vector<Eigen::Index>{1} : std::vector<Eigen::Index>();
    const Eigen::Index n = joint.interface.width() + Eigen::Index(kept.size());
    displace(joint.sites, 0.0);
    const auto tangents = std::make_shared<const JointTangents>(joint.interface, joint.sites);
    const double lambda = 0.3 * joint.interface.omega2()(0);
    const auto known = std::make_shared<const KnownInverse>(joint.interface, lambda, kept, tangents);
    ASSERT_TRUE(known->finite());
    displace(joint.sites, 1e-4);
    Eigen::VectorXd border(n);
    Eigen::MatrixXd side(n + 1, 3);
    for (Eigen::Index i = 0; i < n; ++i) border(i) = std::sin(1.0 + 0.7 * double(i));
    for (Eigen::Index i = 0; i < side.size(); ++i) side(i) = std::cos(0.3 * double(i));
    for (const double share : {1.0, 1.02, 1.3}) {
        JacobianFactors factors;
        ASSERT_TRUE(factors.compute(known, joint.sites, share * lambda, border, -0.5));
        const Eigen::MatrixXd exact = whole(joint, share * lambda, kept, border, -0.5).partialPivLu().solve(side);
        const auto error = [n](const Eigen::MatrixXd& x, const Eigen::MatrixXd& of) {
            return (x - of).topRows(n).norm() / of.topRows(n).norm();
        };
        const double solved = error(factors.solve(side), exact);
        EXPECT_LT(solved, 1e-9) << share;
        Eigen::VectorXd step;
        factors.step(side.col(0), step);
        const double stepped = error(step, exact.col(0));
        if (share == 1.0) {
            EXPECT_LT(stepped, 1e-9);
        } else {
            EXPECT_GT(stepped, 1e-8) << share << " solved to " << solved;  // only nearly: else this shows nothing
        }
    }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutKeptModes, Changes, testing::Bool());

}  // namespace
