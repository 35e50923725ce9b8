#include "faying/fe/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"

namespace faying::fe {

namespace {

/// Which nodes share an element, as compressed sorted lists.
struct Neighbours {
    std::vector<int> start;  ///< one more than there are nodes
    std::vector<int> nodes;

    std::span<const int> of(int node) const {
        const auto i = static_cast<std::size_t>(node);
        return {nodes.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
    }
};

template <class F>
void for_each_element(const Mesh& mesh, F&& f) {
    for (const auto& block : mesh.blocks) {
        const auto n = static_cast<std::size_t>(traits(block.kind).nodes());
        for (std::size_t e = 0; e < block.size(); ++e) f(std::span<const int>(block.nodes.data() + e * n, n));
    }
}

Neighbours neighbours(const Mesh& mesh) {
    const auto count = static_cast<std::size_t>(mesh.nodes.rows());
    std::vector<std::size_t> start(count + 1, 0);  // node -> elements, compressed
    std::vector<std::span<const int>> elements;
    for_each_element(mesh, [&](std::span<const int> nodes) {
        elements.push_back(nodes);
        for (const int a : nodes) ++start[static_cast<std::size_t>(a) + 1];
    });
    for (std::size_t a = 0; a < count; ++a) start[a + 1] += start[a];
    std::vector<std::size_t> of_node(start[count]), filled(start.begin(), start.end() - 1);
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (const int a : elements[e]) of_node[filled[static_cast<std::size_t>(a)]++] = e;

    Neighbours n;
    n.start.reserve(count + 1);
    n.start.push_back(0);
    std::vector<int> seen(count, -1);
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t i = start[a]; i < start[a + 1]; ++i)
            for (const int b : elements[of_node[i]])
                if (seen[static_cast<std::size_t>(b)] != static_cast<int>(a)) {
                    seen[static_cast<std::size_t>(b)] = static_cast<int>(a);
                    n.nodes.push_back(b);
                }
        std::sort(n.nodes.begin() + n.start.back(), n.nodes.end());
        n.start.push_back(static_cast<int>(n.nodes.size()));
    }
    return n;
}

/// An all-zero matrix with a d x d block, full or diagonal, for every pair of neighbours.
Eigen::SparseMatrix<double> pattern(const Neighbours& n, int d, bool full) {
    const auto count = static_cast<int>(n.start.size()) - 1;
    Eigen::SparseMatrix<double> m(count * d, count * d);
    const std::size_t entries = n.nodes.size() * static_cast<std::size_t>(full ? d * d : d);
    if (entries > static_cast<std::size_t>(INT32_MAX))
        throw core::BadInput("assembly", fmt::format("{} entries are more than a matrix on one process can hold ({})",
                                                     entries, INT32_MAX));
    m.resizeNonZeros(static_cast<Eigen::Index>(entries));
    int* outer = m.outerIndexPtr();
    int* inner = m.innerIndexPtr();
    int at = 0;
    for (int a = 0; a < count; ++a)
        for (int j = 0; j < d; ++j) {
            *outer++ = at;
            for (const int b : n.of(a)) {
                if (!full) inner[at++] = b * d + j;
                for (int i = 0; full && i < d; ++i) inner[at++] = b * d + i;
            }
        }
    *outer = at;
    std::fill_n(m.valuePtr(), entries, 0.0);
    return m;
}

void scatter(std::span<const int> nodes, const ElementMatrices& e, int d, const Neighbours& n,
             Eigen::SparseMatrix<double>& k, Eigen::SparseMatrix<double>& m) {
    for (std::size_t cb = 0; cb < nodes.size(); ++cb) {
        const auto near = n.of(nodes[cb]);
        const int column = nodes[cb] * d;
        for (std::size_t ra = 0; ra < nodes.size(); ++ra) {
            const auto place = static_cast<int>(std::lower_bound(near.begin(), near.end(), nodes[ra]) - near.begin());
            for (int j = 0; j < d; ++j) {
                const auto row = static_cast<Eigen::Index>(ra) * d, local = static_cast<Eigen::Index>(cb) * d + j;
                double* const to = k.valuePtr() + k.outerIndexPtr()[column + j] + place * d;
                for (int i = 0; i < d; ++i) to[i] += e.stiffness(row + i, local);
                m.valuePtr()[m.outerIndexPtr()[column + j] + place] += e.mass(row + j, local);
            }
        }
    }
}

double largest(const Eigen::SparseMatrix<double>& a) {
    return a.nonZeros() == 0 ? 0.0 : a.coeffs().cwiseAbs().maxCoeff();
}

double asymmetry(const Eigen::SparseMatrix<double>& a) {
    // Scattered numbers in [-1, 1], always the same: an asymmetric pair cannot cancel in them.
    Eigen::VectorXd x(a.rows());
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + 12.9898 * static_cast<double>(i));
    const double size = largest(a);
    if (size == 0) return 0;
    const Eigen::VectorXd difference = a * x - a.transpose() * x;
    return difference.cwiseAbs().maxCoeff() / size;
}

}  // namespace

std::size_t element_count(const Mesh& mesh) {
    std::size_t n = 0;
    for (const auto& b : mesh.blocks) n += b.size();
    return n;
}

int dof_per_node(const Mesh& mesh) {
    int d = 0;
    for (const auto& b : mesh.blocks) {
        const ElementTraits& t = traits(b.kind);
        if (b.nodes.size() % static_cast<std::size_t>(t.nodes()) != 0)
            throw core::BadInput("mesh", fmt::format("a block of {} lists {} nodes, not a multiple of {}", t.name,
                                                     b.nodes.size(), t.nodes()));
        if (!b.labels.empty() && b.labels.size() != b.size())
            throw core::BadInput("mesh",
                                 fmt::format("a block of {} {} has {} labels", b.size(), t.name, b.labels.size()));
        if (b.material >= mesh.materials.size())
            throw core::BadInput("mesh", fmt::format("a block of {} names material {} of {}", t.name, b.material,
                                                     mesh.materials.size()));
        for (const int a : b.nodes)
            if (a < 0 || a >= mesh.nodes.rows())
                throw core::BadInput("mesh",
                                     fmt::format("a block of {} names node {} of {}", t.name, a, mesh.nodes.rows()));
        if (b.size() == 0) continue;
        if (d != 0 && d != t.dimension())
            throw core::BadInput("mesh", "solid and plane elements cannot be assembled together");
        d = t.dimension();
    }
    if (d == 0) throw core::BadInput("mesh", "there are no elements");
    return d;
}

void for_each_element_matrix(const Mesh& mesh, const AssemblyOptions& options, ElementRange range,
                             const ElementVisitor& visit) {
    std::size_t first = 0;
    Coordinates x;
    for (const auto& block : mesh.blocks) {
        const auto n = static_cast<std::size_t>(traits(block.kind).nodes());
        const std::size_t from = std::max(range.begin, first), to = std::min(range.end, first + block.size());
        x.resize(static_cast<Eigen::Index>(n), 3);
        for (std::size_t g = from; g < to; ++g) {
            const std::size_t e = g - first;
            const std::span<const int> nodes(block.nodes.data() + e * n, n);
            for (std::size_t a = 0; a < n; ++a) x.row(static_cast<Eigen::Index>(a)) = mesh.nodes.row(nodes[a]);
            const std::string label =
                fmt::format("element {}", block.labels.empty() ? static_cast<std::int64_t>(e + 1) : block.labels[e]);
            visit(nodes, element_matrices(block.kind, x, mesh.materials[block.material],
                                          {block.thickness, block.dilatation.value_or(options.dilatation), options.mass,
                                           block.hourglass, label}));
        }
        first += block.size();
    }
}

Eigen::MatrixXd rigid_motions(const Coordinates& nodes, int d) {
    const Eigen::RowVector3d middle = 0.5 * (nodes.colwise().minCoeff() + nodes.colwise().maxCoeff());
    const double reach = std::max((nodes.rowwise() - middle).cwiseAbs().maxCoeff(), 1e-300);
    Eigen::MatrixXd r = Eigen::MatrixXd::Zero(nodes.rows() * d, d == 3 ? 6 : 3);
    for (Eigen::Index a = 0; a < nodes.rows(); ++a) {
        const Eigen::RowVector3d x = (nodes.row(a) - middle) / reach;
        r.block(a * d, 0, d, d).setIdentity();
        if (d == 3)
            r.block<3, 3>(a * 3, 3) << 0, x[2], -x[1], -x[2], 0, x[0], x[1], -x[0], 0;
        else
            r.block<2, 1>(a * 2, 2) << -x[1], x[0];
    }
    return r;
}

AssemblyChecks check_assembly(const Eigen::SparseMatrix<double>& stiffness, const Eigen::SparseMatrix<double>& mass,
                              const Coordinates& nodes, int d, double expected_mass) {
    AssemblyChecks c;
    c.mass = expected_mass;
    const Eigen::MatrixXd r = rigid_motions(nodes, d);
    const double size = std::max(largest(stiffness), 1e-300);
    for (Eigen::Index i = 0; i < r.cols(); ++i) {
        c.rigid_residual = std::max(c.rigid_residual, (stiffness * r.col(i)).cwiseAbs().maxCoeff() / size);
        if (i < d && expected_mass > 0)
            c.mass_error = std::max(c.mass_error, std::abs(r.col(i).dot(mass * r.col(i)) / expected_mass - 1));
    }
    c.asymmetry = std::max(asymmetry(stiffness), asymmetry(mass));
    return c;
}

Assembly assemble(const Mesh& mesh, const AssemblyOptions& options) {
    const int d = dof_per_node(mesh);
    for (const auto& m : mesh.materials) check(m);
    const Neighbours n = neighbours(mesh);
    Assembly a;
    a.dof_per_node = d;
    a.stiffness = pattern(n, d, true);
    a.mass = pattern(n, d, false);
    double volume = 0, mass = 0;
    for_each_element_matrix(mesh, options, {}, [&](std::span<const int> nodes, const ElementMatrices& e) {
        scatter(nodes, e, d, n, a.stiffness, a.mass);
        volume += e.volume;
        mass += e.total_mass;
    });
    a.checks = check_assembly(a.stiffness, a.mass, mesh.nodes, d, mass);
    a.checks.volume = volume;
    for (Eigen::Index i = 0; i < mesh.nodes.rows(); ++i) a.checks.unused_nodes += n.of(static_cast<int>(i)).empty();
    if (!(a.checks.mass_error < 1e-10) || !(a.checks.asymmetry < 1e-10) || !(a.checks.rigid_residual < 1e-9))
        throw core::BadInput(
            "assembly",
            fmt::format(
                "the assembled matrices fail their checks: mass differs by {:.3g} (allowed 1e-10), asymmetry {:.3g} "
                "(1e-10), force of rigid motions {:.3g} of the stiffness (1e-9)",
                a.checks.mass_error, a.checks.asymmetry, a.checks.rigid_residual));
    return a;
}

}  // namespace faying::fe
