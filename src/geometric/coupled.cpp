#include "faying/geometric/coupled.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/laws/coupled_polynomial.hpp"

namespace faying::geometric {

namespace {

/// Directions spread over a half circle or a half sphere (the other half says the same again).
std::vector<VectorXd> directions(Index modes, int order) {
    std::vector<VectorXd> all;
    if (modes == 2) {
        const int count = 2 * order + 3;
        for (int i = 0; i < count; ++i) {
            const double angle = std::numbers::pi * (i + 0.3) / count;
            all.push_back(Eigen::Vector2d(std::cos(angle), std::sin(angle)));
        }
        return all;
    }
    const int count = 2 * (order + 1) * (order + 2) / 2 + 3;
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    for (int i = 0; i < count; ++i) {
        const double z = (i + 0.5) / count, around = golden * i, r = std::sqrt(1 - z * z);
        all.push_back(Eigen::Vector3d(r * std::cos(around), r * std::sin(around), z));
    }
    return all;
}

double monomial(const std::vector<int>& powers, const VectorXd& c) {
    double x = 1;
    for (std::size_t i = 0; i < powers.size(); ++i) x *= std::pow(c(static_cast<Index>(i)), powers[i]);
    return x;
}

template <std::size_t N>
std::vector<std::vector<int>> powers_to(int order) {
    std::vector<std::vector<int>> all;
    for (const auto& p : laws::CoupledPolynomial<N>::powers) {
        int degree = 0;
        for (const int x : p) degree += x;
        if (degree <= order + 1) all.emplace_back(p.begin(), p.end());
    }
    return all;
}

}  // namespace

std::string name_of(const std::vector<int>& powers) {
    std::string name = "v";
    for (const int p : powers) name += std::to_string(p);
    return name;
}

CoupledTaylor coupled_taylor(const System& system, const Rest& rest, const std::vector<Mode>& modes, int order,
                             const std::function<void(double)>& done) {
    const auto count = static_cast<Index>(modes.size());
    if (count < 2 || count > 3) throw core::BadInput("modes", "two or three are condensed onto together");
    const int highest = count == 2 ? laws::CoupledPolynomial<2>::degree - 1 : laws::CoupledPolynomial<3>::degree - 1;
    if (order < 2 || order > highest)
        throw core::BadInput("order", fmt::format("{} is not within 2 and {}, for {} modes", order, highest, count));
    CoupledTaylor made;
    made.order = order;
    made.powers = count == 2 ? powers_to<2>(order) : powers_to<3>(order);
    made.v = VectorXd::Zero(static_cast<Index>(made.powers.size()));
    // Amplitudes at which the modes hold as much energy: coefficients of one order are then of one size.
    VectorXd size(count);
    for (Index r = 0; r < count; ++r) {
        made.omega.push_back(modes[static_cast<std::size_t>(r)].omega);
        size(r) = made.omega.front() / made.omega.back();
    }
    const auto ways = directions(count, order);
    const DirectedTaylor condenser(system, rest, modes);
    std::vector<MatrixXd> k;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        auto series = condenser.along(size.cwiseProduct(ways[i]), order);
        k.push_back(std::move(series.k));
        made.residual = std::max(made.residual, series.residual);
        if (done) done(double(i + 1) / double(ways.size()));
    }
    double reach =
        std::numeric_limits<double>::infinity();  // amplitude at which an order is as large as the linear part
    std::vector<double> missed;                   // of each order, root mean square
    for (int j = 2; j <= order; ++j) {
        std::vector<Index> terms;
        for (std::size_t t = 0; t < made.powers.size(); ++t) {
            int degree = 0;
            for (const int p : made.powers[t]) degree += p;
            if (degree == j + 1) terms.push_back(static_cast<Index>(t));
        }
        // size_r alpha_r = d/dc_r of Sum v_p (size c)^p: one unknown per term, of a size.
        const auto rows = static_cast<Index>(ways.size()) * count;
        MatrixXd a = MatrixXd::Zero(rows, static_cast<Index>(terms.size()));
        VectorXd b(rows);
        for (std::size_t i = 0; i < ways.size(); ++i)
            for (Index r = 0; r < count; ++r) {
                const Index row = static_cast<Index>(i) * count + r;
                b(row) = size(r) * k[i](r, j);
                for (std::size_t t = 0; t < terms.size(); ++t) {
                    auto powers = made.powers[static_cast<std::size_t>(terms[t])];
                    int& own = powers[static_cast<std::size_t>(r)];
                    if (own == 0) continue;
                    const double times = own--;
                    a(row, static_cast<Index>(t)) = times * monomial(powers, ways[i]);
                }
            }
        const VectorXd x = a.colPivHouseholderQr().solve(b);
        const double per = 1 / std::sqrt(double(rows)), linear = std::pow(made.omega.front(), 2);
        missed.push_back((a * x - b).norm() * per / linear);
        if (!b.isZero(0)) reach = std::min(reach, std::pow(linear / (b.norm() * per), 1.0 / (j - 1)));
        for (std::size_t t = 0; t < terms.size(); ++t)
            made.v(terms[t]) =
                x(static_cast<Index>(t)) / monomial(made.powers[static_cast<std::size_t>(terms[t])], size);
    }
    for (std::size_t i = 0; i < missed.size(); ++i)
        if (missed[i] > 0) made.disagreement = std::max(made.disagreement, missed[i] * std::pow(reach, double(i + 1)));
    return made;
}

std::string model_text(const CoupledTaylor& condensed, const std::string& remark) {
    const std::size_t n = condensed.omega.size();
    const auto diagonal = [&](const auto& value) {
        std::string rows = "[";
        for (std::size_t i = 0; i < n; ++i) {
            rows += i > 0 ? ", [" : "[";
            for (std::size_t j = 0; j < n; ++j)
                rows += fmt::format("{}{:.16e}", j > 0 ? ", " : "", i == j ? value(i) : 0.0);
            rows += "]";
        }
        return rows + "]";
    };
    std::string text = "# " + remark + "\n[structure]\nmass = " + diagonal([](std::size_t) { return 1.0; }) +
                       "\nstiffness = " + diagonal([&](std::size_t i) { return std::pow(condensed.omega[i], 2); }) +
                       fmt::format("\n\n[[joint]]\nlaw = \"coupled-polynomial-{}\"\ndofs = [", n);
    for (std::size_t i = 0; i < n; ++i) text += fmt::format("{}[{}]", i > 0 ? ", " : "", i + 1);
    text += "]\n[joint.parameters]\n";
    for (std::size_t t = 0; t < condensed.powers.size(); ++t)
        text += fmt::format("{} = {:.16e}\n", name_of(condensed.powers[t]), condensed.v(static_cast<Index>(t)));
    return text;
}

void add_coupled_polynomials() {
    laws::add_law<laws::CoupledPolynomial<2>>();
    laws::add_law<laws::CoupledPolynomial<3>>();
}

}  // namespace faying::geometric
