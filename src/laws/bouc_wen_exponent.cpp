#include "faying/laws/bouc_wen_exponent.hpp"

#include <array>
#include <cmath>

#include "faying/core/special.hpp"

namespace faying::laws {

namespace {

/// The four coefficients that stand beside each other: W = F |X| (w ln F + room v), E = F^2/A |X| (p ln F + q).
struct Coefficients {
    double w, v, p, q;
};

/// Any n, |X| <= 0.1: the power series, where the closed forms would cancel.
template <int n>
Coefficients by_series(double X) {
    static constexpr auto table = [] {
        std::array<Coefficients, 16> terms{};
        for (std::size_t i = 0; i < terms.size(); ++i) {
            const double k = double(i) + 1, one = k * n + 1, two = k * n + 2;
            terms[i] = {1 / (one * (one - n)), -k / (one * one), -k / (one * two), k / (one * one) - k / (two * two)};
        }
        return terms;
    }();
    Coefficients sum = table.back();
    for (std::size_t i = table.size() - 1; i-- > 0;)
        sum = {sum.w * X + table[i].w, sum.v * X + table[i].v, sum.p * X + table[i].p, sum.q * X + table[i].q};
    return sum;
}

/// n = 1.
Coefficients by_dilogarithm(const ArcPoint& at) {
    const double X = at.X, room = at.room, log_room = at.log_room;
    const double Li2 = core::dilogarithm(X, log_room);
    const double square = 1.0 / (X * X), cube = square / X;
    return {(X + room * log_room) * square, (log_room + Li2) * square, (2 * X + (2 - X) * log_room) * cube,
            (room * log_room + (2 - X) * Li2 - X) * cube};
}

/// n = 2, with x = sqrt(X): inverse hyperbolic tangent and Legendre's chi.
Coefficients by_chi(const ArcPoint& at) {
    const double x = std::sqrt(at.X), room = at.room, log_room = at.log_room;
    const double log_more = std::log1p(x), log_less = log_room - log_more;  // of 1 + x and 1 - x
    const double more = core::dilogarithm(-x, log_more), less = core::dilogarithm(x, log_less);
    const double artanh = 0.5 * (log_more - log_less), chi = 0.5 * (less - more), Li2 = 2 * (less + more);
    const double scale = 0.5 / at.X;
    return {scale / x * (x - room * artanh), -scale / x * (artanh - chi), scale / at.X * (log_room + x * artanh),
            scale / at.X * (0.5 * (log_room + Li2) + x * (artanh - chi))};
}

/// n = 2 unloading, X = -y^2: inverse tangent and its integral.
Coefficients by_inverse_tangent(const ArcPoint& at) {
    const double y = std::sqrt(-at.X), room = at.room, log_room = at.log_room;
    const auto Li2 = core::dilogarithm_imaginary(y);  // its real part is Li2(-y^2)/4
    const double arctan = std::atan(y), integral = Li2.imag();
    const double scale = -0.5 / at.X;
    return {scale / y * (room * arctan - y), -scale / y * (integral - arctan), -scale / at.X * (log_room - y * arctan),
            -scale / at.X * (0.5 * (log_room + 4 * Li2.real()) + y * (integral - arctan))};
}

}  // namespace

ExponentSlope exponent_slope(int n, double A, const ArcPoint& at) {
    const double F = at.force, size = std::abs(at.X);
    if (F == 0.0 || size == 0.0) return {};
    const bool small = size <= 0.1;
    const Coefficients c = n == 1  ? (small ? by_series<1>(at.X) : by_dilogarithm(at))
                           : small ? by_series<2>(at.X)
                                   : (at.X > 0.0 ? by_chi(at) : by_inverse_tangent(at));
    const double log_F = std::log(F);
    return {F * size * (c.w * log_F + at.room * c.v), F * F / A * size * (c.p * log_F + c.q)};
}

}  // namespace faying::laws
