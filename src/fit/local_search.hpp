#pragma once
// One local search of boundary intersection, by SLSQP (NLopt) in coordinates: of one objective, or along a ray.

#include <nlopt.h>

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "faying/core/error.hpp"
#include "faying/fit/boundary_intersection.hpp"

namespace faying::fit {

/// Objectives and their gradients in coordinates, counted and kept.
class Counted {
 public:
    Counted(const Space& space, const Objective& objective) : space_(space), objective_(objective) {}
    Evaluation operator()(const std::vector<double>& coordinates) const;
    mutable std::atomic<long> evaluations = 0, not_converged = 0;

    /// The front of all that was evaluated.
    std::vector<Candidate> seen() const;

 private:
    const Space& space_;
    const Objective& objective_;
    mutable std::mutex mutex_;
    mutable std::vector<Candidate> seen_;
};

/// How far from the utopian point a point is along a ray that bounds the objectives from above (`Ray::inside`);
/// infinite where it is not usable.
double reach(const Evaluation& e, const std::vector<double>& utopia, const std::array<double, 2>& direction);

/// One object a start; NLopt calls back into it.
class LocalSearch {
 public:
    LocalSearch(const Counted& function, std::size_t size, const BoundaryOptions& options)
        : function_(function), size_(size), o_(options) {}

    /// Coordinates of the least objective j found.
    std::vector<double> least(int j, std::vector<double> x);

    /// The other objective as small as it gets while objective j stays below a bound.
    std::vector<double> least_within(int j, double bound, std::vector<double> x);

    struct Answer {
        std::vector<double> coordinates;
        double t = core::infinity;
    };

    /// Inside the ray: the point that reached least, of all that were tried.
    Answer along(const std::vector<double>& utopia, double psi, std::vector<double> x);

 private:
    struct Freed {
        void operator()(nlopt_opt o) const { nlopt_destroy(o); }
    };
    using Optimiser = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, Freed>;

    const Counted& function_;
    std::size_t size_;
    const BoundaryOptions& o_;
    int objective_ = 0;
    double bound_ = 0;           ///< of the other objective
    std::vector<double> scale_;  ///< NLopt's variables over coordinates: SLSQP's first step is as long as the gradient
    std::vector<double> utopia_;
    std::array<double, 2> direction_{};
    Answer nearest_;  ///< to the utopian point, by its reach
    nlopt_opt running_ = nullptr;
    std::exception_ptr thrown_;

    Evaluation begin(const std::vector<double>& x);
    Optimiser optimiser(std::size_t dimension) const;
    void run(nlopt_opt o, std::vector<double>& x);
    std::vector<double> coordinates_of(const double* x) const;
    Evaluation evaluate(const double* x);

    static double single(unsigned n, const double* x, double* gradient, void* data);
    static double above_bound(unsigned n, const double* x, double* gradient, void* data);
    static double distance(unsigned n, const double* x, double* gradient, void* data);
    static void off_ray(unsigned m, double* result, unsigned n, const double* x, double* gradient, void* data);
};

}  // namespace faying::fit
