// Analyses that answer with what the command line prints: harmonic balance, structures that bend far, networks of
// sliders, decks, slow histories. The JSON of results:: becomes dictionaries with arrays; python/faying makes the typed objects of them.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bind.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/deck_modes.hpp"
#include "faying/network/network_file.hpp"
#include "faying/results/geometric.hpp"
#include "faying/results/harmonic.hpp"
#include "faying/results/mesh.hpp"
#include "faying/results/network.hpp"
#include "faying/results/quasistatic.hpp"
#include "structures.hpp"

namespace faying::python {

using nlohmann::json;

namespace {

bool numbers_only(const json& list) {
    bool any = false;
    for (const auto& one : list) {
        if (!one.is_number() && !one.is_null()) return false;
        any |= one.is_number();
    }
    return any;
}

}  // namespace

py::object plain(const json& value) {
    if (value.is_object()) {
        py::dict d;
        for (const auto& [key, one] : value.items()) d[py::str(key)] = plain(one);
        return d;
    }
    if (value.is_array() && numbers_only(value)) {
        Array out(py::ssize_t(value.size()));
        for (std::size_t i = 0; i < value.size(); ++i)
            out.mutable_data()[i] =
                value[i].is_null() ? std::numeric_limits<double>::quiet_NaN() : value[i].get<double>();
        return out;
    }
    if (value.is_array()) {
        py::list all;
        for (const auto& one : value) all.append(plain(one));
        return all;
    }
    if (value.is_string()) return py::str(value.get<std::string>());
    if (value.is_boolean()) return py::bool_(value.get<bool>());
    if (value.is_number_integer()) return py::int_(value.get<long>());
    if (value.is_number()) return py::float_(value.get<double>());
    return py::none();
}

py::dict columns_of(const io::Table& table) {
    py::dict d;
    for (std::size_t k = 0; k < table.names.size(); ++k)
        d[py::str(table.names[k])] = array_of(std::vector<double>(table.columns[k]));
    return d;
}

namespace {

/// What it answers, its table, and doubts.
template <class Run>
py::tuple answer_of(const Run& run) {
    return py::make_tuple(plain(results::json(run)), columns_of(results::table(run)),
                          doubt_of([&] { run.require_converged(); }));
}

fe::ModelOptions deck_options(const std::vector<std::string>& elements, const std::string& weighting) {
    fe::ModelOptions options;
    fe::apply_choices(elements, weighting, options);
    return options;
}

results::GeometricRequest request_of(const std::string& file, int mode, const Array& amplitudes,
                                     const std::vector<std::string>& elements, const std::string& weighting) {
    return {
        .file = file, .model = deck_options(elements, weighting), .mode = mode, .amplitudes = vector_of(amplitudes)};
}

py::tuple sice(const std::string& file, int mode, const Array& amplitudes, const std::vector<std::string>& elements,
               const std::string& weighting, const std::string& orders, int taylor, const std::string& control,
               const std::vector<int>& node) {
    geometric::SiceOptions options;
    results::read_orders(orders, "orders", options);
    options.taylor = taylor;
    options.held_by = core::named(results::controls, control, "control");
    auto run = long_work([&] {
        core::Stages stages("sice");
        return std::make_unique<results::SiceRun>(
            results::sice(request_of(file, mode, amplitudes, elements, weighting), options, stages, node));
    });
    return answer_of(*run);
}

py::tuple nnm(const std::string& file, int mode, const Array& amplitudes, const std::vector<std::string>& elements,
              const std::string& weighting, const std::string& method, int harmonics, int order, bool shapes) {
    const results::NnmChoice choice{.method = core::named(results::nnm_methods, method, "method"),
                                    .harmonics = harmonics,
                                    .order = order,
                                    .shapes = shapes};
    auto run = long_work([&] {
        core::Stages stages("nnm");
        return std::make_unique<results::NnmRun>(
            results::nnm(request_of(file, mode, amplitudes, elements, weighting), choice, stages));
    });
    return answer_of(*run);
}

py::tuple ignl(const std::string& file, int mode, const Array& amplitudes, const std::vector<std::string>& elements,
               const std::string& weighting, int order, bool loops, int loop_steps, int grid, bool curves) {
    const geometric::IgnlOptions options{.order = order, .loops = loops, .loop_steps = loop_steps, .grid = grid};
    auto run = long_work([&] {
        core::Stages stages("ignl");
        return std::make_unique<results::IgnlRun>(results::ignl(request_of(file, mode, amplitudes, elements, weighting),
                                                                options, {.curves = curves}, stages));
    });
    return answer_of(*run);
}

py::dict deck_modes(const std::string& file, int count, const std::vector<std::string>& elements,
                    const std::string& weighting) {
    const auto made = long_work([&] {
        core::Stages stages("modes");
        return std::make_unique<fe::DeckModes>(
            fe::deck_modes(file, {.count = count, .model = deck_options(elements, weighting)}, stages));
    });
    py::dict d;
    d["omega"] = array_of(made->omega);
    d["shapes"] = array_of(made->shapes);
    d["residual"] = array_of(made->residual);
    d["rigid"] = made->rigid;
    d["told"] = plain(fe::json(*made, false));
    return d;
}

py::object mesh(const std::string& name, const std::string& out, std::optional<double> size, const std::string& element,
                bool tied, const core::ParameterValues& dimensions) {
    fe::GeometryOptions options;
    options.values = dimensions;
    if (size) {
        if (!(*size > 0)) throw core::BadInput("size", fmt::format("{:g} is not in (0, inf)", *size));
        options.size = *size;
    }
    options.element = element;
    options.tied = tied;
    return plain(results::json(long_work([&] { return results::mesh(name, options, out); })));
}

py::object network(const std::string& file, const Array& points, const Array& times, const std::string& signal,
                   const std::string& time, const std::string& method) {
    const auto how = network::method_named(method);
    auto net = network::read_network(file);
    results::LoopInput input;
    if (!signal.empty()) {
        input = results::input_from_signal(signal, time);
    } else {
        input.points = vector_of(points);
        input.times = vector_of(times);
        for (std::size_t i = 0; i < input.points.size(); ++i) input.report.push_back(i);
    }
    const auto run = long_work([&] {
        return std::make_unique<results::NetworkRun>(
            results::follow_network(std::move(net), std::move(input), how, false));
    });
    return plain(results::json(*run));
}

py::tuple condense(const std::string& file, int states, const py::dict& given) {
    const auto net = network::read_network(file);
    results::CondenseRequest request;
    request.condense.states = states;
    request.condense.seed = given["seed"].cast<decltype(request.condense.seed)>();
    request.tests = given["tests"].cast<std::vector<std::string>>();
    if (const auto time = given["time"].cast<std::string>(); !time.empty()) request.time = time;
    request.rivals = given["rivals"].cast<std::vector<std::string>>();
    request.condense.check();
    const auto run =
        long_work([&] { return std::make_unique<results::CondenseRun>(results::condense_network(net, request)); });
    return py::make_tuple(plain(results::json(*run)), results::law_text(*run),
                          doubt_of([&] { run->require_converged(); }));
}

/// "auto", "auto:1e-4", or orders.
results::HarmonicChoice choice_of(const py::object& harmonics, int samples) {
    if (py::isinstance<py::str>(harmonics)) return results::parse_harmonics(harmonics.cast<std::string>(), samples);
    return {.harmonics = core::Harmonics(harmonics.cast<std::vector<int>>()), .samples = samples};
}

py::tuple epmc(const ModelHandle& handle, int mode, const Array& amplitudes, const py::object& harmonics, int samples,
               const std::string& amplitude_of, const std::string& output, bool derivatives) {
    const auto m = handle.now();
    results::EpmcRequest request{.mode = mode,
                                 .amplitudes = vector_of(amplitudes),
                                 .harmonics = choice_of(harmonics, samples),
                                 .derivatives = derivatives,
                                 .output = output};
    if (amplitude_of != "modal") request.amplitude_of = core::named(modes::quantities, amplitude_of, "amplitude_of");
    const auto run =
        long_work([&] { return std::make_unique<results::EpmcRun>(results::epmc(m.model(), std::move(request))); });
    return answer_of(*run);
}

/// What the command prints, how many of its points each level has, doubts.
py::tuple response(const ModelHandle& handle, const Array& shape, const Array& levels, const py::dict& given) {
    const auto m = handle.now();
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
    request.check = given["exact_orbits"].cast<bool>();
    request.outputs = given["outputs"].cast<std::vector<std::string>>();
    request.synthesis = given["synthesis"].cast<int>();
    const auto run = long_work(
        [&] { return std::make_unique<results::ResponseRun>(results::response(m.model(), std::move(request))); });
    std::vector<std::size_t> counts;
    for (const auto& level : run->levels) counts.push_back(level.points.size());
    return py::make_tuple(plain(results::json(*run)), counts, doubt_of([&] { run->require_converged(); }));
}

/// A drive is its row, "force" or "displacement", and a name.
py::tuple quasistatic(const ModelHandle& handle, const std::vector<std::tuple<Array, std::string, std::string>>& drives,
                      const std::vector<double>& scales, const std::vector<Array>& values, double cycle,
                      const py::dict& given) {
    const auto m = handle.now();
    results::SlowHistory history;
    for (std::size_t j = 0; j < drives.size(); ++j) {
        const auto& [row, kind, name] = drives[j];
        const auto force = kind == "force" ? modes::DriveKind::force : modes::DriveKind::displacement;
        history.drives.push_back({{force, eigen_vector(row), name}, scales.at(j)});
    }
    for (const auto& column : values) history.columns.push_back(vector_of(column));
    history.cycle = cycle;
    history.points = given["points"].cast<int>();
    history.closure = given["closure"].cast<double>();
    history.most_loops = given["most_loops"].cast<int>();
    modes::QuasistaticOptions options;
    options.path_tolerance = given["path_tolerance"].cast<double>();
    options.events = given["events"].cast<bool>();
    options.sites = given["sites"].cast<bool>();
    options.progress = [](std::size_t) { core::stop_point(); };
    const auto run = long_work(
        [&] { return std::make_unique<results::SlowRun>(results::quasistatic(m.model(), history, options, "model")); });
    auto answer = answer_of(*run);
    const auto& points = run->loop.run.points;
    Array x({py::ssize_t(points.size()), py::ssize_t(m.model().size())});
    for (std::size_t i = 0; i < points.size(); ++i)
        for (Eigen::Index k = 0; k < m.model().size(); ++k)
            x.mutable_data()[i * std::size_t(m.model().size()) + std::size_t(k)] =
                points[i].x.size() ? points[i].x(k) : std::numeric_limits<double>::quiet_NaN();
    return py::make_tuple(answer[0], answer[1], answer[2], x);
}

}  // namespace

void bind_answers(py::module_& m) {
    using namespace py::literals;
    m.def("sice", &sice, "file"_a, "mode"_a, "amplitudes"_a, "elements"_a, "weighting"_a, "orders"_a, "taylor"_a,
          "control"_a, "node"_a);
    m.def("nnm", &nnm, "file"_a, "mode"_a, "amplitudes"_a, "elements"_a, "weighting"_a, "method"_a, "harmonics"_a,
          "order"_a, "shapes"_a);
    m.def("ignl", &ignl, "file"_a, "mode"_a, "amplitudes"_a, "elements"_a, "weighting"_a, "order"_a, "loops"_a,
          "loop_steps"_a, "grid"_a, "curves"_a);
    m.def("deck_modes", &deck_modes, "file"_a, "count"_a, "elements"_a, "weighting"_a);
    m.def("mesh", &mesh, "name"_a, "out"_a, "size"_a, "element"_a, "tied"_a, "dimensions"_a);
    m.def("network", &network, "file"_a, "points"_a, "times"_a, "signal"_a, "time"_a, "method"_a);
    m.def("condense", &condense, "file"_a, "states"_a, "options"_a);
    m.def("epmc", &epmc, "model"_a, "mode"_a, "amplitudes"_a, "harmonics"_a, "samples"_a, "amplitude_of"_a, "output"_a,
          "derivatives"_a);
    m.def("response", &response, "model"_a, "shape"_a, "levels"_a, "options"_a);
    m.def("quasistatic", &quasistatic, "model"_a, "drives"_a, "scales"_a, "values"_a, "cycle"_a, "options"_a);
}

}  // namespace faying::python
