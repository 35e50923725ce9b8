#include "faying/study/ledger.hpp"

#include "faying/core/error.hpp"

namespace faying::study {

namespace {

int phase_of(const std::string& text) {
    for (const auto phase : {Phase::search, Phase::gradient, Phase::tight})
        if (name(phase) == text) return int(phase);
    return -1;
}

}  // namespace

Ledger::Ledger(Store& store, std::string variant, Ask ask, Options options)
    : store_(store),
      variant_(std::move(variant)),
      ask_(std::move(ask)),
      options_(std::move(options)),
      written_(std::chrono::steady_clock::now()) {
    for (auto& r : store_.records(variant_))
        known_[{phase_of(r.phase), std::move(r.values)}] = {std::move(r.evaluation), std::move(r.details), r.wall_time};
}

Ledger::~Ledger() {
    try {
        flush();
    } catch (const core::BadInput&) {  // said already when it happened, or the study ends for a worse reason
    }
}

Outcome Ledger::evaluate(Phase phase, const std::vector<double>& values) {
    if (options_.stop && options_.stop()) throw Stopped();
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
        waiting_.push_back({variant_, std::string(name(phase)), generation, values, outcome.evaluation, outcome.details,
                            outcome.seconds, options_.code_version});
    if (options_.evaluated) options_.evaluated(true);
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - written_;
    if (since.count() >= options_.seconds_between_writes) write();
    return outcome;
}

fit::Objective Ledger::objective(Phase phase) {
    return [this, phase](const std::vector<double>& values) { return evaluate(phase, values).evaluation; };
}

void Ledger::write() {
    if (!waiting_.empty()) store_.add(waiting_);
    waiting_.clear();
    written_ = std::chrono::steady_clock::now();
}

void Ledger::flush() {
    const std::lock_guard lock(mutex_);
    write();
}

}  // namespace faying::study
