#pragma once
// [S3] chapter 5 for any m: the slip direction by a formula that is right for small c, for large c, and where a long way
// up ends, in the axes of A (a_1 the smallest),
//
//     eta ~ -sgn(c_1) e_1 + Q c - |c| c,    c = K q - b f,    Q diagonal so that eta is along K^-1 b at c_s,
//     c_s = -A eta_s/S,  S = sqrt(eta_s.A eta_s),  eta_s = K^-1 b/|K^-1 b|,
//     Q_j = |c_s| - (1 + 10 |c_s| + |c_s|^2) S/a_j + [j = 1]/|c_s1|
//
// ([S3] has m = 2 and K = alpha I), and the thesis' increment along it (Eqs. 3.20-3.24):
//
//     ds = max(0, (eta.b df - y)/(eta.K eta)),   y = sqrt(eta.A eta) + eta.c,   q += eta ds.

#include <Eigen/Dense>
#include <string>

#include "faying/network/m_state.hpp"

namespace faying::network {

struct FormulaSlip {
    Ellipsoid given;
    Eigen::MatrixXd axes, K;  ///< columns: axes of A; K in them
    Eigen::VectorXd a, b, Q;
    double longest = 0;  ///< increment

    FormulaSlip(const Ellipsoid& e, const std::string& where);

    /// q in the axes of A from one load straight to another; gives what is dissipated and the last compliance.
    template <class T>
    struct Moved {
        T dissipated{}, slope{};
    };
    template <class T>
    Moved<T> move(std::vector<T>& q, const T& from, const T& to) const {
        using std::sqrt;
        const std::size_t m = q.size();
        const auto at = [](std::size_t i) { return Eigen::Index(i); };
        const double way = std::abs(laws::value(to) - laws::value(from));
        const int pieces = std::max(1, int(std::ceil(way / longest)));
        Moved<T> moved;
        std::vector<T> c(m), eta(m), pull(m);
        for (int k = 0; k < pieces; ++k) {
            const T f = from + (to - from) * (double(k) / pieces), df = (to - from) * (1.0 / pieces);
            T norm(0.0);
            bool rests = true;
            for (std::size_t i = 0; i < m; ++i) {
                c[i] = -b(at(i)) * f;
                for (std::size_t j = 0; j < m; ++j) c[i] += K(at(i), at(j)) * q[j];
                norm += c[i] * c[i];
                rests = rests && laws::value(c[i]) == 0.0;
            }
            moved.slope = T(0.0);
            if (rests) continue;  // c = 0 cannot slip and has no direction
            norm = sqrt(norm);
            T size(0.0);
            for (std::size_t i = 0; i < m; ++i) {
                eta[i] = (Q(at(i)) - norm) * c[i];
                if (i == 0) eta[i] -= laws::value(c[0]) < 0 ? -1.0 : laws::value(c[0]) > 0 ? 1.0 : 0.0;
                size += eta[i] * eta[i];
            }
            size = sqrt(size);
            T friction(0.0), along(0.0), drive(0.0), stiff(0.0);
            for (std::size_t i = 0; i < m; ++i) eta[i] = eta[i] / size;
            for (std::size_t i = 0; i < m; ++i) {
                friction += a(at(i)) * eta[i] * eta[i];
                along += eta[i] * c[i];
                drive += eta[i] * b(at(i));
                for (std::size_t j = 0; j < m; ++j) stiff += K(at(i), at(j)) * eta[i] * eta[j];
            }
            friction = sqrt(friction);
            const T ds = (drive * df - friction - along) / stiff;
            if (!(laws::value(ds) > 0.0)) continue;
            for (std::size_t i = 0; i < m; ++i) q[i] += eta[i] * ds;
            moved.dissipated += friction * ds;
            moved.slope = drive * drive / stiff;
        }
        return moved;
    }
};

}  // namespace faying::network
