// Derivatives to law parameters against central differences of whole backbones, in every method and by every route.

#include <gtest/gtest.h>

#include "faying/modes/backbone.hpp"
#include "lap_joint.hpp"
#include "modes/small_models.hpp"

namespace {

using namespace faying;
using namespace faying::modes;
using faying::tests::patches_with;
using faying::tests::three_masses;

/// d omega/dp and d zeta/dp against central differences of whole backbones.
/// `noise`: how far a backbone's own zeta is determined (a loop closes to 1e-9), over the step; and never better than
/// the rounding of the energy that it is a share of.
void check_derivatives(const structure::Model& model, const std::vector<double>& q, BackboneOptions o,
                       double noise = 3e-9) {
    o.derivatives = true;
    const auto points = backbone(model, 1, q, o);
    o.derivatives = false;
    std::size_t parameters = 0;
    for (const auto& joint : model.joints) {  // all but what a spring was not given, and what is without limit
        std::size_t i = 0;
        for (const auto& part : joint.law.parts())
            for (const std::size_t end = i + part.parameters; i < end; ++i) {
                const auto& fallback = joint.law.parameters()[i].fallback;
                const double value = joint.law.values()[i];
                parameters += !(part.spring && fallback && value == *fallback) && !std::isinf(value);
            }
    }
    ASSERT_GT(parameters, 0u);
    ASSERT_EQ(points.front().derivatives.size(), parameters);
    for (const auto& d : points.front().derivatives) {
        const auto& law = model.joints[d.joint].law;
        const double value = law.values()[d.parameter], step = 1e-5, h = step * std::max(std::abs(value), 1e-3);
        const auto moved = [&](double by) {
            auto copy = model;
            core::ParameterValues values;
            for (std::size_t i = 0; i < law.parameters().size(); ++i)
                values[law.parameters()[i].key] = law.values()[i] + (i == d.parameter ? by : 0.0);
            copy.joints[d.joint].law = laws::Law(law.name(), values);
            return backbone(copy, 1, q, o);
        };
        const auto up = moved(h), down = moved(-h);
        for (std::size_t i = 0; i < q.size(); ++i) {
            ASSERT_TRUE(points[i].converged);
            const ParameterDerivative* here = nullptr;
            for (const auto& other : points[i].derivatives)
                if (other.joint == d.joint && other.parameter == d.parameter) here = &other;
            ASSERT_NE(here, nullptr);
            const double size = std::max(std::abs(value), 1e-3);
            const double omega = (up[i].omega - down[i].omega) / (2 * h), zeta = (up[i].zeta - down[i].zeta) / (2 * h);
            EXPECT_NEAR(here->omega * size, omega * size, 1e-6 * std::abs(omega * size) + 2e-9 * points[i].omega)
                << law.name() << " " << law.parameters()[d.parameter].key << " " << q[i];
            EXPECT_NEAR(here->zeta * size, zeta * size,
                        1e-6 * std::abs(zeta * size) + noise * (points[i].zeta + 1e-6) + 2e-16 / step)
                << law.name() << " " << law.parameters()[d.parameter].key << " " << q[i];
        }
    }
}

const core::ParameterValues bouc_wen = {{"A", 5e12}, {"alpha", 1.6e7}, {"beta", -8e6}, {"n", 1}};
const core::ParameterValues valanis = {{"E0", 5e12}, {"Et", 1e10}, {"lambda", 2.5e7}, {"kappa", 0.1}};
const core::ParameterValues iwan_kp = {{"FS", 1.4e5}, {"KT", 3e12}, {"chi", -0.5}, {"beta", 0.1}, {"kp", 1e10}};

core::ParameterValues with(core::ParameterValues values, const core::ParameterValues& more) {
    values.insert(more.begin(), more.end());
    return values;
}

BackboneOptions options(Framework framework, Method method = Method::rqnma,
                        Dissipation dissipation = Dissipation::local) {
    BackboneOptions o;
    o.framework = framework;
    o.method = method;
    o.dissipation = dissipation;
    return o;
}

TEST(Derivatives, VirginCurves) {
    for (const auto method : {Method::rqnma, Method::qsma}) {
        check_derivatives(three_masses(), {0.5, 5.0, 60.0}, options(Framework::masing, method));
        check_derivatives(patches_with("iwan4+kp", iwan_kp), {1e-4, 1e-3, 5e-3}, options(Framework::masing, method));
    }
}

TEST(Derivatives, LoopsOfEveryKindOfMemory) {
    for (const auto method : {Method::rqnma, Method::qsma}) {
        const auto o = options(Framework::loops, method);
        check_derivatives(three_masses(), {0.5, 5.0}, o);                              // a stack
        check_derivatives(patches_with("bouc-wen", bouc_wen), {1e-3, 3e-3}, o, 3e-7);  // one number per site
        check_derivatives(patches_with("valanis", valanis), {1e-3, 3e-3}, o, 3e-7);
        check_derivatives(patches_with("valanis+jenkins", with(valanis, {{"kt", 1e12}, {"fs", 1e5}})), {3e-3}, o, 3e-7);
    }
}

TEST(Derivatives, ModalDissipation) {
    for (const auto method : {Method::rqnma, Method::qsma}) {
        check_derivatives(three_masses(), {0.5, 5.0}, options(Framework::masing, method, Dissipation::modal), 1e-7);
        const auto o = options(Framework::loops, method, Dissipation::modal);
        check_derivatives(three_masses(), {0.5, 5.0}, o);
        check_derivatives(patches_with("bouc-wen", bouc_wen), {1e-3, 3e-3}, o, 3e-7);
    }
}

/// Five patches that touch, pressed together: through prestress, contact and both frameworks.
TEST(Derivatives, Contact) {
    const auto r = tests::whole_joint();
    auto model = structure::bare_model(r, {{"preload", 12845.0}});
    model.joints.push_back(structure::joint_on_patches(
        r, "contact", laws::Law("elastic-dry-friction", {{"kt", 3e12}, {"mu", 0.005}, {"kn", 1e13}}), {"all"}, "",
        true));
    ASSERT_GT(backbone(model, 1, {5e-3}, options(Framework::loops)).back().zeta_friction, 1e-4);  // it does slip
    for (const auto method : {Method::rqnma, Method::qsma}) {
        check_derivatives(model, {1e-3, 5e-3}, options(Framework::loops, method), 3e-7);
        check_derivatives(model, {1e-3, 5e-3}, options(Framework::masing, method, Dissipation::modal), 3e-7);
        check_derivatives(model, {1e-3, 5e-3}, options(Framework::loops, method, Dissipation::modal), 3e-7);
    }
}

/// Patches on skew springs under a skew load: tangential parameters move the normal prestress, and the other way round.
structure::Model skew(const structure::Reduced& r) {
    auto model = structure::bare_model(r, {{"preload", 12845.0}});
    for (Eigen::Index p = 0; p < 5; ++p) {
        const Eigen::Index a = 6 * p, n = a + 2;
        for (const auto& [i, j] : {std::pair{a, a}, {a, n}, {n, a}, {n, n}}) model.stiffness(i, j) += 3e8;
        model.static_force(a) += 500.0;
    }
    return model;
}

/// Friction off or joints linear while the preload acts: springs that are not linear, contact and kp carry what it
/// depends on into the backbone.
TEST(Derivatives, PrestressWithoutFriction) {
    const auto r = tests::whole_joint();
    auto springs = skew(r);
    springs.joints = {
        structure::joint_on_patches(
            r, "tangential",
            laws::Law("jenkins-prager+polynomial",
                      {{"kt", 3e12}, {"fs", 1.4e5}, {"kp", 2e11}, {"k1", 1e11}, {"k2", 1e18}, {"k3", 1e25}}),
            {"all"}, "tangential", true),
        structure::joint_on_patches(r, "normal", laws::Law("polynomial", {{"k1", 5e12}, {"k2", 1e18}, {"k3", 3e24}}),
                                    {"all"}, "normal", true)};
    auto touching = skew(r);
    touching.joints = {structure::joint_on_patches(
        r, "contact", laws::Law("elastic-dry-friction+kp", {{"kt", 3e12}, {"mu", 0.005}, {"kp", 2e11}, {"kn", 1e13}}),
        {"all"}, "", true)};
    auto smooth = skew(r);
    smooth.joints = {structure::joint_on_patches(
                         r, "tangential", laws::Law("valanis+polynomial", with(valanis, {{"k1", 1e12}, {"k3", 1e25}})),
                         {"all"}, "tangential", true),
                     springs.joints.back()};
    const std::vector<double> q{1e-3, 5e-3};
    for (const auto friction : {Friction::conservative, Friction::linear})
        for (const auto method : {Method::rqnma, Method::qsma}) {
            auto masing = options(Framework::masing, method), loops = options(Framework::loops, method);
            masing.prestress = loops.prestress = friction;
            check_derivatives(springs, q, masing);
            check_derivatives(springs, q, loops);
            check_derivatives(smooth, q, loops, 3e-7);
            check_derivatives(touching, q, loops, 3e-7);
            masing.dissipation = Dissipation::modal;
            check_derivatives(touching, q, masing, 3e-7);
        }
}

/// Viscous damping by a matrix: the shape's derivative counts.
TEST(Derivatives, DampingMatrix) {
    auto model = three_masses();
    model.damping_ratio = 0;
    model.damping = 1e-3 * model.stiffness + 1e-2 * Eigen::MatrixXd(Eigen::Vector3d(1, 5, 2).asDiagonal());
    for (const auto method : {Method::rqnma, Method::qsma})
        for (const auto framework : {Framework::masing, Framework::loops})
            check_derivatives(model, {5.0, 60.0}, options(framework, method));
}

}  // namespace
