#pragma once
// A history under way: where the joints and the loads are, and how to get to the next values (modes/quasistatic.hpp).

#include <memory>

#include "driven_statics.hpp"

namespace faying::modes {

/// The equations of a history over its sites, which it refers to.
using MakeStatics = std::function<std::unique_ptr<DrivenStatics>(Sites&)>;

class History {
 public:
    History(const structure::Model& model, const MakeStatics& statics, const std::vector<Drive>& drives,
            const QuasistaticOptions& options);

    /// The static force, then what is locked is held where it is.
    QuasistaticPoint seat();
    /// Straight to the next values of the drives; false when it ends on the way, where it then stays.
    bool go(const Eigen::VectorXd& given, std::size_t index, QuasistaticRun& run);

    Eigen::VectorXd forces() const { return at_force_; }
    Eigen::VectorXd displacements() const { return statics_->displacements(z_); }

 private:
    using Statuses = std::vector<std::vector<SiteStatus>>;

    /// What the joints have done at an equilibrium, to compare two ways there.
    struct Reached {
        Eigen::VectorXd z, at, force;
        std::vector<Eigen::VectorXd> dissipated;  ///< by joint and site
        double residual = 0;
        bool ok = false;
    };
    /// Between two points all goes in proportion until a site does something else: by how much for all of the way.
    struct Pace {
        bool known = false;
        Eigen::VectorXd z, at, force;
    };
    /// From one point to the next.
    struct Leg {
        DrivenLoad from, to;
        DrivenLoad at(double share) const;
    };
    /// A step taken as two halves, and by how much one step differs.
    struct Attempt {
        Eigen::VectorXd middle, end;
        double error = 0;
        bool half = false;  ///< the first half was found
        bool ok = false;    ///< and the second
        Pace pace;
    };

    const structure::Model& model_;
    const QuasistaticOptions& options_;
    const std::vector<Drive>& drives_;
    Sites sites_;
    std::unique_ptr<DrivenStatics> statics_;
    Eigen::VectorXd z_, at_force_;
    Eigen::VectorXd offset_;  ///< where locked drives were locked; empty: none
    DrivenLoad here_;
    struct Moved {
        Eigen::VectorXd load, way;
    } last_;                                    ///< by the last step that was taken as given
    std::vector<Eigen::VectorXd> before_last_;  ///< dissipated before the last step
    Statuses current_;
    double force_scale_ = 0, way_scale_ = 0, energy_scale_ = 0;
    std::size_t index_ = 0;
    std::vector<SiteEvent>* events_ = nullptr;

    QuasistaticPoint settle_static();
    [[noreturn]] void refuse_static(const DrivenLoad& all, double share);
    /// From the committed states to a load; states are left as they were.
    Reached solve(const DrivenLoad& load, Eigen::VectorXd& z, QuasistaticPoint& point);
    /// The same, and on: states are committed there.
    Reached commit(const DrivenLoad& load, Eigen::VectorXd& z, QuasistaticPoint& point);
    void take(const DrivenLoad& load, const Eigen::VectorXd& z);
    void finish(QuasistaticPoint& point, bool reached);

    // history_steps.cpp
    void scale(const Eigen::VectorXd& at, const Eigen::VectorXd& force);
    double apart(const Reached& a, const Reached& b);
    bool advance(const Leg& leg, QuasistaticPoint& point);
    Eigen::VectorXd onwards(const DrivenLoad& load) const;
    bool as_given(const Leg& leg, double s, double e, QuasistaticPoint& point);
    Attempt attempt(const Leg& leg, double s, double e, const Eigen::VectorXd& guess, QuasistaticPoint& point);
    Pace pace_of(const Reached& half, const Reached& end, double length) const;
    double in_proportion_until(const Pace& pace, double s) const;
    bool follow(const Leg& leg, const Pace& pace, double s, double e, QuasistaticPoint& point);
    bool settle(const Leg& leg, double s, double e, Eigen::VectorXd z, QuasistaticPoint& point);
    std::size_t most_events() const { return 10 + 10 * std::size_t(sites_.rows()); }
    bool differs(const DrivenLoad& load, Eigen::VectorXd& z, Statuses& after, QuasistaticPoint& point);
    Statuses statuses(const Eigen::VectorXd& at, const Eigen::VectorXd& force,
                      const std::vector<Eigen::VectorXd>& before, const std::vector<Eigen::VectorXd>& now) const;
    std::vector<SiteState> states(const Eigen::VectorXd& at, const Eigen::VectorXd& force,
                                  const std::vector<Eigen::VectorXd>& before, const std::vector<Eigen::VectorXd>& now,
                                  std::size_t joint) const;
    void note_statuses();
    void note_events(const Statuses& after, double share);
};

}  // namespace faying::modes
