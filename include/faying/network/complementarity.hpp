#pragma once
// Linear complementarity with a symmetric positive definite matrix,
//
//     w = M y + q >= 0,   y >= 0,   y.w = 0,
//
// by methods that are here to be compared with: a network's own path needs none of them (follower.hpp).

#include <Eigen/Dense>
#include <string_view>
#include <vector>

namespace faying::network {

/// `events`: principal pivots along the path, the factorisation updated. The others solve each complementarity problem
/// on its own.
enum class Method { events, lemke, newton, gauss_seidel };

std::string_view name_of(Method method);
/// Throws core::BadInput listing what is allowed.
Method method_named(std::string_view name);

struct Complementary {
    Eigen::VectorXd y;
    int iterations = 0;
    double residual = 0;  ///< largest violation of the three conditions, relative to q
};

/// Throws core::NotConverged with what was reached: semismooth Newton may cycle, Gauss-Seidel may be slow.
Complementary solve_complementarity(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, Method method);

}  // namespace faying::network
