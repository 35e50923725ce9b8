#include "study_progress.hpp"

#include <algorithm>

namespace faying::study {

namespace {

/// What an evaluation is expected to cost, in seconds, before any was made: for the time left only.
double expected_cost(const Variant& v) {
    if (v.full) return 3;
    if (v.framework == modes::Framework::loops || v.analysis.epmc) return 0.03;
    return v.contact ? 0.05 : 0.004;
}

long planned_evaluations(const Search& s) {
    const long genetic = long(s.population) * s.generations;
    const long starts = s.tries > 0 ? std::min(s.tries, s.starts + 6) : s.starts + 6;
    const long rays = 12l * (s.rays + 2) * starts;
    return s.method == Method::nsga2 ? genetic : s.method == Method::both ? genetic + rays : rays;
}

}  // namespace

StudyProgress::StudyProgress(const Study& study, const RunOptions& options)
    : study_(study), options_(options), start_(Clock::now()), shared_(start_) {
    for (const auto& v : study.variants) {
        const double cost = expected_cost(v);
        work_.push_back({.all = cost * double(planned_evaluations(study.search_of(v))), .cost = cost});
        total_ += work_.back().all;
    }
    status_.variants = int(study.variants.size());
}

void StudyProgress::begin(std::size_t variant) {
    const std::lock_guard lock(mutex_);
    share_time();
    running_.insert(variant);
}

void StudyProgress::phase(std::size_t variant, std::string text) {
    const std::lock_guard lock(mutex_);
    work_[variant].phase = std::move(text);
}

void StudyProgress::evaluated(std::size_t variant, bool fresh) {
    const std::lock_guard lock(mutex_);
    auto& work = work_[variant];
    if (fresh) {
        if (fresh_ == 0) start_ = Clock::now();
        ++fresh_;
        worked_ += work.cost;
    }
    advance(work, work.cost);
    show();
}

void StudyProgress::finished(std::size_t variant, bool stored) {
    const std::lock_guard lock(mutex_);
    auto& work = work_[variant];
    if (!stored) worked_ += work.all - work.done;
    advance(work, work.all);
    share_time();
    running_.erase(variant);
    ++status_.finished;
    show();
}

double StudyProgress::seconds(std::size_t variant) {
    const std::lock_guard lock(mutex_);
    share_time();
    return work_[variant].seconds;
}

void StudyProgress::log(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (options_.log) options_.log(text);
}

void StudyProgress::share_time() {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - shared_).count();
    for (const auto variant : running_) work_[variant].seconds += seconds / double(running_.size());
    shared_ = now;
}

void StudyProgress::advance(Work& work, double cost) {
    const double step = std::min(cost, work.all - work.done);
    work.done += step;
    done_ += step;
}

void StudyProgress::show() {
    if (!options_.progress) return;
    if (!running_.empty()) {
        status_.variant = study_.variants[*running_.begin()].name;
        status_.phase = work_[*running_.begin()].phase;
    }
    status_.share = std::min(1.0, done_ / total_);
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    status_.rate = fresh_ > 1 && elapsed > 0 ? double(fresh_) / elapsed : 0;
    status_.seconds_left = worked_ > 0 ? (total_ - done_) * elapsed / worked_ : 0;
    options_.progress(status_);
}

}  // namespace faying::study
