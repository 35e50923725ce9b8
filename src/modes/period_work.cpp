#include "period_work.hpp"

#include <algorithm>

namespace faying::modes {

PeriodMap::Work::Work(const HarmonicSystem& s, double frequency, double z)
    : system(s), w(frequency), zeta(z), n(s.modes()) {
    const Eigen::MatrixXd all = Eigen::MatrixXd(s.site_map()) * s.map();
    for (const auto& site : s.sites()) {
        if (!site.contact) {
            sites.emplace_back(site);
        } else if (!site.contact->decoupled) {
            contacts.emplace_back(site, ContactMemory::Axes::both);
        } else {
            contacts.emplace_back(site, ContactMemory::Axes::first);
            contacts.emplace_back(site, ContactMemory::Axes::second);
        }
    }
    rows.resize(row_of(contacts.size()), n);
    for (std::size_t i = 0; i < sites.size(); ++i) rows.row(Eigen::Index(i)) = all.row(sites[i].row());
    for (std::size_t i = 0; i < contacts.size(); ++i)
        rows.middleRows(row_of(i), 3) = all.middleRows(contacts[i].row(), 3);
    damping = s.damping().array() - 2 * zeta * w;
    damping_matrix = s.damping_matrix();
    if (damping_matrix.size() > 0) damping_matrix.diagonal().array() -= 2 * zeta * w;
    squared = -system.omega().cwiseAbs2() / (w * w);
    pulled_back = system.map().transpose() / (-w * w);
}

// --- motion given by harmonics ---------------------------------------------------------------------------------

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

/// What contacts do at the phase `section` of a motion: at the beginning of the same motion, shifted.
std::vector<ContactMemory::State> PeriodMap::Work::states_of_contacts(const Eigen::MatrixXd& q) const {
    std::vector<ContactMemory::State> all;
    const auto& harmonics = system.harmonics();
    for (std::size_t i = 0; i < contacts.size();) {
        const auto& site = contacts[i].site();
        Eigen::MatrixXd u = rows.middleRows(row_of(i), 3) * q;
        for (std::size_t k = 0; k < harmonics.orders().size(); ++k) {
            if (harmonics.orders()[k] == 0) continue;
            const double turn = harmonics.orders()[k] * section;
            auto pair = u.middleCols(harmonics.at(k), 2);
            const Eigen::MatrixXd before = pair;
            pair.col(0) = std::cos(turn) * before.col(0) + std::sin(turn) * before.col(1);
            pair.col(1) = std::cos(turn) * before.col(1) - std::sin(turn) * before.col(0);
        }
        const Eigen::VectorXd motion = Eigen::Map<const Eigen::VectorXd>(u.data(), u.size());
        for (auto& state : harmonic::contact_states(*site.contact, *site.begun, site.base, harmonics, motion)) {
            for (double& t : state.events) t = std::fmod(t + section, two_pi);
            all.push_back(std::move(state));
            ++i;
        }
    }
    return all;
}

Eigen::VectorXd PeriodMap::Work::begin(const Eigen::MatrixXd& q) {
    std::vector<std::vector<double>> turns(sites.size());
    std::vector<double> all;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        if (!sites[i].could_remember()) continue;
        const Eigen::VectorXd motion = (rows.row(Eigen::Index(i)) * q).transpose();
        const double size = motion.norm();
        if (!(size > 1e-14 * rows.row(Eigen::Index(i)).norm() * q.norm())) continue;  // it does not move
        turns[i] = core::turning_points(system.harmonics(), motion);
        all.insert(all.end(), turns[i].begin(), turns[i].end());
    }
    section = 0;
    for (const auto& state : states_of_contacts(q)) all.insert(all.end(), state.events.begin(), state.events.end());
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
    const auto tips = tips_from(q, std::move(turns));
    const auto held = states_of_contacts(q);
    harmonics_at(section);
    return assemble(q * h, q * h_slope, tips, held);
}

/// Displacements at the reversals, from the section on.
std::vector<std::vector<double>> PeriodMap::Work::tips_from(const Eigen::MatrixXd& q,
                                                            std::vector<std::vector<double>> turns) {
    std::vector<std::vector<double>> tips(sites.size());
    for (std::size_t i = 0; i < sites.size(); ++i) {
        for (double& t : turns[i])
            if (t < section) t += two_pi;
        std::sort(turns[i].begin(), turns[i].end());
        for (const double t : turns[i]) {
            harmonics_at(t);
            tips[i].push_back(sites[i].base() + rows.row(Eigen::Index(i)).dot(q * h));
        }
    }
    return tips;
}

Eigen::VectorXd PeriodMap::Work::assemble(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                          const std::vector<std::vector<double>>& tips,
                                          const std::vector<ContactMemory::State>& held) {
    states = 2 * n;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        sites[i].expect(tips[i], states);
        states += sites[i].count();
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const double base = contacts[i].base()(2);
        const auto row = rows.row(row_of(i) + 2);
        contacts[i].expect(held[i], base + row.dot(q), std::abs(base) + row.norm() * reach, states);
        states += contacts[i].count();
    }
    Eigen::VectorXd start(states);
    start.head(n) = q;
    start.segment(n, n) = v;
    for (const auto& site : sites) start.segment(site.first(), site.count()) = site.values();
    for (std::size_t i = 0; i < contacts.size(); ++i)
        start.segment(contacts[i].first(), contacts[i].count()) = contacts[i].values(held[i].angle);
    return start;
}

Eigen::VectorXd PeriodMap::Work::end_of_period(const Orbit& orbit) {
    std::vector<std::vector<double>> tips;
    for (const auto& site : sites) tips.push_back(site.seen());
    std::vector<ContactMemory::State> held;
    for (std::size_t i = 0; i < contacts.size(); ++i) held.push_back(contacts[i].state(x[std::size_t(2 * n) + i]));
    const Eigen::VectorXd end = orbit.state.head(2 * n) + gap_of_period.head(2 * n);
    return assemble(end.head(n), end.tail(n), tips, held);
}

// --- equations -------------------------------------------------------------------------------------------------

/// Forces of the joints, less their tangents at rest, on y; first column: the motion's, then the variations'.
void PeriodMap::Work::add_sites(const ConstMatrix& all) {
    const auto& map = system.site_map();
    Eigen::RowVectorXd on(columns + 1);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        auto& site = sites[i];
        const auto index = Eigen::Index(i);
        site.evaluate(site.base() + rows.row(index).dot(all.col(0).head(n)));
        on(0) = 0;
        on.tail(columns).noalias() = site.tangent() * (rows.row(index) * all.rightCols(columns).topRows(n));
        if (columns > 0) site.add_memory(on.tail(columns));
        on(0) = site.force();
        on *= site.weight();
        for (Interface::SiteMap::InnerIterator j(map, site.row()); j; ++j) g.row(j.col()) += j.value() * on;
    }
}

/// The same of contacts; and how directions of slip turn.
void PeriodMap::Work::add_contacts(const ConstMatrix& all, Matrix& out) {
    const auto& map = system.site_map();
    Eigen::MatrixXd on(3, columns + 1);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const auto& contact = contacts[i];
        const Eigen::Index angle = 2 * n + Eigen::Index(i);
        const auto map_of_site = rows.middleRows(row_of(i), 3);
        const Eigen::MatrixXd u = map_of_site * all.topRows(n), v = map_of_site * all.middleRows(n, n);
        ContactMemory::Place p;
        p.u = contact.base() + u.col(0);
        p.v = v.col(0);
        p.angle = all(angle, 0);
        const auto answer = contact.respond(p);
        on.col(0) = answer.force;
        on.rightCols(columns).noalias() = answer.tangent * u.rightCols(columns);
        on.rightCols(columns).noalias() += answer.to_angle * all.row(angle).tail(columns);
        if (columns > 0) contact.add_memory(on.rightCols(columns));
        on *= contact.weight();
        for (int c = 0; c < 3; ++c)
            for (Interface::SiteMap::InnerIterator j(map, contact.row() + c); j; ++j)
                g.row(j.col()) += j.value() * on.row(c);
        out(angle, 0) = answer.pace;
        out.row(angle).tail(columns) = answer.pace_to_u * u.rightCols(columns) +
                                       answer.pace_to_v * v.rightCols(columns) +
                                       answer.pace_to_angle * all.row(angle).tail(columns);
    }
}

void PeriodMap::Work::rhs(const Vector& from, Vector& to, double t) {
    const ConstMatrix all(from.data(), height(), columns + 1);
    Matrix out(to.data(), height(), columns + 1);
    y.noalias() = system.map() * all.topRows(n);
    g.noalias() = -system.tangent() * y;
    add_sites(all);
    add_contacts(all, out);
    // -w^2 q'' = w c q' + omega^2 q + P^T g - f
    auto bend = out.middleRows(n, n);
    if (damping_matrix.size() > 0) {
        bend.noalias() = damping_matrix * all.middleRows(n, n);
        bend = squared.asDiagonal() * all.topRows(n) - bend / w;
    } else {
        bend = squared.asDiagonal() * all.topRows(n) - (damping / w).asDiagonal() * all.middleRows(n, n);
    }
    bend.noalias() += pulled_back * g;
    harmonics_at(t);
    bend.col(0) += system.force() * h / (w * w);
    out.topRows(n) = all.middleRows(n, n);
    if (prescribed) {
        out.col(0).head(n) = *prescribed * h_slope;
        out.col(0).segment(n, n) = *prescribed * h_bend;
    }
}

// --- a period --------------------------------------------------------------------------------------------------

void PeriodMap::Work::set_out(const Eigen::VectorXd& start, Orbit& orbit) {
    changed = false;
    trouble = "the period could not be followed";
    for (auto& site : sites) site.start(start.segment(site.first(), site.count()));
    for (auto& contact : contacts) contact.start(start.segment(contact.first(), contact.count()));
    for (auto* vector : {&x, &next, &error, &slope, &next_slope})
        vector->assign(std::size_t(height() * (columns + 1)), 0.0);
    stepper = probing = {};
    std::copy_n(start.data(), 2 * n, x.begin());
    for (std::size_t i = 0; i < contacts.size(); ++i) x[std::size_t(2 * n) + i] = contacts[i].angle_at_start();
    orbit.state = start;
    time = section;
    next_step = std::min(0.1, 0.5 * w / system.omega().maxCoeff());
}

/// Which way sites go at the beginning.
void PeriodMap::Work::find_ways() {
    rhs(x, slope, time);
    here();
    for (std::size_t i = 0; i < sites.size(); ++i) {
        const auto j = Eigen::Index(i);
        sites[i].set_out(speed0(j) != 0 ? speed0(j) : pull0(j));
        sites[i].look_ahead(sites[i].base() + u0(j));
    }
}

bool PeriodMap::Work::run(const Eigen::VectorXd& start, int segments, Orbit& orbit) {
    columns = states;
    set_out(start, orbit);
    orbit.monodromy = Eigen::MatrixXd::Identity(states, states);
    orbit.times.resize(segments);
    orbit.displacement.resize(n, segments);
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(states, states);
    vary(one);
    find_ways();
    for (int s = 0; s < segments; ++s) {
        orbit.times(s) = time;
        orbit.displacement.col(s) = ConstVector(x.data(), n);
        if (!advance(section + two_pi * (s + 1) / segments)) return false;
        orbit.monodromy = collected() * orbit.monodromy;
        if (s + 1 < segments) vary(one);
    }
    finish(start, orbit);
    return std::isfinite(orbit.residual);
}

bool PeriodMap::Work::carry(const Eigen::VectorXd& start, const Eigen::MatrixXd& directions, Orbit& orbit,
                            Eigen::MatrixXd& end) {
    columns = directions.cols();
    set_out(start, orbit);
    vary(directions);
    find_ways();
    if (!advance(section + two_pi)) return false;
    end = collected();
    finish(start, orbit);
    return std::isfinite(orbit.residual);
}

void PeriodMap::Work::finish(const Eigen::VectorXd& start, Orbit& orbit) {
    for (const auto& site : sites) changed = changed || !site.complete();
    for (const auto& contact : contacts) changed = changed || !contact.as_expected();
    Eigen::VectorXd end(states);
    end.head(2 * n) = ConstVector(x.data(), 2 * n);
    for (const auto& site : sites) end.segment(site.first(), site.count()) = site.values();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const double angle = x[std::size_t(2 * n) + i], began = contacts[i].angle_at_start();
        end.segment(contacts[i].first(), contacts[i].count()) =
            contacts[i].values(began + std::remainder(angle - began, two_pi));
    }
    gap_of_period = end - start;
    orbit.residual =
        gap_of_period.head(2 * n).cwiseAbs().maxCoeff() / std::max(reach, end.segment(n, n).cwiseAbs().maxCoeff());
    const auto look = [&](const auto& memory) {
        if (memory.count() == 0) return;
        const Eigen::VectorXd off = gap_of_period.segment(memory.first(), memory.count());
        orbit.residual = std::max(orbit.residual, off.cwiseQuotient(memory.sizes()).cwiseAbs().maxCoeff());
    };
    for (const auto& site : sites) look(site);
    for (const auto& contact : contacts) look(contact);
}

/// The variation begins anew, with these directions of X.
void PeriodMap::Work::vary(const Eigen::MatrixXd& directions) {
    Matrix all(x.data(), height(), columns + 1);
    all.rightCols(columns).topRows(2 * n) = directions.topRows(2 * n);
    for (auto& site : sites) site.vary(directions.middleRows(site.first(), site.count()));
    for (std::size_t i = 0; i < contacts.size(); ++i)
        all.row(2 * n + Eigen::Index(i)).tail(columns) =
            contacts[i].vary(directions.middleRows(contacts[i].first(), contacts[i].count()));
}

Eigen::MatrixXd PeriodMap::Work::collected() const {
    const ConstMatrix all(x.data(), height(), columns + 1);
    Eigen::MatrixXd m(states, columns);
    m.topRows(2 * n) = all.rightCols(columns).topRows(2 * n);
    for (const auto& site : sites) site.collect(m.middleRows(site.first(), site.count()));
    for (std::size_t i = 0; i < contacts.size(); ++i)
        contacts[i].collect(all.row(2 * n + Eigen::Index(i)).tail(columns),
                            m.middleRows(contacts[i].first(), contacts[i].count()));
    return m;
}

}  // namespace faying::modes
