// Six-state: what a path far beyond the knee must do.

#include "faying/laws/six_state.hpp"

#include <Eigen/Cholesky>

#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;

SixState<>::Parameters printed() {
    SixState<>::Parameters p{};
    for (const auto& entry : SixState<>::table()) entry.at(p) = *entry.fallback;
    return p;
}

/// b.K^-1 b: the compliance when the friction force no longer turns.
double saturated_compliance(const SixState<>::Parameters& p) {
    Eigen::Matrix<double, 6, 6> K;
    int k = 0;
    for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j) K(i, j) = K(j, i) = p.K[k++];
    const Eigen::Map<const Eigen::Matrix<double, 6, 1>> b(p.b.data());
    return b.dot(K.llt().solve(b));
}

TEST(SixState, LongPathsEndOnTheirAsymptote) {
    const auto p = printed();
    const SixState<> law(p);
    const double compliance = saturated_compliance(p);
    const auto near = follow(law, {1e4}), far = follow(law, {1e12}), back = follow(law, {1e12, -1e12});
    EXPECT_RELATIVE(near.tangent, compliance, 1e-12);
    EXPECT_RELATIVE(far.tangent, compliance, 1e-12);
    EXPECT_RELATIVE(far.force - near.force, compliance * (1e12 - 1e4), 1e-12);
    EXPECT_RELATIVE(back.force, -far.force, 1e-12);
    EXPECT_RELATIVE(back.dissipated, 3.0 * far.dissipated, 1e-9);  // both knees lost in the size of the rest
}

TEST(SixState, DerivativesOfLongPathsAreThoseOfTheAsymptote) {
    using faying::core::Dual;
    auto p = printed();
    SixState<Dual>::Parameters dual{};
    for (std::size_t i = 0; i < SixState<>::table().size(); ++i)
        SixState<Dual>::table()[i].at(dual) = Dual(SixState<>::table()[i].at(p));
    dual.K[7].v[0] = 1.0;
    const double h = 1e-5;
    auto up = p, down = p;
    up.K[7] += h;
    down.K[7] -= h;
    const double slope = (saturated_compliance(up) - saturated_compliance(down)) / (2 * h);
    const SixState<Dual> law(dual);
    const auto end = law.step(law.virgin(), Dual(1e9));
    EXPECT_RELATIVE(end.tangent.v[0], slope, 1e-8);
    EXPECT_RELATIVE(end.force.v[0], 1e9 * slope, 1e-7);
}

}  // namespace
