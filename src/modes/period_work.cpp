#include "period_work.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faying::modes {

PeriodMap::Work::Work(const HarmonicSystem& s, double frequency, double z)
    : system(s), w(frequency), zeta(z), n(s.modes()) {
    const Eigen::MatrixXd all = Eigen::MatrixXd(s.site_map()) * s.map();
    const auto every = s.sites();
    for (const auto& site : every)
        if (site.width == 1) sites.emplace_back(site);
    for (const auto& site : every)
        if (site.width == 3) add_contact(site, all);
    rows.resize(Eigen::Index(sites.size() + 3 * contacts.size()), n);
    for (std::size_t i = 0; i < sites.size(); ++i) rows.row(Eigen::Index(i)) = all.row(sites[i].row());
    for (std::size_t c = 0; c < contacts.size(); ++c)
        for (std::size_t k = 0; k < 3; ++k) rows.row(contact_row(c) + Eigen::Index(k)) = all.row(contacts[c].rows()[k]);
    damping = s.damping().array() - 2 * zeta * w;
    damping_matrix = s.damping_matrix();
    if (damping_matrix.size() > 0) damping_matrix.diagonal().array() -= 2 * zeta * w;
}

void PeriodMap::Work::add_contact(const HarmonicSystem::Site& site, const Eigen::MatrixXd& on_modes) {
    using Axes = Contact::Axes;
    if (site.contact->decoupled) {
        contacts.emplace_back(site, Axes::first, 0, true);
        contacts.emplace_back(site, Axes::second, 1, true);
        return;
    }
    const double largest = on_modes.middleRows(site.row, 3).norm();
    const auto still = [&](Eigen::Index axis) { return !(on_modes.row(site.row + axis).norm() > 1e-14 * largest); };
    const int along = still(0) && !still(1) ? 1 : 0;
    contacts.emplace_back(site, Axes::both, along, still(1 - along));
}

/// Values of every function and of its two derivatives to the phase.
void PeriodMap::Work::harmonics_at(double t) {
    const auto& harmonics = system.harmonics();
    h.resize(harmonics.size());
    h_slope.setZero(harmonics.size());
    h_bend.setZero(harmonics.size());
    harmonics.values(t, h.data());
    for (std::size_t i = 0; i < harmonics.orders().size(); ++i) {
        const double k = harmonics.orders()[i];
        if (k == 0) continue;
        const Eigen::Index b = harmonics.at(i);
        h_slope(b) = -k * h(b + 1);
        h_slope(b + 1) = k * h(b);
        h_bend.segment(b, 2) = -k * k * h.segment(b, 2);
    }
}

Eigen::VectorXd PeriodMap::Work::begin(const Eigen::MatrixXd& q) {
    const auto& harmonics = system.harmonics();
    std::vector<std::vector<double>> turns(sites.size());
    std::vector<double> all;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        if (!sites[i].could_remember()) continue;
        const Eigen::VectorXd motion = (rows.row(Eigen::Index(i)) * q).transpose();
        const double size = motion.norm();
        if (!(size > 1e-14 * rows.row(Eigen::Index(i)).norm() * q.norm())) continue;  // it does not move
        turns[i] = core::turning_points(harmonics, motion);
        all.insert(all.end(), turns[i].begin(), turns[i].end());
    }
    section = 0;
    std::sort(all.begin(), all.end());
    double gap = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double to = i + 1 < all.size() ? all[i + 1] : all.front() + two_pi;
        if (to - all[i] > gap) {
            gap = to - all[i];
            section = 0.5 * (all[i] + to);
        }
    }
    reach = std::max(q.norm(), std::numeric_limits<double>::min());
    std::vector<std::vector<double>> tips(sites.size());
    for (std::size_t i = 0; i < sites.size(); ++i) {
        auto& at = turns[i];
        for (double& t : at)
            if (t < section) t += two_pi;
        std::sort(at.begin(), at.end());
        for (const double t : at) {
            harmonics_at(t);
            tips[i].push_back(sites[i].base() + rows.row(Eigen::Index(i)).dot(q * h));
        }
    }
    std::vector<laws::ContactHeld> held;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const Eigen::MatrixXd motion = rows.middleRows(contact_row(c), 3) * q;
        const Contact& contact = contacts[c];
        held.push_back(contact.held_in(harmonics, contact.in_order(motion), std::fmod(section, two_pi)));
    }
    harmonics_at(section);
    return assemble(q * h, q * h_slope, tips, held);
}

/// X from a displacement, a velocity, the tips of every site in the period before and what contacts hold.
Eigen::VectorXd PeriodMap::Work::assemble(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                          const std::vector<std::vector<double>>& tips,
                                          const std::vector<laws::ContactHeld>& held) {
    states = 2 * n;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        sites[i].expect(tips[i], states);
        states += sites[i].count();
    }
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        contacts[c].expect(held[c], contacts[c].base() + rows.middleRows(contact_row(c), 3) * q, states);
        states += contacts[c].count();
    }
    Eigen::VectorXd start(states);
    start.head(n) = q;
    start.segment(n, n) = v;
    for (const auto& site : sites) start.segment(site.first(), site.count()) = site.values();
    for (const auto& contact : contacts) start.segment(contact.first(), contact.count()) = contact.values();
    const std::size_t size = std::size_t(height() * (states + 1));
    for (auto* vector : {&x, &next, &error, &slope, &next_slope}) vector->assign(size, 0.0);
    return start;
}

Eigen::VectorXd PeriodMap::Work::go_on(const Orbit& orbit) {
    std::vector<std::vector<double>> tips;
    std::vector<laws::ContactHeld> held;
    for (const auto& site : sites) tips.push_back(site.seen());
    for (const auto& contact : contacts) held.push_back(contact.held());
    const Eigen::VectorXd end = orbit.state.head(2 * n) + gap_of_period.head(2 * n);
    return assemble(end.head(n), end.tail(n), tips, held);
}

void PeriodMap::Work::damped(const Eigen::Ref<const Eigen::MatrixXd>& v, Eigen::MatrixXd& out) const {
    if (damping_matrix.size() > 0)
        out.noalias() = damping_matrix * v;
    else
        out.noalias() = damping.asDiagonal() * v;
}

PeriodMap::Work::Contact::Place PeriodMap::Work::place(std::size_t c, const Eigen::VectorXd& u,
                                                       const Eigen::VectorXd& speed, double theta) const {
    const Eigen::Index at = contact_row(c);
    return {contacts[c].base() + u.segment<3>(at), speed.segment<3>(at), theta};
}

PeriodMap::Work::Contact::Place PeriodMap::Work::place(std::size_t c, const Vector& of) const {
    const auto own = rows.middleRows(contact_row(c), 3);
    const auto all = matrix(of);
    return {contacts[c].base() + own * all.col(0).head(n), own * all.col(0).segment(n, n),
            all(2 * n + Eigen::Index(c), 0)};
}

PeriodMap::Work::Contact::Variation PeriodMap::Work::variation(std::size_t c, const Vector& of) const {
    const auto own = rows.middleRows(contact_row(c), 3);
    const auto all = matrix(of).rightCols(states);
    return {own * all.topRows(n), own * all.middleRows(n, n), all.row(2 * n + Eigen::Index(c))};
}

void PeriodMap::Work::rhs(const Vector& from, Vector& to, double t) {
    const ConstMatrix all = matrix(from);
    Eigen::Map<Eigen::MatrixXd> out = matrix(to);
    const Eigen::MatrixXd y = system.map() * all.topRows(n);
    Eigen::MatrixXd g = -system.tangent() * y;
    const auto& map = system.site_map();
    const auto push = [&](Eigen::Index row, const Eigen::RowVectorXd& on) {
        for (Interface::SiteMap::InnerIterator j(map, row); j; ++j) g.row(j.col()) += j.value() * on;
    };
    Eigen::RowVectorXd on(states + 1);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        auto& site = sites[i];
        const auto index = Eigen::Index(i);
        const double u = site.base() + rows.row(index).dot(all.col(0).head(n));
        site.evaluate(u);
        on.tail(states).noalias() = site.tangent() * (rows.row(index) * all.rightCols(states).topRows(n));
        site.add_memory(on.tail(states));
        on(0) = site.force();
        push(site.row(), site.weight() * on);
    }
    Eigen::RowVectorXd turns;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const Contact& contact = contacts[c];
        const auto p = place(c, from);
        const Eigen::Index angle = 2 * n + Eigen::Index(c);
        const Eigen::Vector3d force = contact.force(p, out(angle, 0));
        const Eigen::MatrixXd varied = contact.vary_force(p, variation(c, from), turns);
        out.row(angle).tail(states) = turns;
        for (Eigen::Index k = 0; k < 3; ++k) {
            on(0) = force(k);
            on.tail(states) = varied.row(k);
            push(contact.rows()[std::size_t(k)], contact.weight() * on);
        }
    }
    Eigen::MatrixXd pull(n, states + 1);
    damped(all.middleRows(n, n), pull);
    pull *= w;
    pull.noalias() += system.omega().cwiseAbs2().asDiagonal() * all.topRows(n);
    pull.noalias() += system.map().transpose() * g;
    harmonics_at(t);
    pull.col(0) -= system.force() * h;
    out.topRows(n) = all.middleRows(n, n);
    out.middleRows(n, n) = pull * (-1 / (w * w));
    acceleration = out.col(0).segment(n, n);
    if (prescribed) {
        out.col(0).head(n) = *prescribed * h_slope;
        out.col(0).segment(n, n) = *prescribed * h_bend;
    }
}

void PeriodMap::Work::identity() {
    auto all = matrix(x);
    all.rightCols(states).setZero();
    all.block(0, 1, 2 * n, 2 * n).setIdentity();
    for (auto& site : sites) site.vary_alone(states);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const Eigen::MatrixXd u = rows.middleRows(contact_row(c), 3) * all.rightCols(states).topRows(n);
        all.row(2 * n + Eigen::Index(c)).tail(states) = contacts[c].vary_alone(place(c, x), u);
    }
}

Eigen::MatrixXd PeriodMap::Work::collected() const {
    Eigen::MatrixXd m(states, states);
    m.topRows(2 * n) = matrix(x).rightCols(states).topRows(2 * n);
    for (const auto& site : sites) site.collect(m.middleRows(site.first(), site.count()));
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const Contact& contact = contacts[c];
        contact.collect(place(c, x), variation(c, x), m.middleRows(contact.first(), contact.count()));
    }
    return m;
}

bool PeriodMap::Work::run(const Eigen::VectorXd& start, int segments, Orbit& orbit) {
    changed = false;
    for (auto& site : sites) site.start(start.segment(site.first(), site.count()));
    matrix(x).col(0).head(2 * n) = start.head(2 * n);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        auto p = place(c, x);
        contacts[c].start(start.segment(contacts[c].first(), contacts[c].count()), p);
        matrix(x)(2 * n + Eigen::Index(c), 0) = p.theta;
    }
    orbit.state = start;
    orbit.monodromy = Eigen::MatrixXd::Identity(states, states);
    orbit.times.resize(segments);
    orbit.displacement.resize(n, segments);
    time = section;
    next_step = std::min(0.1, 0.5 * w / system.omega().maxCoeff());
    identity();
    rhs(x, slope, time);
    here();
    for (std::size_t i = 0; i < sites.size(); ++i) {
        const auto j = Eigen::Index(i);
        sites[i].set_out(speed0(j) != 0 ? speed0(j) : pull0(j));
        sites[i].look_ahead(sites[i].base() + u0(j));
    }
    for (int s = 0; s < segments; ++s) {
        orbit.times(s) = time;
        orbit.displacement.col(s) = matrix(x).col(0).head(n);
        if (!advance(section + two_pi * (s + 1) / segments)) return false;
        orbit.monodromy = collected() * orbit.monodromy;
        if (s + 1 < segments) identity();
    }
    for (const auto& site : sites) changed = changed || !site.complete();
    Eigen::VectorXd end(states), size(states);
    end.head(2 * n) = matrix(x).col(0).head(2 * n);
    size.head(2 * n).setConstant(std::max(reach, end.segment(n, n).cwiseAbs().maxCoeff()));
    for (const auto& site : sites) {
        end.segment(site.first(), site.count()) = site.values();
        size.segment(site.first(), site.count()) = site.sizes();
    }
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        Contact& contact = contacts[c];
        contact.end(place(c, x));
        changed = changed || !contact.as_expected();
        end.segment(contact.first(), contact.count()) = contact.values();
        size.segment(contact.first(), contact.count()).setConstant(contact.size());
    }
    gap_of_period = end - start;
    orbit.residual = gap_of_period.cwiseQuotient(size).cwiseAbs().maxCoeff();
    return std::isfinite(orbit.residual);
}

}  // namespace faying::modes
