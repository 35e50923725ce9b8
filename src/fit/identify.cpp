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
    const Eigen::VectorXd norm = J.colwise().norm();
    Eigen::VectorXd scale = norm;
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

std::vector<std::vector<double>> starts_of(const Coordinates& coordinates, const Loop& loop,
                                           const IdentifyOptions& options) {
    std::vector<std::vector<double>> starts;
    Values known = options.fixed;
    known.insert(options.start.begin(), options.start.end());
    for (auto values : suggested_starts(coordinates.law(), features(loop), known)) {
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

/// The slopes' answer as the start, and its parameters as the ones sought.
struct Slopes {
    BranchFit fit;
    IdentifyOptions options;
};

Slopes by_slopes(const Loop& loop, IdentifyOptions options) {
    Slopes s{fit_generalized_valanis(loop, options.branch), std::move(options)};
    for (auto& [key, value] : s.fit.parameters) {
        if (key.starts_with("E2") && value < 0)
            throw core::NotConverged(fmt::format("{}: {} came out as {:.4g}: a branch that stiffens is not of this law "
                                                 "(more terms, or a wider stride against noise, may help)",
                                                 loop.source, key, value),
                                     s.fit.condition);
        s.options.start[key] = value;
    }
    return s;
}

/// Everything that does not depend on the past of the record.
struct Task {
    const Loop& loop;
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
          drive_(drive_of(task.loop, laws::Law(task.coordinates.law(), first_values()).drive(), memory,
                          task.options.passes)),
          response_(task.coordinates, drive_),
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
        return result;
    }

 private:
    const Task& task_;
    Memory memory_;
    Drive drive_;
    Response response_;
    Search search_;
    LeastSquaresRun run_;

    Values first_values() const { return task_.coordinates.values(task_.starts.front().data()); }
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
    const bool from_virgin = task.loop.from_virgin();
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

Identified identify(const Loop& loop, const std::string& law, const IdentifyOptions& given) {
    given.check();
    loop.check();
    const auto table = laws::expression_parameters(law);
    check_keys(law, table, given);
    IdentifyOptions options = given;
    std::optional<BranchFit> slopes;
    if (law == "generalized-valanis") {
        auto s = by_slopes(loop, given);
        slopes = std::move(s.fit);
        options = std::move(s.options);
    }
    const Coordinates coordinates(law, free_parameters(law, table, options), options.fixed);
    if (loop.size() <= coordinates.size())
        throw BadInput(loop.source,
                       fmt::format("{} points do not suffice for {} parameters", loop.size(), coordinates.size()));
    const auto starts = starts_of(coordinates, loop, options);
    const bool both = options.memory == Memory::automatic;
    Share share(options.progress);
    const Task task{loop, table, coordinates, starts, slopes, options, share};
    return both ? better_of_both(task) : with_past(task, options.memory);
}

}  // namespace faying::fit
