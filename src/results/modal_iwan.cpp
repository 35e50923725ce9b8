#include "faying/results/modal_iwan.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "faying/archive/table.hpp"
#include "faying/core/error.hpp"
#include "faying/files/modal_study.hpp"
#include "faying/files/model.hpp"
#include "faying/io/json_file.hpp"
#include "faying/structure/fingerprint.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

using modal::IwanFit;
using modal::ModalIwan;
using modal::ModalPoint;
using modal::RingDown;

nlohmann::json mode_json(const ModalIwan& m) {
    return {{"Kinf", m.k_infinity}, {"zeta0", m.zeta0}, {"FS", m.FS}, {"KT", m.KT}, {"chi", m.chi}, {"beta", m.beta}};
}

/// "FS is above 12 (95 %)": in one sentence for people.
std::string bound_words(const modal::IwanBound& b) {
    if (b.low && b.high) return fmt::format("{} between {:.4g} and {:.4g}", b.key, *b.low, *b.high);
    if (b.low) return fmt::format("{} above {:.4g}", b.key, *b.low);
    if (b.high) return fmt::format("{} below {:.4g}", b.key, *b.high);
    return fmt::format("{} without any bound", b.key);
}

nlohmann::json bounds_json(const std::vector<modal::IwanBound>& bounds) {
    nlohmann::json all = nlohmann::json::array();
    const auto number = [](const std::optional<double>& x) { return x ? nlohmann::json(*x) : nlohmann::json(); };
    for (const auto& b : bounds) all.push_back({{"key", b.key}, {"low", number(b.low)}, {"high", number(b.high)}});
    return all;
}

nlohmann::json fit_json(const IwanFit& fit) {
    return {{"not_determined", bounds_json(fit.not_determined)},
            {"parameters", mode_json(fit.mode)},
            {"standard_errors", mode_json(fit.error)},
            {"start", mode_json(fit.start)},
            {"omega_rms", fit.omega_rms},
            {"zeta_rms", fit.zeta_rms},
            {"converged", fit.converged},
            {"macroslip_q", fit.mode.macroslip()}};
}

std::vector<double> values_of(const std::vector<ModalPoint>& points, double ModalPoint::*member) {
    std::vector<double> all;
    for (const auto& p : points) all.push_back(p.*member);
    return all;
}

nlohmann::json ring_json(const RingDown& ring) {
    return {{"mode", ring.mode},
            {"place", ring.place},
            {"p", ring.p},
            {"q", values_of(ring.points, &ModalPoint::q)},
            {"omega", values_of(ring.points, &ModalPoint::omega)},
            {"zeta", values_of(ring.points, &ModalPoint::zeta)},
            {"energy_share", ring.energy_share},
            {"joint_reach", ring.joint_reach ? nlohmann::json(*ring.joint_reach) : nlohmann::json()},
            {"problem", ring.problem},
            {"energy_error", ring.energy_error}};
}

nlohmann::json rings_json(const std::vector<RingDown>& rings) {
    nlohmann::json all = nlohmann::json::array();
    for (const auto& ring : rings) all.push_back(ring_json(ring));
    return all;
}

RingDown ring_of(const nlohmann::json& j) {
    RingDown ring{j.at("mode"), j.at("place"),   j.at("p"),           {}, j.at("energy_share"),
                  {},           j.at("problem"), j.at("energy_error")};
    if (!j.at("joint_reach").is_null()) ring.joint_reach = j.at("joint_reach").get<double>();
    for (std::size_t i = 0; i < j.at("q").size(); ++i)
        ring.points.push_back({j.at("q").at(i), j.at("omega").at(i), j.at("zeta").at(i)});
    return ring;
}

/// Relative standard error from 95 % bounds, for values x; zero where the file has none.
std::vector<double> bound_errors(const io::Table& table, const std::string& name, const std::vector<double>& x) {
    std::vector<double> found(x.size(), 0.0);
    const std::string low = name + "_mean_low", high = name + "_mean_high";
    if (!io::has_column(table, low) || !io::has_column(table, high)) return found;
    for (std::size_t i = 0; i < x.size(); ++i)
        found[i] =
            std::abs(io::column(table, high, name)[i] - io::column(table, low, name)[i]) / (2 * 1.96 * std::abs(x[i]));
    return found;
}

std::vector<ModalPoint> fitted_points(const PointsFit& result) {
    std::vector<ModalPoint> all;
    for (const auto& p : result.points) all.push_back(result.fit.mode.at(p.q, result.options.stiffness));
    return all;
}

void print_models(Text& out, const std::vector<std::pair<std::string, IwanFit>>& modes) {
    out.print("Modal Iwan models (standard errors below)\n{:>5} {:>12} {:>12} {:>12} {:>12} {:>10} {:>10}\n", "mode",
              "Kinf", "zeta0", "FS", "KT", "chi", "beta");
    for (const auto& [name, fit] : modes)
        for (const auto* p : {&fit.mode, &fit.error})
            out.print("{:>5} {:12.6g} {:12.4g} {:12.5g} {:12.5g} {:10.4g} {:10.4g}\n", p == &fit.mode ? name : "+-",
                      p->k_infinity, p->zeta0, p->FS, p->KT, p->chi, p->beta);
}

/// The places struck, in their order.
std::vector<std::string> places_of(const modal::StudyResult& r) {
    std::vector<std::string> places;
    for (const auto& ring : r.impacts)
        if (std::find(places.begin(), places.end(), ring.place) == places.end()) places.push_back(ring.place);
    return places;
}

/// Finished runs as files in a folder, each written at once; none for an empty name.
modal::RunStore folder_store(const std::string& folder, const std::string& key) {
    if (folder.empty()) return {};
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw core::BadInput(folder, "cannot be made: " + failed.message());
    const auto path = [=](const std::string& name) { return folder + "/" + name + ".json"; };
    return {[=](const std::string& name, std::vector<RingDown>& run) {
                if (!std::filesystem::exists(path(name))) return false;
                const auto found = io::read_json(path(name));
                if (!found.is_object() || found.value("key", "") != key) return false;
                run.clear();
                try {
                    for (const auto& ring : found.at("rings")) run.push_back(ring_of(ring));
                } catch (const nlohmann::json::exception& error) {
                    throw core::BadInput(path(name), fmt::format("is damaged; remove it: {}", error.what()));
                }
                return true;
            },
            [=](const std::string& name, const std::vector<RingDown>& run) {
                io::write_file(path(name), nlohmann::json{{"key", key}, {"rings", rings_json(run)}}.dump());
            }};
}

}  // namespace

PointsFit fit_points(const std::string& file, const modal::FitOptions& options) {
    const io::Table table = archive::read_table(file);
    const auto column = [&](const std::string& name, const std::string& other = "") -> const std::vector<double>& {
        if (io::has_column(table, name) || io::has_column(table, other))
            return io::column(table, io::has_column(table, name) ? name : other, file);
        throw core::BadInput(file,
                             fmt::format("has no column '{}'; columns q (or amplitude), omega and zeta are needed, "
                                         "there are: {}",
                                         name, fmt::join(table.names, ", ")));
    };
    const auto &q = column("q", "amplitude"), &omega = column("omega"), &zeta = column("zeta");
    PointsFit result{file, {}, options, {}};
    const auto omega_error = bound_errors(table, "omega", omega), zeta_error = bound_errors(table, "zeta", zeta);
    for (std::size_t i = 0; i < q.size(); ++i)
        result.points.push_back({q[i], omega[i], zeta[i], omega_error[i], zeta_error[i]});
    std::sort(result.points.begin(), result.points.end(), [](const auto& a, const auto& b) { return a.q < b.q; });
    try {
        result.fit = modal::fit_modal_iwan(result.points, options);
    } catch (const core::BadInput& error) {
        throw core::BadInput(file, error.what());
    }
    if (!result.fit.converged)
        throw core::NotConverged(
            fmt::format("{}: the fit stopped after {} iterations, {:.2g} off in omega and {:.2g} in zeta", file,
                        result.fit.iterations, result.fit.omega_rms, result.fit.zeta_rms),
            result.fit.zeta_rms);
    return result;
}

IwanStudy iwan_study(const std::string& file, const std::string& folder, modal::RunOptions options) {
    const auto read = files::read_modal_study(file);
    const auto model = files::read_model(read.model);
    options.store = folder_store(folder, structure::fingerprint(model) + read.text);
    return {file, modal::run_study(model, read.study, options)};
}

nlohmann::json json(const PointsFit& fit) { return fit_json(fit.fit); }

nlohmann::json json(const IwanStudy& study) {
    nlohmann::json modes = nlohmann::json::array(), comparisons = nlohmann::json::array();
    for (const auto& m : study.result.modes) {
        modes.push_back({{"mode", m.mode},
                         {"omega0", m.omega0},
                         {"omega_infinity", m.omega_infinity},
                         {"model_difference", m.model_difference},
                         {"selective", rings_json(m.selective)},
                         {"model", rings_json(m.model)}});
        modes.back().update(fit_json(m.fit));
    }
    for (const auto& c : study.result.comparisons)
        comparisons.push_back({{"mode", c.mode},
                               {"place", c.place},
                               {"p", c.p},
                               {"regime", name(c.regime)},
                               {"dominant", c.dominant},
                               {"mean_ratio", c.mean_ratio},
                               {"first_ratio", c.first_ratio},
                               {"last_ratio", c.last_ratio},
                               {"omega_difference", c.omega_difference}});
    return {{"modes", modes}, {"impacts", rings_json(study.result.impacts)}, {"comparisons", comparisons}};
}

io::Table table(const PointsFit& fit) {
    const auto curve = fitted_points(fit);
    return {{"q", "omega", "zeta", "omega_fitted", "zeta_fitted"},
            {values_of(fit.points, &ModalPoint::q), values_of(fit.points, &ModalPoint::omega),
             values_of(fit.points, &ModalPoint::zeta), values_of(curve, &ModalPoint::omega),
             values_of(curve, &ModalPoint::zeta)}};
}

io::Table table(const IwanStudy& study) {
    auto made = io::named_table(
        {"mode", "place", "p", "regime", "dominant", "mean_ratio", "first_ratio", "last_ratio", "omega_difference"});
    const auto places = places_of(study.result);
    for (const auto& c : study.result.comparisons)
        io::add_row(
            made,
            {double(c.mode), double(std::find(places.begin(), places.end(), c.place) - places.begin() + 1), c.p,
             double(int(c.regime)), double(c.dominant), c.mean_ratio, c.first_ratio, c.last_ratio, c.omega_difference});
    return made;
}

io::Figure figure(const PointsFit& fit) {
    io::Panel frequency{"frequency", {"q", true}, {fit.unit.label()}, {}},
        damping{"damping", {"q", true}, {"zeta", true}, {}};
    const auto c = table(fit).columns;
    for (const auto& [label, omega] : {std::pair("measured", 1), {"modal Iwan model", 3}}) {
        frequency.curves.push_back({label, c[0], fit.unit.of(c[std::size_t(omega)]), {}});
        damping.curves.push_back({label, c[0], c[std::size_t(omega) + 1], {}});
    }
    return {"Modal Iwan model: " + fit.file, "modal Iwan model", {frequency, damping}, {}};
}

io::Figure figure(const IwanStudy& study) {
    const auto& r = study.result;
    io::Figure made;
    made.title = "Modal Iwan models: " + study.file;
    for (const auto& m : r.modes) {
        io::Panel frequency{
            fmt::format("mode {}: frequency", m.mode), {"q / (m kg^(1/2))", true}, {study.unit.label()}, {}};
        io::Panel damping{fmt::format("mode {}: damping", m.mode), frequency.x, {"zeta", true}, {}};
        const auto add = [&](const std::string& label, const std::vector<RingDown>& rings, const std::string& place) {
            io::Curve w{label, {}, {}, {}}, z{label, {}, {}, {}};
            for (const auto& ring : rings) {
                if (ring.mode != m.mode || ring.place != place || ring.points.empty()) continue;
                for (const auto& p : ring.points)
                    w.x.push_back(p.q), w.y.push_back(study.unit.of(p.omega)), z.y.push_back(p.zeta);
                w.x.push_back(NAN), w.y.push_back(NAN), z.y.push_back(NAN);  // runs apart
            }
            z.x = w.x;
            frequency.curves.push_back(std::move(w));
            damping.curves.push_back(std::move(z));
        };
        add("mode alone", m.selective, "");
        add("modal Iwan model", m.model, "");
        for (const auto& place : places_of(r)) add("impact at " + place, r.impacts, place);
        made.panels.push_back(std::move(frequency));
        made.panels.push_back(std::move(damping));
    }
    return made;
}

std::string text(const PointsFit& found) {
    Text out;
    print_models(out, {{"", found.fit}});
    out.print("{} points, off by {:.2g} % in omega and {:.2g} % in zeta (rms); macroslip from q = {:.4g}\n",
              found.points.size(), 100 * found.fit.omega_rms, 100 * found.fit.zeta_rms, found.fit.mode.macroslip());
    for (const auto& b : found.fit.not_determined)
        out.print("not determined by these points: {} (95 %)\n", bound_words(b));
    return out;
}

std::string text(const IwanStudy& study) {
    Text out;
    std::vector<std::pair<std::string, IwanFit>> modes;
    for (const auto& m : study.result.modes) modes.push_back({fmt::format("{}", m.mode), m.fit});
    print_models(out, modes);
    if (study.result.comparisons.empty()) return out;
    out.print(
        "\nDamping under impacts: measured over modal Iwan model, at the same amplitude\n"
        "{:>5} {:>8} {:>12} {:>11} {:>9} {:>9} {:>9} {:>9}\n",
        "mode", "struck", "p", "regime", "dominant", "mean", "first", "last");
    for (const auto& c : study.result.comparisons)
        out.print("{:5} {:>8} {:12g} {:>11} {:>9} {:9.3f} {:9.3f} {:9.3f}\n", c.mode, c.place, c.p, name(c.regime),
                  c.dominant ? "yes" : "", c.mean_ratio, c.first_ratio, c.last_ratio);
    return out;
}

}  // namespace faying::results
