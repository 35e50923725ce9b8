#include "history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "faying/core/error.hpp"

namespace faying::modes {

namespace {

/// As they are under the static force: what is to be locked is a load of nothing.
std::vector<Drive> unlocked(std::vector<Drive> drives) {
    for (auto& d : drives)
        if (d.locked) d.kind = DriveKind::force;
    return drives;
}

/// Sites that are open before any load, and the least of their gaps.
struct Gaps {
    Eigen::Index open = 0;
    double least = std::numeric_limits<double>::infinity();
};

Gaps gaps_of(const structure::Model& model) {
    Gaps all;
    for (const auto& joint : model.joints)
        for (const double gap : joint.gap)
            if (gap > 0) {
                ++all.open;
                all.least = std::min(all.least, gap);
            }
    return all;
}

core::BadInput opened(Eigen::Index sites) {
    return core::BadInput("quasistatic", fmt::format("the static load opens the joint completely: it pulls on all {} "
                                                     "sites of contact",
                                                     sites));
}

}  // namespace

History::History(const structure::Model& model, const MakeStatics& statics, const std::vector<Drive>& drives,
                 const QuasistaticOptions& options)
    : model_(model),
      options_(options),
      drives_(drives),
      sites_(structure::joint_set(model)),
      statics_(statics(sites_)) {
    statics_->drive(model, unlocked(drives));
    z_ = Eigen::VectorXd::Zero(statics_->size());
    here_ = {.share = 0, .value = Eigen::VectorXd::Zero(Eigen::Index(drives.size()))};
    before_last_ = sites_.dissipated_by_site();
    current_.resize(model.joints.size());
    for (std::size_t j = 0; j < model.joints.size(); ++j)
        current_[j].assign(std::size_t(model.joints[j].sites()), SiteStatus::stuck);
}

/// The static force, then what is locked is held where it is.
QuasistaticPoint History::seat() {
    QuasistaticPoint point = settle_static();
    if (std::none_of(drives_.begin(), drives_.end(), [](const Drive& d) { return d.locked; })) return point;
    // The same equilibrium with reactions of locked rows (nothing so far) among the unknowns
    const Eigen::VectorXd before = z_;
    const Eigen::Index held = statics_->held();
    statics_->drive(model_, drives_);
    z_ = Eigen::VectorXd::Zero(statics_->size());
    z_.head(before.size() - held) = before.head(before.size() - held);
    Eigen::Index from = before.size() - held, to = from;
    offset_ = Eigen::VectorXd::Zero(here_.value.size());
    for (std::size_t j = 0; j < drives_.size(); ++j) {
        if (drives_[j].kind != DriveKind::displacement) continue;
        if (drives_[j].locked)
            offset_(Eigen::Index(j)) = point.displacement(Eigen::Index(j));
        else
            z_(to) = before(from++);
        ++to;
    }
    here_.value += offset_;
    statics_->set(here_);
    statics_->reached(z_, at_force_);
    return point;
}

/// Straight from virgin joints: loads on the way are only a way to a guess.
QuasistaticPoint History::settle_static() {
    QuasistaticPoint point;
    const DrivenLoad all{1.0, here_.value};
    if (statics_->static_force() == 0) {
        here_ = all;
        finish(point, true);
        return point;
    }
    Eigen::VectorXd z = statics_->stuck_start(all, z_);
    if (!solve(all, z, point).ok) {
        double share = 0, step = 0.1;
        z.setZero();
        while (share < 1 && step > 1e-6) {
            const double next = std::min(1.0, share + step);
            Eigen::VectorXd guess =
                share > 0 ? Eigen::VectorXd(next / share * z) : statics_->stuck_start({next, here_.value}, z_);
            if (solve({next, here_.value}, guess, point).ok) {
                z = guess, share = next, step *= 1.5;
            } else {
                step *= 0.4;
            }
        }
        if (share < 1) refuse_static(all, share);
    }
    take(all, z);
    const auto [closed, contacts] = sites_.touching(statics_->displacements(z_));
    if (contacts > 0 && closed == 0 && gaps_of(model_).open < contacts) throw opened(contacts);
    note_statuses();
    finish(point, true);
    return point;
}

/// Says what the load would do to joints that could not slide nor open: where it pulls on them, they part.
void History::refuse_static(const DrivenLoad& all, double share) {
    const auto [closed, contacts] =
        sites_.touching(statics_->displacements(statics_->stuck_start(all, Eigen::VectorXd::Zero(statics_->size()))));
    const Gaps gaps = gaps_of(model_);
    if (contacts > 0 && gaps.open == contacts)
        throw core::BadInput("quasistatic",
                             fmt::format("nothing holds the structure under its static load before contact closes: all "
                                         "{} sites are open, by {:.3g} at least; hold it, or close the gaps (gap = 0)",
                                         contacts, gaps.least));
    if (contacts > 0 && closed == 0) throw opened(contacts);
    std::string why;
    if (contacts > 0 && closed < contacts)
        why = fmt::format(": it pulls on {} of {} sites of contact, which open", contacts - closed, contacts);
    throw core::NotConverged(
        fmt::format("quasistatic: equilibrium was lost at {:.3g} of the static load{}", share, why),
        std::numeric_limits<double>::quiet_NaN());
}

/// Straight to the next values of the drives; false when it ends on the way, where it then stays.
bool History::go(const Eigen::VectorXd& given, std::size_t index, QuasistaticRun& run) {
    QuasistaticPoint point;
    const Eigen::VectorXd value = offset_.size() > 0 ? Eigen::VectorXd(given + offset_) : given;
    index_ = index;
    events_ = &run.events;
    const DrivenLoad from = here_, to{1.0, value};
    const bool reached = from.value == value || advance({from, to}, point);
    point.value = reached ? value : here_.value;
    if (offset_.size() > 0) point.value -= offset_;
    finish(point, reached);
    run.points.push_back(std::move(point));
    return reached;
}

/// From the committed states to a load; states are left as they were.
History::Reached History::solve(const DrivenLoad& load, Eigen::VectorXd& z, QuasistaticPoint& point) {
    Reached r;
    const solve::NewtonOptions rules{.tolerance = options_.tolerance, .most_iterations = options_.most_iterations};
    statics_->set(load);
    solve::NewtonResult end;
    if (const int most = std::min(statics_->whole_steps(), rules.most_iterations); most > 0) {
        const Eigen::VectorXd start = z;
        end = solve::newton(*statics_, z, {.tolerance = rules.tolerance, .most_iterations = most, .damped = false});
        point.iterations += end.iterations;
        if (!end.converged) z = start;
    }
    if (!end.converged) {
        end = solve::newton(*statics_, z, rules);
        point.iterations += end.iterations;
    }
    if (!end.converged && sites_.sticks()) {  // nothing may have held what contact holds
        z = statics_->stuck_start(load, z_);
        end = solve::newton(*statics_, z, rules);
        point.iterations += end.iterations;
    }
    r.ok = end.converged;
    r.residual = end.residual;
    r.z = z;
    r.at = statics_->displacements(z);
    sites_.evaluate(r.at);
    r.force = sites_.force();
    return r;
}

/// The same, and on: states are committed there.
History::Reached History::commit(const DrivenLoad& load, Eigen::VectorXd& z, QuasistaticPoint& point) {
    Reached r = solve(load, z, point);
    if (!r.ok) return r;
    sites_.commit();
    r.dissipated = sites_.dissipated_by_site();
    return r;
}

void History::take(const DrivenLoad& load, const Eigen::VectorXd& z) {
    before_last_ = sites_.dissipated_by_site();
    sites_.evaluate(statics_->displacements(z));
    at_force_ = sites_.force();
    sites_.commit();
    z_ = z;
    here_ = load;
    statics_->set(load);
    statics_->reached(z, at_force_);
    scale(statics_->displacements(z), at_force_);
}

void History::finish(QuasistaticPoint& point, bool reached) {
    statics_->set(here_);
    const auto at = displacements();
    if (point.value.size() == 0) point.value = here_.value;
    if (at_force_.size() == 0) at_force_ = Eigen::VectorXd::Zero(sites_.rows());
    Eigen::VectorXd x = statics_->full(z_);
    point.displacement.resize(Eigen::Index(drives_.size()));
    for (std::size_t j = 0; j < drives_.size(); ++j) point.displacement(Eigen::Index(j)) = drives_[j].row.dot(x);
    point.outputs.resize(Eigen::Index(model_.outputs.size()));
    for (std::size_t k = 0; k < model_.outputs.size(); ++k)
        point.outputs(Eigen::Index(k)) = model_.outputs[k].row.dot(x);
    if (options_.shapes) point.x = std::move(x);
    point.force = statics_->driving_forces(z_);
    point.residual = statics_->full_residual(model_, z_, at_force_);
    sites_.dissipated(point.dissipated);
    point.converged = reached && point.residual <= std::max(options_.tolerance, 1e-10);
    if (options_.sites)
        for (std::size_t j = 0; j < model_.joints.size(); ++j)
            point.sites.push_back(states(at, at_force_, before_last_, sites_.dissipated_by_site(), j));
}

}  // namespace faying::modes
