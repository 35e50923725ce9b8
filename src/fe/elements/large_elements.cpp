#include "faying/fe/large_elements.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "kernel.hpp"

namespace faying::fe {

struct LargeElements::Block {
    virtual ~Block() = default;
    virtual std::size_t size() const = 0;
    virtual int dofs() const = 0;
    virtual double energy(std::size_t e, const In& u) const = 0;
    virtual void force(std::size_t e, const In& u, Out f) const = 0;
    virtual void linear(std::size_t e, const In& u, Out f) const = 0;
    virtual void quadratic(std::size_t e, const In& u, const In& v, Out f) const = 0;
    virtual void cubic(std::size_t e, const In& u, const In& v, const In& w, Out f) const = 0;
    virtual void tangent(std::size_t e, const In& u, Eigen::Ref<Eigen::MatrixXd> k) const = 0;
    virtual void series(std::size_t e, const Eigen::Ref<const Eigen::MatrixXd>& u, int order, Out f) const = 0;
};

namespace {

template <int N, int D>
class LargeBlock final : public LargeElements::Block {
    using In = LargeElements::In;
    using Out = LargeElements::Out;
    using Square = Eigen::Matrix<double, D, D>;
    static constexpr int strains = D * (D + 1) / 2;
    using Voigt = Eigen::Matrix<double, strains, 1>;
    using Nodal = Eigen::Matrix<double, D, N>;  ///< a column per node
    using Gradient = Eigen::Matrix<double, N, D>;

 public:
    LargeBlock(const Mesh& mesh, const ElementBlock& block)
        : rule_(tabulated(traits(block.kind).shape, traits(block.kind).stiffness_rule)), elements_(block.size()) {
        const ElementTraits& kind = traits(block.kind);
        const auto material = detail::elasticity<D>(mesh.materials[block.material], kind.stress);
        for (int r = 0; r < strains; ++r)
            for (int c = 0; c < strains; ++c)
                elasticity_(r, c) = material.tensor(pair(r, 0) * D + pair(c, 0), pair(r, 1) * D + pair(c, 1));
        points_.reserve(elements_ * static_cast<std::size_t>(rule_.weight.size()));
        for (std::size_t e = 0; e < elements_; ++e) {
            Coordinates x(N, 3);
            for (int a = 0; a < N; ++a) x.row(a) = mesh.nodes.row(block.nodes[e * N + static_cast<std::size_t>(a)]);
            const std::string label =
                fmt::format("element {}", block.labels.empty() ? static_cast<std::int64_t>(e + 1) : block.labels[e]);
            const ElementOptions options{.thickness = block.thickness, .label = label};
            const Gradient own = x.leftCols<D>().rowwise() - x.row(0).head<D>();
            const detail::Setting<N, D> setting{own, material, kind, options};
            for (Eigen::Index p = 0; p < rule_.weight.size(); ++p)
                points_.push_back(detail::at_point<N, D>(setting, rule_, p));
        }
    }

    std::size_t size() const override { return elements_; }
    int dofs() const override { return N * D; }

    double energy(std::size_t e, const In& u) const override {
        double sum = 0;
        for (const auto& at : points(e)) {
            const Voigt strain = green(slope(u, at));
            sum += 0.5 * at.volume * strain.dot(elasticity_ * strain);
        }
        return sum;
    }

    void force(std::size_t e, const In& u, Out f) const override {
        for (const auto& at : points(e)) {
            const Square h = slope(u, at);
            const Square s = stress(green(h));
            add(s + h * s, at, f);
        }
    }

    void linear(std::size_t e, const In& u, Out f) const override {
        for (const auto& at : points(e)) add(stress(symmetric(slope(u, at))), at, f);
    }

    void quadratic(std::size_t e, const In& u, const In& v, Out f) const override {
        for (const auto& at : points(e)) {
            const Square hu = slope(u, at), hv = slope(v, at);
            add(0.5 * (hu * stress(symmetric(hv)) + hv * stress(symmetric(hu)) + stress(product(hu, hv))), at, f);
        }
    }

    void cubic(std::size_t e, const In& u, const In& v, const In& w, Out f) const override {
        for (const auto& at : points(e)) {
            const Square hu = slope(u, at), hv = slope(v, at), hw = slope(w, at);
            add((hu * stress(product(hv, hw)) + hv * stress(product(hu, hw)) + hw * stress(product(hu, hv))) / 6, at,
                f);
        }
    }

    void tangent(std::size_t e, const In& u, Eigen::Ref<Eigen::MatrixXd> k) const override {
        Eigen::Matrix<double, strains, N * D> b;
        for (const auto& at : points(e)) {
            const Square h = slope(u, at);
            const Square s = stress(green(h));
            const Square f = Square::Identity() + h;
            for (int a = 0; a < N; ++a)
                for (int i = 0; i < D; ++i)
                    for (int r = 0; r < strains; ++r) {
                        const int m = pair(r, 0), n = pair(r, 1);
                        b(r, a * D + i) = m == n ? f(i, m) * at.gradient(a, m)
                                                 : f(i, m) * at.gradient(a, n) + f(i, n) * at.gradient(a, m);
                    }
            const Eigen::Matrix<double, strains, N* D> stressed = at.volume * (elasticity_ * b);
            k.noalias() += b.transpose() * stressed;
            const Gradient sg = at.volume * (at.gradient * s);
            for (int c = 0; c < N; ++c)
                for (int a = 0; a < N; ++a) {
                    const double initial = sg.row(a).dot(at.gradient.row(c));
                    for (int i = 0; i < D; ++i) k(a * D + i, c * D + i) += initial;
                }
        }
    }

    void series(std::size_t e, const Eigen::Ref<const Eigen::MatrixXd>& u, int order, Out f) const override {
        const int last = static_cast<int>(u.cols()) - 1;
        std::vector<Square> h(static_cast<std::size_t>(order) + 1), s(h.size());
        for (const auto& at : points(e)) {
            for (int j = 0; j <= order; ++j) {
                const auto k = static_cast<std::size_t>(j);
                h[k] = j <= last ? slope(u.col(j), at) : Square(Square::Zero());
                Voigt strain = symmetric(h[k]);
                for (int a = 0; a <= j; ++a)
                    strain += 0.5 * product(h[static_cast<std::size_t>(a)], h[k - static_cast<std::size_t>(a)]);
                s[k] = stress(strain);
            }
            Square total = s.back();
            for (std::size_t a = 0; a < h.size(); ++a) total += h[a] * s[h.size() - 1 - a];
            add(total, at, f);
        }
    }

 private:
    using AtPoint = detail::AtPoint<N, D>;
    const Tabulation& rule_;
    std::size_t elements_;
    std::vector<AtPoint> points_;  ///< element after element
    Eigen::Matrix<double, strains, strains> elasticity_;

    /// Directions of the r-th strain: 11, 22, 12, or 11, 22, 33, 12, 13, 23.
    static constexpr int pair(int r, int which) {
        constexpr int plane[3][2] = {{0, 0}, {1, 1}, {0, 1}};
        constexpr int space[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        return D == 2 ? plane[r % 3][which] : space[r][which];
    }

    std::span<const AtPoint> points(std::size_t e) const {
        const auto each = static_cast<std::size_t>(rule_.weight.size());
        return {points_.data() + e * each, each};
    }
    /// du_i/dX_j
    static Square slope(const In& u, const AtPoint& at) { return Eigen::Map<const Nodal>(u.data()) * at.gradient; }
    static Voigt symmetric(const Square& h) {
        Voigt v;
        for (int r = 0; r < strains; ++r) {
            const int m = pair(r, 0), n = pair(r, 1);
            v(r) = m == n ? h(m, m) : h(m, n) + h(n, m);
        }
        return v;
    }
    /// Symmetric part of a^T b, engineering shear.
    static Voigt product(const Square& a, const Square& b) {
        Voigt v;
        for (int r = 0; r < strains; ++r) {
            const int m = pair(r, 0), n = pair(r, 1);
            v(r) = m == n ? a.col(m).dot(b.col(m)) : a.col(m).dot(b.col(n)) + a.col(n).dot(b.col(m));
        }
        return v;
    }
    static Voigt green(const Square& h) { return symmetric(h) + 0.5 * product(h, h); }
    Square stress(const Voigt& strain) const {
        const Voigt v = elasticity_ * strain;
        Square s;
        for (int r = 0; r < strains; ++r) s(pair(r, 0), pair(r, 1)) = s(pair(r, 1), pair(r, 0)) = v(r);
        return s;
    }
    static void add(const Square& first_piola, const AtPoint& at, Out f) {
        Eigen::Map<Nodal>(f.data()).noalias() += at.volume * (first_piola * at.gradient.transpose());
    }
};

template <int N, int D>
std::unique_ptr<const LargeElements::Block> made(const Mesh& mesh, const ElementBlock& block) {
    return std::make_unique<LargeBlock<N, D>>(mesh, block);
}

std::unique_ptr<const LargeElements::Block> large_block(const Mesh& mesh, const ElementBlock& block) {
    check_bends_far(block);
    switch (traits(block.kind).shape) {
        case Shape::tri3: return made<3, 2>(mesh, block);
        case Shape::tri6: return made<6, 2>(mesh, block);
        case Shape::quad4: return made<4, 2>(mesh, block);
        case Shape::quad8: return made<8, 2>(mesh, block);
        case Shape::tet4: return made<4, 3>(mesh, block);
        case Shape::tet10: return made<10, 3>(mesh, block);
        case Shape::wedge6: return made<6, 3>(mesh, block);
        case Shape::wedge15: return made<15, 3>(mesh, block);
        case Shape::hex8: return made<8, 3>(mesh, block);
        case Shape::hex20: return made<20, 3>(mesh, block);
        default: throw std::logic_error("not an element's shape");
    }
}

}  // namespace

void check_bends_far(const ElementBlock& block) {
    const ElementTraits& kind = traits(block.kind);
    const std::string label = fmt::format("element {}", block.labels.empty() ? std::int64_t(1) : block.labels.front());
    const auto refuse = [&](const char* why) {
        throw core::BadInput(label, fmt::format("{} has {}, which exists here for small displacements only; take "
                                                "another kind of the same shape (--element {}=..) or quadratic ones",
                                                kind.name, why, kind.name));
    };
    if (kind.formulation == Formulation::mean_strain) refuse("one mean strain and hourglass control");
    if (kind.formulation == Formulation::incompatible_modes) refuse("incompatible modes");
    if (block.dilatation == Dilatation::averaged) refuse("an averaged dilatation");
}

LargeElements::LargeElements(const Mesh& mesh, const ElementBlock& block) : block_(large_block(mesh, block)) {}
LargeElements::LargeElements(LargeElements&&) noexcept = default;
LargeElements& LargeElements::operator=(LargeElements&&) noexcept = default;
LargeElements::~LargeElements() = default;

std::size_t LargeElements::size() const { return block_->size(); }
int LargeElements::dofs() const { return block_->dofs(); }
double LargeElements::energy(std::size_t e, const In& u) const { return block_->energy(e, u); }
void LargeElements::force(std::size_t e, const In& u, Out f) const { block_->force(e, u, f); }
void LargeElements::linear(std::size_t e, const In& u, Out f) const { block_->linear(e, u, f); }
void LargeElements::quadratic(std::size_t e, const In& u, const In& v, Out f) const { block_->quadratic(e, u, v, f); }
void LargeElements::cubic(std::size_t e, const In& u, const In& v, const In& w, Out f) const {
    block_->cubic(e, u, v, w, f);
}
void LargeElements::tangent(std::size_t e, const In& u, Eigen::Ref<Eigen::MatrixXd> k) const {
    block_->tangent(e, u, k);
}
void LargeElements::series(std::size_t e, const Eigen::Ref<const Eigen::MatrixXd>& u, int order, Out f) const {
    block_->series(e, u, order, f);
}

}  // namespace faying::fe
