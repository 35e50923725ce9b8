#pragma once
// What one site of a joint remembers over a period, as numbers that a period map can vary: the displacements of the
// last period's reversals (laws with return-point memory), or its last reversal and the few numbers that make up its
// past (Bouc-Wen, Valanis, ..).

#include "harmonic_system.hpp"

namespace faying::modes {

class JointMemory {
 public:
    static constexpr std::size_t most_numbers = core::directions - 2;

    explicit JointMemory(const HarmonicSystem::Site& site);

    bool remembers() const { return kind_ != Kind::nothing; }
    bool could_remember() const { return own_kind_ != Kind::nothing; }  ///< if it moves
    Eigen::Index row() const { return site_.row; }
    double base() const { return site_.base(0); }
    double weight() const { return site_.weight; }

    /// The tips of the last period in the order of time; its states stand from `first` on in X. A site without any does
    /// not move, and remembers nothing.
    void expect(const std::vector<double>& tips, Eigen::Index first);
    Eigen::Index first() const { return first_; }
    Eigen::Index count() const { return values_.size(); }
    const Eigen::VectorXd& values() const { return values_; }
    Eigen::VectorXd sizes() const { return sizes_; }  ///< that count as one

    /// At the beginning of a period, with these states.
    void start(const Eigen::VectorXd& states);
    void set_out(double speed) { way_ = speed > 0 ? 1 : (speed < 0 ? -1 : 0); }
    int way() const { return way_; }
    double level() const { return level_; }    ///< the next kink ahead, infinite where there is none
    double margin() const { return margin_; }  ///< displacement that does not count
    void look_ahead(double u);

    /// On the way to u from the last reversal: force from rest, tangent, and what memory adds to the force's variation.
    /// All are those of the branch between the last kink and the next, beyond them as straight as it was there: at its
    /// ends it is this side's tangent that counts.
    void evaluate(double u);
    double force() const { return force_; }
    double tangent() const { return tangent_; }
    void add_memory(Eigen::Ref<Eigen::RowVectorXd> force) const;

    /// It turns at u, which varies by `du`.
    void reverse(double u, const Eigen::RowVectorXd& du);
    bool surprised() const { return kind_ == Kind::tips && seen_.size() > tips_; }  ///< more than expected
    bool complete() const { return kind_ != Kind::tips || seen_.size() == tips_; }
    const std::vector<double>& seen() const { return seen_; }  ///< tips of this period so far

    bool jumps() const { return !site_.continuous; }  ///< its force, at a reversal or at a level
    /// How the level ahead varies (of a site whose force jumps there).
    Eigen::RowVectorXd level_variation() const;

    /// From here on its states vary as these rows.
    void vary(const Eigen::Ref<const Eigen::MatrixXd>& rows);
    void collect(Eigen::Ref<Eigen::MatrixXd> rows) const;

 private:
    enum class Kind { nothing, tips, numbers };
    using Dual = core::Dual;

    HarmonicSystem::Site site_;
    Kind kind_, own_kind_;
    std::size_t tips_ = 0, numbers_ = 0;
    Eigen::Index first_ = 0;
    Eigen::VectorXd values_, sizes_;
    std::vector<laws::JointOf<Dual>> joints_;  ///< each carries the derivatives to four states
    std::vector<laws::JointOf<Dual>> twins_;   ///< where the force jumps: with a tip a little higher, lower, by tip
    Eigen::MatrixXd held_;                     ///< variation of what the joints are seeded in
    Eigen::VectorXd memory_slope_;             ///< of the force, to the same
    std::vector<double> seen_, kinks_;
    Eigen::Index place_ = 0;  ///< numbers: which seed the last reversal has
    int way_ = 0;
    double level_ = 0, behind_ = 0, margin_ = 0, rest_ = 0, force_ = 0, tangent_ = 0;
    double last_turn_ = 0;
    std::vector<Dual> u_{1}, f_{1}, k_{1}, numbers_of_;

    void go(laws::JointOf<Dual>& joint, const Dual& u);
    void start_tips();
    void start_twins(std::size_t farthest);
    void start_numbers();
    void settle_numbers(const std::vector<double>& tips);
    void seed_numbers();
};

}  // namespace faying::modes
