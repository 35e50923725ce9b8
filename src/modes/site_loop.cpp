#include "faying/modes/site_loop.hpp"

#include <cmath>

#include "faying/core/error.hpp"

namespace faying::modes {

namespace {

constexpr int most_rounds = 100;

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

    /// Around until the loop closes; the site is left at `plus`. Returns what the last round dissipates.
    double settle(const Eigen::VectorXd& plus, const Eigen::VectorXd& minus) {
        Eigen::VectorXd before = force(plus);
        commit();
        for (int round = 0; round < most_rounds; ++round) {
            const double lost = dissipated();
            force(minus);
            commit();
            const Eigen::VectorXd after = force(plus);
            commit();
            const bool closed = (after - before).norm() <= 1e-10 * after.norm();
            if (closed || round + 1 == most_rounds) return dissipated() - lost;
            before = after;
        }
        return 0.0;
    }

 private:
    const laws::Law& law_;
    std::vector<laws::Joint> parts_;
    std::vector<Eigen::VectorXd> bases_;
    int width_;
    std::vector<double> force_, tangent_;

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
    one.settle(t.plus, t.minus);
    SiteLoop loop;
    for (const auto& [from, to] : {std::pair{&t.plus, &t.minus}, {&t.minus, &t.plus}}) {
        for (int k = loop.u.empty() ? 0 : 1; k <= points; ++k) {
            const double s = 0.5 - 0.5 * std::cos(3.14159265358979323846 * k / points);  // finer at the reversals
            const Eigen::VectorXd at = *from + s * (*to - *from);
            loop.u.push_back(at(component));
            loop.f.push_back(where.weight(site) * (one.force(at)(component) - at_rest));
        }
        one.commit();
    }
    return loop;
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
        const double lost = one.settle(t.plus, t.minus);
        const Eigen::VectorXd half = 0.5 * (t.plus - t.minus), at_plus = one.force(t.plus);
        const double work = half.norm() * at_plus.norm();
        s.slip = contact ? half.head(2).norm() : std::abs(half(0));
        if (lost > 1e-12 * work) s.status = SiteStatus::slipping;
        if (contact) {
            s.pressure = at_plus(2);
            if (!(at_plus(2) > 0) || !(one.force(t.minus)(2) > 0)) s.status = SiteStatus::open;
        }
        states.push_back(s);
    }
    return states;
}

}  // namespace faying::modes
