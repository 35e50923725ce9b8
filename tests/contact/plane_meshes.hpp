#pragma once
// Decks of plane bodies on graded grids of second-order elements, for contact that has closed forms.

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace faying::tests {

/// From a to b in n steps, each `ratio` times the one before.
inline std::vector<double> graded(double a, double b, int n, double ratio) {
    std::vector<double> x{a};
    const double first = ratio == 1 ? (b - a) / n : (b - a) * (1 - ratio) / (1 - std::pow(ratio, n));
    double step = first;
    for (int k = 1; k <= n; ++k, step *= ratio) x.push_back(k == n ? b : x.back() + step);
    return x;
}

/// One after the other, the shared ends once.
inline std::vector<double> joined(const std::vector<std::vector<double>>& parts) {
    std::vector<double> all = parts[0];
    for (std::size_t k = 1; k < parts.size(); ++k) all.insert(all.end(), parts[k].begin() + 1, parts[k].end());
    return all;
}

inline std::vector<double> mirrored(const std::vector<double>& positive) {
    std::vector<double> all;
    for (auto x = positive.rbegin(); x != positive.rend(); ++x)
        if (*x > 0) all.push_back(-*x);
    all.insert(all.end(), positive.begin(), positive.end());
    return all;
}

/// Grids of eight-node quadrilaterals; grids may share nodes.
class PlaneDeck {
 public:
    using Place = std::function<std::pair<double, double>(double, double)>;
    /// Number of a node that is there already for this point of the grid, or 0.
    using Shared = std::function<int(double, double)>;

    struct Grid {
        std::vector<double> xs, ys;
        std::map<std::pair<int, int>, int> node;     ///< by half steps
        std::map<std::pair<int, int>, int> element;  ///< by steps
        int nx() const { return int(xs.size()) - 1; }
        int ny() const { return int(ys.size()) - 1; }
        double x(int i) const {
            return i % 2 ? 0.5 * (xs[std::size_t(i / 2)] + xs[std::size_t(i / 2 + 1)]) : xs[std::size_t(i / 2)];
        }
        double y(int j) const {
            return j % 2 ? 0.5 * (ys[std::size_t(j / 2)] + ys[std::size_t(j / 2 + 1)]) : ys[std::size_t(j / 2)];
        }
    };

    explicit PlaneDeck(std::string type) : type_(std::move(type)) {}

    Grid add(
        const std::vector<double>& xs, const std::vector<double>& ys, const Place& place,
        const Shared& shared = [](double, double) { return 0; }) {
        Grid g{xs, ys, {}, {}};
        for (int j = 0; j <= 2 * g.ny(); ++j)
            for (int i = 0; i <= 2 * g.nx(); ++i) {
                if (i % 2 && j % 2) continue;
                int id = shared(g.x(i), g.y(j));
                if (id == 0) {
                    id = ++nodes_;
                    const auto [x, y] = place(g.x(i), g.y(j));
                    node_text_ += fmt::format("{}, {:.17g}, {:.17g}\n", id, x, y);
                }
                g.node[{i, j}] = id;
            }
        for (int j = 0; j < g.ny(); ++j)
            for (int i = 0; i < g.nx(); ++i) {
                g.element[{i, j}] = ++elements_;
                element_text_ += fmt::format("{}", elements_);
                constexpr int corner[8][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}};
                for (const auto& c : corner) element_text_ += fmt::format(", {}", g.node[{2 * i + c[0], 2 * j + c[1]}]);
                element_text_ += "\n";
            }
        return g;
    }

    /// Elements of a row of a grid and one of their faces: 1 below, 2 right, 3 above, 4 left.
    void surface(const std::string& name, const std::vector<int>& elements, int face) {
        text_ += fmt::format("*SURFACE, NAME={}, TYPE=ELEMENT\n", name);
        for (int e : elements) text_ += fmt::format("{}, S{}\n", e, face);
    }
    void line(const std::string& text) { text_ += text + "\n"; }

    std::string text(double young, double poisson, double thickness) const {
        return "*HEADING\nplane contact\n*NODE, NSET=ALL\n" + node_text_ +
               fmt::format("*ELEMENT, TYPE={}, ELSET=BODY\n", type_) + element_text_ +
               fmt::format(
                   "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n{:.17g}\n*MATERIAL, NAME=M\n*ELASTIC\n{:.17g}, "
                   "{:.17g}\n*DENSITY\n1.\n",
                   thickness, young, poisson) +
               text_;
    }

 private:
    std::string type_, node_text_, element_text_, text_;
    int nodes_ = 0, elements_ = 0;
};

/// Elements of a grid's row j (or column i) whose middle satisfies `in`.
inline std::vector<int> row_of(
    const PlaneDeck::Grid& g, int j, const std::function<bool(double)>& in = [](double) { return true; }) {
    std::vector<int> all;
    for (int i = 0; i < g.nx(); ++i)
        if (in(g.x(2 * i + 1))) all.push_back(g.element.at({i, j}));
    return all;
}
inline std::vector<int> column_of(const PlaneDeck::Grid& g, int i) {
    std::vector<int> all;
    for (int j = 0; j < g.ny(); ++j) all.push_back(g.element.at({i, j}));
    return all;
}

/// A crack on y = 0, |x| < a, in the middle of a square of half-width w; `n` elements of half a crack, finer at the tip.
/// With `apart` two of them, their middles at x = +-apart. Surfaces UPPER, LOWER (the cracks), LEFT, RIGHT, TOP, BOTTOM.
inline std::string cracked_square(double a, double w, int n, double young, double poisson, double thickness,
                                  double apart = 0) {
    PlaneDeck deck("CPS8");
    const double finest = 0.8;  // ratio of steps towards the tip
    const auto inside = graded(0, a, n, finest);
    const double last = inside[std::size_t(n)] - inside[std::size_t(n - 1)];
    const int far = std::max(8, int(std::log((w - a) / last * 0.4) / std::log(1.4)));
    std::vector<double> positive = inside;
    if (apart > 0) {  // from the middle of the plate to the near tip, the crack
        positive = graded(0, apart - a, far, 1 / 1.4);
        const auto crack = mirrored(inside);
        for (std::size_t k = 1; k < crack.size(); ++k) positive.push_back(apart + crack[k]);
    }
    const auto xs = mirrored(joined({positive, graded(apart + a, w, far, 1.4)}));
    const auto above = graded(0, w, far, 1.4);
    std::vector<double> below;
    for (auto y = above.rbegin(); y != above.rend(); ++y) below.push_back(-*y);
    const auto plain = [](double x, double y) { return std::pair{x, y}; };
    const auto upper = deck.add(xs, above, plain);
    std::map<long, int> bottom;  // of the upper grid, by x
    for (int i = 0; i <= 2 * upper.nx(); ++i) bottom[std::lround(1e9 * upper.x(i) / w)] = upper.node.at({i, 0});
    const auto lower = deck.add(xs, below, plain, [&](double x, double y) {
        return y == 0 && std::abs(std::abs(x) - apart) > a * (1 - 1e-9) ? bottom.at(std::lround(1e9 * x / w)) : 0;
    });
    const auto on_crack = [=](double x) { return std::abs(std::abs(x) - apart) < a; };
    deck.surface("UPPER", row_of(upper, 0, on_crack), 1);
    deck.surface("LOWER", row_of(lower, lower.ny() - 1, on_crack), 3);
    deck.surface("TOP", row_of(upper, upper.ny() - 1), 3);
    deck.surface("BOTTOM", row_of(lower, 0), 1);
    auto left = column_of(upper, 0), right = column_of(upper, upper.nx() - 1);
    for (int e : column_of(lower, 0)) left.push_back(e);
    for (int e : column_of(lower, lower.nx() - 1)) right.push_back(e);
    deck.surface("LEFT", left, 4);
    deck.surface("RIGHT", right, 2);
    deck.line(fmt::format("*BOUNDARY\n{}, 1, 2\n{}, 2", lower.node.at({0, 0}), lower.node.at({2 * lower.nx(), 0})));
    return deck.text(young, poisson, thickness);
}

/// Two bodies with round faces of radius r on each other, plane strain; n elements over the half-width a expected. The
/// lower stands on its bottom, the upper's top moves as one: node set GRIP. Surfaces ABOVE and BELOW touch.
inline std::string two_cylinders(double a, double r, double size, int n, double young, double poisson) {
    PlaneDeck deck("CPE8");
    const double step = a / n, wide = 1.4;
    const int near = int(std::lround(wide * n));
    const int far = std::max(4, int(std::log((size - wide * a) / step * 0.3 + 1) / std::log(1.3)));
    const auto xs = mirrored(joined({graded(0, wide * a, near, 1), graded(wide * a, size, far, 1.3)}));
    const auto up = joined({graded(0, 0.5 * a, n / 2, 1), graded(0.5 * a, size, far + 2, 1.3)});
    const auto place = [&](double sign) {
        return [=](double x, double y) {
            const double face = x * x / (2 * r);
            return std::pair{x, sign * (face + y * (size - face) / size)};
        };
    };
    const auto upper = deck.add(xs, up, place(1));
    std::vector<double> down;  // from the bottom up, so that elements stay right side out
    for (auto y = up.rbegin(); y != up.rend(); ++y) down.push_back(-*y);
    const auto lower = deck.add(xs, down, [&](double x, double y) { return place(-1)(x, -y); });
    deck.surface("ABOVE", row_of(upper, 0), 1);
    deck.surface("BELOW", row_of(lower, lower.ny() - 1), 3);
    std::string grip, bottom;
    const int head = upper.node.at({0, 2 * upper.ny()});
    deck.line("*BOUNDARY");
    for (int i = 0; i <= 2 * lower.nx(); ++i) deck.line(fmt::format("{}, 1, 2", lower.node.at({i, 0})));
    for (int i = 1; i <= 2 * upper.nx(); ++i)
        for (int d = 1; d <= 2; ++d)
            deck.line(
                fmt::format("*EQUATION\n2\n{}, {}, 1., {}, {}, -1.", upper.node.at({i, 2 * upper.ny()}), d, head, d));
    deck.line(fmt::format("*NSET, NSET=GRIP\n{}", head));
    return deck.text(young, poisson, 1);
}

}  // namespace faying::tests
