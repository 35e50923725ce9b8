#include "faying/study/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <filesystem>
#include <mutex>
#include <thread>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "faying/core/progress.hpp"
#include "faying/fit/boundary_intersection.hpp"
#include "faying/fit/nsga2.hpp"
#include "faying/fit/pareto.hpp"
#include "faying/io/json_file.hpp"
#include "faying/study/evaluation_log.hpp"
#include "faying/study/export.hpp"
#include "stored_result.hpp"
#include "study_progress.hpp"

namespace faying::study {

using core::BadInput;

namespace {

/// "search/seed is 2 now and was 1".
std::string first_difference(const nlohmann::json& was, const nlohmann::json& now) {
    const auto changes = nlohmann::json::diff(was, now);
    const auto& change = changes.front();
    const nlohmann::json::json_pointer at(change.at("path").get<std::string>());
    const std::string where = change.at("path").get<std::string>().substr(1);
    const auto shown = [&](const nlohmann::json& j) {
        std::string text = j.contains(at) ? j.at(at).dump() : "not there";
        return text.size() > 60 ? text.substr(0, 57) + ".." : text;
    };
    return fmt::format("{} is {} now and was {}", where, shown(now), shown(was));
}

/// A new store is marked as this study's; another study's is refused.
void claim(const Study& study, Store& store, const RunOptions& o) {
    const auto now = fingerprint(study);
    if (const auto text = store.text(fingerprint_key)) {
        const auto was = io::parse_json(*text, store.path() + ": what says which study it belongs to");
        if (was != now)
            throw BadInput(store.path(),
                           fmt::format("belongs to another study than {}: {}; undo that, or give another --out",
                                       study.path, first_difference(was, now)));
        if (store.text(head_key)) return;  // earlier versions wrote it later, and could be killed in between
    }
    store.set_texts({{fingerprint_key, now.dump()}, {head_key, head_of(study, o.code_version, o.command).dump()}});
}

/// At most `most` points of a front: the ends, and those nearest to even steps along it.
std::vector<fit::Candidate> thinned(const std::vector<fit::Candidate>& front, std::size_t most) {
    if (front.size() <= most) return front;
    const auto objective = [&](std::size_t i, std::size_t j) { return front[i].evaluation.objectives[j]; };
    const std::size_t last = front.size() - 1;
    const double width = objective(last, 0) - objective(0, 0), height = objective(0, 1) - objective(last, 1);
    std::vector<double> length{0};
    for (std::size_t i = 1; i <= last; ++i)
        length.push_back(length.back() + std::hypot((objective(i, 0) - objective(i - 1, 0)) / width,
                                                    (objective(i, 1) - objective(i - 1, 1)) / height));
    std::vector<fit::Candidate> some;
    std::size_t next = 0;
    for (std::size_t k = 0; k < most; ++k) {
        const double target = length.back() * double(k) / double(most - 1);
        std::size_t i = std::size_t(std::lower_bound(length.begin(), length.end(), target) - length.begin());
        i = std::min(std::max(i, next), last);
        if (i < next) break;
        some.push_back(front[i]);
        if (i == last) break;
        next = i + 1;
    }
    return some;
}

class Run {
 public:
    Run(const Study& study, Store& store, Workers& workers, Evaluator& evaluator, const RunOptions& options)
        : study_(study),
          store_(store),
          workers_(workers),
          evaluator_(evaluator),
          o_(options),
          progress_(study, options) {
        for (const auto& mode : study.setup.modes) points_.push_back(mode.data.size());
    }

    /// Several variants at a time: while one waits for the last evaluations of a generation or of its rays, another has
    /// work. Each is the same whatever the others do.
    void all() {
        const std::size_t cores = std::size_t(workers_.cores());
        const std::size_t searches = std::min(study_.variants.size(), cores > 1 ? 2 + cores / 8 : 1);
        std::vector<std::thread> others;
        for (std::size_t k = 1; k < searches; ++k) others.emplace_back([this] { search_variants(); });
        search_variants();
        for (auto& other : others) other.join();
        if (thrown_) std::rethrow_exception(thrown_);
    }

 private:
    const Study& study_;
    Store& store_;
    Workers& workers_;
    Evaluator& evaluator_;
    const RunOptions& o_;
    StudyProgress progress_;
    std::vector<std::size_t> points_;    ///< of the curves of every mode
    std::atomic<std::size_t> next_ = 0;  ///< variant that nobody has begun
    std::atomic<bool> over_ = false;     ///< a search has thrown: the others stop too
    std::mutex mutex_;
    std::exception_ptr thrown_;  ///< by the first that did

    void search_variants() {
        try {
            for (std::size_t i = next_++; i < study_.variants.size() && !over_; i = next_++) {
                const bool stored = store_.text(result_key(study_.variants[i].name)).has_value();
                if (!stored) variant(i);
                progress_.finished(i, stored);
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!thrown_) thrown_ = std::current_exception();
            over_ = true;
        }
    }

    bool stopped() const { return over_ || (o_.stop && o_.stop()); }

    void variant(std::size_t i) {
        const auto& v = study_.variants[i];
        progress_.begin(i);
        const Problem& problem = evaluator_.problem(int(i));
        EvaluationLog evaluation_log(store_, v.name,
                                     [&](Phase phase, const auto& values) {
                                         return workers_({int(i), phase, values});
                                     },
                                     {.stop = [&] { return stopped(); },
                                      .evaluated = [&](bool fresh) { progress_.evaluated(i, fresh); },
                                      .code_version = o_.code_version,
                                      .points = points_});
        SearchRecord record;
        const auto phase = [&](std::string text) { progress_.phase(i, std::move(text)); };
        auto candidates = genetic(problem, evaluation_log, record, phase);
        phase("boundary intersection");
        boundary(problem, evaluation_log, record, candidates);
        phase("certifying");
        candidates = thinned(fit::merged_front(candidates), std::size_t(study_.search_of(v).front));
        record.front =
            fit::certified_front(candidates, evaluation_log.objective(Phase::tight), {.threads = workers_.width()});
        evaluation_log.flush();
        record.seconds = progress_.seconds(i);
        const auto result = result_of(study_, problem, record, evaluation_log);
        evaluation_log.flush();
        const nlohmann::json workers{{"threads", workers_.threads()}, {"ranks", workers_.ranks()}};
        store_.set_texts({{result_key(v.name), result.dump()}, {workers_key, workers.dump()}});
        const auto count = [&](const char* phase) { return store_.counts(v.name, phase).evaluations; };
        progress_.log(fmt::format("{}: {} front points, {} evaluations, {}", v.name, record.front.points.size(),
                                  count("search") + count("gradient"), core::duration_text(record.seconds)));
    }

    std::vector<fit::Candidate> genetic(const Problem& problem, EvaluationLog& evaluation_log, SearchRecord& record,
                                        const std::function<void(std::string)>& phase) {
        const auto& s = study_.search_of(problem.variant());
        if (s.method == Method::boundary_intersection) return {};
        fit::Nsga2Options options;
        options.population = s.population;
        options.generations = s.generations;
        options.pooled = s.pooled;
        options.seed = s.seed;
        options.threads = workers_.width();
        options.starts = starts(problem.variant(), std::size_t(s.population) / 2);
        std::vector<fit::Candidate> seen;
        phase(fmt::format("generation 1/{}", s.generations));
        const auto state =
            fit::nsga2(problem.space(), evaluation_log.objective(Phase::search), options, [&](const auto& now) {
                evaluation_log.generation = now.generation;
                phase(fmt::format("generation {}/{}", std::min(now.generation + 1, s.generations), s.generations));
                for (const auto& m : now.recent.back()) seen.push_back({m.values, m.evaluation});
                seen = fit::merged_front(seen);
                record.history_evaluations.push_back(now.evaluations);
                record.history_area.push_back(area(seen));
                return true;
            });
        auto candidates = state.pooled();
        record.methods.push_back(method_of("NSGA-II", candidates, state.evaluations, state.not_converged));
        return candidates;
    }

    /// Points of an earlier study's front, evenly over it.
    std::vector<std::vector<double>> starts(const Variant& v, std::size_t most) const {
        const auto found = study_.starting_fronts.find(v.name);
        if (found == study_.starting_fronts.end()) return {};
        const auto& all = found->second;
        if (all.size() <= most) return all;
        std::vector<std::vector<double>> some;
        for (std::size_t k = 0; k < most; ++k) some.push_back(all[k * (all.size() - 1) / (most - 1)]);
        return some;
    }

    /// From the ends and the knee of the genetic front and random starts; where a ray takes the nearest starts only,
    /// from all along the front.
    void boundary(const Problem& problem, EvaluationLog& evaluation_log, SearchRecord& record,
                  std::vector<fit::Candidate>& candidates) {
        const auto& s = study_.search_of(problem.variant());
        if (s.method == Method::nsga2) return;
        fit::BoundaryOptions options;
        options.rays = s.rays;
        options.ray = fit::Ray::inside;
        options.random_starts = s.starts;
        options.tries = s.tries;
        options.rounds = s.rounds;
        options.evaluations = s.evaluations;
        options.tolerance = 1e-5;
        options.seed = s.seed;
        options.threads = workers_.width();
        options.starts = starts(problem.variant(), s.tries > 0 ? std::size_t(s.rays) + 2 : 3);
        const auto front = fit::merged_front(candidates);
        if (s.tries > 0) {
            for (const auto& c : thinned(front, std::size_t(s.rays) + 2)) options.starts.push_back(c.values);
        } else if (!front.empty()) {
            std::vector<fit::Point> points;
            for (const auto& c : front) points.push_back(c.evaluation.objectives);
            std::vector<std::size_t> picks{0, fit::knee(points), front.size() - 1};
            picks.erase(std::unique(picks.begin(), picks.end()), picks.end());
            for (const auto k : picks) options.starts.push_back(front[k].values);
        }
        try {
            const auto result =
                fit::boundary_intersection(problem.space(), evaluation_log.objective(Phase::gradient), options);
            record.methods.push_back(
                method_of("boundary intersection", result.candidates, result.evaluations, result.not_converged));
            candidates.insert(candidates.end(), result.seen.begin(), result.seen.end());
            candidates = fit::not_overtaken(candidates, result);
            candidates.insert(candidates.end(), result.candidates.begin(), result.candidates.end());
        } catch (const core::NotConverged&) {  // no start could be evaluated: the method found nothing
            record.methods.push_back(method_of("boundary intersection", {}, 0, 0));
        }
    }

    double area(const std::vector<fit::Candidate>& candidates) const {
        std::vector<fit::Point> points;
        for (const auto& c : candidates) {
            if (!c.evaluation.usable()) continue;
            const auto e = fit::errors_of(c.evaluation.objectives);
            points.push_back({e.frequency, e.damping});
        }
        return fit::model_form_error(points, {{0, 0}, study_.boxes.upper});
    }

    nlohmann::json method_of(const char* name, const std::vector<fit::Candidate>& candidates, long evaluations,
                             long not_converged) const {
        nlohmann::json errors = nlohmann::json::array();
        for (const auto& c : fit::merged_front(candidates)) {
            const auto e = fit::errors_of(c.evaluation.objectives);
            errors.push_back({e.frequency, e.damping});
        }
        return {{"method", name},
                {"evaluations", evaluations},
                {"unconverged", not_converged},
                {"errors", errors},
                {"area", area(candidates)}};
    }
};

}  // namespace

Evaluator::Evaluator(const Study& study)
    : study_(study), made_(study.variants.size()), problems_(study.variants.size()) {}

const Problem& Evaluator::problem(int variant) {
    const auto i = std::size_t(variant);
    std::call_once(made_.at(i), [&] { problems_[i] = std::make_unique<Problem>(study_.variants[i], study_.setup); });
    return *problems_[i];
}

void run(const Study& study, Store& store, Workers& workers, Evaluator& evaluator, const RunOptions& options) {
    claim(study, store, options);
    Run(study, store, workers, evaluator, options).all();
}

StudyFiles study_files(const std::string& file, const StudyFiles& given) {
    StudyFiles files = given;
    if (files.store.empty()) files.store = std::filesystem::path(file).stem().string() + ".db";
    if (files.fronts.empty())
        files.fronts = std::filesystem::path(files.store).replace_extension("").string() + "_fronts";
    if (std::filesystem::exists(files.fronts) && !std::filesystem::is_directory(files.fronts))
        throw BadInput(files.fronts, "is a file; a folder is needed for the fronts (--fronts)");
    return files;
}

std::optional<StudyResult> run_study(const Study& study, const StudyFiles& files, int threads,
                                     const RunOptions& options) {
    Evaluator evaluator(study);
    Workers workers(std::ref(evaluator), threads);
    if (!workers.asks()) {
        workers.serve();
        return {};
    }
    Store store(files.store, Access::write);
    try {
        run(study, store, workers, evaluator, options);
    } catch (const core::Interrupted&) {
        throw core::Interrupted(fmt::format(
            "interrupted; {} evaluations are kept in {}: run the same command again to go on", store.size(), files.store));
    } catch (const BadInput&) {
        if (store.is_new() && store.size() == 0) store.discard();
        throw;
    }
    store.verify();
    auto result = study_result(store);
    if (!files.fronts.empty()) export_fronts(study, result, files.fronts);
    return result;
}

}  // namespace faying::study
