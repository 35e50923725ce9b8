// From measurements to laws: modes of hammer records, sweeps, oscillators fitted to backbones, posteriors.

#include <nlohmann/json.hpp>

#include "bind.hpp"
#include "faying/core/error.hpp"
#include "faying/core/names.hpp"
#include "faying/fit/nuts.hpp"
#include "faying/results/modal_fit.hpp"
#include "faying/results/ring_modes.hpp"
#include "faying/results/sweeps.hpp"
#include "faying/study/calibration.hpp"

namespace faying::python {

namespace {

std::optional<signal::Quantity> quantity_of(const py::dict& given, const char* key) {
    const auto word = given[key].cast<std::string>();
    if (word.empty()) return {};
    return core::named(signal::recorded_quantities, word, key);
}

py::object modes_of_files(const std::vector<std::string>& files, const py::dict& given) {
    results::RingModesRequest request{.files = files};
    request.time.rate = given["rate"].cast<double>();
    request.channel = given["channel"].cast<std::string>();
    request.frequencies = given["frequencies"].cast<std::vector<double>>();
    request.from = given["start"].cast<double>();
    request.to = given["end"].cast<double>();
    request.scale = given["scale"].cast<double>();
    request.units = given["units"].cast<std::string>();
    request.quantity = quantity_of(given, "quantity");
    request.as = quantity_of(given, "as");
    request.points = given["points"].cast<int>();
    const auto run =
        long_work([&] { return std::make_unique<results::RingModesRun>(results::ring_modes(std::move(request))); });
    return plain(results::json(*run));
}

/// Channels as arrays, recorded together from `start` on every `step`.
py::object modes_of_arrays(double start, double step, const std::vector<std::string>& names,
                           const std::vector<Array>& values, const std::string& channel,
                           const std::vector<double>& frequencies, int points) {
    results::RingModesRun run;
    run.request.files = {"record"};
    run.pieces = {{"record", 0, start}};
    run.request.channel = channel;
    run.names = names;
    for (const auto& x : values) run.channels.push_back({start, step, vector_of(x)});
    signal::FindOptions options;
    options.wanted = frequencies;
    options.points = points;
    for (std::size_t c = 0; c < names.size(); ++c)
        if (names[c] == channel) options.reference = c;
    long_work([&] { run.found = signal::find_modes(run.channels, run.names, options, "record"); });
    return plain(results::json(run));
}

py::object sweeps(const std::vector<std::string>& files, const py::dict& given) {
    results::SweepsRequest request{.files = files};
    request.units = given["units"].cast<std::string>();
    request.quantity = quantity_of(given, "quantity");
    request.as = quantity_of(given, "as");
    request.scale = given["scale"].cast<double>();
    request.levels = given["levels"].cast<int>();
    const auto run =
        long_work([&] { return std::make_unique<results::SweepsRun>(results::sweeps(std::move(request))); });
    return plain(results::json(*run));
}

py::tuple modal_fit(const std::string& file, const std::vector<std::string>& laws, const py::dict& given,
                    const py::object& progress) {
    results::ModalFitRequest request{.file = file, .laws = laws, .mode = given["mode"].cast<int>()};
    auto& o = request.options;
    o.curves = core::named(results::oscillator_curves, given["curves"].cast<std::string>(), "curves");
    o.fixed = given["fixed"].cast<core::ParameterValues>();
    o.folds = given["folds"].cast<int>();
    o.starts = given["starts"].cast<int>();
    o.threads = given["threads"].cast<int>();
    if (!progress.is_none())
        o.progress = [&](std::size_t done) {
            const py::gil_scoped_acquire lock;
            progress(double(done) / double(laws.size()));
        };
    const auto run = long_work([&] { return std::make_unique<results::ModalFitRun>(results::modal_fit(request)); });
    return py::make_tuple(plain(results::json(*run)), columns_of(results::table(*run)),
                          doubt_of([&] { run->require_converged(); }));
}

/// Runs a calibration or goes on with it. Ctrl-C leaves a store that the same call goes on with.
py::tuple calibrate(const std::string& file, const std::string& store, int threads, const py::object& progress) {
    const auto found = long_work([&] {
        const auto plan = study::read_calibration(file);
        study::CalibrateOptions o{.store = store, .threads = threads, .stop = [] { return core::stop_requested(); }};
        if (!progress.is_none())
            o.progress = [&](const std::string& law, std::size_t done, std::size_t total) {
                const auto at = std::find(plan.laws.begin(), plan.laws.end(), law) - plan.laws.begin();
                const py::gil_scoped_acquire lock;
                progress((double(at) + double(done) / double(total)) / double(plan.laws.size()), law);
            };
        return std::make_unique<study::Calibration>(study::calibrate(plan, o));
    });
    py::dict draws;
    for (const auto& law : found->laws) {
        py::dict by_key;
        for (const auto& p : law.parameters) by_key[py::str(p.key)] = array_of_rows(p.draws);
        draws[py::str(law.name)] = by_key;
    }
    return py::make_tuple(plain(study::json(*found)), draws, doubt_of([&] { found->require_converged(); }));
}

/// The posterior density of one law of a calibration file, to be driven by any sampler.
class Posterior {
 public:
    Posterior(const std::string& file, const std::string& law)
        : law_(long_work([&] { return study::posterior_of(study::read_calibration(file), law); })) {}

    std::vector<std::string> keys() const {
        std::vector<std::string> all;
        for (const auto& p : law_.posterior->parameters()) all.push_back(p.key);
        return all;
    }
    Array start() const {
        return array_of(long_work([&] { return law_.start(); }));
    }
    /// In the units of the data; the parts of the errors beside them as they are.
    Array values(const Array& z) const {
        auto values = law_.posterior->values(checked(z));
        for (std::size_t k = 0; k < law_.posterior->model_size(); ++k) values[k] = law_.in_units(k, values[k]);
        return array_of(std::move(values));
    }
    double log_density(const Array& z) const {
        const auto at = checked(z);
        return long_work([&] { return law_.posterior->log_density(at); });
    }
    py::tuple log_density_gradient(const Array& z) const {
        const auto at = checked(z);
        Eigen::VectorXd gradient;
        const double density = long_work([&] { return law_.log_density_gradient(at, gradient); });
        return py::make_tuple(density, array_of(gradient));
    }

 private:
    study::LawPosterior law_;

    Eigen::VectorXd checked(const Array& z) const {
        if (z.ndim() != 1 || std::size_t(z.size()) != law_.posterior->size())
            throw core::BadInput("posterior", "theta must have " + std::to_string(law_.posterior->size()) + " numbers");
        return eigen_vector(z);
    }
};

}  // namespace

void bind_measured(py::module_& m) {
    using namespace py::literals;
    m.def("modes_of_files", &modes_of_files, "files"_a, "options"_a);
    m.def("modes_of_arrays", &modes_of_arrays, "start"_a, "step"_a, "names"_a, "values"_a, "channel"_a, "frequencies"_a,
          "points"_a);
    m.def("sweeps", &sweeps, "files"_a, "options"_a);
    m.def("modal_fit", &modal_fit, "file"_a, "laws"_a, "options"_a, "progress"_a);
    m.def("calibrate", &calibrate, "file"_a, "store"_a, "threads"_a, "progress"_a);
    py::class_<Posterior>(m, "Posterior")
        .def(py::init<const std::string&, const std::string&>(), "file"_a, "law"_a)
        .def_property_readonly("keys", &Posterior::keys)
        .def("start", &Posterior::start)
        .def("values", &Posterior::values, "theta"_a)
        .def("log_density", &Posterior::log_density, "theta"_a)
        .def("log_density_gradient", &Posterior::log_density_gradient, "theta"_a);
}

}  // namespace faying::python
