// Laws: by name, in parallel, along paths and in steady cycles.

#include "bind.hpp"
#include "faying/core/error.hpp"
#include "faying/laws/catalogue.hpp"
#include "python_law.hpp"

namespace faying::python {

namespace {

using laws::Law;

py::dict describe(const core::ParameterInfo& p) {
    py::dict d;
    d["key"] = p.key;
    d["symbol"] = p.symbol;
    d["unit"] = p.unit;
    d["meaning"] = p.meaning;
    d["lower"] = p.bounds.lower;
    d["upper"] = p.bounds.upper;
    d["lower_open"] = p.bounds.lower_open;
    d["upper_open"] = p.bounds.upper_open;
    d["scale"] = p.scale == core::Scale::logarithmic ? "log" : "linear";
    d["default"] = p.fallback;
    d["search"] = p.search ? py::object(py::make_tuple(p.search->low, p.search->high)) : py::none();
    return d;
}

py::list describe(const std::vector<core::ParameterInfo>& parameters) {
    py::list all;
    for (const auto& p : parameters) all.append(describe(p));
    return all;
}

py::dict describe(const laws::Claims& claims) {
    py::dict d;
    d["odd"] = claims.odd;
    d["return_point"] = claims.return_point;
    d["masing"] = claims.masing;
    d["dissipative"] = claims.dissipative;
    d["continuous"] = claims.continuous;
    d["elastic"] = claims.elastic;
    d["cut_tolerance"] = claims.cut_tolerance;
    return d;
}

const char* drive_name(laws::Drive drive) { return drive == laws::Drive::force ? "force" : "displacement"; }

py::list catalogue() {
    py::list all;
    for (const auto& entry : laws::catalogue()) {
        py::dict d;
        d["key"] = entry.info.key;
        d["title"] = entry.info.title;
        d["source"] = entry.info.source;
        d["components"] = entry.info.components;
        d["drive"] = drive_name(entry.info.drive);
        d["claims"] = describe(entry.info.claims);
        d["parameters"] = describe(entry.info.parameters);
        all.append(d);
    }
    return all;
}

py::dict history(laws::History&& h) {
    py::dict d;
    d["u"] = array_of(std::move(h.u));
    d["f"] = array_of(std::move(h.f));
    d["tangent"] = array_of(std::move(h.tangent));
    d["work"] = array_of(std::move(h.work));
    d["dissipated"] = array_of(std::move(h.dissipated));
    return d;
}

py::dict follow(const Law& law, const Array& points, const Array& times) {
    auto h = long_work([&] { return law.follow(laws::Path{span_of(points), span_of(times)}); });
    return history(std::move(h));
}

py::list follow_derivatives(const Law& law, const Array& points, const Array& times) {
    auto all = long_work([&] { return law.follow_derivatives(laws::Path{span_of(points), span_of(times)}); });
    py::list out;
    for (auto& h : all) out.append(history(std::move(h)));
    return out;
}

py::dict follow_contact(const Law& law, const Array& points) {
    using Point = laws::Vector3<double>;
    static_assert(sizeof(Point) == 3 * sizeof(double));
    const std::span<const Point> path(reinterpret_cast<const Point*>(points.data()), std::size_t(points.shape(0)));
    auto h = long_work([&] { return law.follow(path); });
    const auto n = py::ssize_t(h.u.size());
    Array u({n, py::ssize_t(3)}), f({n, py::ssize_t(3)}), tangent({n, py::ssize_t(3), py::ssize_t(3)});
    for (std::size_t i = 0; i < h.u.size(); ++i)
        for (std::size_t a = 0; a < 3; ++a) {
            u.mutable_data()[3 * i + a] = h.u[i][a];
            f.mutable_data()[3 * i + a] = h.f[i][a];
            for (std::size_t b = 0; b < 3; ++b) tangent.mutable_data()[9 * i + 3 * a + b] = h.tangent[i][a][b];
        }
    py::dict d;
    d["u"] = u;
    d["f"] = f;
    d["tangent"] = tangent;
    d["work"] = array_of(std::move(h.work));
    d["dissipated"] = array_of(std::move(h.dissipated));
    return d;
}

using Counts = py::array_t<std::int64_t, py::array::c_style>;

/// Zeros that cost memory only where something else is written.
template <class Out>
Out zeros(py::ssize_t n, const char* type) {
    return py::module_::import("numpy").attr("zeros")(n, type).cast<Out>();
}

/// Columns of steady cycles.
struct Columns {
    Array dissipation, secant, stiffness, damping, residual;
    Counts loops;
    explicit Columns(py::ssize_t n)
        : dissipation(n),
          secant(n),
          stiffness(n),
          damping(n),
          residual(zeros<Array>(n, "float64")),
          loops(zeros<Counts>(n, "int64")) {}

    struct Pointers {
        double *dissipation, *secant, *stiffness, *damping, *residual;
        std::int64_t* loops;
        void put(std::size_t i, const laws::Cycle<double>& c) const {
            dissipation[i] = c.dissipation;
            secant[i] = c.secant;
            stiffness[i] = c.harmonic_stiffness;
            damping[i] = c.harmonic_damping;
            if (c.residual != 0) residual[i] = c.residual;
            if (c.loops != 0) loops[i] = c.loops;
        }
    };
    Pointers pointers() {
        return {dissipation.mutable_data(), secant.mutable_data(),   stiffness.mutable_data(),
                damping.mutable_data(),     residual.mutable_data(), loops.mutable_data()};
    }
    py::dict dict(const Array& amplitude) const {
        py::dict d;
        d["amplitude"] = amplitude;
        d["dissipation"] = dissipation;
        d["secant"] = secant;
        d["harmonic_stiffness"] = stiffness;
        d["harmonic_damping"] = damping;
        d["residual"] = residual;
        d["loops"] = loops;
        return d;
    }
};

/// Loops that do not close are NaN, with the residual they reached; `failure` says why.
py::dict cycle(const Law& law, const Array& amplitudes, const laws::CycleOptions& options) {
    Columns columns(amplitudes.size());
    const auto to = columns.pointers();
    const auto A = span_of(amplitudes);
    std::string failure;
    const auto work = [&] {
        for (std::size_t i = 0; i < A.size(); ++i) {
            if (i % 256 == 255) core::stop_point();
            try {
                to.put(i, law.cycle(A[i], options));
            } catch (const core::NotConverged& error) {
                constexpr double nan = std::numeric_limits<double>::quiet_NaN();
                to.put(i, {A[i], nan, nan, nan, nan, error.residual, 0});
                if (failure.empty()) failure = error.what();
            }
        }
    };
    if (A.size() < 64) {
        const py::gil_scoped_release released;
        work();
    } else {
        long_work(work);
    }
    py::dict d = columns.dict(amplitudes);
    d["failure"] = failure;
    return d;
}

/// One set of columns per parameter.
py::list cycle_derivatives(const Law& law, const Array& amplitudes, const laws::CycleOptions& options) {
    std::vector<Columns> columns;
    std::vector<Columns::Pointers> to;
    columns.reserve(law.values().size());
    for (std::size_t k = 0; k < law.values().size(); ++k) columns.emplace_back(amplitudes.size());
    for (auto& c : columns) to.push_back(c.pointers());
    const auto A = span_of(amplitudes);
    long_work([&] {
        for (std::size_t i = 0; i < A.size(); ++i) {
            if (i % 256 == 255) core::stop_point();
            const auto slopes = law.cycle_derivatives(A[i], options);
            for (std::size_t k = 0; k < to.size(); ++k) to[k].put(i, slopes[k]);
        }
    });
    py::list out;
    for (const auto& c : columns) out.append(c.dict(amplitudes));
    return out;
}

py::dict loop(const Law& law, double amplitude, int points) {
    auto h = long_work([&] { return law.loop(amplitude, points); });
    py::dict d;
    d["u"] = array_of(std::move(h.u));
    d["f"] = array_of(std::move(h.f));
    return d;
}

std::vector<std::pair<std::string, std::string>> check(const Law& law, double amplitude, int walks, int turns,
                                                       unsigned seed) {
    const auto found = long_work([&] { return law.check({amplitude, walks, turns, seed}); });
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& f : found) out.emplace_back(f.invariant, f.evidence);
    return out;
}

std::vector<double> checked_values(const std::string& owner, const py::list& table,
                                   const core::ParameterValues& given) {
    std::vector<core::ParameterInfo> infos;
    for (const auto& p : table) infos.push_back(parameter_of(p.cast<py::dict>()));
    std::vector<const core::ParameterInfo*> pointers;
    for (const auto& p : infos) pointers.push_back(&p);
    return core::checked_values(owner, pointers, given);
}

}  // namespace

void bind_laws(py::module_& m) {
    using namespace py::literals;
    m.def("catalogue", &catalogue);
    m.def(
        "expression_parameters",
        [](const std::string& name, int components) { return describe(laws::expression_parameters(name, components)); },
        "name"_a, "components"_a = 1);
    m.def(
        "is_contact_law", [](const std::string& key) { return laws::is_contact_law(key); }, "key"_a);
    m.def("checked_values", &checked_values, "owner"_a, "table"_a, "given"_a);
    m.def("register_law", &register_python_law, "about"_a, "make"_a);

    py::class_<Law>(m, "Law")
        .def(py::init<const std::string&, const core::ParameterValues&>(), "name"_a, "values"_a)
        .def_static("from_python", &law_from_python, "about"_a)
        .def("__add__", [](const Law& a, const Law& b) { return a + b; })
        .def_property_readonly("name", &Law::name)
        .def_property_readonly("parameters", [](const Law& law) { return describe(law.parameters()); })
        .def_property_readonly("values", &Law::values)
        .def_property_readonly("components", &Law::components)
        .def_property_readonly("drive", [](const Law& law) { return drive_name(law.drive()); })
        .def_property_readonly("masing", &Law::masing)
        .def_property_readonly("elastic", &Law::elastic)
        .def_property_readonly("claims", [](const Law& law) { return describe(law.claims()); })
        .def_property_readonly("macroslip", &Law::macroslip)
        .def_property_readonly(
            "derivatives",
            [](const Law& law) { return law.derivatives() == laws::Derivatives::exact ? "exact" : "differences"; })
        .def("follow", &follow, "points"_a, "times"_a)
        .def("follow_contact", &follow_contact, "points"_a)
        .def("follow_derivatives", &follow_derivatives, "points"_a, "times"_a)
        .def(
            "cycle",
            [](const Law& law, const Array& amplitudes, double tolerance, int most_loops) {
                return cycle(law, amplitudes, {tolerance, most_loops});
            },
            "amplitudes"_a, "tolerance"_a, "most_loops"_a)
        .def(
            "cycle_derivatives",
            [](const Law& law, const Array& amplitudes, double tolerance, int most_loops) {
                return cycle_derivatives(law, amplitudes, {tolerance, most_loops});
            },
            "amplitudes"_a, "tolerance"_a, "most_loops"_a)
        .def("loop", &loop, "amplitude"_a, "points"_a)
        .def("check", &check, "amplitude"_a, "walks"_a, "turns"_a, "seed"_a);
}

}  // namespace faying::python
