// A patch of contact: sites in the plane, pressed, dragged, lifted.

#include <fmt/format.h>

#include "faying/laws/contact.hpp"
#include "faying/laws/joint.hpp"

int main() {
    using namespace faying::laws;
    // 1. Friction 0.3, penalty contact, 100 sites.
    const ElasticDryFriction<> law(ContactParameters<double>{.kt = 1e6, .fs = 0, .mu = 0.3, .kp = 0, .kn = 1e7});
    const std::size_t sites = 100;
    Joint joint(law, sites);
    std::vector<double> u(3 * sites), f(3 * sites), k(9 * sites);

    // 2. Press by 1 um, then drag along x by up to 5 um: sites slip one after another.
    const auto move = [&](double press, double drag) {
        for (std::size_t i = 0; i < sites; ++i) {
            u[3 * i] = drag * double(i) / sites;
            u[3 * i + 2] = press;
        }
        joint.evaluate(u, f, k);
        joint.commit();
        double sum = 0;
        for (std::size_t i = 0; i < sites; ++i) sum += f[3 * i];
        fmt::print("press {:6.1e} m, drag {:6.1e} m: force {:8.3f} N, dissipated {:.3e} J\n", press, drag, sum,
                   joint.dissipated());
        return sum;
    };
    move(1e-6, 0);
    const double dragged = move(1e-6, 5e-6);

    // 3. Lift: no force. Press again at the same place: the traction starts from zero.
    const double lifted = move(-1e-6, 5e-6);
    const double again = move(1e-6, 5e-6);
    return dragged > 0 && lifted == 0 && std::abs(again) < 1e-12 ? 0 : 1;
}
