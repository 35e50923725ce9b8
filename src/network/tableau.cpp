#include "tableau.hpp"

#include <algorithm>

namespace faying::network {

namespace {

constexpr Eigen::Index lanes = 8, tile = 2 * lanes, columns = 4;

// One source for every width of vector register that the machine may have. Each entry of a result is summed in the same
// order whatever the width, and products are not fused with sums, so the bits are the same too.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define FAYING_ANY_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FAYING_ANY_WIDTH
#endif

using Lanes [[gnu::vector_size(lanes * sizeof(double)), gnu::aligned(8), gnu::may_alias]] = double;

/// Lower triangle of the `size` x `size` matrix T less left right^T: both are size x count, all columns `size` apart.
/// Tiles that touch the diagonal are computed whole.
FAYING_ANY_WIDTH void subtract_below(double* T, Eigen::Index size, const double* left, const double* right,
                                     Eigen::Index count) {
    for (Eigen::Index j = 0; j < size; j += columns)
        for (Eigen::Index i = j / tile * tile; i < size; i += tile) {
            Lanes sum[columns][2] = {};
            for (Eigen::Index k = 0; k < count; ++k) {
                const Lanes low = *reinterpret_cast<const Lanes*>(left + k * size + i);
                const Lanes high = *reinterpret_cast<const Lanes*>(left + k * size + i + lanes);
                for (Eigen::Index c = 0; c < columns; ++c) {
                    const double factor = right[k * size + j + c];
                    sum[c][0] += low * factor;
                    sum[c][1] += high * factor;
                }
            }
            for (Eigen::Index c = 0; c < columns; ++c) {
                double* to = T + (j + c) * size + i;
                *reinterpret_cast<Lanes*>(to) -= sum[c][0];
                *reinterpret_cast<Lanes*>(to + lanes) -= sum[c][1];
            }
        }
}

/// out (size of them) less the first `count` columns of left, each times its factor; factors are `size` apart.
FAYING_ANY_WIDTH void subtract_columns(double* out, Eigen::Index size, const double* left, const double* factors,
                                       Eigen::Index count) {
    for (Eigen::Index i = 0; i < size; i += tile) {
        Lanes low = *reinterpret_cast<const Lanes*>(out + i), high = *reinterpret_cast<const Lanes*>(out + i + lanes);
        for (Eigen::Index k = 0; k < count; ++k) {
            low -= *reinterpret_cast<const Lanes*>(left + k * size + i) * factors[k * size];
            high -= *reinterpret_cast<const Lanes*>(left + k * size + i + lanes) * factors[k * size];
        }
        *reinterpret_cast<Lanes*>(out + i) = low;
        *reinterpret_cast<Lanes*>(out + i + lanes) = high;
    }
}

}  // namespace

Tableau::Tableau(const Eigen::MatrixXd& K)
    : start_(&K),
      n_(K.rows()),
      padded_((n_ + tile - 1) / tile * tile),
      block_(std::clamp<Eigen::Index>(n_ / 14, 8, 64)),
      left_(Eigen::MatrixXd::Zero(padded_, block_)),
      over_pivot_(Eigen::MatrixXd::Zero(padded_, block_)),
      shift_(Eigen::VectorXd::Zero(n_)) {}

void Tableau::restart() {
    pending_ = 0;
    moved_ = false;
    shift_.setZero();
}

void Tableau::column(Eigen::Index j, Eigen::VectorXd& out) const {
    out.resize(padded_);
    if (moved_) {
        out.head(j) = matrix_.row(j).head(j).transpose();
        out.tail(padded_ - j) = matrix_.col(j).tail(padded_ - j);
    } else {
        out.head(n_) = start_->col(j);
        out.tail(padded_ - n_).setZero();
    }
    if (pending_ > 0) subtract_columns(out.data(), padded_, left_.data(), over_pivot_.data() + j, pending_);
    out(j) += shift_(j);
}

void Tableau::pivot(Eigen::Index j, const Eigen::VectorXd& c, double sign) {
    const double d = c(j);
    left_.col(pending_) = c;
    left_(j, pending_) = d - sign;
    over_pivot_.col(pending_) = left_.col(pending_) * (1.0 / d);
    shift_(j) -= 2.0 * sign;
    if (++pending_ == block_) apply();
}

void Tableau::apply() {
    if (!moved_) {
        if (matrix_.rows() != padded_) matrix_ = Eigen::MatrixXd::Zero(padded_, padded_);
        matrix_.topLeftCorner(n_, n_) = *start_;
    }
    moved_ = true;
    subtract_below(matrix_.data(), padded_, left_.data(), over_pivot_.data(), pending_);
    matrix_.diagonal().head(n_) += shift_;
    shift_.setZero();
    pending_ = 0;
}

}  // namespace faying::network
