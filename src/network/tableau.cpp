#include "tableau.hpp"

#include <algorithm>
#include <cmath>

namespace faying::network {

namespace {

using Eigen::Index;

constexpr Index height = 8, columns = 4;

/// Where panel p of the lower triangle begins: it has (p + 1) height columns of `height` rows.
Index panel_start(Index p) { return height * height * (p * (p + 1) / 2); }

/// As many numbers as the machine adds at once.
template <int lanes>
struct Register {
    using Lanes [[gnu::vector_size(lanes * sizeof(double)), gnu::aligned(8), gnu::may_alias]] = double;
};

// One source for both widths of vector register below. Each entry of a result is summed in the same order whatever the
// width, and products are not fused with sums, so the bits are the same too.

/// Lower triangle, in panels, less left right^T: `count` columns each, panels of both `stride` apart. What a panel has
/// above the diagonal is computed too and never read.
template <int lanes>
[[gnu::always_inline]] inline void subtract_below_by(double* lower, Index panels, const double* left,
                                                     const double* right, Index stride, Index count) {
    using Lanes = typename Register<lanes>::Lanes;
    for (Index p = 0; p < panels; ++p, left += stride)
        for (Index j = 0; j < (p + 1) * height; j += columns, lower += columns * height)
            for (Index top = 0; top < height; top += 2 * lanes) {
                const double *rows = left + top, *factor = right + j / height * stride + j % height;
                Lanes sum[columns][2] = {};
                for (Index k = 0; k < count; ++k, rows += height, factor += height) {
                    const Lanes low = *reinterpret_cast<const Lanes*>(rows);
                    const Lanes high = *reinterpret_cast<const Lanes*>(rows + lanes);
#pragma GCC unroll 4  // so that sums stay in registers
                    for (Index c = 0; c < columns; ++c) {
                        sum[c][0] += low * factor[c];
                        sum[c][1] += high * factor[c];
                    }
                }
#pragma GCC unroll 4
                for (Index c = 0; c < columns; ++c) {
                    double* to = lower + c * height + top;
                    *reinterpret_cast<Lanes*>(to) -= sum[c][0];
                    *reinterpret_cast<Lanes*>(to + lanes) -= sum[c][1];
                }
            }
}

/// out less `count` columns of left, each times its factor.
template <int lanes>
[[gnu::always_inline]] inline void subtract_columns_by(double* out, Index panels, const double* left,
                                                       const double* factors, Index stride, Index count) {
    using Lanes = typename Register<lanes>::Lanes;
    for (Index p = 0; p < panels; ++p, left += stride)
        for (Index top = 0; top < height; top += 2 * lanes, out += 2 * lanes) {
            const double* rows = left + top;
            Lanes low = *reinterpret_cast<const Lanes*>(out), high = *reinterpret_cast<const Lanes*>(out + lanes);
            for (Index k = 0; k < count; ++k, rows += height) {
                low -= *reinterpret_cast<const Lanes*>(rows) * factors[k];
                high -= *reinterpret_cast<const Lanes*>(rows + lanes) * factors[k];
            }
            *reinterpret_cast<Lanes*>(out) = low;
            *reinterpret_cast<Lanes*>(out + lanes) = high;
        }
}

using Below = void(double*, Index, const double*, const double*, Index, Index);
void subtract_below_by_two(double* lower, Index panels, const double* left, const double* right, Index stride,
                           Index count) {
    subtract_below_by<2>(lower, panels, left, right, stride, count);
}
void subtract_columns_by_two(double* out, Index panels, const double* left, const double* factors, Index stride,
                             Index count) {
    subtract_columns_by<2>(out, panels, left, factors, stride, count);
}
#if defined(__x86_64__) && defined(__GNUC__)
[[gnu::target("avx2")]] void subtract_below_by_four(double* lower, Index panels, const double* left,
                                                    const double* right, Index stride, Index count) {
    subtract_below_by<4>(lower, panels, left, right, stride, count);
}
[[gnu::target("avx2")]] void subtract_columns_by_four(double* out, Index panels, const double* left,
                                                      const double* factors, Index stride, Index count) {
    subtract_columns_by<4>(out, panels, left, factors, stride, count);
}
const bool wide = __builtin_cpu_supports("avx2");
Below* const subtract_below = wide ? subtract_below_by_four : subtract_below_by_two;
Below* const subtract_columns = wide ? subtract_columns_by_four : subtract_columns_by_two;
#else
Below* const subtract_below = subtract_below_by_two;
Below* const subtract_columns = subtract_columns_by_two;
#endif

/// Powers of two, so that scaling rounds nothing.
Eigen::VectorXd scales(const Eigen::MatrixXd& K) {
    Eigen::VectorXd s(K.rows());
    for (Index i = 0; i < K.rows(); ++i) s(i) = K(i, i) > 0.0 ? std::exp2(-std::round(0.5 * std::log2(K(i, i)))) : 1.0;
    return s;
}

}  // namespace

Tableau::Tableau(const Eigen::MatrixXd& K)
    : start_(&K),
      n_(K.rows()),
      panels_((n_ + height - 1) / height),
      block_(std::clamp<Index>(n_ / 14, 8, 64)),
      scale_(scales(K)),
      left_(Eigen::VectorXd::Zero(panels_ * height * block_)),
      over_pivot_(Eigen::VectorXd::Zero(panels_ * height * block_)),
      shift_(Eigen::VectorXd::Zero(n_)),
      factors_(block_) {}

void Tableau::restart() {
    pending_ = 0;
    moved_ = false;
    shift_.setZero();
}

void Tableau::column(Index j, Eigen::VectorXd& out) const {
    out.resize(panels_ * height);
    const Index own = j / height, within = j % height;
    if (moved_) {
        const double* row = lower_.data() + panel_start(own) + within;
        for (Index i = 0; i < j; ++i) out(i) = row[i * height];
        for (Index p = own; p < panels_; ++p) {
            const Index from = p == own ? within : 0;
            std::copy_n(lower_.data() + panel_start(p) + j * height + from, height - from,
                        out.data() + p * height + from);
        }
    } else {
        out.head(n_) = start_->col(j).cwiseProduct(scale_) * scale_(j);
        out.tail(out.size() - n_).setZero();
    }
    if (pending_ > 0) {
        const Index stride = block_ * height;
        const double* row = over_pivot_.data() + own * stride + within;
        for (Index k = 0; k < pending_; ++k) factors_(k) = row[k * height];
        subtract_columns(out.data(), panels_, left_.data(), factors_.data(), stride, pending_);
    }
    out(j) += shift_(j);
}

void Tableau::pivot(Index j, const Eigen::VectorXd& c, double sign) {
    const double d = c(j), one_over = 1.0 / d;
    const Index stride = block_ * height;
    for (Index p = 0; p < panels_; ++p) {
        const double* from = c.data() + p * height;
        double* left = left_.data() + p * stride + pending_ * height;
        double* over = over_pivot_.data() + p * stride + pending_ * height;
        for (Index i = 0; i < height; ++i) {
            left[i] = from[i];
            over[i] = from[i] * one_over;
        }
    }
    const Index at = j / height * stride + pending_ * height + j % height;
    left_(at) = d - sign;
    over_pivot_(at) = (d - sign) * one_over;
    shift_(j) -= 2.0 * sign;
    if (++pending_ == block_) apply();
}

void Tableau::apply() {
    if (!moved_) {
        lower_.resize(panel_start(panels_));
        double* to = lower_.data();
        for (Index p = 0; p < panels_; ++p) {
            const Index rows = std::min(height, n_ - p * height);
            for (Index j = 0; j < (p + 1) * height; ++j, to += height) {
                std::fill_n(to, height, 0.0);
                if (j >= n_) continue;
                const double* from = start_->data() + j * n_ + p * height;
                for (Index i = 0; i < rows; ++i) to[i] = from[i] * scale_(p * height + i) * scale_(j);
            }
        }
    }
    moved_ = true;
    subtract_below(lower_.data(), panels_, left_.data(), over_pivot_.data(), block_ * height, pending_);
    for (Index i = 0; i < n_; ++i) lower_(panel_start(i / height) + i * height + i % height) += shift_(i);
    shift_.setZero();
    pending_ = 0;
}

}  // namespace faying::network
