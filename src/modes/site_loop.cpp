#include "faying/modes/site_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "tracer.hpp"

namespace faying::modes {

namespace {

/// Sites of a joint at rest as the backbone has them: with the history of the prestress, or fresh with only springs and
/// normal contact displaced.
laws::JointSet<double> sites_at(const structure::Joint& joint, const Eigen::VectorXd& weight,
                                const Eigen::VectorXd& gap, const Eigen::VectorXd& rest,
                                const BackboneOptions& options) {
    laws::JointSet<double> sites({{joint.law, weight, {}, {}, gap}});
    sites.begin(rest, options.framework == Framework::loops && options.prestress == Friction::active);
    return sites;
}

/// Around until the loops close; what fades slowly is solved for.
laws::SteadyLoops<double> settle(laws::JointSet<double>& sites, const Eigen::VectorXd& plus,
                                 const Eigen::VectorXd& minus) {
    return sites.steady_loops(plus, minus, 0.1 * largest_closure_error);
}

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
    const Eigen::VectorXd gap = where.gap.size() > 0 ? Eigen::VectorXd(where.gap.segment(site, 1)) : Eigen::VectorXd();
    auto one = sites_at(where, where.weight.segment(site, 1), gap, t.rest, options);
    SiteLoop loop;
    loop.closure_error = settle(one, t.plus, t.minus).closure_error(0);
    for (const auto& [from, to] : {std::pair{&t.plus, &t.minus}, {&t.minus, &t.plus}}) {
        for (int k = loop.u.empty() ? 0 : 1; k <= points; ++k) {
            const double s = 0.5 - 0.5 * std::cos(std::numbers::pi * k / points);  // finer at the reversals
            const Eigen::VectorXd at = *from + s * (*to - *from);
            loop.u.push_back(at(component));
            one.evaluate(at);
            loop.f.push_back(one.force()(component));
        }
        one.commit();
    }
    return loop;
}

std::string closing_note(const SiteLoop& loop) {
    return loop.closed() ? "" : fmt::format(" (not closed: {:.1g} of its swing)", loop.closure_error);
}

std::vector<BusySite> busiest_sites(const structure::Model& model, const BackbonePoint& point, std::size_t joint) {
    const auto& where = model.joints.at(joint);
    const Eigen::VectorXd swing = (point.site_plus.at(joint) - point.site_minus.at(joint)).cwiseAbs();
    std::vector<BusySite> sites;
    for (Eigen::Index i = 0; i < where.sites(); ++i) {
        const Eigen::Index row = where.components() * i;
        Eigen::Index component = 0;
        tangential(where, swing.segment(row, where.components())).maxCoeff(&component);
        if (where.law.contact() && component >= where.law.normal()) ++component;
        sites.push_back({i, int(component),
                         point.site_dissipation.empty() ? swing(row + component) : point.site_dissipation[joint](i)});
    }
    std::stable_sort(sites.begin(), sites.end(), [](const BusySite& a, const BusySite& b) { return a.loss > b.loss; });
    return sites;
}

const char* name(SiteStatus status) {
    return status == SiteStatus::stuck ? "stuck" : status == SiteStatus::slipping ? "slipping" : "open";
}

std::vector<SiteState> site_states(const structure::Model& model, const BackbonePoint& point,
                                   const BackboneOptions& options, std::size_t joint) {
    const auto& where = model.joints.at(joint);
    const Eigen::Index width = where.components(), rows = where.map.rows(), normal = normal_of(where);
    Eigen::VectorXd rest(rows), plus(rows), minus(rows);
    for (Eigen::Index i = 0; i < where.sites(); ++i) {
        const Turns t = turns_of(where, point, joint, i);
        rest.segment(i * width, width) = t.rest;
        plus.segment(i * width, width) = t.plus;
        minus.segment(i * width, width) = t.minus;
    }
    auto sites = sites_at(where, Eigen::VectorXd::Ones(where.sites()), where.gap, rest, options);
    const auto loops = settle(sites, plus, minus);
    Eigen::VectorXd held = Eigen::VectorXd::Zero(rows);  // the prestress
    for (const auto& part : sites.parts()) held += part.at_base;
    const Eigen::VectorXd at_plus = loops.plus + held, at_minus = loops.minus + held;
    std::vector<SiteState> states;
    for (Eigen::Index i = 0; i < where.sites(); ++i) {
        const Eigen::Index row = i * width;
        SiteState s;
        s.closure_error = loops.closure_error(i);
        const Eigen::VectorXd half = 0.5 * (plus - minus).segment(row, width);
        s.slip = tangential(where, half).norm();
        if (loops.dissipated(i) > 1e-12 * half.norm() * at_plus.segment(row, width).norm())
            s.status = SiteStatus::slipping;
        if (has_normal(where)) {
            s.pressure = at_plus(row + normal);
            const double apart = where.gap.size() > 0 ? where.gap(i) : 0.0;
            s.gap = std::max(0.0, apart - rest(row + normal) - plus(row + normal));
        }
        if (where.law.contact() && (!(at_plus(row + normal) > 0) || !(at_minus(row + normal) > 0)))
            s.status = SiteStatus::open;
        states.push_back(s);
    }
    return states;
}

Eigen::VectorXd tangential(const structure::Joint& joint, const Eigen::VectorXd& moved) {
    Eigen::VectorXd along(moved.size() - joint.law.contact());
    for (Eigen::Index i = 0, k = 0; i < moved.size(); ++i)
        if (i != joint.law.normal()) along(k++) = moved(i);
    return along;
}

Eigen::Index normal_of(const structure::Joint& joint) { return joint.normal ? 0 : joint.law.normal(); }

bool has_normal(const structure::Joint& joint) { return normal_of(joint) >= 0; }

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
