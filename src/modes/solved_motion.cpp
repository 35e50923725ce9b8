#include "solved_motion.hpp"

#include <algorithm>
#include <cmath>

namespace faying::modes {

bool on_branch(const std::vector<Solved>& points, const Solved& motion) {
    for (std::size_t i = 1; i < points.size(); ++i) {
        const auto &a = points[i - 1], &b = points[i];
        if (a.point.branch != b.point.branch) continue;
        const Eigen::MatrixXd step = b.modal - a.modal, way = motion.modal - a.modal;
        const double length = std::max(step.norm(), 1e-300), span = b.point.omega - a.point.omega;
        const double share = std::clamp(step.cwiseProduct(way).sum() / (length * length), 0.0, 1.0);
        const double apart = (way - share * step).norm(),
                     off = std::abs(motion.point.omega - a.point.omega - share * span);
        if (apart <= 0.3 * length + 1e-6 * motion.modal.norm() &&
            off <= 0.5 * std::abs(span) + 1e-2 * motion.point.omega)
            return true;
    }
    return false;
}

bool came_back(const std::vector<Solved>& points, const Solved& start) {
    if (points.size() < 6) return false;
    const auto &a = points[points.size() - 2], &b = points.back();
    const Eigen::MatrixXd step = b.modal - a.modal, way = start.modal - a.modal;
    const double share = step.squaredNorm() > 0 ? step.cwiseProduct(way).sum() / step.squaredNorm() : 0.0;
    return share >= 0 && share <= 1 && (way - share * step).norm() <= 0.2 * step.norm();
}

}  // namespace faying::modes
