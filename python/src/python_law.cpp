#include "python_law.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"

namespace faying::python {

std::shared_ptr<const py::object> kept(py::object object) {
    return {new py::object(std::move(object)), [](const py::object* held) {
                if (!Py_IsInitialized()) return;  // the process ends: nothing is left to give it back to
                const py::gil_scoped_acquire lock;
                delete held;
            }};
}

template <int Width>
typename PythonLawOf<Width>::Answer PythonLawOf<Width>::ask(const std::vector<State>& from,
                                                            std::span<const double> u) const {
    const auto n = py::ssize_t(u.size()) / Width, m = py::ssize_t(virgin_.size());
    const std::vector<py::ssize_t> shape =
        Width == 1 ? std::vector<py::ssize_t>{n} : std::vector<py::ssize_t>{n, Width};
    Array where(shape, u.data()), memory({n, m});
    double* next = memory.mutable_data();
    for (py::ssize_t i = 0; i < n; ++i)
        next = std::copy(from[std::size_t(i)].memory.begin(), from[std::size_t(i)].memory.end(), next);
    py::object answer;
    try {
        answer = twin_->attr("_step")(where, memory);
    } catch (py::error_already_set& error) {
        const py::object bad_input = py::module_::import("faying.errors").attr("BadInput");
        if (!error.matches(bad_input)) throw;
        throw core::BadInput(py::str(error.value()).cast<std::string>());
    }
    const auto parts = answer.cast<std::vector<Array>>();
    return {parts.at(0), parts.at(1), parts.at(2), parts.at(3), parts.at(4)};
}

template <int Width>
laws::Step<double, typename PythonLawOf<Width>::State> PythonLawOf<Width>::step(const State& z, double u) const
    requires(Width == 1) {
    const py::gil_scoped_acquire lock;
    const auto a = ask({z}, {&u, 1});
    return {a.force.data()[0], a.tangent.data()[0], a.work.data()[0], a.dissipated.data()[0], {vector_of(a.next)}};
}

template <int Width>
laws::ContactStep<double, typename PythonLawOf<Width>::State> PythonLawOf<Width>::step(
    const State& z, const laws::Vector3<double>& u) const requires(Width == 3) {
    const py::gil_scoped_acquire lock;
    const auto a = ask({z}, u);
    laws::ContactStep<double, State> s;
    for (std::size_t i = 0; i < 3; ++i) {
        s.force[i] = a.force.data()[i];
        for (std::size_t j = 0; j < 3; ++j) s.tangent[i][j] = a.tangent.data()[3 * i + j];
    }
    s.work = s.tangential_work = a.work.data()[0];
    s.dissipated = a.dissipated.data()[0];
    s.next = {vector_of(a.next)};
    return s;
}

template <int Width>
void PythonLawOf<Width>::respond_sites(const std::vector<State>& from, std::span<const double> u,
                                       std::span<double> force, std::span<double> tangent) const {
    const py::gil_scoped_acquire lock;
    const auto a = ask(from, u);
    std::copy_n(a.force.data(), u.size(), force.begin());
    std::copy_n(a.tangent.data(), u.size() * Width, tangent.begin());
}

template <int Width>
void PythonLawOf<Width>::step_sites(std::vector<State>& states, std::span<const double> u,
                                    std::span<double> dissipated) const {
    const py::gil_scoped_acquire lock;
    const auto a = ask(states, u);
    std::copy_n(a.dissipated.data(), u.size() / Width, dissipated.begin());
    const double* next = a.next.data();
    for (auto& z : states) {
        std::copy_n(next, z.memory.size(), z.memory.begin());
        next += z.memory.size();
    }
}

namespace {

using laws::Cycle;
using laws::CycleOptions;
using laws::History;
using laws::Path;

template <class Own>
class PythonModel final : public laws::LawModel {
    using Plain = std::conditional_t<laws::HysteresisLaw<Own>, laws::LawModelOf<PythonLaw>,
                                     laws::ElementModelOf<PythonContactLaw>>;

 public:
    PythonModel(Own law, std::vector<core::ParameterInfo> parameters, std::vector<double> values,
                std::optional<double> macroslip, bool linear, py::function remake)
        : law_(std::move(law)),
          plain_(law_),
          parameters_(std::move(parameters)),
          values_(std::move(values)),
          macroslip_(macroslip),
          linear_(linear),
          remake_(kept(std::move(remake))) {}

    /// Messages with the law's own name.
    template <class Ask>
    auto renamed(const Ask& ask) const {
        try {
            return ask();
        } catch (const core::NotConverged& error) {
            const std::string text = error.what(), prefix(Own::key);
            throw core::NotConverged(text.starts_with(prefix) ? law_.name() + text.substr(prefix.size()) : text,
                                     error.residual);
        }
    }

    laws::Joint joint(std::size_t sites) const override { return laws::Joint(law_, sites); }
    laws::JointOf<core::Dual> joint(std::size_t sites, laws::Seeds seeds) const override {
        using Sides = typename laws::Differenced<Own>::Sides;
        const auto sides = [&](int d) -> std::optional<Sides> {
            auto up = values_, down = values_;
            typename laws::Differenced<Own>::Reach reach;
            for (std::size_t i = 0; i < values_.size() && i < seeds.size(); ++i) {
                if (seeds[i] != d) continue;
                const auto to = laws::moved(parameters_[i], values_[i]);
                up[i] = to.up;
                down[i] = to.down;
                reach = {to.up - values_[i], values_[i] - to.down};
            }
            if (reach.none()) return std::nullopt;
            return Sides{with(up), with(down), reach};
        };
        return laws::JointOf<core::Dual>(laws::Differenced<Own>(law_, sides), sites);
    }
    std::optional<double> macroslip() const override { return macroslip_; }
    bool linear() const override { return linear_; }

    History follow(const Path& path) const override { return plain_.follow(path); }
    Cycle<double> cycle(double amplitude, const CycleOptions& options) const override {
        return renamed([&] { return plain_.cycle(amplitude, options); });
    }
    History loop(double amplitude, int points) const override {
        return renamed([&] { return plain_.loop(amplitude, points); });
    }
    std::vector<History> follow_derivatives(const Path& path) const override {
        return differences<History>([&](const laws::LawModel& law) { return law.follow(path); });
    }
    std::vector<Cycle<double>> cycle_derivatives(double amplitude, const CycleOptions& options) const override {
        return differences<Cycle<double>>([&](const laws::LawModel& law) { return law.cycle(amplitude, options); });
    }
    laws::ContactHistory follow(std::span<const laws::Vector3<double>> path) const override {
        return plain_.follow(path);
    }

 private:
    Own law_;
    Plain plain_;
    std::vector<core::ParameterInfo> parameters_;
    std::vector<double> values_;
    std::optional<double> macroslip_;
    bool linear_;
    std::shared_ptr<const py::object> remake_;

    Own with(const std::vector<double>& values) const {
        const py::gil_scoped_acquire lock;
        return Own(law_.name(), kept((*remake_)(values)), law_.virgin().memory);
    }

    template <class Answer, class Ask>
    std::vector<Answer> differences(const Ask& ask) const {
        std::vector<Answer> all;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            auto up = values_, down = values_;
            const auto to = laws::moved(parameters_[i], values_[i]);
            up[i] = to.up;
            down[i] = to.down;
            all.push_back(laws::detail::difference(ask(Plain(with(up))), ask(Plain(with(down))), to.up - to.down));
        }
        return all;
    }
};

}  // namespace

core::ParameterInfo parameter_of(const py::dict& p) {
    core::ParameterInfo info;
    info.key = p["key"].cast<std::string>();
    info.symbol = p["symbol"].cast<std::string>();
    info.unit = p["unit"].cast<std::string>();
    info.meaning = p["meaning"].cast<std::string>();
    info.bounds = {p["lower"].cast<double>(), p["upper"].cast<double>(), p["lower_open"].cast<bool>(),
                   p["upper_open"].cast<bool>()};
    info.scale = p["scale"].cast<std::string>() == "log" ? core::Scale::logarithmic : core::Scale::linear;
    info.fallback = p["default"].cast<std::optional<double>>();
    if (const auto search = p["search"].cast<std::optional<std::pair<double, double>>>())
        info.search = core::SearchRange{search->first, search->second};
    return info;
}

namespace {

laws::LawInfo info_of(const py::dict& about) {
    laws::LawInfo info;
    info.key = about["key"].cast<std::string>();
    info.title = about["title"].cast<std::string>();
    info.source = about["source"].cast<std::string>();
    for (const auto& p : about["parameters"]) info.parameters.push_back(parameter_of(p.cast<py::dict>()));
    const auto claims = about["claims"].cast<py::dict>();
    info.claims = {.odd = claims["odd"].cast<bool>(),
                   .return_point = claims["return_point"].cast<bool>(),
                   .masing = claims["masing"].cast<bool>(),
                   .dissipative = claims["dissipative"].cast<bool>(),
                   .continuous = claims["continuous"].cast<bool>(),
                   .elastic = claims["elastic"].cast<bool>(),
                   .cut_tolerance = claims["cut_tolerance"].cast<double>()};
    info.derivatives = laws::Derivatives::differences;
    info.components = about["components"].cast<int>();
    if (info.components == 3) info.normal = 2;
    return info;
}

std::shared_ptr<const laws::LawModel> model_from(const py::dict& about, const laws::LawInfo& info) {
    const auto made = [&]<class Own>(Own law) -> std::shared_ptr<const laws::LawModel> {
        return std::make_shared<PythonModel<Own>>(std::move(law), info.parameters,
                                                  about["values"].cast<std::vector<double>>(),
                                                  about["macroslip"].cast<std::optional<double>>(),
                                                  about["linear"].cast<bool>(), about["remake"].cast<py::function>());
    };
    auto virgin = about["virgin"].cast<std::vector<double>>();
    if (info.components == 3) return made(PythonContactLaw(info.key, kept(about["twin"]), std::move(virgin)));
    return made(PythonLaw(info.key, kept(about["twin"]), std::move(virgin)));
}

}  // namespace

laws::Law law_from_python(const py::dict& about) {
    const auto info = info_of(about);
    return laws::Law(info, about["values"].cast<std::vector<double>>(), model_from(about, info));
}

void register_python_law(const py::dict& about, py::function make) {
    laws::LawEntry entry;
    entry.info = info_of(about);
    entry.make = [make = kept(std::move(make)), info = entry.info](const std::vector<double>& values) {
        const py::gil_scoped_acquire lock;
        return model_from((*make)(values).cast<py::dict>(), info);
    };
    if (about["again"].cast<bool>())
        laws::replace_entry(std::move(entry));
    else
        laws::add_entry(std::move(entry));
}

}  // namespace faying::python
