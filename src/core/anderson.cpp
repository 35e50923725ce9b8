#include "faying/core/anderson.hpp"

namespace faying::core {

Eigen::VectorXd Anderson::next(const Eigen::VectorXd& x, const Eigen::VectorXd& image) {
    misses_.push_back(image.head(x.size()) - x);
    images_.push_back(image);
    if (misses_.size() > most_) {
        misses_.erase(misses_.begin());
        images_.erase(images_.begin());
    }
    const auto pairs = Eigen::Index(misses_.size()) - 1;
    if (pairs == 0) return image;
    Eigen::MatrixXd miss(x.size(), pairs), moved(image.size(), pairs);
    for (Eigen::Index k = 0; k < pairs; ++k) {
        miss.col(k) = misses_.back() - misses_[std::size_t(k)];
        moved.col(k) = images_.back() - images_[std::size_t(k)];
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(miss);
    qr.setThreshold(1e-10);
    const Eigen::VectorXd mix = qr.solve(misses_.back());
    const Eigen::VectorXd next = image - moved * mix;
    return next.allFinite() ? next : image;
}

void Anderson::forget() {
    misses_.clear();
    images_.clear();
}

}  // namespace faying::core
