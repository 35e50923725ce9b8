// Analyses of a model: linear modes, preload, backbones.

#include <algorithm>
#include <array>

#include "faying/modes/choice.hpp"
#include "faying/results/backbone.hpp"
#include "structures.hpp"

namespace faying::python {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

modes::Friction friction_of(const std::string& word) { return core::named(modes::frictions, word, "prestress"); }

py::dict linear_modes(const ModelHandle& handle, int count, const std::string& about, const std::string& friction) {
    const auto m = handle.now();
    const auto state = core::named(modes::states, about, "about");
    const auto made =
        long_work([&] { return modes::modes_about(m.model(), state, count, {.friction = friction_of(friction)}); });
    py::dict d;
    d["omega"] = array_of(made.modes.omega);
    d["shapes"] = array_of(made.modes.shapes);
    d["residual"] = array_of(made.modes.residual);
    d["about"] = modes::name(made.about);
    d["contacts"] = made.contacts;
    d["touching"] = made.touching;
    return d;
}

py::dict preload(const ModelHandle& handle, const std::string& friction, double tolerance) {
    const auto m = handle.now();
    const auto p = long_work(
        [&] { return modes::prestress(m.model(), {.friction = friction_of(friction), .tolerance = tolerance}); });
    py::dict d;
    d["u"] = array_of(p.u);
    d["residual"] = p.residual;
    d["iterations"] = p.iterations;
    d["load_steps"] = p.load_steps;
    py::list displacement, force;
    Eigen::Index first = 0;
    for (const auto& joint : m.model().joints) {
        const Eigen::VectorXd u = p.sites.segment(first, joint.map.rows()),
                              f = p.force.segment(first, joint.map.rows());
        displacement.append(array_of(u));
        force.append(array_of(f));
        first += joint.map.rows();
    }
    d["site_displacement"] = displacement;
    d["site_force"] = force;
    return d;
}

using Points = std::vector<modes::BackbonePoint>;

/// One column of points, NaN where they did not converge.
template <class Read>
Array column(const Points& points, const Read& read) {
    Array out(py::ssize_t(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i)
        out.mutable_data()[i] = points[i].converged ? double(read(points[i])) : nan;
    return out;
}

/// points x count, of what a point has a list of.
template <class Read>
Array columns(const Points& points, std::size_t count, const Read& read) {
    Array out({py::ssize_t(points.size()), py::ssize_t(count)});
    double* next = out.mutable_data();
    for (const auto& p : points)
        for (std::size_t k = 0; k < count; ++k) *next++ = p.converged ? double(read(p, k)) : nan;
    return out;
}

/// (joint, parameter) of each column, and points x columns.
py::dict slopes_of(const structure::Model& model, const Points& points) {
    const auto any = std::find_if(points.begin(), points.end(), [](const auto& p) { return p.converged; });
    const std::size_t count = any != points.end() ? any->derivatives.size() : 0;
    py::dict d;
    py::list names;
    for (std::size_t k = 0; k < count; ++k) {
        const auto& slope = any->derivatives[k];
        const auto& joint = model.joints[slope.joint];
        names.append(py::make_tuple(joint.name, joint.law.parameters()[slope.parameter].key));
    }
    d["names"] = names;
    d["omega"] = columns(points, count, [](const auto& p, std::size_t k) { return p.derivatives[k].omega; });
    d["zeta"] = columns(points, count, [](const auto& p, std::size_t k) { return p.derivatives[k].zeta; });
    d["dissipation"] =
        columns(points, count, [](const auto& p, std::size_t k) { return p.derivatives[k].dissipation; });
    return d;
}

/// What is said in words: method, framework, dissipation, prestress, what the amplitudes are of, and its output.
using Words = std::array<std::string, 6>;

/// The command's own request and checks, but on the structure as it was condensed once for all calls.
py::dict backbone(const ModelHandle& handle, int mode, const Array& amplitudes, const Words& words,
                  const py::dict& more) {
    const auto m = handle.now();
    const auto& model = m.model();
    const auto &method = words[0], &framework = words[1], &dissipation = words[2], &prestress = words[3],
               &amplitude = words[4], &output = words[5];
    results::BackboneRequest request;
    request.method = core::named(modes::methods, method, "method");
    if (!framework.empty()) request.framework = core::named(modes::frameworks, framework, "framework");
    if (!dissipation.empty()) request.dissipation = core::named(modes::dissipations, dissipation, "dissipation");
    request.prestress = friction_of(prestress);
    request.most_loops = more["most_loops"].cast<int>();
    request.quadrature = more["quadrature"].cast<int>();
    request.close_loops = more["close_loops"].cast<bool>();
    request.derivatives = more["derivatives"].cast<bool>();
    request.folds = more["folds"].cast<bool>();
    auto o = results::options_of(request, model);
    o.tolerance = more["tolerance"].cast<double>();
    o.shapes = more["shapes"].cast<bool>();
    const auto values = vector_of(amplitudes);
    const auto points = long_work([&] {
        if (amplitude == "modal") return modes::backbone(model, m.interface(), mode, values, o);
        const auto quantity = core::named(modes::quantities, amplitude, "amplitude");
        return modes::backbone_at_output(model, m.interface(), mode,
                                         {structure::find_output(model, output), quantity, values}, o);
    });
    const auto n = py::ssize_t(points.size());
    py::dict d;
    py::array_t<bool> converged(n);
    Array q(n), residual(n);
    py::list reasons, status;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& p = points[i];
        converged.mutable_data()[i] = p.converged;
        q.mutable_data()[i] = p.q;
        residual.mutable_data()[i] = p.residual;
        reasons.append(p.reason);
        status.append(results::status_of(p, o));
    }
    d["q"] = q;
    d["converged"] = converged;
    d["residual"] = residual;
    d["reason"] = reasons;
    d["status"] = status;
    d["doubt"] = doubt_of([&] { results::require_converged(points, mode, o); });
    d["omega"] = column(points, [](const auto& p) { return p.omega; });
    d["zeta"] = column(points, [](const auto& p) { return p.zeta; });
    d["dissipation"] = column(points, [](const auto& p) { return p.dissipation; });
    d["dissipation_by_joint"] = columns(points, model.joints.size(), [](const auto& p, std::size_t j) {
        return j < p.dissipation_by_joint.size() ? p.dissipation_by_joint[j] : nan;
    });
    d["iterations"] = column(points, [](const auto& p) { return p.iterations; });
    d["zeta_friction"] = column(points, [](const auto& p) { return p.zeta_friction; });
    d["zeta_viscous"] = column(points, [](const auto& p) { return p.zeta_viscous; });
    d["half_loops"] = column(points, [](const auto& p) { return p.loops; });
    d["closure_error"] = column(points, [](const auto& p) { return p.closure_error; });
    d["masing_error"] = column(points, [](const auto& p) { return p.masing_error; });
    if (o.folds) d["branch"] = column(points, [](const auto& p) { return p.branch; });
    if (o.shapes)
        d["shapes"] = columns(points, std::size_t(model.size()), [](const auto& p, std::size_t k) {
            return k < std::size_t(p.shape.size()) ? p.shape(Eigen::Index(k)) : nan;
        });
    if (o.derivatives) d["derivatives"] = slopes_of(model, points);
    d["framework"] = core::name_of(modes::frameworks, o.framework);
    d["dissipation_route"] = core::name_of(modes::dissipations, o.dissipation);
    return d;
}

}  // namespace

void bind_modes(py::module_& m) {
    using namespace py::literals;
    m.def("linear_modes", &linear_modes, "model"_a, "count"_a, "about"_a, "friction"_a);
    m.def("preload", &preload, "model"_a, "friction"_a, "tolerance"_a);
    m.def("backbone", &backbone, "model"_a, "mode"_a, "amplitudes"_a, "words"_a, "more"_a);
}

}  // namespace faying::python
