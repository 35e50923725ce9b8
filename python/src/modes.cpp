// Analyses of a model: linear modes, preload, backbones, responses.

#include "faying/modes/choice.hpp"
#include "faying/results/harmonic.hpp"
#include "structures.hpp"

namespace faying::python {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

modes::Friction friction_of(const std::string& word) { return core::named(modes::frictions, word, "prestress"); }

py::dict linear_modes(const ModelHandle& m, int count, const std::string& about, const std::string& friction) {
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

py::dict preload(const ModelHandle& m, const std::string& friction, double tolerance) {
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

/// One column of points, NaN where they did not converge.
template <class Points, class Read>
Array column(const Points& points, const Read& read) {
    Array out(py::ssize_t(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i)
        out.mutable_data()[i] = points[i].converged ? double(read(points[i])) : nan;
    return out;
}

template <class Points>
void add_common(py::dict& d, const Points& points, std::size_t joints) {
    py::list converged;
    Array residual(py::ssize_t(points.size())), by_joint({py::ssize_t(points.size()), py::ssize_t(joints)});
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& p = points[i];
        converged.append(p.converged);
        residual.mutable_data()[i] = p.residual;
        for (std::size_t j = 0; j < joints; ++j)
            by_joint.mutable_data()[i * joints + j] =
                p.converged && j < p.dissipation_by_joint.size() ? p.dissipation_by_joint[j] : nan;
    }
    d["converged"] = converged;
    d["residual"] = residual;
    d["dissipation_by_joint"] = by_joint;
    d["omega"] = column(points, [](const auto& p) { return p.omega; });
    d["zeta"] = column(points, [](const auto& p) { return p.zeta; });
    d["dissipation"] = column(points, [](const auto& p) { return p.dissipation; });
    d["iterations"] = column(points, [](const auto& p) { return p.iterations; });
}

using Points = std::vector<modes::BackbonePoint>;

Array shapes_of(const Points& points, Eigen::Index size) {
    Array out({py::ssize_t(points.size()), py::ssize_t(size)});
    for (std::size_t i = 0; i < points.size(); ++i)
        for (Eigen::Index k = 0; k < size; ++k)
            out.mutable_data()[i * std::size_t(size) + std::size_t(k)] =
                points[i].converged && points[i].shape.size() == size ? points[i].shape(k) : nan;
    return out;
}

/// (joint, parameter) of each column, and points x columns.
template <class AnyPoints>
py::dict slopes_of(const structure::Model& model, const AnyPoints& points) {
    const typename AnyPoints::value_type* any = nullptr;
    for (const auto& p : points)
        if (p.converged && !any) any = &p;
    py::dict d;
    py::list names;
    const std::size_t count = any ? any->derivatives.size() : 0;
    for (std::size_t k = 0; k < count; ++k) {
        const auto& slope = any->derivatives[k];
        const auto& joint = model.joints[slope.joint];
        names.append(py::make_tuple(joint.name, joint.law.parameters()[slope.parameter].key));
    }
    const auto table = [&](auto read) {
        Array out({py::ssize_t(points.size()), py::ssize_t(count)});
        for (std::size_t i = 0; i < points.size(); ++i)
            for (std::size_t k = 0; k < count; ++k)
                out.mutable_data()[i * count + k] = points[i].converged ? read(points[i].derivatives[k]) : nan;
        return out;
    };
    d["names"] = names;
    d["omega"] = table([](const auto& s) { return s.omega; });
    d["zeta"] = table([](const auto& s) { return s.zeta; });
    d["dissipation"] = table([](const auto& s) { return s.dissipation; });
    return d;
}

struct BackboneWords {
    std::string method, framework, dissipation, prestress, amplitude, output;
};

py::dict backbone(const ModelHandle& m, int mode, const Array& amplitudes, BackboneWords words, const py::dict& more) {
    const auto& model = m.model();
    std::optional<modes::Framework> framework;
    std::optional<modes::Dissipation> dissipation;
    if (!words.framework.empty()) framework = core::named(modes::frameworks, words.framework, "framework");
    if (!words.dissipation.empty()) dissipation = core::named(modes::dissipations, words.dissipation, "dissipation");
    auto o = modes::suited_options(model, framework, dissipation);
    o.method = core::named(modes::methods, words.method, "method");
    o.prestress = friction_of(words.prestress);
    o.tolerance = more["tolerance"].cast<double>();
    o.most_loops = more["most_loops"].cast<int>();
    o.quadrature = more["quadrature"].cast<int>();
    o.close_loops = more["close_loops"].cast<bool>();
    o.derivatives = more["derivatives"].cast<bool>();
    o.shapes = more["shapes"].cast<bool>();
    const auto values = vector_of(amplitudes);
    const auto points = long_work([&] {
        if (words.amplitude == "modal") return modes::backbone(model, m.interface(), mode, values, o);
        const auto quantity = core::named(modes::quantities, words.amplitude, "amplitude");
        return modes::backbone_at_output(model, m.interface(), mode,
                                         {structure::find_output(model, words.output), quantity, values}, o);
    });
    py::dict d;
    add_common(d, points, model.joints.size());
    Array q(py::ssize_t(points.size()));
    py::list reasons;
    for (std::size_t i = 0; i < points.size(); ++i) {
        q.mutable_data()[i] = points[i].q;
        reasons.append(points[i].reason);
    }
    d["q"] = q;
    d["reason"] = reasons;
    d["zeta_friction"] = column(points, [](const auto& p) { return p.zeta_friction; });
    d["zeta_viscous"] = column(points, [](const auto& p) { return p.zeta_viscous; });
    d["half_loops"] = column(points, [](const auto& p) { return p.loops; });
    d["closure_error"] = column(points, [](const auto& p) { return p.closure_error; });
    d["masing_error"] = column(points, [](const auto& p) { return p.masing_error; });
    d["masing_tolerance"] = o.masing_tolerance;
    d["shapes"] = o.shapes ? py::object(shapes_of(points, model.size())) : py::none();
    d["derivatives"] = o.derivatives ? py::object(slopes_of(model, points)) : py::none();
    d["framework"] = core::name_of(modes::frameworks, o.framework);
    d["dissipation_route"] = core::name_of(modes::dissipations, o.dissipation);
    return d;
}

/// points x DOF x functions
Array harmonics_of(const std::vector<modes::HarmonicPoint>& points, Eigen::Index size, Eigen::Index functions) {
    Array out({py::ssize_t(points.size()), py::ssize_t(size), py::ssize_t(functions)});
    double* next = out.mutable_data();
    for (const auto& p : points)
        for (Eigen::Index i = 0; i < size; ++i)
            for (Eigen::Index b = 0; b < functions; ++b) *next++ = p.converged ? p.harmonics(i, b) : nan;
    return out;
}

py::dict harmonic_points(const structure::Model& model, const std::vector<modes::HarmonicPoint>& points,
                         const results::HarmonicsUsed& used) {
    py::dict d;
    add_common(d, points, model.joints.size());
    Array a(py::ssize_t(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) a.mutable_data()[i] = points[i].a;
    d["a"] = a;
    d["harmonics"] = harmonics_of(points, model.size(), used.harmonics.size());
    d["orders"] = used.harmonics.orders();
    d["neglected"] = used.neglected;
    return d;
}

/// Why a run is not to be trusted; empty: it is.
template <class Run>
std::string doubt(const Run& run) {
    try {
        run.require_converged();
    } catch (const core::NotConverged& error) {
        return error.what();
    }
    return {};
}

/// "auto", "auto:1e-4", or orders.
results::HarmonicChoice choice_of(const py::object& harmonics, int samples) {
    if (py::isinstance<py::str>(harmonics)) return results::parse_harmonics(harmonics.cast<std::string>(), samples);
    return {.harmonics = core::Harmonics(harmonics.cast<std::vector<int>>()), .samples = samples};
}

py::dict epmc(const ModelHandle& m, int mode, const Array& amplitudes, const py::object& harmonics, int samples,
              const std::string& amplitude_of, const std::string& output, bool derivatives) {
    results::EpmcRequest request{.mode = mode,
                                 .amplitudes = vector_of(amplitudes),
                                 .harmonics = choice_of(harmonics, samples),
                                 .derivatives = derivatives,
                                 .output = output};
    if (amplitude_of != "modal") request.amplitude_of = core::named(modes::quantities, amplitude_of, "amplitude_of");
    const auto run = long_work([&] { return results::epmc(m.model(), request); });
    auto d = harmonic_points(run.model, run.points, run.used);
    d["derivatives"] = derivatives ? py::object(slopes_of(run.model, run.points)) : py::none();
    d["doubt"] = doubt(run);
    return d;
}

py::dict response_level(const structure::Model& model, const results::ResponseLevel& level,
                        const results::HarmonicsUsed& used) {
    auto d = harmonic_points(model, level.points, used);
    const auto n = py::ssize_t(level.points.size());
    Array force(n);
    py::list turning, stability, bifurcation, branch;
    for (std::size_t i = 0; i < level.points.size(); ++i) {
        const auto& p = level.points[i];
        force.mutable_data()[i] = p.force;
        turning.append(p.turning_point);
        const auto& stable = p.stability.stable;
        stability.append(!stable ? "unknown" : *stable ? "stable" : "unstable");
        bifurcation.append(modes::name_of(p.bifurcation));
        branch.append(p.branch);
    }
    d["point_force"] = force;
    d["turning_point"] = turning;
    d["stability"] = stability;
    d["bifurcation"] = bifurcation;
    d["branch"] = branch;
    d["force"] = level.force;
    return d;
}

py::dict response(const ModelHandle& m, const Array& shape, const Array& levels, const py::dict& given) {
    using Task = modes::ResponseTask;
    results::ResponseRequest request;
    auto& task = request.task;
    task.load = {eigen_vector(shape), 1};
    task.along = given["along"].cast<std::string>() == "force" ? Task::Along::force : Task::Along::frequency;
    std::tie(task.from, task.to) = given["range"].cast<std::pair<double, double>>();
    task.at = vector_of(given["at"].cast<Array>());
    request.only_asked = given["only_asked"].cast<bool>();
    if (!given["hold"].is_none()) {
        const auto hold = given["hold"].cast<std::tuple<Array, double, bool>>();
        task.hold = Task::Hold{eigen_vector(std::get<0>(hold)), std::get<1>(hold), std::get<2>(hold)};
    }
    task.omega = given["omega"].cast<double>();
    task.phase_mode = given["phase_mode"].cast<int>();
    task.superharmonic = given["superharmonic"].cast<int>();
    task.both_ends = given["both_ends"].cast<bool>();
    task.isolas = given["isolas"].cast<bool>();
    request.levels = vector_of(levels);
    request.harmonics = choice_of(given["harmonics"], given["samples"].cast<int>());
    request.stability = given["stability"].cast<bool>();
    const auto run = long_work([&] { return results::response(m.model(), request); });
    py::list all;
    for (const auto& level : run.levels) all.append(response_level(run.model, level, run.used));
    py::dict d;
    d["levels"] = all;
    d["doubt"] = doubt(run);
    return d;
}

}  // namespace

void bind_modes(py::module_& m) {
    using namespace py::literals;
    m.def("linear_modes", &linear_modes, "model"_a, "count"_a, "about"_a, "friction"_a);
    m.def("preload", &preload, "model"_a, "friction"_a, "tolerance"_a);
    m.def(
        "backbone",
        [](const ModelHandle& model, int mode, const Array& amplitudes, const std::vector<std::string>& w,
           const py::dict& more) {
            return backbone(model, mode, amplitudes, {w.at(0), w.at(1), w.at(2), w.at(3), w.at(4), w.at(5)}, more);
        },
        "model"_a, "mode"_a, "amplitudes"_a, "words"_a, "more"_a);
    m.def("epmc", &epmc, "model"_a, "mode"_a, "amplitudes"_a, "harmonics"_a, "samples"_a, "amplitude_of"_a, "output"_a,
          "derivatives"_a);
    m.def("response", &response, "model"_a, "shape"_a, "levels"_a, "options"_a);
}

}  // namespace faying::python
