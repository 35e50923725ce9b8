// Fits: laws from loops, modal Iwan models, studies.

#include <nlohmann/json.hpp>

#include "bind.hpp"
#include "faying/core/error.hpp"
#include "faying/fit/identify.hpp"
#include "faying/modal/iwan.hpp"
#include "faying/results/identify.hpp"
#include "faying/study/evaluation_log.hpp"
#include "faying/study/report_data.hpp"
#include "faying/study/run.hpp"
#include "version.hpp"

namespace faying::python {

namespace {

/// Calls a function of Python from any thread; nothing where there is none.
std::function<void(double)> share_to(const py::object& progress) {
    if (progress.is_none()) return {};
    return [&progress](double share) {
        const py::gil_scoped_acquire lock;
        progress(share);
    };
}

py::dict identify(const Array& u, const Array& f, const Array& t, const std::string& law, const py::dict& given,
                  const py::object& progress) {
    const fit::Loop loop{vector_of(u), vector_of(f), vector_of(t)};
    fit::IdentifyOptions o;
    o.fixed = given["fixed"].cast<core::ParameterValues>();
    o.start = given["start"].cast<core::ParameterValues>();
    o.free = given["free"].cast<std::vector<std::string>>();
    const auto memory = given["memory"].cast<std::string>();
    o.memory = memory == "virgin"   ? fit::Memory::virgin
               : memory == "steady" ? fit::Memory::steady
                                    : fit::Memory::automatic;
    o.passes = given["passes"].cast<int>();
    o.iterations = given["iterations"].cast<int>();
    o.threads = given["threads"].cast<int>();
    o.refine = given["refine"].cast<bool>();
    if (!given["terms"].is_none()) o.branch.terms = given["terms"].cast<std::vector<std::string>>();
    o.branch.symmetric = given["symmetric"].cast<bool>();
    o.branch.form = core::named(results::loop_forms, given["form"].cast<std::string>(), "form");
    if (!given["cut"].is_none()) o.branch.cut = given["cut"].cast<double>();
    if (!given["stride"].is_none()) o.branch.stride = given["stride"].cast<int>();
    o.progress = share_to(progress);
    auto found = long_work([&] { return fit::identify(loop, law, o); });
    py::dict d;
    d["parameters"] = found.parameters;
    d["standard_errors"] = found.standard_errors;
    d["rms"] = found.rms;
    d["relative_rms"] = found.relative_rms;
    d["condition"] = found.condition;
    d["entangled"] = found.entangled;
    d["memory"] = std::string(fit::name(found.memory));
    d["converged"] = found.converged;
    d["iterations"] = found.iterations;
    d["modelled"] = array_of(std::move(found.modelled));
    if (found.other) {
        py::dict other;
        other["memory"] = std::string(fit::name(found.other->memory));
        other["rms"] = found.other->rms;
        other["relative_rms"] = found.other->relative_rms;
        other["parameters"] = found.other->parameters;
        other["alike"] = found.other->alike;
        other["complete"] = found.other->complete;
        d["other"] = other;
    } else {
        d["other"] = py::none();
    }
    return d;
}

py::dict parameters_of_mode(const modal::ModalIwan& m) {
    py::dict d;
    d["k_infinity"] = m.k_infinity;
    d["zeta0"] = m.zeta0;
    d["FS"] = m.FS;
    d["KT"] = m.KT;
    d["chi"] = m.chi;
    d["beta"] = m.beta;
    return d;
}

modal::ModalIwan mode_of(const py::dict& d) {
    const auto number = [&](const char* key) { return d[key].cast<double>(); };
    return {number("k_infinity"), number("zeta0"), number("FS"), number("KT"), number("chi"), number("beta")};
}

modal::Stiffness stiffness_of(const std::string& word) {
    return word == "secant" ? modal::Stiffness::secant : modal::Stiffness::harmonic;
}

py::dict fit_modal_iwan(const Array& q, const Array& omega, const Array& zeta, const Array& omega_error,
                        const Array& zeta_error, const std::string& stiffness, bool robust, double zeta0) {
    std::vector<modal::ModalPoint> points;
    for (py::ssize_t i = 0; i < q.size(); ++i)
        points.push_back({q.data()[i], omega.data()[i], zeta.data()[i], omega_error.size() ? omega_error.data()[i] : 0,
                          zeta_error.size() ? zeta_error.data()[i] : 0});
    modal::FitOptions o;
    o.stiffness = stiffness_of(stiffness);
    o.robust = robust;
    o.zeta0 = zeta0;
    const auto found = long_work([&] { return modal::fit_modal_iwan(points, o); });
    py::dict d;
    d["parameters"] = parameters_of_mode(found.mode);
    d["standard_errors"] = parameters_of_mode(found.error);
    d["start"] = parameters_of_mode(found.start);
    d["omega_rms"] = found.omega_rms;
    d["zeta_rms"] = found.zeta_rms;
    d["iterations"] = found.iterations;
    d["converged"] = found.converged;
    d["macroslip"] = found.mode.macroslip();
    return d;
}

py::tuple modal_iwan_at(const py::dict& parameters, const Array& q, const std::string& stiffness) {
    const auto mode = mode_of(parameters);
    Array omega(q.size()), zeta(q.size());
    for (py::ssize_t i = 0; i < q.size(); ++i) {
        const auto p = mode.at(q.data()[i], stiffness_of(stiffness));
        omega.mutable_data()[i] = p.omega;
        zeta.mutable_data()[i] = p.zeta;
    }
    return py::make_tuple(omega, zeta);
}

std::string report_text(const study::Store& store) {
    auto report = study::report_data(store);
    report["ranking"] = nlohmann::json::array();
    const auto result = study::study_result(store);
    for (const auto* variant : result.ranked()) report["ranking"].push_back(variant->name);
    return report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Runs a study or goes on with it; the report's data as JSON. Ctrl-C leaves a store that the same call goes on with.
std::string run_study(const std::string& path, const std::string& out, int threads, const py::object& progress) {
    return long_work([&] {
        study::RunOptions o;
        o.code_version = faying_version;
        o.command = "faying.study";
        o.stop = [] { return core::stop_requested(); };
        if (!progress.is_none())
            o.progress = [&](const study::RunStatus& s) {
                const py::gil_scoped_acquire lock;
                progress(s.share, s.variant);
            };
        study::run_study(study::read_study(path), {.store = out}, threads, o);
        return report_text(study::Store(out, study::Access::read));
    });
}

std::string read_store(const std::string& path) {
    return long_work([&] { return report_text(study::Store(path, study::Access::read)); });
}

}  // namespace

void bind_fits(py::module_& m) {
    using namespace py::literals;
    m.def("identify", &identify, "u"_a, "f"_a, "t"_a, "law"_a, "options"_a, "progress"_a);
    m.def("fit_modal_iwan", &fit_modal_iwan, "q"_a, "omega"_a, "zeta"_a, "omega_error"_a, "zeta_error"_a, "stiffness"_a,
          "robust"_a, "zeta0"_a);
    m.def("modal_iwan_at", &modal_iwan_at, "parameters"_a, "q"_a, "stiffness"_a);
    m.def("run_study", &run_study, "path"_a, "out"_a, "threads"_a, "progress"_a);
    m.def("read_store", &read_store, "path"_a);
    m.def(
        "write_report",
        [](const std::string& path, const std::string& out, const std::string& title) {
            return plain(long_work([&] { return study::write_report(path, out, title); }));
        },
        "path"_a, "out"_a, "title"_a);
}

}  // namespace faying::python
