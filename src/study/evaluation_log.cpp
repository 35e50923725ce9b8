#include "faying/study/evaluation_log.hpp"

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"

namespace faying::study {

namespace {

/// Curves as the store keeps them: omega, then zeta, of one mode after the other.
std::vector<double> flat(const std::vector<ModeCurve>& curves) {
    std::vector<double> numbers;
    for (const auto& curve : curves)
        for (const auto* values : {&curve.omega, &curve.zeta})
            numbers.insert(numbers.end(), values->begin(), values->end());
    return numbers;
}

/// None where the store has not as many as there should be.
std::vector<ModeCurve> curves_of(const std::vector<double>& numbers, const std::vector<std::size_t>& points) {
    std::vector<ModeCurve> curves;
    auto from = numbers.begin();
    for (const std::size_t n : points) {
        if (numbers.end() - from < 2 * std::ptrdiff_t(n)) return {};
        const auto middle = from + std::ptrdiff_t(n), end = middle + std::ptrdiff_t(n);
        curves.push_back({{from, middle}, {middle, end}});
        from = end;
    }
    return curves;
}

int phase_of(const std::string& text) {
    for (const auto phase : {Phase::search, Phase::gradient, Phase::tight})
        if (name(phase) == text) return int(phase);
    return -1;
}

}  // namespace

EvaluationLog::EvaluationLog(Store& store, std::string variant, Ask ask, Options options)
    : store_(store),
      variant_(std::move(variant)),
      ask_(std::move(ask)),
      options_(std::move(options)),
      written_(std::chrono::steady_clock::now()) {
    for (auto& r : store_.records(variant_))
        known_[{phase_of(r.phase), std::move(r.values)}] = {std::move(r.evaluation),
                                                            curves_of(r.details, options_.points), r.wall_time};
}

EvaluationLog::~EvaluationLog() {
    try {
        flush();
    } catch (const core::BadInput&) {  // said already when it happened, or the study ends for a worse reason
    }
}

Outcome EvaluationLog::evaluate(Phase phase, const std::vector<double>& values) {
    if (options_.stop && options_.stop()) throw core::Interrupted("stopped");
    const Key key{int(phase), values};
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = known_.find(key); found != known_.end()) {
            if (options_.evaluated) options_.evaluated(false);
            return found->second;
        }
    }
    Outcome outcome = ask_(phase, values);
    const std::lock_guard lock(mutex_);
    if (known_.emplace(key, outcome).second)
        waiting_.push_back({variant_, std::string(name(phase)), generation, values, outcome.evaluation,
                            flat(outcome.curves), outcome.seconds, options_.code_version});
    if (options_.evaluated) options_.evaluated(true);
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - written_;
    if (since.count() >= options_.seconds_between_writes) write();
    return outcome;
}

fit::Objective EvaluationLog::objective(Phase phase) {
    return [this, phase](const std::vector<double>& values) { return evaluate(phase, values).evaluation; };
}

void EvaluationLog::write() {
    if (!waiting_.empty()) store_.add(waiting_);
    waiting_.clear();
    written_ = std::chrono::steady_clock::now();
}

void EvaluationLog::flush() {
    const std::lock_guard lock(mutex_);
    write();
}

}  // namespace faying::study
