#pragma once
// Following a branch: predictor, steps in ln q, mode tracking; and closing loops at one amplitude.

#include <functional>
#include <utility>

#include "equations.hpp"
#include "faying/core/anderson.hpp"

namespace faying::modes {

inline constexpr double hardly_damped = 1e-6;  ///< a damping ratio that is as good as none
inline constexpr int most_newton = 15;  ///< Newton steps from one guess: more of them have never led to the same mode
inline constexpr double least_overlap = 0.9;  ///< of successive shapes (MAC 0.81); less is another mode

using core::Anderson;

/// The state of the joints at +q: what they remember, where laws let it be set, and where they are.
struct Held {
    Eigen::VectorXd memory, at;

    /// By how much they differ a loop later, relative.
    double gap(const Held& later) const;
};

/// A loop at one amplitude, from the first loading on.
struct Loop {
    Branch plus, minus;               ///< the last reversals
    std::vector<Branch> reversals;    ///< all that were committed, first loading included
    std::vector<double> dissipation;  ///< by joint, of the last loop
    std::vector<Eigen::VectorXd> by_site;
    Eigen::VectorXd at;         ///< increments at the last +q but one
    Eigen::VectorXd memory;     ///< at the last +q but one, where laws let it be set
    bool accelerated = false;   ///< the memory was solved for: reversals are then first loading and last loop
    bool extrapolated = false;  ///< some loop began from a guess at what closes
    bool stuck = false;         ///< in the last loop no site slipped, opened or closed
    bool straight = false;      ///< on the path of loop_work every site goes straight from reversal to reversal
    double residual = 0, gap = 0;
    int half_loops = 0;
    bool converged = false;
};

class Tracer {
 public:
    Tracer(const structure::Model& model, const Interface& interface, const BackboneOptions& options);

    void start(int mode);
    /// Along first loading to q > 0; false when the branch was lost on the way (it stays at its last point).
    /// Where steps in q fail the branch is followed by arc length, past turning points in q; `asked` are amplitudes, q
    /// the last of them, whose crossings on the way are of interest.
    bool reach(double q, int& iterations, const std::vector<double>& asked = {});
    const Branch& here() const { return branch_.back(); }
    /// Where the branch met amplitudes asked for on its way around folds, to which it then went.
    struct Crossing {
        Branch branch;
        int folds = 0;  ///< passed before it
    };
    std::vector<Crossing> take_crossings() { return std::exchange(crossings_, {}); }
    int folds() const { return folds_; }             ///< passed on the way here
    double turned_at() const { return turned_at_; }  ///< largest q of a fold; 0: none was met
    /// To a point of the branch that was found before.
    void go_to(const Branch& b);

    /// A guess at the reversal q of the other sign: every joint on the tangent that it unloads with.
    Branch unloaded(const Branch& from, double q, int& iterations);
    /// From first loading just reached: loops until they close.
    Loop close(int& iterations);
    /// Of the structure's own damping.
    double viscous_ratio(const Eigen::VectorXd& shape, double omega) const;
    /// Closed-loop Int f du of every row at the loop just closed, along a path of loads between its reversals (see
    /// dissipation.cpp): the joints' work, and that of the loads. Empty when a point of the path fails, whose residual
    /// `loop` then has. `visit` sees every point.
    struct Node {
        bool down = true;        ///< from +q to -q, or back
        Eigen::Index index = 0;  ///< in the half loop
        bool first = false, last = false;
        double start = 1, end = 0;  ///< shares of both reversals' shapes in the load (RQNMA)
    };
    using Visit = std::function<void(const Branch&, const Node&)>;
    Eigen::VectorXd loop_work(Loop& loop, int& iterations, const Visit& visit = {});
    /// Points of a half loop. Sites begin to slip with kinks, which a few sites do not smear out.
    int path_points() const;
    /// How far the last solution of the branch is from one at q, relative: the true residual of a point that was lost.
    double residual_at(double q);

    Equations& equations() { return equations_; }
    Sites& sites() { return sites_; }
    const Prestress& at_rest() const { return at_rest_; }
    bool uses_prestress() const { return uses_prestress_; }
    Friction prestress_friction() const { return options_.prestress; }
    Start start_kind() const { return kind_; }
    double start_lambda() const { return start_lambda_; }

 private:
    const structure::Model& model_;
    const Interface& interface_;
    const BackboneOptions& options_;
    Sites sites_;
    Equations equations_;
    Prestress at_rest_;
    bool uses_prestress_ = false;
    Start kind_ = Start::fresh;
    double start_lambda_ = 0;
    std::vector<Crossing> crossings_;
    int folds_ = 0;
    double turned_at_ = 0;
    bool ended_ = false;          ///< the branch was followed as far as it goes
    std::vector<Branch> branch_;  ///< the last two points of first loading, none before the first

    bool try_at(Branch& guess, int& iterations, bool damped = true);
    bool same_mode(const Branch& a, const Branch& b) const;
    bool approach(Branch& guess, const Branch& from, const Branch& like, int& iterations);
    bool begin_branch(double q, int& iterations);
    Branch predict(double q) const;
    bool by_load(Branch& b, const Branch& from, double q, int& iterations);
    bool load_path(Branch& b, const Shape& phi, const Branch& from, double q, int& iterations);
    using Load = std::function<void(double target)>;
    bool follow_load(Branch& b, double& reached, double until, double step, const Load& load, int& iterations);
    bool half_loop(const Branch& from, const Branch& to, Node node, Loop& loop, Eigen::MatrixXd& u, Eigen::MatrixXd& f,
                   int& iterations, const Visit& visit);
    bool all_straight(const Eigen::MatrixXd& u) const;
    bool climb(double q, int& iterations);
    bool come_back(double q, int& iterations);
    bool around_folds(double q, const std::vector<double>& asked, int& iterations);
    void use_own_inertia();
    bool to_own_inertia(Branch& b, double& share, int& iterations);
    Loop close(int& iterations, bool may_extrapolate);
    void extrapolate(Anderson& anderson, Loop& loop, const Held& before, Held& after, double scale);
    bool turn(Branch& b, double q, int& iterations, Loop& loop);
};

/// Legendre-Gauss-Lobatto nodes on [-1, 1], ascending, and weights.
struct Lobatto {
    std::vector<double> nodes, weights;
    explicit Lobatto(int points);
    /// Q of  Int f du = Sum f_i Q_ij u_j  for values at the nodes: the rule, of the interpolant's derivative.
    Eigen::MatrixXd work() const;
};

}  // namespace faying::modes
