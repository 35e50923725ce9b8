#include "scalar_memory.hpp"

#include <algorithm>

#include "faying/core/newton.hpp"

namespace faying::harmonic::detail {

using core::Dual;

PeriodicMemory::PeriodicMemory(const std::vector<Dual>& start, Map map)
    : map_(std::move(map)), m_(start.size()), image_(m_.size()), change_(m_.size()), slope_(m_.size(), m_.size()) {
    for (Eigen::Index i = 0; i < m_.size(); ++i) m_(i) = start[std::size_t(i)].a;
}

std::vector<Dual> PeriodicMemory::memory() const {
    std::vector<Dual> values;
    for (const double x : m_) values.emplace_back(x);
    return values;
}

double PeriodicMemory::evaluate() {
    for (Eigen::Index from = 0; from < m_.size(); from += core::directions) {
        const Eigen::Index count = std::min<Eigen::Index>(core::directions, m_.size() - from);
        auto seeded = memory();
        for (Eigen::Index d = 0; d < count; ++d) seeded[std::size_t(from + d)].v[d] = 1.0;
        map_(seeded);
        for (Eigen::Index i = 0; i < m_.size(); ++i) {
            image_(i) = seeded[std::size_t(i)].a;
            slope_.row(i).segment(from, count) = seeded[std::size_t(i)].v.head(count).transpose();
        }
    }
    return (image_ - m_).norm();
}

bool PeriodicMemory::direction() {
    change_ = rest().partialPivLu().solve(image_ - m_);
    return change_.allFinite();
}

double PeriodicMemory::find(double tolerance) {
    core::newton(*this, {.tolerance = tolerance, .enough = tolerance, .most_iterations = 30, .most_cuts = 0});
    const double size = scale();
    return size > 0 ? (image_ - m_).norm() / size : 0.0;
}

bool PeriodicMemory::fades() const {
    constexpr double rounding = 1e-15;  // of slopes about 1
    return Eigen::FullPivLU<Eigen::MatrixXd>(rest()).matrixLU().diagonal().cwiseAbs().minCoeff() > rounding;
}

std::vector<Dual> PeriodicMemory::with_derivatives(const std::vector<Dual>& image) const {
    Eigen::MatrixXd moved(m_.size(), core::directions);
    for (Eigen::Index i = 0; i < m_.size(); ++i) moved.row(i) = image[std::size_t(i)].v.transpose();
    moved = rest().partialPivLu().solve(moved).eval();
    auto found = memory();
    for (Eigen::Index i = 0; i < m_.size(); ++i) found[std::size_t(i)].v = moved.row(i).transpose();
    return found;
}

}  // namespace faying::harmonic::detail
