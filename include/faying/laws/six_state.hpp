#pragma once
// Six-state ([S3] ch. 2): the two-state idea with a full 6x6 K, driven by *force* f and answering with the
// displacement xi = b.q. A sweeping process for z = b f - K q in the ellipsoid z.A^-1 z <= 1.
//
// With A = L L^T, e = L^-1 z lives in the unit ball; on its sphere, per unit of |df|,
//
//     de = s beta - rho M e,   rho = s e.beta/(e.M e),   beta = L^-1 b,  M = L^-1 K L^-T,   dD = rho
//
// integrated by Runge-Kutta-Fehlberg 7(8) to `tolerance`; the entry into slip is a quadratic equation. Once slipping a
// monotone path never sticks again (at e.beta = 0 its slope is |beta|^2 > 0), so there is no other event. It tends to
// e* along s M^-1 beta; once there, the rest of a path however long is a straight line. The printed matrices
// (Eqs. 2.23-2.25) are the defaults. The "gain" ODE of Eq. 2.22 tends to this law as the gain grows.

#include <array>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <string>

#include "faying/laws/parameters.hpp"
#include "faying/laws/sweeping.hpp"

namespace faying::laws {

template <class T = double>
class SixState {
 public:
    static constexpr int size = 6;
    static constexpr int triangle = size * (size + 1) / 2;
    static constexpr double tolerance = 1e-13;  ///< of the integrator, on e; bounds what cutting a path can change
    using Scalar = T;
    using Vector = std::array<T, size>;
    using Matrix = std::array<Vector, size>;  // rows
    struct Parameters {
        using Scalar = T;
        std::array<T, triangle> A, K;  ///< upper triangles, row by row
        std::array<T, size> b;
    };
    template <class U>
    using rebind = SixState<U>;
    static constexpr std::string_view key = "six-state";
    static constexpr std::string_view title = "six hidden states, driven by force";
    static constexpr std::string_view source = "[S3] ch. 2";
    static std::vector<Specimen> specimens() { return {{.values = {}, .amplitude = 1.5}}; }
    static constexpr Drive drive = Drive::force;
    static constexpr Claims claims{.cut_tolerance = 1e-9};

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t =
            entries(std::make_index_sequence<triangle>{}, std::make_index_sequence<size>{});
        return t;
    }
    static std::string why_not_admissible(const Parameters& p) {
        if (!positive_definite(symmetric(p.A))) return "A is not positive definite";
        if (!positive_definite(symmetric(p.K))) return "K is not positive definite";
        return "";
    }

    explicit SixState(const Parameters& p)
        : p_(p), K_(symmetric(p.K)), L_(cholesky(symmetric(p.A))), root_K_(cholesky(K_)), beta_(forward(L_, p.b)) {
        Matrix half;  // L^-1 K, row by row of its transpose
        for (int i = 0; i < size; ++i) half[i] = forward(L_, K_[i]);
        for (int i = 0; i < size; ++i) {
            Vector column;
            for (int j = 0; j < size; ++j) column[j] = half[j][i];
            M_[i] = forward(L_, column);
        }
    }
    Parameters parameters() const { return p_; }

    struct State {
        T force{};        ///< the input
        Vector e{}, q{};  ///< q, the thesis' state, moves only in slip
        T dissipated{};
    };
    State virgin() const { return {}; }

    /// The virgin law sticks for |f| below this.
    T stick_half_width() const {
        using std::sqrt;
        return 1.0 / sqrt(dot(beta_, beta_));
    }

    /// u here is the prescribed force; the step's `force` is the displacement xi and `tangent` the compliance.
    Step<T, State> step(State z, const T& u) const {
        const T run = u - z.force;
        const double s = value(run) < 0 ? -1.0 : 1.0;
        const T distance = s * run;
        z.force = u;
        const T free_run = distance_to_sphere<T>(s * dot(z.e, beta_), dot(beta_, beta_), 1.0 - dot(z.e, z.e));
        if (distance <= free_run) {
            for (int i = 0; i < size; ++i) z.e[i] += beta_[i] * run;
            return finish(z, T(0.0));
        }
        for (int i = 0; i < size; ++i) z.e[i] += s * free_run * beta_[i];
        slide(z, distance - free_run, s);
        z.q = backward(root_K_, forward(root_K_, load(z)));  // K^-1 (b f - z)
        // d xi = b.dq, dq = rho A^-1 z |df|: b.A^-1 z = beta.e
        const T along = dot(beta_, z.e);
        return finish(z, along * along / dot(z.e, times(M_, z.e)));
    }

 private:
    Parameters p_;
    Matrix K_, L_, root_K_, M_;
    Vector beta_;

    static T dot(const Vector& x, const Vector& y) {
        T sum(0.0);
        for (int i = 0; i < size; ++i) sum += x[i] * y[i];
        return sum;
    }
    static Vector times(const Matrix& m, const Vector& x) {
        Vector y;
        for (int i = 0; i < size; ++i) y[i] = dot(m[i], x);
        return y;
    }
    static Matrix symmetric(const std::array<T, triangle>& upper) {
        Matrix m;
        int k = 0;
        for (int i = 0; i < size; ++i)
            for (int j = i; j < size; ++j) m[i][j] = m[j][i] = upper[k++];
        return m;
    }
    static Matrix cholesky(const Matrix& A) {  // lower triangle; a non-positive pivot leaves NaN
        using std::sqrt;
        Matrix L{};
        for (int j = 0; j < size; ++j)
            for (int i = j; i < size; ++i) {
                T sum = A[i][j];
                for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
                L[i][j] = i == j ? T(sqrt(sum)) : T(sum / L[j][j]);
            }
        return L;
    }
    static bool positive_definite(const Matrix& A) {
        const Matrix L = cholesky(A);
        for (int i = 0; i < size; ++i)
            if (!(value(L[i][i]) > 0.0)) return false;
        return true;
    }
    static Vector forward(const Matrix& L, Vector x) {
        for (int i = 0; i < size; ++i) {
            for (int k = 0; k < i; ++k) x[i] -= L[i][k] * x[k];
            x[i] = x[i] / L[i][i];
        }
        return x;
    }
    static Vector backward(const Matrix& L, Vector x) {  // L^-T x
        for (int i = size - 1; i >= 0; --i) {
            for (int k = i + 1; k < size; ++k) x[i] -= L[k][i] * x[k];
            x[i] = x[i] / L[i][i];
        }
        return x;
    }
    Vector load(const State& z) const {  // b f - L e = K q
        Vector x;
        for (int i = 0; i < size; ++i) x[i] = p_.b[i] * z.force - dot(L_[i], z.e);
        return x;
    }

    /// State of the integrator: e and the dissipation.
    using Flow = std::array<T, size + 1>;

    /// dx for a unit of |df|.
    void rate(const Vector& drive, const Flow& x, Flow& dx) const {
        T along(0.0), square(0.0);
        for (int i = 0; i < size; ++i) {
            T turned = M_[i][0] * x[0];
            for (int j = 1; j < size; ++j) turned += M_[i][j] * x[j];
            along += drive[i] * x[i];
            square += turned * x[i];
            dx[i] = turned;
        }
        const T rho = along / square;
        for (int i = 0; i < size; ++i) dx[i] = drive[i] - rho * dx[i];
        dx[size] = rho;
    }

    /// Along the sphere; steps are chosen by the values, and derivatives belong to the same steps.
    void slide(State& z, const T& distance, double s) const {
        boost::numeric::odeint::runge_kutta_fehlberg78<Flow> stepper;
        Vector drive;
        for (int i = 0; i < size; ++i) drive[i] = s * beta_[i];
        const auto system = [&](const Flow& x, Flow& dx, double) { rate(drive, x, dx); };
        Flow x, next, error;
        for (int i = 0; i < size; ++i) x[i] = z.e[i];
        x[size] = T(0.0);
        const Vector rest = direction_at_rest(s);
        const double length = value(distance), unit = value(stick_half_width());
        double at = 0.0, h = std::min(length, 0.1 * unit);
        while (at < length && !arrived(x, rest)) {
            h = std::min(h, length - at);
            stepper.do_step(system, x, 0.0, next, h, error);
            double excess = 0.0;  // in tolerances
            for (int i = 0; i <= size; ++i)
                excess = std::max(excess, std::abs(value(error[i])) / (tolerance * (1.0 + std::abs(value(next[i])))));
            if (excess <= 1.0) {
                at += h;
                x = next;
                normalise(x);
                h *= std::min(5.0, 0.9 * std::pow(std::max(excess, 1e-9), -1.0 / 8));
            } else {
                h *= std::max(0.2, 0.9 * std::pow(excess, -1.0 / 7));
                if (!(h >= 1e-14 * std::min(length, unit)))
                    throw core::NotConverged("six-state: the slip integrator cannot meet its tolerance", h);
            }
        }
        z.dissipated += x[size];
        if (at < length) {
            z.e = rest;
            z.dissipated += s * dot(rest, beta_) / dot(rest, times(M_, rest)) * (distance - at);
            return;
        }
        for (int i = 0; i < size; ++i) z.e[i] = x[i];
        if constexpr (is_dual<T>) {  // the end moves with the distance
            Flow dx;
            rate(drive, x, dx);
            for (int i = 0; i < size; ++i) z.e[i] += dx[i] * (distance - length);
            z.dissipated += dx[size] * (distance - length);
        }
    }

    /// e*, where beta and M e are parallel.
    Vector direction_at_rest(double s) const {
        using std::sqrt;
        // M^-1 beta = L^T K^-1 L L^-1 b = L^T K^-1 b
        const Vector pulled = backward(root_K_, forward(root_K_, p_.b));
        Vector e;
        for (int i = 0; i < size; ++i) {
            e[i] = T(0.0);
            for (int j = i; j < size; ++j) e[i] += L_[j][i] * pulled[j];
        }
        const T scale = s / sqrt(dot(e, e));
        for (T& component : e) component = component * scale;
        return e;
    }

    static bool arrived(const Flow& x, const Vector& rest) {
        for (int i = 0; i < size; ++i)
            if (std::abs(value(x[i]) - value(rest[i])) > 4.0 * tolerance) return false;
        return true;
    }

    static void normalise(Flow& x) {
        using std::sqrt;
        T sum(0.0);
        for (int i = 0; i < size; ++i) sum += x[i] * x[i];
        const T scale = 1.0 / sqrt(sum);
        for (int i = 0; i < size; ++i) x[i] = x[i] * scale;
    }

    Step<T, State> finish(const State& z, const T& compliance) const {
        const T stored = 0.5 * dot(z.q, times(K_, z.q));
        return {dot(p_.b, z.q), compliance, stored + z.dissipated, z.dissipated, z};
    }

    template <std::size_t... I, std::size_t... J>
    static core::ParameterTable<Parameters> entries(std::index_sequence<I...>, std::index_sequence<J...>) {
        static constexpr std::array<double, triangle> printed_A = {
            69.7660, -16.7609, 5.0974,  -0.4140, 6.0795,  0.0735, 54.7643, 21.1285, -11.5050, 9.9094, 1.1897,
            53.1705, 29.9240,  -1.0899, 1.6273,  60.6932, 0.2900, -1.1642, 79.8739, 0.7324,   83.5902};
        static constexpr std::array<double, triangle> printed_K = {
            0.3887, 0.5313,  -0.1284, 0.0080, -0.0117, 0.0328, 1.2884,  -0.5771, -0.0405, -0.3183, 0.0362,
            1.3397, -0.9649, 0.1496,  0.0970, 1.4136,  0.2534, -0.1983, 1.1416,  -0.2764, 1.1035};
        static constexpr std::array<double, size> printed_b = {-25.6657, -25.5468, 8.7604, -0.9557, 1.6718, 0.1085};
        const auto name = [](const char* matrix, int k) {
            int i = 0;
            while (k >= size - i) k -= size - i++;
            return matrix + std::to_string(i + 1) + std::to_string(i + k + 1);
        };
        using core::Scale;
        return {
            core::element<&Parameters::A, I>(name("A", I), name("A_", I), "", core::any_real, Scale::linear,
                                             "friction ellipsoid", printed_A[I])...,
            core::element<&Parameters::K, I>(name("K", I), name("K_", I), "", core::any_real, Scale::linear,
                                             "stiffness of the hidden states", printed_K[I])...,
            core::element<&Parameters::b, J>("b" + std::to_string(J + 1), "b_" + std::to_string(J + 1), "",
                                             core::any_real, Scale::linear, "coupling to the force", printed_b[J])...};
    }
};

}  // namespace faying::laws
