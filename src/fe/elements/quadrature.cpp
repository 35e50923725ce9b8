#include "faying/fe/quadrature.hpp"

#include <array>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace faying::fe {

namespace {

using Points = std::vector<QuadraturePoint>;

Points line(int n) {
    const double a = std::sqrt(1.0 / 3.0), b = std::sqrt(0.6);
    const std::vector<std::pair<double, double>> gauss =
        n == 1   ? std::vector<std::pair<double, double>>{{0.0, 2.0}}
        : n == 2 ? std::vector<std::pair<double, double>>{{-a, 1.0}, {a, 1.0}}
                 : std::vector<std::pair<double, double>>{{-b, 5.0 / 9.0}, {0.0, 8.0 / 9.0}, {b, 5.0 / 9.0}};
    Points p;
    for (const auto& [x, w] : gauss) p.push_back({{x, 0, 0}, w});
    return p;
}

/// `base` in its first coordinates times a line rule in coordinate `axis`; `base` runs fastest.
Points times_line(const Points& base, int n, int axis) {
    Points p;
    for (const auto& along : line(n))
        for (auto q : base) {
            q.xi[axis] = along.xi[0];
            q.weight *= along.weight;
            p.push_back(q);
        }
    return p;
}

Points quad(int n) { return times_line(line(n), n, 1); }
Points hex(int n) { return times_line(quad(n), n, 2); }

/// The points of barycentric (1 - 2a, a, a) and its turns, each of the given share of the area.
void add_triangle_orbit(Points& p, double a, double share) {
    const double c = 1 - 2 * a;
    p.push_back({{a, a, 0}, 0.5 * share});
    p.push_back({{c, a, 0}, 0.5 * share});
    p.push_back({{a, c, 0}, 0.5 * share});
}

Points tri(int n) {
    Points p;
    if (n == 1) p.push_back({{1.0 / 3.0, 1.0 / 3.0, 0}, 0.5});
    if (n == 3) add_triangle_orbit(p, 1.0 / 6.0, 1.0 / 3.0);
    if (n == 6) {  // D. A. Dunavant, IJNME 21 (1985) 1129, degree 4, in closed form
        const double root = std::sqrt(38 - 44 * std::sqrt(0.4)), share = std::sqrt(213125 - 53320 * std::sqrt(10.0));
        add_triangle_orbit(p, (8 - std::sqrt(10.0) + root) / 18, (620 + share) / 3720);
        add_triangle_orbit(p, (8 - std::sqrt(10.0) - root) / 18, (620 - share) / 3720);
    }
    return p;
}

/// Barycentric (1 - 3a, a, a, a) and its turns.
void add_vertex_orbit(Points& p, double a, double share) {
    const double w = share / 6, c = 1 - 3 * a;
    p.push_back({{a, a, a}, w});
    p.push_back({{c, a, a}, w});
    p.push_back({{a, c, a}, w});
    p.push_back({{a, a, c}, w});
}

Points tet(int n) {
    Points p;
    if (n == 1) p.push_back({{0.25, 0.25, 0.25}, 1.0 / 6.0});
    if (n == 4) add_vertex_orbit(p, (5 - std::sqrt(5.0)) / 20, 0.25);
    if (n == 15) {  // A. H. Stroud, Approximate Calculation of Multiple Integrals (1971), T3:5-1
        const double s = std::sqrt(15.0);
        p.push_back({{0.25, 0.25, 0.25}, 16.0 / 135.0 / 6.0});
        add_vertex_orbit(p, (7 - s) / 34, (2665 + 14 * s) / 37800);
        add_vertex_orbit(p, (7 + s) / 34, (2665 - 14 * s) / 37800);
        const double a = (10 - 2 * s) / 40, c = (10 + 2 * s) / 40, w = 10.0 / 189.0 / 6.0;
        for (const Eigen::Vector3d& xi : {Eigen::Vector3d(a, a, c), Eigen::Vector3d(a, c, a), Eigen::Vector3d(c, a, a),
                                          Eigen::Vector3d(a, c, c), Eigen::Vector3d(c, a, c), Eigen::Vector3d(c, c, a)})
            p.push_back({xi, w});
    }
    return p;
}

Points make(Rule rule) {
    switch (rule) {
        case Rule::line1: return line(1);
        case Rule::line2: return line(2);
        case Rule::line3: return line(3);
        case Rule::tri1: return tri(1);
        case Rule::tri3: return tri(3);
        case Rule::tri6: return tri(6);
        case Rule::quad1: return quad(1);
        case Rule::quad4: return quad(2);
        case Rule::quad9: return quad(3);
        case Rule::tet1: return tet(1);
        case Rule::tet4: return tet(4);
        case Rule::tet15: return tet(15);
        case Rule::wedge2: return times_line(tri(1), 2, 2);
        case Rule::wedge9: return times_line(tri(3), 3, 2);
        case Rule::wedge18: return times_line(tri(6), 3, 2);
        case Rule::hex1: return hex(1);
        case Rule::hex8: return hex(2);
        case Rule::hex27: return hex(3);
    }
    throw std::logic_error("unknown quadrature rule");
}

Tabulation tabulate(Shape shape, Rule rule) {
    const auto& points = quadrature(rule);
    const auto n = static_cast<Eigen::Index>(points.size());
    Tabulation t{Eigen::MatrixXd(node_count(shape), n), {}, Eigen::VectorXd(n)};
    for (Eigen::Index p = 0; p < n; ++p) {
        const auto& point = points[static_cast<std::size_t>(p)];
        auto s = shape_functions(shape, point.xi);
        t.value.col(p) = s.value;
        t.gradient.push_back(std::move(s.gradient));
        t.weight[p] = point.weight;
    }
    return t;
}

constexpr std::size_t shapes = static_cast<std::size_t>(Shape::hex20) + 1;
constexpr std::size_t rules = static_cast<std::size_t>(Rule::hex27) + 1;

}  // namespace

const std::vector<QuadraturePoint>& quadrature(Rule rule) {
    static const std::array<Points, rules> all = [] {
        std::array<Points, rules> a;
        for (std::size_t i = 0; i < rules; ++i) a[i] = make(static_cast<Rule>(i));
        return a;
    }();
    return all[static_cast<std::size_t>(rule)];
}

const Tabulation& tabulated(Shape shape, Rule rule) {
    static std::array<std::once_flag, shapes * rules> made;
    static std::array<Tabulation, shapes * rules> tables;
    const std::size_t i = static_cast<std::size_t>(shape) * rules + static_cast<std::size_t>(rule);
    std::call_once(made[i], [&] { tables[i] = tabulate(shape, rule); });
    return tables[i];
}

}  // namespace faying::fe
