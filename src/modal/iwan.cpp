#include "faying/modal/iwan.hpp"

#include <cmath>
#include <numbers>

#include "faying/laws/catalogue.hpp"
#include "faying/laws/iwan.hpp"

namespace faying::modal {

double ModalIwan::omega0() const { return std::sqrt(k_infinity + KT); }

double ModalIwan::macroslip() const { return laws::IwanPopulation<double>(FS, KT, chi, beta).phi_max; }

ModalPoint ModalIwan::at(double q, Stiffness stiffness) const {
    const laws::Law law("iwan4", {{"FS", FS}, {"KT", KT}, {"chi", chi}, {"beta", beta}});
    const auto cycle = law.cycle(q);
    const double k = k_infinity + (stiffness == Stiffness::harmonic ? cycle.harmonic_stiffness : cycle.secant);
    const double omega = std::sqrt(k);
    return {q, omega, zeta0 * omega0() / omega + cycle.dissipation / (2 * std::numbers::pi * k * q * q)};
}

structure::Model ModalIwan::model() const {
    structure::Model m;
    m.mass = Eigen::MatrixXd::Identity(1, 1);
    m.stiffness = Eigen::MatrixXd::Constant(1, 1, k_infinity);
    m.damping_ratio = zeta0;
    m.joints.push_back(structure::single_site(
        "modal joint", laws::Law("iwan4", {{"FS", FS}, {"KT", KT}, {"chi", chi}, {"beta", beta}}),
        Eigen::VectorXd::Ones(1)));
    return m;
}

}  // namespace faying::modal
