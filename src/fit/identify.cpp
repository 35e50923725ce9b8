#include "faying/fit/identify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "faying/core/error.hpp"
#include "faying/laws/catalogue.hpp"
#include "identify_search.hpp"

namespace faying::fit {

using core::BadInput;
using Values = core::ParameterValues;

namespace {

/// Standard errors and condition from the sensitivities; who is entangled when they are nearly dependent.
void judge(Identified& result, const Coordinates& coordinates, const Response& response, const double* x) {
    const Eigen::MatrixXd J = response.jacobian(x);
    result.modelled = response.output(x);
    double squares = 0;
    for (std::size_t i = 0; i < result.modelled.size(); ++i)
        squares += std::pow(result.modelled[i] - response.measured()[i], 2);
    result.rms = std::sqrt(squares / double(J.rows()));
    result.relative_rms = result.rms / root_mean_square(response.measured());
    const double n = double(J.rows()), k = double(J.cols()) + 1;  // and the scatter itself
    result.aic = n * std::log(std::pow(result.relative_rms, 2)) + 2 * k;
    result.bic = n * std::log(std::pow(result.relative_rms, 2)) + k * std::log(n);
    Eigen::VectorXd scale = J.colwise().norm();
    for (auto& s : scale)
        if (!(s > 0)) s = 1;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(J * scale.cwiseInverse().asDiagonal(), Eigen::ComputeThinV);
    const Eigen::VectorXd& singular = svd.singularValues();
    const auto last = J.cols() - 1;
    result.condition = singular(last) > 0 ? singular(0) / singular(last) : core::infinity;
    const Eigen::VectorXd spread =
        (svd.matrixV() * singular.cwiseMax(1e-300).cwiseInverse().asDiagonal()).rowwise().norm();
    const double sigma = std::sqrt(squares / std::max<double>(1, double(J.rows() - J.cols())));
    for (Eigen::Index k = 0; k < J.cols(); ++k) {
        const auto& key = coordinates.free()[std::size_t(k)].key;
        result.standard_errors[key] = sigma * spread(k) / scale(k);
        if (result.condition > 1e8 && std::abs(svd.matrixV()(k, last)) > 0.1) result.entangled.push_back(key);
    }
}

void check_keys(const std::string& law, const std::vector<core::ParameterInfo>& table, const IdentifyOptions& options) {
    std::vector<std::string> known;
    for (const auto& info : table) known.push_back(info.key);
    const auto check = [&](const std::string& key, const char* where) {
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw BadInput(
                where, fmt::format("'{}' is not a parameter of {}; allowed are: {}", key, law, fmt::join(known, " ")));
    };
    for (const auto& [key, value] : options.fixed) {
        check(key, "fix");
        for (const auto& info : table)
            if (info.key == key && !info.bounds.contains(value))
                throw BadInput("fix", fmt::format("{} = {:g} is outside {}", key, value, info.bounds.text()));
    }
    for (const auto& [key, value] : options.start) check(key, "start");
    for (const auto& key : options.free) check(key, "free");
}

/// Those without a default, and those asked for; without the fixed ones.
std::vector<core::ParameterInfo> free_parameters(const std::string& law, const std::vector<core::ParameterInfo>& table,
                                                 const IdentifyOptions& options) {
    std::vector<core::ParameterInfo> free;
    for (const auto& info : table) {
        const bool asked = std::find(options.free.begin(), options.free.end(), info.key) != options.free.end();
        if (options.fixed.contains(info.key)) continue;
        if (!info.fallback || asked || options.start.contains(info.key)) free.push_back(info);
    }
    if (free.empty())
        throw BadInput("identify",
                       fmt::format("no parameter of {} is left to be found: all are fixed or have defaults (name some "
                                   "as free)",
                                   law));
    return free;
}

std::vector<std::vector<double>> starts_of(const Coordinates& coordinates, const std::vector<Loop>& loops,
                                           const IdentifyOptions& options) {
    std::vector<std::vector<double>> starts;
    Values known = options.fixed;
    known.insert(options.start.begin(), options.start.end());
    for (auto values : suggested_starts(coordinates.law(), features(loops), known)) {
        for (const auto& info : coordinates.free()) {
            if (options.start.contains(info.key)) values[info.key] = options.start.at(info.key);
            if (!values.contains(info.key) && info.fallback && std::isfinite(*info.fallback))
                values[info.key] = *info.fallback;
            if (!values.contains(info.key))
                throw BadInput("start", fmt::format("'{}' of {} needs a start", info.key, coordinates.law()));
        }
        auto x = coordinates.of(values);
        if (std::find(starts.begin(), starts.end(), x) == starts.end()) starts.push_back(std::move(x));
    }
    return starts;
}

/// The branches' answer as the start, and its parameters as the ones sought.
BranchFit by_branches(const std::vector<Loop>& loops, IdentifyOptions& options) {
    BranchFitOptions o = options.branch;
    o.threads = options.threads;
    if (!o.progress) o.progress = options.progress;
    BranchFit fit = fit_generalized_valanis(loops, o);
    for (const auto& [key, value] : fit.parameters) {
        if (key.starts_with("E2") && value < 0)
            throw core::NotConverged(fmt::format("{}: {} came out as {:.4g}: a branch that stiffens is not of this law "
                                                 "(more terms, or a wider stride against noise, may help)",
                                                 loops.front().source, key, value),
                                     fit.condition);
        if (!options.fixed.contains(key)) options.start[key] = value;
    }
    options.refine |= !options.fixed.empty();  // the branches know nothing of what is held
    options.fixed.insert(fit.absent.begin(), fit.absent.end());
    return fit;
}

/// Everything that does not depend on the past of the record.
struct Task {
    const std::vector<Loop>& loops;
    const std::vector<core::ParameterInfo>& table;
    const Coordinates& coordinates;
    const Starts& starts;
    const std::optional<BranchFit>& slopes;
    const IdentifyOptions& options;
    Share& share;

    bool searched() const { return !slopes || options.refine; }
};

/// The record with one past, and the law fitted to it as far as asked.
class Past {
 public:
    Past(const Task& task, Memory memory)
        : task_(task),
          memory_(memory),
          response_(task.coordinates, drives()),
          search_(task.coordinates, response_, task.options, task.share,
                  memory == Memory::steady ? task.options.passes : 1) {
        response_.jacobian(task.starts.front().data());  // a law without derivatives says so here
    }
    Past(const Past&) = delete;
    Past& operator=(const Past&) = delete;

    Memory memory() const { return memory_; }
    void begin() {
        run_ = {task_.starts.front(), 0, true, 0};
        if (task_.searched()) run_ = search_.begin(task_.starts);
    }
    void advance() {
        if (task_.searched()) run_ = search_.advance();
    }
    void finish() {
        if (task_.searched()) run_ = search_.finish();
    }
    void leave() { search_.leave(); }

    /// Root mean square over that of the measured force; infinite where the law refuses.
    double misfit() const {
        if (!task_.searched()) return result().relative_rms;
        return std::sqrt(2 * run_.cost / double(response_.points()));
    }

    Identified result() const {
        Identified result;
        result.memory = memory_;
        result.converged = run_.converged;
        result.iterations = run_.iterations;
        const Values found = task_.coordinates.values(run_.x.data());
        const laws::Law answer(task_.coordinates.law(), found);
        for (std::size_t i = 0; i < task_.table.size(); ++i) {
            const double value = answer.values()[i];
            if (found.contains(task_.table[i].key) || (std::isfinite(value) && value != 0))
                result.parameters[task_.table[i].key] = value;
        }
        judge(result, task_.coordinates, response_, run_.x.data());
        if (!task_.searched()) {
            result.condition = task_.slopes->condition;
            result.standard_errors = task_.slopes->standard_errors;
            result.entangled.clear();
        }
        result.branches = task_.slopes;
        return result;
    }

 private:
    const Task& task_;
    Memory memory_;
    Response response_;
    Search search_;
    LeastSquaresRun run_;

    std::vector<Drive> drives() const {
        const auto by =
            laws::Law(task_.coordinates.law(), task_.coordinates.values(task_.starts.front().data())).drive();
        std::vector<Drive> all;
        for (const auto& loop : task_.loops) all.push_back(drive_of(loop, by, memory_, task_.options.passes));
        return all;
    }
};

[[noreturn]] void refuse(double cost) { throw core::NotConverged("identify: the law refuses every start", cost); }

Identified with_past(const Task& task, Memory memory) {
    Past past(task, memory);
    past.begin();
    past.advance();
    if (!std::isfinite(past.misfit())) refuse(past.misfit());
    past.finish();
    return past.result();
}

constexpr double indistinct = 1e-6;  ///< difference of misfits that round-off and an unfinished descent can make
/// The past that is behind is given up once its misfit is so many times that of the other's answer: after the first
/// descents, and when its best have been taken to their end.
constexpr double far_behind = 30, behind = 3;

/// The past that leaves less misfit. What the first point suggests is taken where both fit alike: a loop that begins at
/// its tip follows the virgin curve of a Masing law too.
Identified better_of_both(const Task& task) {
    const bool from_virgin =
        std::all_of(task.loops.begin(), task.loops.end(), [](const Loop& loop) { return loop.from_virgin(); });
    Past suggested(task, from_virgin ? Memory::virgin : Memory::steady);
    Past opposite(task, from_virgin ? Memory::steady : Memory::virgin);
    suggested.begin();
    opposite.begin();
    const bool ahead = suggested.misfit() <= opposite.misfit();
    Past &first = ahead ? suggested : opposite, &second = ahead ? opposite : suggested;
    first.advance();
    if (!std::isfinite(first.misfit())) refuse(first.misfit());
    first.finish();
    bool complete = false;
    if (second.misfit() <= far_behind * first.misfit()) second.advance();
    if (second.misfit() <= behind * first.misfit()) {
        second.finish();
        complete = true;
    }
    second.leave();
    const bool alike = std::abs(suggested.misfit() - opposite.misfit()) <= indistinct * (suggested.misfit() + 1e-3);
    const bool as_suggested = alike || suggested.misfit() < opposite.misfit();
    Past &taken = as_suggested ? suggested : opposite, &left = as_suggested ? opposite : suggested;
    Identified result = taken.result();
    result.other = OtherPast{.memory = left.memory(), .rms = core::infinity, .relative_rms = core::infinity};
    if (std::isfinite(left.misfit())) {
        const auto other = left.result();
        result.other = OtherPast{left.memory(), other.rms, other.relative_rms, other.parameters, alike, complete};
    }
    return result;
}

}  // namespace

std::string_view name(Memory memory) {
    switch (memory) {
        case Memory::virgin: return "virgin";
        case Memory::steady: return "steady";
        case Memory::automatic: break;
    }
    return "automatic";
}

void IdentifyOptions::check() const {
    core::require(passes >= 1 && passes <= 1000, "identify", "1 <= passes <= 1000");
    core::require(screened >= 0 && screened <= 1000000, "identify", "0 <= screened <= 1000000");
    core::require(iterations >= 1 && iterations <= 1000000, "identify", "1 <= iterations <= 1000000");
    core::require(threads >= 0, "identify", "threads >= 0");
}

Identified identify(const Loop& loop, const std::string& law, const IdentifyOptions& options) {
    return identify_together({loop}, law, options);
}

Identified identify_together(const std::vector<Loop>& loops, const std::string& law, const IdentifyOptions& given) {
    given.check();
    core::require(!loops.empty(), "identify", "at least one loop");
    std::size_t points = 0;
    for (const auto& loop : loops) {
        loop.check();
        points += loop.size();
    }
    const auto table = laws::expression_parameters(law);
    check_keys(law, table, given);
    IdentifyOptions options = given;
    std::optional<BranchFit> slopes;
    if (law == "generalized-valanis") slopes = by_branches(loops, options);
    const Coordinates coordinates(law, free_parameters(law, table, options), options.fixed);
    if (points <= coordinates.size())
        throw BadInput(loops.front().source,
                       fmt::format("{} points do not suffice for {} parameters", points, coordinates.size()));
    const auto starts = starts_of(coordinates, loops, options);
    const bool both = options.memory == Memory::automatic;
    Share share(options.progress);
    const Task task{loops, table, coordinates, starts, slopes, options, share};
    return both ? better_of_both(task) : with_past(task, options.memory);
}

LoopPrediction predict(const Loop& loop, const std::string& law, const Values& parameters, Memory memory, int passes) {
    const laws::Law known(law, parameters);
    const Drive drive = drive_of(loop, known.drive(), memory, passes);
    LoopPrediction made;
    made.modelled = Response::last_pass(known, known.follow(laws::Path{drive.input, drive.times}), drive);
    double squares = 0;
    for (std::size_t i = 0; i < made.modelled.size(); ++i) squares += std::pow(made.modelled[i] - drive.output[i], 2);
    made.rms = std::sqrt(squares / double(made.modelled.size()));
    made.relative_rms = made.rms / root_mean_square(drive.output);
    return made;
}

}  // namespace faying::fit
