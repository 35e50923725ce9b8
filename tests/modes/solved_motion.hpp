#pragma once
// A forced motion as the period map sees it.

#include "faying/modes/harmonic_balance.hpp"
#include "harmonic_system.hpp"

namespace faying::tests {

/// A solved motion, from inside.
struct Inside {
    structure::Model model;
    modes::Interface interface;
    modes::HarmonicSystem system;
    Eigen::MatrixXd modal;
    double w;

    Inside(const structure::Model& m, const Eigen::VectorXd& load, double p, double frequency, int highest)
        : model(m), interface(model), system(model, interface, core::Harmonics::up_to(highest), {}), w(frequency) {
        const auto points = modes::response(model, interface, {load, p}, 0.98 * w, 1.02 * w, {w},
                                            {.harmonics = core::Harmonics::up_to(highest)});
        for (const auto& point : points)
            if (point.omega == w) modal = system.shapes().transpose() * model.mass * point.harmonics;
        Eigen::MatrixXd force = Eigen::MatrixXd::Zero(system.modes(), modal.cols());
        force.col(1) = p * (system.shapes().transpose() * load);
        system.set_force(force);
        system.choose(w);
        Eigen::VectorXd r(system.size());
        system.evaluate(system.unknowns(modal, 1.0), 1.0, w, 0.0, r);
    }
};

}  // namespace faying::tests
