#pragma once
// Who evaluates: the threads of this process, and under mpirun those of the other ranks too. Rank 0 asks, the others
// serve; each evaluation goes to whoever is free, so that long ones do not hold up the rest.
//
//     Workers workers(evaluate, threads);
//     if (!workers.asks()) return workers.serve();             // ranks 1, 2, ..: until rank 0 is done
//     const Outcome o = workers({.variant = 3, .phase = Phase::search, .values = x});   // from many threads

#include <functional>
#include <memory>
#include <vector>

#include "faying/study/problem.hpp"

namespace faying::study {

struct Task {
    int variant = 0;  ///< in the study's list
    Phase phase = Phase::search;
    std::vector<double> values;
};

class Workers {
 public:
    using Evaluate = std::function<Outcome(const Task&)>;

    /// `threads` of each rank; 0: all cores of a process by itself, one on each of many ranks.
    Workers(Evaluate evaluate, int threads);
    ~Workers();  ///< on rank 0, lets the others go
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    bool asks() const;  ///< this is rank 0
    int width() const;  ///< evaluations to ask for at once: the cores, and tasks in waiting on every other rank
    int cores() const;  ///< evaluations that run at once, over all ranks
    int ranks() const;
    int threads() const;  ///< of this rank

    Outcome operator()(const Task& task);  ///< on rank 0, from any thread; waits for a turn
    void serve();                          ///< on the other ranks

 private:
    class Post;
    Evaluate evaluate_;
    int threads_, ranks_;
    std::unique_ptr<Post> post_;
};

}  // namespace faying::study
