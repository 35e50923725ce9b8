#include "faying/modes/site_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "tracer.hpp"

namespace faying::modes {

namespace {

constexpr int most_rounds = 100;
constexpr double least_swing = 1e-5;  ///< of the force: what moves less is lost in the rounding of the prestress

/// A site of its own, at rest as the backbone has it: with the history of the prestress, or fresh with only springs and
/// normal contact displaced.
class OneSite {
 public:
    OneSite(const structure::Joint& joint, const Eigen::VectorXd& rest, const BackboneOptions& options)
        : law_(joint.law), parts_(joint.law.joints(1)), width_(joint.components()) {
        const bool history = options.framework == Framework::loops && options.prestress == Friction::active;
        force_.resize(std::size_t(width_));
        tangent_.resize(std::size_t(width_ * width_));
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            Eigen::VectorXd base = rest;
            if (!history && !law_.parts()[k].spring)
                for (int c = 0; c < width_; ++c)
                    if (c != 2) base(c) = 0.0;
            bases_.push_back(base);
            parts_[k].evaluate(as_span(base), force_, tangent_);
            parts_[k].commit();
        }
    }

    /// Force at an increment from rest, prestress included.
    Eigen::VectorXd force(const Eigen::VectorXd& increment) {
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(width_);
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            const Eigen::VectorXd at = bases_[k] + increment;
            parts_[k].evaluate(as_span(at), force_, tangent_);
            for (int c = 0; c < width_; ++c) sum(c) += force_[std::size_t(c)];
        }
        return sum;
    }
    void commit() {
        for (auto& part : parts_) part.commit();
    }
    double dissipated() const {
        double sum = 0;
        for (const auto& part : parts_) sum += part.dissipated();
        return sum;
    }

    struct Round {
        double lost = 0, miss = 0;
    };
    /// Around until the loop closes, or 100 times; the site is left at `plus`. What the last round dissipates, and by
    /// how much it missed. A past that laws let be set is solved for: what fades slowly would need thousands.
    Round settle(const Eigen::VectorXd& plus, const Eigen::VectorXd& minus) {
        Eigen::VectorXd before = force(plus);
        commit();
        Eigen::VectorXd past =
            width_ == 1 ? memory() : Eigen::VectorXd();  // contact that sticks keeps what it was given
        Anderson anderson;
        for (int k = 1;; ++k) {
            const double lost = dissipated();
            const Eigen::VectorXd turned = force(minus);
            commit();
            const Eigen::VectorXd after = force(plus);
            commit();
            const double swing = std::max((after - turned).norm(), least_swing * after.norm());
            const Round round{dissipated() - lost, swing > 0 ? (after - before).norm() / swing : 0.0};
            if (round.miss <= 0.1 * closed_miss || k == most_rounds) return round;
            before = after;
            if (past.size() == 0) continue;
            past = anderson.next(past, memory());
            set_memory(past);
            before = force(plus);
        }
    }

 private:
    const laws::Law& law_;
    std::vector<laws::Joint> parts_;
    std::vector<Eigen::VectorXd> bases_;
    int width_;
    std::vector<double> force_, tangent_;

    Eigen::VectorXd memory() const {
        Eigen::VectorXd all;
        for (const auto& part : parts_) {
            const auto size = Eigen::Index(part.memory_size());
            all.conservativeResize(all.size() + size);
            if (size > 0) part.memory({all.data() + all.size() - size, std::size_t(size)});
        }
        return all;
    }
    void set_memory(const Eigen::VectorXd& all) {
        std::size_t at = 0;
        for (auto& part : parts_) {
            if (part.memory_size() > 0) part.set_memory({all.data() + at, part.memory_size()});
            at += part.memory_size();
        }
    }

    static std::span<const double> as_span(const Eigen::VectorXd& v) { return {v.data(), std::size_t(v.size())}; }
};

struct Turns {
    Eigen::VectorXd rest, plus, minus;  ///< plus and minus from rest
};

Turns turns_of(const structure::Joint& joint, const BackbonePoint& point, std::size_t j, Eigen::Index site) {
    if (!point.converged || j >= point.site_plus.size() || site < 0 || site >= joint.sites())
        throw core::BadInput(joint.name, "there is no such site, or the point did not converge");
    const Eigen::Index width = joint.components(), at = site * width;
    Turns t{point.site_rest[j].segment(at, width), point.site_plus[j].segment(at, width),
            point.site_minus[j].segment(at, width)};
    t.plus -= t.rest;
    t.minus -= t.rest;
    return t;
}

}  // namespace

SiteLoop site_loop(const structure::Model& model, const BackbonePoint& point, const BackboneOptions& options,
                   std::size_t joint, Eigen::Index site, int component, int points) {
    const auto& where = model.joints.at(joint);
    const Turns t = turns_of(where, point, joint, site);
    OneSite one(where, t.rest, options);
    const double at_rest = one.force(Eigen::VectorXd::Zero(t.rest.size()))(component);
    SiteLoop loop;
    loop.miss = one.settle(t.plus, t.minus).miss;
    for (const auto& [from, to] : {std::pair{&t.plus, &t.minus}, {&t.minus, &t.plus}}) {
        for (int k = loop.u.empty() ? 0 : 1; k <= points; ++k) {
            const double s = 0.5 - 0.5 * std::cos(std::numbers::pi * k / points);  // finer at the reversals
            const Eigen::VectorXd at = *from + s * (*to - *from);
            loop.u.push_back(at(component));
            loop.f.push_back(where.weight(site) * (one.force(at)(component) - at_rest));
        }
        one.commit();
    }
    return loop;
}

std::string closing_note(const SiteLoop& loop) {
    return loop.closed() ? "" : fmt::format(" (not closed: {:.1g} of its swing)", loop.miss);
}

std::vector<BusySite> busiest_sites(const structure::Model& model, const BackbonePoint& point, std::size_t joint) {
    const auto& where = model.joints.at(joint);
    const Eigen::VectorXd swing = (point.site_plus.at(joint) - point.site_minus.at(joint)).cwiseAbs();
    std::vector<BusySite> sites;
    for (Eigen::Index i = 0; i < where.sites(); ++i) {
        const Eigen::Index row = where.components() * i;
        const int component = where.components() == 3 && swing(row + 1) > swing(row) ? 1 : 0;
        sites.push_back(
            {i, component, point.site_dissipation.empty() ? swing(row + component) : point.site_dissipation[joint](i)});
    }
    std::stable_sort(sites.begin(), sites.end(), [](const BusySite& a, const BusySite& b) { return a.lost > b.lost; });
    return sites;
}

const char* name(SiteStatus status) {
    return status == SiteStatus::stuck ? "stuck" : status == SiteStatus::slipping ? "slipping" : "open";
}

std::vector<SiteState> site_states(const structure::Model& model, const BackbonePoint& point,
                                   const BackboneOptions& options, std::size_t joint) {
    const auto& where = model.joints.at(joint);
    const bool contact = where.components() == 3;
    std::vector<SiteState> states;
    for (Eigen::Index i = 0; i < where.sites(); ++i) {
        const Turns t = turns_of(where, point, joint, i);
        OneSite one(where, t.rest, options);
        SiteState s;
        const auto round = one.settle(t.plus, t.minus);
        s.closure_error = round.miss;
        const Eigen::VectorXd half = 0.5 * (t.plus - t.minus), at_plus = one.force(t.plus);
        const double work = half.norm() * at_plus.norm();
        s.slip = contact ? half.head(2).norm() : std::abs(half(0));
        if (round.lost > 1e-12 * work) s.status = SiteStatus::slipping;
        if (has_normal(where)) {
            const Eigen::Index normal = where.components() - 1;
            s.pressure = at_plus(normal);
            s.gap = std::max(0.0, -(t.rest(normal) + t.plus(normal)));
        }
        if (contact) {
            if (!(at_plus(2) > 0) || !(one.force(t.minus)(2) > 0)) s.status = SiteStatus::open;
        }
        states.push_back(s);
    }
    return states;
}

bool has_normal(const structure::Joint& joint) { return joint.components() == 3 || joint.normal; }

bool has_places(const structure::Joint& joint) { return joint.sites() > 0 && joint.places.rows() == joint.sites(); }

std::vector<PlaceState> place_states(const structure::Model& model, const BackbonePoint& point,
                                     const BackboneOptions& options, std::size_t joint) {
    return by_place(model.joints.at(joint), site_states(model, point, options, joint));
}

std::vector<PlaceState> by_place(const structure::Joint& where, const std::vector<SiteState>& states) {
    if (!has_places(where)) throw core::BadInput(where.name, "the places of its sites are not known");
    const bool tractions = structure::gives_tractions(where);
    std::vector<PlaceState> places;
    for (Eigen::Index i = 0; i < where.sites(); ++i) {
        const auto& s = states[std::size_t(i)];
        if (i > 0 && where.places.row(i) == where.places.row(i - 1)) {
            auto& same = places.back().state;
            same.slip = std::hypot(same.slip, s.slip);
            same.closure_error = std::max(same.closure_error, s.closure_error);
            if (s.status == SiteStatus::slipping) same.status = s.status;
        } else {
            places.push_back({where.places.row(i).transpose(), tractions ? where.weight(i) : 0.0, s});
        }
    }
    return places;
}

}  // namespace faying::modes
