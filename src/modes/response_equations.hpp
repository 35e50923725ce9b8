#pragma once
// Forced responses as equations along a parameter: frequency at a given force or amplitude, force at a frequency or at
// phase resonance, of the load or of a superharmonic.

#include "faying/modes/harmonic_balance.hpp"
#include "faying/solve/continuation.hpp"
#include "harmonic_system.hpp"

namespace faying::modes {

/// Throws core::BadInput for a task that no equations below are of.
void check_task(const structure::Model& model, const ResponseTask& task, const core::Harmonics& harmonics);

/// Unknowns: the system's over a fixed scale; at their head, where there is one, the force over a scale (held
/// amplitude) or the frequency over a scale (phase resonance). Parameter: w over the upper frequency, or ln p.
class ResponseEquations final : public solve::ParametricEquations {
 public:
    ResponseEquations(HarmonicSystem& system, const ResponseTask& task, double scale, double top, double unit_force);

    bool along_frequency() const { return task_.along == ResponseTask::Along::frequency; }
    bool by_phase() const { return !along_frequency() && task_.phase_mode > 0; }
    Eigen::Index extra() const { return task_.hold || by_phase() ? 1 : 0; }
    double frequency(const Eigen::VectorXd& x, double p) const;
    double force(const Eigen::VectorXd& x, double p) const;
    double held = 1;  ///< share of the amplitude to hold: ramped up where the start is far

    Eigen::Index size() const override { return system_.size() + extra(); }
    /// Unknowns of a motion given by its modal harmonics, with the frequencies' neighbours as unknowns.
    Eigen::VectorXd unknowns(const Eigen::MatrixXd& q, double w, double force);
    Eigen::VectorXd in_these_unknowns(const Eigen::MatrixXd& q, double w, double force) const;

    double evaluate(const Eigen::VectorXd& x, double p, Eigen::VectorXd& r) override;
    void jacobian(Eigen::MatrixXd& to_x, Eigen::VectorXd& to_p) override;
    void slopes(solve::Slopes& all) override;
    void scales(const Eigen::VectorXd& x, double, Eigen::VectorXd& of_x, double& of_p) override;
    Eigen::VectorXd accept(const Eigen::VectorXd& x, double p) override;

    double w() const { return w_; }
    double force() const { return force_; }
    Eigen::MatrixXd modal() const { return scale_ * system_.modal(); }
    /// Of the first harmonic of an output, at the last evaluation; at a given force only.
    std::vector<WatchedDerivative> derivatives(const Eigen::VectorXd& output);
    double scale() const { return scale_; }

 private:
    HarmonicSystem& system_;
    const ResponseTask& task_;
    double scale_, top_, unit_force_, w_ = 0, force_ = 0, largest_ = 0, modal_ = 0;
    Eigen::Index at_;
    Eigen::VectorXd shape_, row_;

    /// What a unit of the row's harmonic, over the scale, is of the quantity held.
    double level() const { return task_.hold->acceleration ? scale_ * w_ * w_ : scale_; }
    double motion_at_load() const;
    double condition() const;
    /// Of the condition, to the unknowns and to p.
    struct ConditionSlopes {
        Eigen::RowVectorXd to_x;
        double to_p = 0;
    };
    ConditionSlopes condition_slopes() const;
};

/// The joints' displacements of order n against the joint forces that drive them (those of the motion without that
/// order): the cosine of the phase between them, zero at the superharmonic's resonance; and what it takes to
/// differentiate it.
struct SuperharmonicPhase {
    double cosine = 1;
    Eigen::RowVectorXd to_y;  ///< of a motion near resonance
};
/// At the system's last evaluation, whose y is over `scale`.
SuperharmonicPhase superharmonic_phase(const HarmonicSystem& system, int order, double scale);

}  // namespace faying::modes
