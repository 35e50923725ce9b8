// Elements and assembly. The baseline is the textbook kernel, sum of B^T D B over the points.

#include <benchmark/benchmark.h>

#include "faying/fe/assembly.hpp"

namespace {

using namespace faying::fe;

const ElasticMaterial steel = isotropic(200e9, 0.3, 7800);

Coordinates corners() {
    Coordinates x = node_coordinates(Shape::hex8);
    for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] += 0.1 * std::sin(static_cast<double>(3 * i));
    return x;
}

void textbook_c3d8_stiffness(benchmark::State& state) {
    const Eigen::Matrix<double, 8, 3> x = corners();
    const Tabulation& t = tabulated(Shape::hex8, Rule::hex8);
    for (auto _ : state) {
        Eigen::Matrix<double, 24, 24> k = Eigen::Matrix<double, 24, 24>::Zero();
        for (std::size_t p = 0; p < 8; ++p) {
            const Eigen::Matrix<double, 8, 3> natural = t.gradient[p];
            const Eigen::Matrix3d j = x.transpose() * natural;
            const Eigen::Matrix<double, 8, 3> g = natural * j.inverse();
            Eigen::Matrix<double, 6, 24> b = Eigen::Matrix<double, 6, 24>::Zero();
            for (int a = 0; a < 8; ++a) {
                for (int i = 0; i < 3; ++i) b(i, 3 * a + i) = g(a, i);
                b(3, 3 * a) = b(5, 3 * a + 2) = g(a, 1);
                b(3, 3 * a + 1) = b(4, 3 * a + 2) = g(a, 0);
                b(4, 3 * a) = b(5, 3 * a + 1) = g(a, 2);
            }
            k.noalias() += j.determinant() * b.transpose() * (steel.elasticity * b);
        }
        benchmark::DoNotOptimize(k);
    }
}
BENCHMARK(textbook_c3d8_stiffness)->Unit(benchmark::kMicrosecond);

void element(benchmark::State& state, ElementKind kind) {
    const Coordinates x = node_coordinates(traits(kind).shape);
    for (auto _ : state) benchmark::DoNotOptimize(element_matrices(kind, x, steel));
}
BENCHMARK_CAPTURE(element, C3D8, ElementKind::C3D8)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(element, C3D8R, ElementKind::C3D8R)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(element, C3D8I, ElementKind::C3D8I)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(element, C3D10, ElementKind::C3D10)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(element, C3D20, ElementKind::C3D20)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(element, C3D20R, ElementKind::C3D20R)->Unit(benchmark::kMicrosecond);

/// A cube of n^3 C3D8: 47 gives 103,823 elements and 331,776 DOF.
void assemble_cube(benchmark::State& state) {
    const int n = static_cast<int>(state.range(0)), m = n + 1;
    Mesh mesh{Coordinates(m * m * m, 3), {{ElementKind::C3D8, {}, {}, 0, 1}}, {steel}};
    for (int k = 0; k < m; ++k)
        for (int j = 0; j < m; ++j)
            for (int i = 0; i < m; ++i) {
                mesh.nodes.row(i + m * (j + m * k)) << i, j, k;
                if (i == n || j == n || k == n) continue;
                const int a = i + m * (j + m * k);
                for (const int up : {0, m * m})
                    for (const int c : {0, 1, 1 + m, m}) mesh.blocks[0].nodes.push_back(a + up + c);
            }
    for (auto _ : state) benchmark::DoNotOptimize(assemble(mesh));
    state.counters["elements"] = static_cast<double>(element_count(mesh));
}
BENCHMARK(assemble_cube)->Arg(20)->Arg(47)->Unit(benchmark::kMillisecond);

}  // namespace
