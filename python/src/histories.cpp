// Time histories of a model, and what is read out of ring-downs.

#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/results/simulate.hpp"
#include "faying/signal/backbone.hpp"
#include "faying/signal/modal_filter.hpp"
#include "faying/signal/ring_down.hpp"
#include "structures.hpp"

namespace faying::python {

namespace {

using transient::Snapshot;

/// Rows of one width, put one below the other while a run goes on.
struct Rows {
    std::vector<double> values;
    void add(const Eigen::VectorXd& row) { values.insert(values.end(), row.begin(), row.end()); }
    Array array(std::size_t rows) && {
        const auto columns = rows > 0 ? values.size() / rows : 0;
        Array flat = array_of(std::move(values));
        return flat.reshape({py::ssize_t(rows), py::ssize_t(columns)});
    }
};

struct Record {
    std::vector<double> t, kinetic, strain, joint_work, joint_dissipated, viscous, input, missing;
    Rows u, v, q, joint_displacement, joint_force;

    void add(const Snapshot& s) {
        t.push_back(s.time);
        u.add(s.displacement);
        v.add(s.velocity);
        q.add(s.q);
        joint_displacement.add(s.joint_displacement);
        joint_force.add(s.joint_force);
        kinetic.push_back(s.energy.kinetic);
        strain.push_back(s.energy.strain);
        joint_work.push_back(s.energy.joint_work);
        joint_dissipated.push_back(s.energy.joint_dissipated);
        viscous.push_back(s.energy.viscous);
        input.push_back(s.energy.input);
        missing.push_back(s.energy.missing());
    }
    py::dict dict() && {
        const std::size_t n = t.size();
        py::dict d;
        d["u"] = std::move(u).array(n);
        d["v"] = std::move(v).array(n);
        d["q"] = std::move(q).array(n);
        d["joint_displacement"] = std::move(joint_displacement).array(n);
        d["joint_force"] = std::move(joint_force).array(n);
        d["kinetic"] = array_of(std::move(kinetic));
        d["strain"] = array_of(std::move(strain));
        d["joint_work"] = array_of(std::move(joint_work));
        d["joint_dissipated"] = array_of(std::move(joint_dissipated));
        d["viscous"] = array_of(std::move(viscous));
        d["input"] = array_of(std::move(input));
        d["missing"] = array_of(std::move(missing));
        d["t"] = array_of(std::move(t));
        return d;
    }
};

transient::History history_of(const py::tuple& words) {
    const auto kind = words[0].cast<std::string>();
    const auto number = [&](std::size_t i) { return words[i].cast<double>(); };
    if (kind == "half_sine") return transient::half_sine(number(1), number(2));
    if (kind == "sine") return transient::sine(number(1), number(2), number(3), number(4));
    if (kind == "chirp") return transient::chirp(number(1), number(2), number(3), number(4));
    if (kind == "random")
        return transient::random(vector_of(words[1].cast<Array>()), vector_of(words[2].cast<Array>()),
                                 words[3].cast<int>(), words[4].cast<std::uint64_t>());
    if (kind == "flat_random")
        return transient::random(number(1), number(2), number(3), words[4].cast<int>(), words[5].cast<std::uint64_t>());
    return transient::tabulated(vector_of(words[1].cast<Array>()), vector_of(words[2].cast<Array>()));
}

transient::Options run_options(const py::dict& given) {
    transient::Options o;
    o.method = core::named(results::transient_methods, given["method"].cast<std::string>(), "method");
    o.duration = given["duration"].cast<double>();
    o.step = given["step"].cast<double>();
    o.record_every = given["every"].cast<int>();
    o.adaptive = given["adaptive"].cast<bool>();
    o.tolerance = given["tolerance"].cast<std::optional<double>>();
    o.spectral_radius = given["spectral_radius"].cast<double>();
    o.modes = given["modes"].cast<int>();
    o.energy = given["energy"].cast<bool>();
    o.energy_tolerance = given["energy_tolerance"].cast<double>();
    o.samples = given["samples"].cast<std::vector<double>>();
    return o;
}

/// What the command prints (none where a step did not converge), the record, the states at the samples, doubts.
py::tuple simulate(const ModelHandle& handle, const std::vector<std::pair<Array, py::tuple>>& loads, const Array& u,
                   const Array& v, bool preloaded, const py::dict& given, const py::object& progress) {
    const auto m = handle.now();
    results::SimulateRequest request;
    for (const auto& [shape, words] : loads) request.excitation.push_back({eigen_vector(shape), history_of(words)});
    request.start = transient::Start{eigen_vector(u), eigen_vector(v), preloaded};
    request.run = run_options(given);
    request.out = given["out"].cast<std::string>();
    request.resume = given["resume"].cast<bool>();
    request.given = given["given"].cast<std::string>();
    Record record, samples;
    std::size_t steps = 0;
    results::SimulateWatch watch;
    watch.row = [&](const Snapshot& s) { record.add(s); };
    if (!progress.is_none())
        watch.go_on = [&](double share) {
            if (++steps % 4096 == 0) {
                const py::gil_scoped_acquire lock;
                progress(share);
            }
            return true;
        };
    std::optional<results::SimulateRun> made;
    try {
        made = long_work([&] { return results::simulate(m.model(), std::move(request), watch); });
    } catch (const core::NotConverged& error) {
        return py::make_tuple(py::none(), std::move(record).dict(), std::move(samples).dict(),
                              doubt_of([&]() -> void { throw error; }));
    }
    const auto& run = *made;
    for (const auto& s : run.samples) samples.add(s);
    return py::make_tuple(plain(results::json(run)), std::move(record).dict(), std::move(samples).dict(),
                          doubt_of([&] { run.require_balance(); }));
}

signal::Record record_of(const Array& t, const Array& x, const std::string& where) {
    return signal::even_record(span_of(t), span_of(x), where);
}

py::dict envelope_dict(const signal::Envelope& e) {
    const std::size_t n = e.points.size();
    std::vector<double> t(n), amplitude(n), omega(n), damped(n), zeta(n), omega_error(n), zeta_error(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto& p = e.points[i];
        t[i] = p.time;
        amplitude[i] = p.amplitude;
        omega[i] = p.omega;
        damped[i] = p.omega_damped;
        zeta[i] = p.zeta;
        omega_error[i] = p.omega_error;
        zeta_error[i] = p.zeta_error;
    }
    py::dict d;
    d["t"] = array_of(std::move(t));
    d["amplitude"] = array_of(std::move(amplitude));
    d["omega"] = array_of(std::move(omega));
    d["omega_damped"] = array_of(std::move(damped));
    d["zeta"] = array_of(std::move(zeta));
    d["omega_error"] = array_of(std::move(omega_error));
    d["zeta_error"] = array_of(std::move(zeta_error));
    d["follows"] = signal::name(e.follows);
    d["scatter"] = e.scatter;
    d["dropped_segments"] = e.dropped_segments;
    return d;
}

py::dict envelope(const Array& t, const Array& x, const py::dict& given) {
    const std::string where = "record";
    const auto word = [&](const char* key) { return given[key].cast<std::string>(); };
    const auto quantity = [&](const char* key) { return core::named(signal::recorded_quantities, word(key), key); };
    signal::RingDownOptions o;
    o.envelope.method = core::named(signal::envelope_methods, word("method"), "method");
    o.envelope.segments = given["segments"].cast<int>();
    o.envelope.dropped_start = given["drop_start"].cast<double>();
    o.envelope.dropped_end = given["drop_end"].cast<double>();
    if (const auto band = given["band"].cast<std::optional<std::pair<double, double>>>())
        o.band = {band->first, band->second, given["order"].cast<int>()};
    if (!word("quantity").empty()) {
        o.quantity = quantity("quantity");
        o.as = quantity("as");
    }
    return envelope_dict(long_work([&] { return signal::ring_down(record_of(t, x, where), o, where); }));
}

signal::Envelope envelope_of(const py::dict& d) {
    const auto column = [&](const char* name) { return vector_of(d[name].cast<Array>()); };
    const auto t = column("t"), amplitude = column("amplitude"), omega = column("omega"), zeta = column("zeta");
    const auto omega_error = column("omega_error"), zeta_error = column("zeta_error");
    signal::Envelope e;
    for (std::size_t i = 0; i < t.size(); ++i)
        e.points.push_back({t[i], amplitude[i], omega[i], omega[i], zeta[i], omega_error[i], zeta_error[i]});
    return e;
}

py::dict merged(const std::vector<py::dict>& envelopes, int points) {
    std::vector<signal::Envelope> all;
    for (const auto& e : envelopes) all.push_back(envelope_of(e));
    const auto b = long_work([&] { return signal::merged_backbone(all, points); });
    py::dict d;
    const auto column = [&](const char* name, auto read) {
        Array out(py::ssize_t(b.points.size()));
        for (std::size_t i = 0; i < b.points.size(); ++i) out.mutable_data()[i] = read(b.points[i]);
        d[name] = out;
    };
    column("amplitude", [](const auto& p) { return p.amplitude; });
    column("omega", [](const auto& p) { return p.omega; });
    column("zeta", [](const auto& p) { return p.zeta; });
    column("omega_mean_low", [](const auto& p) { return p.omega_mean.low; });
    column("omega_mean_high", [](const auto& p) { return p.omega_mean.high; });
    column("zeta_mean_low", [](const auto& p) { return p.zeta_mean.low; });
    column("zeta_mean_high", [](const auto& p) { return p.zeta_mean.high; });
    column("omega_observation_low", [](const auto& p) { return p.omega_observation.low; });
    column("omega_observation_high", [](const auto& p) { return p.omega_observation.high; });
    column("zeta_observation_low", [](const auto& p) { return p.zeta_observation.low; });
    column("zeta_observation_high", [](const auto& p) { return p.zeta_observation.high; });
    return d;
}

Array modal_coordinate(const Array& t, const Array& channels, const Array& shapes, int mode) {
    std::vector<signal::Record> records;
    const auto n = std::size_t(channels.shape(1));
    for (py::ssize_t c = 0; c < channels.shape(0); ++c)
        records.push_back(signal::even_record(span_of(t), {channels.data() + std::size_t(c) * n, n}, "channel"));
    auto filtered = signal::modal_filter(records, eigen_matrix(shapes), "channels");
    return array_of(std::move(filtered.modes.at(std::size_t(mode) - 1).values));
}

}  // namespace

void bind_histories(py::module_& m) {
    using namespace py::literals;
    m.def("simulate", &simulate, "model"_a, "loads"_a, "u"_a, "v"_a, "preloaded"_a, "options"_a, "progress"_a);
    m.def(
        "mode_load",
        [](const ModelHandle& model, int mode, bool slipping) {
            return array_of(transient::mode_load(model.model(), mode, slipping));
        },
        "model"_a, "mode"_a, "slipping"_a);
    m.def(
        "base_load",
        [](const ModelHandle& model, const Array& rigid) {
            return array_of(transient::base_load(model.model(), eigen_vector(rigid)));
        },
        "model"_a, "rigid"_a);
    m.def("envelope", &envelope, "t"_a, "x"_a, "options"_a);
    m.def("merged_backbone", &merged, "envelopes"_a, "points"_a);
    m.def("modal_coordinate", &modal_coordinate, "t"_a, "channels"_a, "shapes"_a, "mode"_a);
    m.def(
        "dominant_frequency",
        [](const Array& t, const Array& x) { return signal::dominant_frequency(record_of(t, x, "record"), "record"); },
        "t"_a, "x"_a);
}

}  // namespace faying::python
