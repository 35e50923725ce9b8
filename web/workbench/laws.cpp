// The library's laws for the workbench page, compiled to WebAssembly: the same headers and sources as the tool's.
//
// Numbers go through arrays of doubles, words through JSON. A function that cannot answer returns -1 (or null) and
// `faying_error` says why, in the words of the command line.

#include "faying/results/laws.hpp"

#include <emscripten/emscripten.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "faying/fit/identify.hpp"
#include "memory.hpp"

namespace {

using namespace faying;
using nlohmann::json;

struct Made {
    laws::Law law;
    std::string name;
};

std::map<int, Made> made;
int last = 0;
std::string error, answer;

/// Runs it; -1 and the reason where the library refuses.
template <class Work>
int guarded(const Work& work) {
    try {
        error.clear();
        return work();
    } catch (const std::exception& caught) {
        error = caught.what();
        return -1;
    }
}

const char* answered(const json& value) {
    answer = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return answer.c_str();
}

json number_or_null(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

json described(const core::ParameterInfo& p) {
    return {{"key", p.key},
            {"unit", p.unit},
            {"meaning", p.meaning},
            {"range", p.bounds.text()},
            {"lower", number_or_null(p.bounds.lower)},
            {"upper", number_or_null(p.bounds.upper)},
            {"lower_open", p.bounds.lower_open},
            {"upper_open", p.bounds.upper_open},
            {"scale", p.scale == core::Scale::logarithmic ? "log" : "linear"},
            {"default", p.fallback ? number_or_null(*p.fallback) : json(nullptr)},
            {"required", !p.fallback.has_value()}};
}

/// Values to begin with, in table order, and an amplitude that shows what the law does.
json specimen_of(const laws::LawEntry& entry) {
    if (entry.specimens.empty()) return nullptr;
    const auto& s = entry.specimens.front();
    json values = json::array();
    for (std::size_t i = 0; i < entry.info.parameters.size(); ++i)
        values.push_back(i < s.values.size() ? number_or_null(s.values[i])
                                             : number_or_null(entry.info.parameters[i].fallback.value_or(NAN)));
    return {{"values", values}, {"amplitude", s.amplitude}};
}

void put(double* to, const std::vector<double>& from) { std::copy(from.begin(), from.end(), to); }

/// What a measured loop says about a law, as `faying identify` prints it.
json found(const fit::Identified& f) {
    json standard_errors = json::object();
    for (const auto& [key, value] : f.standard_errors) standard_errors[key] = number_or_null(value);
    return {{"parameters", f.parameters},
            {"standard_errors", standard_errors},
            {"rms", f.rms},
            {"relative_rms", f.relative_rms},
            {"condition", number_or_null(f.condition)},
            {"entangled", f.entangled},
            {"memory", std::string(fit::name(f.memory))},
            {"converged", f.converged},
            {"modelled", f.modelled}};
}

/// Heard by the page's worker.
EM_JS(void, tell_share, (double share), {
    if (Module.onShare) Module.onShare(share);
});

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* faying_error() { return error.c_str(); }

/// Every law of one displacement: as `faying laws --json`, with bounds as numbers and values to begin with.
EMSCRIPTEN_KEEPALIVE const char* faying_catalogue() {
    json all = json::array();
    for (const auto& entry : laws::catalogue()) {
        if (entry.info.components != 1) continue;
        json one = results::json({entry.info})["laws"][0];
        one["parameters"] = json::array();
        for (const auto& p : entry.info.parameters) one["parameters"].push_back(described(p));
        one["specimen"] = specimen_of(entry);
        all.push_back(one);
    }
    return answered(all);
}

/// Parameters of laws in parallel, under the names the expression gives them; null where there is no such law.
EMSCRIPTEN_KEEPALIVE const char* faying_parameters(const char* name) {
    json all = json::array();
    const int status = guarded([&] {
        for (const auto& p : laws::expression_parameters(name)) all.push_back(described(p));
        return 0;
    });
    return status == 0 ? answered(all) : nullptr;
}

/// A law with its parameters (a JSON object); a number to name it by.
EMSCRIPTEN_KEEPALIVE int faying_make(const char* name, const char* values) {
    return guarded([&] {
        laws::Law law(name, json::parse(values).get<core::ParameterValues>());
        made.insert_or_assign(++last, Made{std::move(law), name});
        return last;
    });
}

EMSCRIPTEN_KEEPALIVE void faying_free(int id) { made.erase(id); }

EMSCRIPTEN_KEEPALIVE double faying_macroslip(int id) { return made.at(id).law.macroslip().value_or(INFINITY); }

/// out: u, f, tangent, work, dissipated, n of each. t: null unless times are known.
EMSCRIPTEN_KEEPALIVE int faying_follow(int id, const double* points, const double* t, int n, double* out) {
    return guarded([&] {
        const std::size_t count(n);
        const auto h =
            made.at(id).law.follow(laws::Path{{points, count}, t ? std::span(t, count) : std::span<const double>()});
        put(out, h.u);
        put(out + count, h.f);
        put(out + 2 * count, h.tangent);
        put(out + 3 * count, h.work);
        put(out + 4 * count, h.dissipated);
        return n;
    });
}

/// out: dissipation, secant, harmonic stiffness, harmonic damping, n of each; NaN where a loop does not close.
EMSCRIPTEN_KEEPALIVE int faying_cycle(int id, const double* amplitudes, int n, double* out) {
    return guarded([&] {
        for (int i = 0; i < n; ++i) {
            laws::Cycle<double> c{amplitudes[i], NAN, NAN, NAN, NAN, 0, 0};
            try {
                c = made.at(id).law.cycle(amplitudes[i]);
            } catch (const core::NotConverged& short_of) {
                error = short_of.what();
            }
            out[i] = c.dissipation;
            out[n + i] = c.secant;
            out[2 * n + i] = c.harmonic_stiffness;
            out[3 * n + i] = c.harmonic_damping;
        }
        return n;
    });
}

/// What the law remembers at the end of a path: [{"law", "turns": [[u, f], ..]} or {"law", "numbers": {..}}].
EMSCRIPTEN_KEEPALIVE const char* faying_memory(int id, const double* points, int n) {
    json all = json::array();
    const int status = guarded([&] {
        const auto& [law, name] = made.at(id);
        for (const auto& part : workbench::remembered(name, law.values(), {points, std::size_t(n)})) {
            json one = {{"law", part.law}};
            if (part.turns) one["turns"] = *part.turns;
            if (!part.numbers.empty()) one["numbers"] = part.numbers;
            all.push_back(one);
        }
        return 0;
    });
    return status == 0 ? answered(all) : nullptr;
}

/// The parameters of a law from a measured loop. options: {"fixed": {..}}
EMSCRIPTEN_KEEPALIVE const char* faying_identify(const char* name, const double* u, const double* f, int n,
                                                 const char* options) {
    json result;
    const int status = guarded([&] {
        const std::size_t count(n);
        fit::IdentifyOptions o;
        o.fixed = json::parse(options).value("fixed", core::ParameterValues());
        o.threads = 1;
        o.progress = [](double share) { tell_share(share); };
        result = found(fit::identify({{u, u + count}, {f, f + count}}, name, o));
        return 0;
    });
    return status == 0 ? answered(result) : nullptr;
}
}
