#include "faying/study/crew.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "faying/solve/messages.hpp"
#include "faying/solve/ranks.hpp"

namespace faying::study {

namespace {

using namespace std::chrono_literals;

constexpr auto nap = 50us;  ///< between looks at the mail; an evaluation takes milliseconds

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

std::string packed(int slot, const Task& t) {
    Packed p;
    p.put(slot);
    p.put(t.variant);
    p.put(t.phase);
    p.put_all(t.values);
    return p.text();
}

std::pair<int, Task> unpacked_task(const std::string& text) {
    Unpacked p(text);
    const int slot = p.get<int>();
    Task t;
    t.variant = p.get<int>();
    t.phase = p.get<Phase>();
    t.values = p.get_all();
    return {slot, std::move(t)};
}

std::string packed(int slot, const Outcome& o) {
    Packed p;
    p.put(slot);
    p.put(o.evaluation.status);
    p.put(o.evaluation.residual);
    p.put(o.seconds);
    p.put_all(o.evaluation.objectives);
    p.put_all(o.details);
    p.put(std::int64_t(o.evaluation.jacobian.rows()));
    p.put(std::int64_t(o.evaluation.jacobian.cols()));
    p.put_all({o.evaluation.jacobian.data(), o.evaluation.jacobian.data() + o.evaluation.jacobian.size()});
    return p.text();
}

std::pair<int, Outcome> unpacked_outcome(const std::string& text) {
    Unpacked p(text);
    const int slot = p.get<int>();
    Outcome o;
    o.evaluation.status = p.get<fit::Status>();
    o.evaluation.residual = p.get<double>();
    o.seconds = p.get<double>();
    o.evaluation.objectives = p.get_all();
    o.details = p.get_all();
    const auto rows = p.get<std::int64_t>(), columns = p.get<std::int64_t>();
    const auto jacobian = p.get_all();
    o.evaluation.jacobian = Eigen::Map<const Eigen::MatrixXd>(jacobian.data(), rows, columns);
    return {slot, std::move(o)};
}

}  // namespace

/// Rank 0's end of the messages: one thread that sends and receives for all who ask.
class Crew::Post {
 public:
    /// Slots 0 .. threads - 1 are this rank's, then those of rank 1, 2, ..: one more than threads, so that the next
    /// task is there when one ends.
    Post(int ranks, int threads)
        : ranks_(ranks), threads_(threads), answers_(std::size_t(threads + (ranks - 1) * (threads + 1))) {
        for (int slot = int(answers_.size()) - 1; slot >= 0; --slot) free_.push_back(slot);
        thread_ = std::thread([this] { run(); });
    }
    ~Post() {
        {
            const std::lock_guard lock(mutex_);
            done_ = true;
        }
        changed_.notify_all();
        thread_.join();
        for (int rank = 1; rank < ranks_; ++rank) solve::send(rank, "");
    }

    int slots() const { return int(answers_.size()); }

    Outcome ask(const Task& task, const Evaluate& evaluate) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !free_.empty(); });
        const int slot = free_.back();
        free_.pop_back();
        Outcome outcome;
        if (slot < threads_) {
            lock.unlock();
            outcome = evaluate(task);
            lock.lock();
        } else {
            std::promise<Outcome> promise;
            auto answer = promise.get_future();
            answers_[std::size_t(slot)] = std::move(promise);
            outgoing_.push_back({1 + (slot - threads_) / (threads_ + 1), packed(slot, task)});
            ++waiting_;
            changed_.notify_all();
            lock.unlock();
            outcome = answer.get();
            lock.lock();
        }
        free_.push_back(slot);
        changed_.notify_all();
        return outcome;
    }

 private:
    int ranks_, threads_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<int> free_;
    std::vector<std::promise<Outcome>> answers_;
    std::deque<solve::Message> outgoing_;  ///< `from` is whom it goes to
    int waiting_ = 0;
    bool done_ = false;
    std::thread thread_;

    void run() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [&] { return done_ || waiting_ > 0; });
            if (waiting_ == 0) return;
            while (!outgoing_.empty()) {
                const auto message = std::move(outgoing_.front());
                outgoing_.pop_front();
                lock.unlock();
                solve::send(message.from, message.text);
                lock.lock();
            }
            lock.unlock();
            const auto message = solve::arrived();
            if (!message) std::this_thread::sleep_for(nap);
            lock.lock();
            if (!message) continue;
            auto [slot, outcome] = unpacked_outcome(message->text);
            --waiting_;
            answers_[std::size_t(slot)].set_value(std::move(outcome));
        }
    }
};

Crew::Crew(Evaluate evaluate, int threads)
    : evaluate_(std::move(evaluate)), threads_(threads), ranks_(solve::launched() ? solve::ranks() : 1) {
    if (threads_ == 0) threads_ = ranks_ > 1 ? 1 : int(std::max(1u, std::thread::hardware_concurrency()));
    if (ranks_ > 1 && asks()) post_ = std::make_unique<Post>(ranks_, threads_);
}

Crew::~Crew() = default;

bool Crew::asks() const { return ranks_ == 1 || solve::rank() == 0; }
int Crew::width() const { return post_ ? post_->slots() : threads_; }
int Crew::cores() const { return threads_ * ranks_; }
int Crew::ranks() const { return ranks_; }
int Crew::threads() const { return threads_; }

Outcome Crew::operator()(const Task& task) { return post_ ? post_->ask(task, evaluate_) : evaluate_(task); }

/// The other ranks' end: this thread has the mail, `threads_` others evaluate.
void Crew::serve() {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::pair<int, Task>> tasks;
    std::deque<std::string> answers;
    bool done = false;
    std::vector<std::thread> workers;
    for (int k = 0; k < threads_; ++k)
        workers.emplace_back([&] {
            std::unique_lock lock(mutex);
            while (true) {
                changed.wait(lock, [&] { return done || !tasks.empty(); });
                if (tasks.empty()) return;
                auto [slot, task] = std::move(tasks.front());
                tasks.pop_front();
                lock.unlock();
                auto answer = packed(slot, evaluate_(task));
                lock.lock();
                answers.push_back(std::move(answer));
            }
        });
    while (!done) {
        auto message = solve::arrived();
        std::unique_lock lock(mutex);
        const bool idle = !message && answers.empty();
        if (message && message->text.empty()) {
            done = true;
            changed.notify_all();
        } else if (message) {
            tasks.push_back(unpacked_task(message->text));
            changed.notify_one();
        }
        std::deque<std::string> ready;
        ready.swap(answers);
        lock.unlock();
        for (const auto& text : ready) solve::send(0, text);
        if (idle) std::this_thread::sleep_for(nap);
    }
    for (auto& worker : workers) worker.join();
}

}  // namespace faying::study
