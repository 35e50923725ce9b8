#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "geometric_mode.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

nlohmann::json coefficients(const Eigen::VectorXd& k, Eigen::Index first) {
    nlohmann::json all = nlohmann::json::object();
    for (Eigen::Index j = first; j < k.size(); ++j) all[std::to_string(j)] = k(j);
    return all;
}

nlohmann::json static_point_json(const geometric::PathPoint& p) {
    nlohmann::json entry = {{"q", nullptr}};
    if (std::isfinite(p.q)) entry["q"] = p.q;
    if (p.converged) {
        entry["alpha"] = p.alpha;
        entry["slope"] = p.slope;
        entry["energy"] = p.energy;
        entry["unstable"] = p.unstable;
    } else {
        entry["alpha"] = nullptr;
    }
    entry["iterations"] = p.iterations;
    entry["residual"] = p.residual;
    entry["status"] = p.converged ? "converged" : "not converged";
    return entry;
}

nlohmann::json polynomial_fit_json(const geometric::Fit& fit) {
    nlohmann::json covariance = nlohmann::json::array();
    for (Eigen::Index i = 0; i < fit.covariance.rows(); ++i) covariance.push_back(list(fit.covariance.row(i)));
    return {{"k", coefficients(fit.k, 2)}, {"rms", fit.rms}, {"condition", fit.condition}, {"covariance", covariance}};
}

}  // namespace

std::vector<double> even_amplitudes(const std::string& range, bool both_sides, const std::string& where) {
    std::vector<double> q;
    if (range.find(':') == std::string::npos) {
        const double high = core::parse_number(range, where);
        if (!(high > 0)) throw core::BadInput(where, fmt::format("'{}' is not above zero", range));
        const int n = 8;
        for (int i = both_sides ? -n : 1; i <= n; ++i) q.push_back(high * i / n);
    } else {
        q = core::evenly_spaced(range, where);
    }
    const double length = q.back() - q.front();
    std::erase_if(q, [&](double x) { return std::abs(x) <= 1e-12 * length; });  // zero is rest
    return q;
}

std::vector<double> given_amplitudes(const std::string& at, const std::string& range, bool both_sides) {
    const char* given = at.empty() ? "--range" : "--at";
    std::vector<double> amplitudes;
    if (!at.empty()) {
        amplitudes = core::parse_numbers(at, given);
        auto sorted = amplitudes;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
            throw core::BadInput(given, "an amplitude is given twice");
    } else if (!range.empty()) {
        amplitudes = even_amplitudes(range, both_sides, given);
    }
    for (const double q : amplitudes) {
        if (!both_sides && !(q > 0)) throw core::BadInput(given, fmt::format("{:g} is not above zero", q));
        check_size(given, "amplitude", std::abs(q));
    }
    return amplitudes;
}

void read_orders(const std::string& orders, const std::string& where, geometric::SiceOptions& to) {
    if (orders.empty()) return;
    std::tie(to.lowest, to.highest) = core::parse_whole_pair(orders, where, 2, 15);
    to.orders_asked_for = true;
}

GeometricMode open_mode(GeometricRequest request, core::Stages& stages, double after,
                        const std::function<void(const geometric::Opened&, const std::string& file)>& check) {
    stages.at(0.01, "reading and preloading");
    auto structure = geometric::open_structure(request.file, request.model);
    if (check) check(structure, request.file);
    stages.at(after, fmt::format("modes of {} DOF", structure.rest.u.size()));
    auto mode = geometric::linear_mode(structure.stuck(), structure.rest, request.mode);
    return {std::move(request), std::move(structure), std::move(mode)};
}

nlohmann::json mode_json(const GeometricMode& about) {
    const auto& [request, structure, mode] = about;
    nlohmann::json result = {{"dof", mode.shape.size()},  {"mode", request.mode},
                             {"omega", mode.omega},       {"frequency", core::hertz(mode.omega)},
                             {"residual", mode.residual}, {"frequencies", core::hertz(mode.all_omega)}};
    if (structure.rest.load.isZero()) return result;
    nlohmann::json preload = {{"largest_displacement", structure.rest.u.cwiseAbs().maxCoeff()},
                              {"residual", structure.rest.residual},
                              {"steps", structure.rest.steps}};
    if (structure.touching) {
        preload["closed"] = structure.preload.closed;
        preload["sites"] = structure.touching->sites().size();
        preload["normal_force"] = structure.preload.normal_sum;
        preload["passes"] = structure.preload.passes;
        preload["friction"] = structure.preload.friction;
        if (structure.preload.friction) {
            preload["increments"] = structure.preload.increments;
            preload["change_on_halving"] = structure.preload.change;
        }
    }
    result["preload"] = preload;
    return result;
}

std::string mode_text(const GeometricMode& about) {
    const auto& [request, structure, mode] = about;
    Text out;
    out.print("{} DOF, mode {}: {} {:.9g}, residual {:.1e}\n", mode.shape.size(), request.mode, request.unit.label(),
              request.unit.of(mode.omega), mode.residual);
    if (structure.touching)
        out.print(
            "preload: {} of {} sites closed, {:.6g} N, largest displacement {:.6g} m{}\n", structure.preload.closed,
            structure.touching->sites().size(), structure.preload.normal_sum, structure.rest.u.cwiseAbs().maxCoeff(),
            structure.preload.friction
                ? fmt::format("; with friction: half the increment changes it by {:.2g}", structure.preload.change)
                : "");
    return out;
}

std::vector<double> positive_amplitudes(std::vector<double> amplitudes, const std::string& where) {
    for (const double q : amplitudes)
        if (!(q > 0)) throw core::BadInput(where, fmt::format("{:g} is not above zero", q));
    std::sort(amplitudes.begin(), amplitudes.end());
    return amplitudes;
}

namespace {

/// The row whose displacement is held.
Eigen::Index row_of(const geometric::Opened& structure, const std::vector<int>& place) {
    if (!structure.solid) {
        if (place.size() != 1 || place[0] < 1 || place[0] > structure.rest.u.size())
            throw core::BadInput("--node", fmt::format("a model's displacement is that of one of its {} degrees of "
                                                       "freedom",
                                                       structure.rest.u.size()));
        return place[0] - 1;
    }
    if (place.size() != 2 || place[1] < 1 || place[1] > 3)
        throw core::BadInput("--node", "a deck's displacement is LABEL,DIRECTION of a node, directions 1 to 3");
    const auto node = fe::find_node(*structure.deck, place[0]);
    if (node == fe::none) throw core::BadInput("--node", fmt::format("the deck has no node {}", place[0]));
    const auto row = structure.solid->row(node, place[1]);
    if (row < 0) throw core::BadInput("--node", fmt::format("direction {} of node {} is not free", place[1], place[0]));
    return row;
}

}  // namespace

SiceRun sice(GeometricRequest request, geometric::SiceOptions options, core::Stages& stages,
             const std::vector<int>& place) {
    options.amplitudes = request.amplitudes;
    const bool by_displacement = options.held_by == geometric::HeldBy::displacement;
    if (by_displacement == place.empty())
        throw core::BadInput("--node", by_displacement ? "is needed for control by displacement: LABEL,DIRECTION"
                                                       : "belongs to --control displacement");
    SiceRun run{open_mode(std::move(request), stages, 0.1)};
    run.held_by = options.held_by;
    if (by_displacement) options.row = row_of(run.about.structure, place);
    stages.at(0.2, "static points");
    options.done = stages.within(0.2, 1);
    run.made = geometric::sice(run.about.structure.stuck(), run.about.structure.rest, run.about.mode, options);
    return run;
}

SiceRun coupled_sice(GeometricRequest request, std::vector<int> modes, int order, core::Stages& stages) {
    if (modes.size() < 2 || modes.size() > 3)
        throw core::BadInput("--modes", fmt::format("two or three are condensed onto together, not {}", modes.size()));
    auto sorted = modes;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        throw core::BadInput("--modes", "a mode is given twice");
    if (order == 0) order = modes.size() == 2 ? 5 : 3;
    request.mode = modes.front();
    SiceRun run{open_mode(std::move(request), stages, 0.1)};
    run.modes = std::move(modes);
    auto& [about, structure, first] = run.about;
    std::vector<geometric::Mode> all{first};
    for (std::size_t r = 1; r < run.modes.size(); ++r)
        all.push_back(geometric::linear_mode(structure.stuck(), structure.rest, run.modes[r]));
    stages.at(0.2, "Taylor coefficients");
    run.coupled = geometric::coupled_taylor(structure.stuck(), structure.rest, all, order, stages.within(0.2, 1));
    return run;
}

std::string model_text(const SiceRun& run) {
    std::string modes;
    for (const int m : run.modes) modes += (modes.empty() ? "" : ", ") + std::to_string(m);
    return geometric::model_text(*run.coupled, fmt::format("modes {} of {}, forces to order {}", modes,
                                                           run.about.request.file, run.coupled->order));
}

void SiceRun::require_converged() const {
    std::optional<std::size_t> first;  // on the way from rest
    for (std::size_t i = 0; i < made.points.size(); ++i)
        if (!made.points[i].converged && (!first || std::abs(made.asked[i]) < std::abs(made.asked[*first]))) first = i;
    if (!first) return;
    using geometric::HeldBy;
    const double asked = made.asked[*first];
    const auto& last = made.last[asked < 0];
    const char* beyond = held_by == HeldBy::arc_length ? ""
                         : held_by == HeldBy::amplitude
                             ? ": where the amplitude itself turns back, --control arc-length goes on"
                             : ": beyond a limit point only --control amplitude or arc-length goes on";
    throw core::NotConverged(fmt::format("sice: {} {:g} was not reached; the last point is q = {:g}, alpha = {:g}{}",
                                         core::name_of(controls, held_by), asked, last.q, last.alpha, beyond),
                             made.points[*first].residual);
}

nlohmann::json json(const SiceRun& run) {
    const auto& s = run.made;
    auto result = mode_json(run.about);
    if (s.taylor.k.size() > 0) {
        result["taylor"] = coefficients(s.taylor.k, 1);
        result["taylor_residual"] = s.taylor.residual;
    }
    if (run.coupled) {
        nlohmann::json potential = nlohmann::json::object();
        for (std::size_t t = 0; t < run.coupled->powers.size(); ++t)
            potential[geometric::name_of(run.coupled->powers[t])] = run.coupled->v(static_cast<Eigen::Index>(t));
        result["coupled"] = {
            {"modes", run.modes},     {"omega", run.coupled->omega},       {"order", run.coupled->order},
            {"potential", potential}, {"residual", run.coupled->residual}, {"disagreement", run.coupled->disagreement}};
    }
    result["control"] = core::name_of(controls, run.held_by);
    result["points"] = nlohmann::json::array();
    for (std::size_t i = 0; i < s.points.size(); ++i) {
        result["points"].push_back(static_point_json(s.points[i]));
        if (run.held_by != geometric::HeldBy::amplitude) result["points"].back()["asked"] = s.asked[i];
    }
    result["folds"] = nlohmann::json::array();
    for (const auto& f : s.folds) result["folds"].push_back({{"q", f.q}, {"alpha", f.alpha}});
    result["fits"] = nlohmann::json::object();
    for (const auto& fit : s.fits) result["fits"][std::to_string(fit.order)] = polynomial_fit_json(fit);
    if (s.order > 0) result["order"] = s.order;
    return result;
}

io::Table table(const SiceRun& run) {
    auto made = io::named_table({"q", "alpha", "slope", "energy", "residual"});
    for (const auto& p : run.made.points)
        if (p.converged) io::add_row(made, {p.q, p.alpha, p.slope, p.energy, p.residual});
    return made;
}

io::Figure figure(const SiceRun& run) {
    const auto& [request, structure, mode] = run.about;
    const auto& s = run.made;
    auto sorted = s.points;
    std::erase_if(sorted, [](const auto& p) { return !p.converged; });
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.q < b.q; });
    io::Curve points{"static points", {}, {}, {}};
    for (const auto& p : sorted) points.x.push_back(p.q), points.y.push_back(p.alpha);
    for (std::size_t i = 0; i < points.x.size(); ++i) points.marks.push_back(i);
    io::Panel force{"held at amplitude q", {"modal amplitude q"}, {"modal load alpha"}, {points}};
    io::Panel free{"free motion of each fit", {"amplitude q+"}, {request.unit.label()}, {}};
    for (const auto& fit : s.fits) {
        if (points.x.empty()) break;
        io::Curve line{fmt::format("order {}", fit.order), {}, {}, {}}, backbone = line;
        for (int i = 0; i <= 100; ++i) {
            const double q = points.x.front() + (points.x.back() - points.x.front()) * i / 100;
            double sum = 0;
            for (Eigen::Index j = fit.k.size() - 1; j > 0; --j) sum = (sum + fit.k(j)) * q;
            line.x.push_back(q);
            line.y.push_back(sum);
        }
        for (const auto& p : s.backbone_of(fit.order)) {
            backbone.x.push_back(p.q_plus);
            backbone.y.push_back(p.converged ? request.unit.of(p.omega) : std::nan(""));
        }
        force.curves.push_back(std::move(line));
        free.curves.push_back(std::move(backbone));
    }
    io::Figure made;
    made.title = fmt::format("Mode {} of {}, condensed", request.mode, request.file);
    made.panels.push_back(std::move(force));
    if (!free.curves.empty()) made.panels.push_back(std::move(free));
    return made;
}

std::string text(const SiceRun& run) {
    const auto& s = run.made;
    Text out;
    out.print("{}", mode_text(run.about));
    if (run.coupled) {
        out.print("condensed onto {} modes, forces to order {}; directions disagree by {:.1e}\n", run.modes.size(),
                  run.coupled->order, run.coupled->disagreement);
        for (std::size_t r = 0; r < run.modes.size(); ++r)
            out.print("  q{}: mode {}, {} {:.9g}\n", r + 1, run.modes[r], run.about.request.unit.label(),
                      run.about.request.unit.of(run.coupled->omega[r]));
        for (std::size_t t = 0; t < run.coupled->powers.size(); ++t)
            out.print("  {} = {:.12g}\n", geometric::name_of(run.coupled->powers[t]),
                      run.coupled->v(static_cast<Eigen::Index>(t)));
    }
    if (s.taylor.k.size() > 0) {
        out.print("Taylor coefficients\n");
        for (Eigen::Index j = 1; j < s.taylor.k.size(); ++j) out.print("  k{} = {:.12g}\n", j, s.taylor.k(j));
    }
    if (!s.points.empty()) out.print("{:>14} {:>20} {:>16} {:>10}\n", "q", "alpha", "slope", "residual");
    for (std::size_t i = 0; i < s.points.size(); ++i) {
        const auto& p = s.points[i];
        if (p.converged)
            out.print("{:14.7g} {:20.12g} {:16.9g} {:10.1e}{}\n", p.q, p.alpha, p.slope, p.residual,
                      p.unstable > 0 ? "  unstable under this load" : "");
        else
            out.print("{:14.7g} not converged ({})\n", s.asked[i], core::name_of(controls, run.held_by));
    }
    for (const auto& f : s.folds) out.print("limit point at q = {:.8g}, alpha = {:.8g}\n", f.q, f.alpha);
    for (const auto& fit : s.fits) {
        out.print("order {}: rms {:.3e}", fit.order, fit.rms);
        for (Eigen::Index j = 2; j < fit.k.size(); ++j) out.print("  k{} {:.8g}", j, fit.k(j));
        out.print("{}\n", fit.order == s.order ? "  <- settled" : "");
    }
    return out;
}

}  // namespace faying::results
