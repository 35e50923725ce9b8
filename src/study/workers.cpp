#include "faying/study/workers.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "faying/sparse/ranks.hpp"
#include "messages.hpp"

namespace faying::study {

namespace {

/// Tasks to have waiting on another rank beside those it works on, so that the next is there when one ends: as many as
/// it ends before an answer is seen here and the next task there. None when that takes no time beside an evaluation:
/// who waits in a queue cannot go to whoever is free first.
constexpr int most_spare = 4;
int spare_tasks(double seconds_each) {
    const double exchange = std::chrono::duration<double>(2 * long_nap).count();
    if (!(seconds_each > exchange / most_spare)) return most_spare;
    return int(std::ceil(exchange / seconds_each - 0.02));
}

/// Numbers packed one after the other; ranks are the same program on the same kind of machine.
class Packed {
 public:
    const std::string& text() const { return text_; }
    template <class T>
    void put(const T& x) {
        text_.append(reinterpret_cast<const char*>(&x), sizeof x);
    }
    void put_all(const std::vector<double>& numbers) {
        put(std::uint64_t(numbers.size()));
        for (const double x : numbers) put(x);
    }

 private:
    std::string text_;
};

class Unpacked {
 public:
    explicit Unpacked(std::string_view text) : left_(text) {}
    template <class T>
    T get() {
        T x{};
        if (left_.size() < sizeof x) throw std::runtime_error("a message between ranks is cut short");
        std::memcpy(&x, left_.data(), sizeof x);
        left_.remove_prefix(sizeof x);
        return x;
    }
    std::vector<double> get_all() {
        std::vector<double> numbers(get<std::uint64_t>());
        for (double& x : numbers) x = get<double>();
        return numbers;
    }

 private:
    std::string_view left_;
};

std::string packed(int number, const Task& t) {
    Packed p;
    p.put(number);
    p.put(t.variant);
    p.put(t.phase);
    p.put_all(t.values);
    return p.text();
}

std::pair<int, Task> unpacked_task(const std::string& text) {
    Unpacked p(text);
    const int number = p.get<int>();
    Task t;
    t.variant = p.get<int>();
    t.phase = p.get<Phase>();
    t.values = p.get_all();
    return {number, std::move(t)};
}

std::string packed(int number, const Outcome& o) {
    Packed p;
    p.put(number);
    p.put(o.evaluation.status);
    p.put(o.evaluation.residual);
    p.put(o.seconds);
    p.put_all(o.evaluation.objectives);
    p.put(std::uint64_t(o.curves.size()));
    for (const auto& curve : o.curves) {
        p.put_all(curve.omega);
        p.put_all(curve.zeta);
    }
    p.put(std::int64_t(o.evaluation.jacobian.rows()));
    p.put(std::int64_t(o.evaluation.jacobian.cols()));
    p.put_all({o.evaluation.jacobian.data(), o.evaluation.jacobian.data() + o.evaluation.jacobian.size()});
    return p.text();
}

std::pair<int, Outcome> unpacked_outcome(const std::string& text) {
    Unpacked p(text);
    const int number = p.get<int>();
    Outcome o;
    o.evaluation.status = p.get<fit::Status>();
    o.evaluation.residual = p.get<double>();
    o.seconds = p.get<double>();
    o.evaluation.objectives = p.get_all();
    o.curves.resize(p.get<std::uint64_t>());
    for (auto& curve : o.curves) {
        curve.omega = p.get_all();
        curve.zeta = p.get_all();
    }
    const auto rows = p.get<std::int64_t>(), columns = p.get<std::int64_t>();
    const auto jacobian = p.get_all();
    o.evaluation.jacobian = Eigen::Map<const Eigen::MatrixXd>(jacobian.data(), rows, columns);
    return {number, std::move(o)};
}

}  // namespace

/// Rank 0's end: who evaluates what, and the messages. Whoever asks sends its own task; answers are collected by the
/// threads that evaluate here, after each evaluation, and by a thread that looks for them meanwhile.
class Workers::Post {
 public:
    Post(int ranks, int threads) : threads_(threads), running_(std::size_t(ranks), 0) {
        if (ranks > 1) thread_ = std::thread([this] { watch(); });
    }
    ~Post() {
        {
            const std::lock_guard lock(mutex_);
            done_ = true;
        }
        asked_.notify_all();
        if (thread_.joinable()) thread_.join();
        for (int rank = 1; rank < ranks(); ++rank) messages_.send(rank, "");
    }

    int ranks() const { return int(running_.size()); }
    int width() const { return threads_ + (ranks() - 1) * (threads_ + most_spare); }

    Outcome ask(const Task& task, const Evaluate& evaluate) {
        const int rank = begin();
        Outcome outcome;
        try {
            outcome = rank == 0 ? here(task, evaluate) : there(rank, task);
        } catch (...) {
            end(rank, {});
            throw;
        }
        end(rank, outcome.seconds);
        return outcome;
    }

 private:
    int threads_;
    Messages messages_;
    std::mutex mutex_;
    std::condition_variable freed_, asked_;
    std::vector<int> running_;  ///< tasks of each rank, those in waiting too
    double seconds_each_ = 0;   ///< of late
    std::map<int, std::promise<Outcome>> promised_;
    int last_ = 0;  ///< number of the last promise
    bool done_ = false;
    std::thread thread_;

    /// Whoever has a thread free, this rank first; else the other rank with the fewest tasks. -1: none.
    int free_rank() const {
        if (running_[0] < threads_) return 0;
        const auto least = std::min_element(running_.begin() + 1, running_.end());
        return least != running_.end() && *least < threads_ + spare_tasks(seconds_each_) ? int(least - running_.begin())
                                                                                         : -1;
    }

    int begin() {
        std::unique_lock lock(mutex_);
        int rank = -1;
        freed_.wait(lock, [&] { return (rank = free_rank()) >= 0; });
        ++running_[std::size_t(rank)];
        return rank;
    }

    void end(int rank, std::optional<double> seconds) {
        const std::lock_guard lock(mutex_);
        --running_[std::size_t(rank)];
        if (seconds) seconds_each_ += (*seconds - seconds_each_) / 16;
        freed_.notify_all();
    }

    Outcome here(const Task& task, const Evaluate& evaluate) {
        Outcome outcome = evaluate(task);
        if (ranks() == 1) return outcome;
        collect();
        std::this_thread::yield();  // to those who wait for the answers, or to ask: they have the next tasks
        return outcome;
    }

    Outcome there(int rank, const Task& task) {
        std::future<Outcome> answer;
        int number = 0;
        {
            const std::lock_guard lock(mutex_);
            number = ++last_;
            answer = promised_[number].get_future();
        }
        messages_.send(rank, packed(number, task));
        asked_.notify_one();
        return answer.get();
    }

    bool collect() {
        return messages_.collect([&](const std::string& text) {
            auto [number, outcome] = unpacked_outcome(text);
            const std::lock_guard lock(mutex_);
            promised_.extract(number).mapped().set_value(std::move(outcome));
        });
    }

    void watch() {
        Patience patience;
        std::unique_lock lock(mutex_);
        while (true) {
            asked_.wait(lock, [&] { return done_ || !promised_.empty(); });
            if (promised_.empty()) return;
            lock.unlock();
            const bool came = collect();
            lock.lock();
            const bool all_busy = running_[0] >= threads_;
            lock.unlock();
            patience.sleep(came, all_busy);
            lock.lock();
        }
    }
};

Workers::Workers(Evaluate evaluate, int threads)
    : evaluate_(std::move(evaluate)), threads_(threads), ranks_(sparse::launched() ? sparse::ranks() : 1) {
    if (threads_ == 0) threads_ = ranks_ > 1 ? 1 : int(std::max(1u, std::thread::hardware_concurrency()));
    if (asks()) post_ = std::make_unique<Post>(ranks_, threads_);
}

Workers::~Workers() = default;

bool Workers::asks() const { return ranks_ == 1 || sparse::rank() == 0; }
int Workers::width() const { return post_ ? post_->width() : threads_; }
int Workers::cores() const { return threads_ * ranks_; }
int Workers::ranks() const { return ranks_; }
int Workers::threads() const { return threads_; }

Outcome Workers::operator()(const Task& task) { return post_->ask(task, evaluate_); }

/// The other ranks' end: this thread looks for messages, `threads_` others evaluate, send their answers and look too.
void Workers::serve() {
    Messages messages;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::pair<int, Task>> tasks;
    int busy = 0;
    bool done = false;
    const auto collect = [&] {
        return messages.collect([&](const std::string& text) {
            const std::lock_guard lock(mutex);
            if (text.empty())
                done = true;
            else
                tasks.push_back(unpacked_task(text));
            changed.notify_all();
        });
    };
    const auto work = [&] {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [&] { return done || !tasks.empty(); });
            if (tasks.empty()) return;
            const auto [number, task] = std::move(tasks.front());
            tasks.pop_front();
            ++busy;
            lock.unlock();
            messages.send(0, packed(number, evaluate_(task)));
            collect();
            lock.lock();
            --busy;
        }
    };
    std::vector<std::thread> workers;
    for (int k = 0; k < threads_; ++k) workers.emplace_back(work);
    Patience patience;
    while (true) {
        const bool came = collect();
        std::unique_lock lock(mutex);
        if (done) break;
        const bool all_busy = busy == threads_;
        lock.unlock();
        patience.sleep(came, all_busy);
    }
    for (auto& worker : workers) worker.join();
}

}  // namespace faying::study
