// One backbone of 20 amplitudes for each row of [S0] Table 10, on one core, beside the published seconds and beside
// plain dense Newton on all DOF in the same run. The reduced models are synthetic (tests/modes/lap_joint.hpp): sized
// like the Brake-Reuss beam's, 43 and 589 DOF, not that beam.
//
//     bench_table10                     # all rows

#include <fmt/format.h>

#include "cpu_time.hpp"
#include "faying/files/reduced.hpp"
#include "faying/study/variants.hpp"
#include "modes/lap_joint.hpp"

namespace {

using namespace faying;
using namespace faying::study;
using bench::cpu_seconds;
using bench::seconds_of;

/// What a straightforward implementation does: Newton on (u, lambda) with a dense LU of all DOF, Masing curves.
double dense_newton(const structure::Model& model, const std::vector<double>& amplitudes) {
    const double start = cpu_seconds();
    const Eigen::Index n = model.size();
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(structure::stuck_stiffness(model),
                                                                          model.mass);
    Eigen::VectorXd u = eigen.eigenvectors().col(0) * amplitudes.front();
    double lambda = eigen.eigenvalues()(0);
    for (const double q : amplitudes) {
        u *= q / std::sqrt(u.dot(model.mass * u));
        for (int k = 0; k < 30; ++k) {
            Eigen::MatrixXd jacobian(n + 1, n + 1);
            Eigen::VectorXd residual(n + 1);
            Eigen::MatrixXd stiffness = model.stiffness - lambda * model.mass;
            residual.head(n) = stiffness * u;
            for (const auto& joint : model.joints) {
                const Eigen::VectorXd s = joint.map * u;
                const auto count = std::size_t(s.size());
                std::vector<double> f(count), t(count);
                for (auto& part : joint.law.joints(std::size_t(joint.sites()))) {
                    part.evaluate({s.data(), count}, f, t);
                    const Eigen::Map<Eigen::VectorXd> force(f.data(), s.size()), tangent(t.data(), s.size());
                    residual.head(n) += joint.map.transpose() * joint.weight.cwiseProduct(force);
                    stiffness += joint.map.transpose() * joint.weight.cwiseProduct(tangent).asDiagonal() * joint.map;
                }
            }
            residual(n) = u.dot(model.mass * u) - q * q;
            jacobian << stiffness, -model.mass * u, 2.0 * (model.mass * u).transpose(), 0.0;
            const Eigen::VectorXd change = jacobian.partialPivLu().solve(residual);
            u -= change.head(n);
            lambda -= change(n);
            if (change.norm() <= 1e-12 * (u.norm() + lambda)) break;
        }
    }
    return cpu_seconds() - start;
}

}  // namespace

int main() {
    const auto whole = files::read_reduced(FAYING_DATA_DIR "/brake_reuss/whole_joint.h5");
    const auto full = tests::full_joint();
    std::vector<double> amplitudes;
    for (int i = 0; i < 20; ++i) amplitudes.push_back(1e-5 * std::pow(1e3, i / 19.0));
    fmt::print("Brake-Reuss whole joint {} DOF, synthetic full joint {} DOF with {} points\n\n", whole.mass.rows(),
               full.mass.rows(), full.quadrature.weight.size());
    fmt::print("{:42} {:>10} {:>12} {:>8} {:>10} {:>6} {:>8} {:>12}\n", "variant", "[S0] / s", "here / s", "ratio",
               "converged", "loops", "steps", "dense LU / s");
    std::unique_ptr<modes::Interface> interfaces[2];
    for (const auto& v : all26()) {
        const auto& reduced = v.full ? full : whole;
        const auto model = model_of(v, reduced, draw(v, nullptr), {{"preload", 12845.0}});
        auto& interface = interfaces[v.full];
        if (!interface || interface->site_map().rows() != (v.contact && !v.full ? 15 : interface->site_map().rows()) ||
            !v.full)
            interface = std::make_unique<modes::Interface>(model);
        std::vector<modes::BackbonePoint> points;
        const double took =
            seconds_of([&] { points = modes::backbone(model, *interface, 1, amplitudes, backbone_options(v)); },
                       v.full ? 0.0 : 0.3);
        int converged = 0, loops = 0, steps = 0;
        for (const auto& p : points) {
            converged += p.converged;
            loops += p.loops;
            steps += p.iterations;
        }
        const bool masing_lines = v.framework == modes::Framework::masing && !v.contact;
        fmt::print("{:42} {:10.3g} {:12.3g} {:8.0f} {:7}/{:<2} {:6} {:8} {:>12}\n",
                   fmt::format("{} ({}, {})", v.title, v.full ? "full" : "whole",
                               v.framework == modes::Framework::masing ? "Masing" : "loops"),
                   v.published_seconds, took, v.published_seconds / took, converged, points.size(), loops, steps,
                   masing_lines ? fmt::format("{:.3g}", dense_newton(model, amplitudes)) : "");
        std::fflush(stdout);
    }
    fmt::print(
        "\ninterface made once for each model: whole {:.2g} s, full {:.2g} s\n",
        seconds_of(
            [&] {
                modes::Interface(
                    model_of(all26().front(), whole, draw(all26().front(), nullptr), {{"preload", 12845.0}}));
            },
            0.1),
        seconds_of(
            [&] {
                modes::Interface(model_of(all26().back(), full, draw(all26().back(), nullptr), {{"preload", 12845.0}}));
            },
            0.0));
}
