#include "harmonic_orbit.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"
#include "period_work.hpp"

namespace faying::modes {

namespace {
constexpr int most_changes = 10;
constexpr const char* no_end = "the events of a period do not settle";
}  // namespace

PeriodMap::PeriodMap(const HarmonicSystem& system, double w, double zeta, int most) {
    if (const auto why = why_not(system, most); !why.empty()) throw core::BadInput("period map", why);
    work_ = std::make_unique<Work>(system, w, zeta);
}
PeriodMap::~PeriodMap() = default;

std::string PeriodMap::why_not(const HarmonicSystem& system, int most) {
    constexpr double stiffest = 3000;
    if (system.modes() > most)
        return fmt::format("{} modes are more than the {} that stability is looked for with (--stability-modes)",
                           system.modes(), most);
    if (system.omega().maxCoeff() > stiffest * system.omega()(0) && system.omega()(0) > 0)
        return fmt::format("frequencies span a factor {:.0f}; a period map takes {:.0f}",
                           system.omega().maxCoeff() / system.omega()(0), stiffest);
    for (const auto& site : system.sites()) {
        if (site.contact) continue;
        if (site.width != 1)
            return fmt::format("{} acts in {} directions and its law is none whose events are known", site.name,
                               site.width);
        if (std::vector<double> kinks; !site.continuous && !site.begun->kinks(0, kinks))
            return site.name + " has a force that jumps, and its law does not say where";
        if (!site.spring && !site.return_point && site.begun->memory_size() == 0)
            return site.name + " remembers more than its last reversals, and its law does not say what";
        if (site.begun->memory_size() > JointMemory::most_numbers)
            return fmt::format("{} remembers {} numbers", site.name, site.begun->memory_size());
    }
    return {};
}

Orbit PeriodMap::along(const Eigen::MatrixXd& q, int segments) {
    Work& work = *work_;
    Orbit orbit;
    Eigen::VectorXd start = work.begin(q);
    work.prescribed = &q;
    for (int round = 0; round < most_changes && !orbit.converged; ++round) {
        if (!work.run(start, segments, orbit)) break;
        orbit.converged = !work.changed;
        if (work.changed) start = work.end_of_period(orbit);
    }
    work.prescribed = nullptr;
    if (!orbit.converged) orbit.reason = work.changed ? no_end : work.trouble;
    return orbit;
}

Orbit PeriodMap::beside(const Eigen::MatrixXd& q, int segments) {
    constexpr int most = 25;
    constexpr double enough = 1e-11, good = 1e-8;
    Work& work = *work_;
    Orbit orbit, best;
    best.residual = std::numeric_limits<double>::infinity();
    Eigen::VectorXd start = work.begin(q);
    int changes = 0, worse = 0;
    for (int k = 0; k < most; ++k) {
        if (!work.run(start, segments, orbit)) {
            orbit.reason = work.trouble;
            break;
        }
        if (work.changed) {  // other reversals than those expected: go on from the end of this period
            if (++changes > most_changes) {
                orbit.reason = no_end;
                break;
            }
            start = work.end_of_period(orbit);
            best.residual = std::numeric_limits<double>::infinity();
            continue;
        }
        worse = orbit.residual < 0.5 * best.residual ? 0 : worse + 1;
        if (orbit.residual < best.residual) best = orbit;
        if (best.residual < enough || worse > 3) break;
        const Eigen::MatrixXd left = Eigen::MatrixXd::Identity(work.states, work.states) - orbit.monodromy;
        const Eigen::VectorXd move = left.completeOrthogonalDecomposition().solve(work.gap_of_period);
        if (!move.allFinite()) break;
        start += move;
    }
    if (!std::isfinite(best.residual)) {
        orbit.residual = std::numeric_limits<double>::quiet_NaN();
        return orbit;
    }
    best.converged = best.residual <= good;
    if (!best.converged) best.reason = fmt::format("shooting stopped at a residual of {:.1e}", best.residual);
    return best;
}

std::vector<Complex> multipliers_of(const Eigen::MatrixXd& monodromy, int& forgotten) {
    Eigen::MatrixXd m = monodromy;
    const Eigen::Index size = m.rows();
    for (int sweep = 0; sweep < 20; ++sweep) {  // Osborne: rows as large as columns
        bool done = true;
        for (Eigen::Index i = 0; i < size; ++i) {
            const double column = m.col(i).cwiseAbs().sum() - std::abs(m(i, i)),
                         row = m.row(i).cwiseAbs().sum() - std::abs(m(i, i));
            if (!(column > 0 && row > 0)) continue;
            const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
            if (factor == 1) continue;
            m.col(i) *= factor;
            m.row(i) /= factor;
            done = false;
        }
        if (done) break;
    }
    // What a period forgets has a zero, perhaps a defective one: taken off by rank before eigenvalues spread it out.
    constexpr double nothing = 1e-10;
    while (m.rows() > 0) {
        Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(m);
        qr.setThreshold(nothing);
        const Eigen::Index rank = qr.maxPivot() > nothing ? qr.rank() : 0;
        if (rank == m.rows()) break;
        const Eigen::MatrixXd q = Eigen::MatrixXd(qr.householderQ()).leftCols(rank);
        m = (q.transpose() * m * q).eval();
    }
    forgotten = int(size - m.rows());
    std::vector<Complex> all;
    if (m.rows() == 0) return all;
    const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(m, false).eigenvalues();
    all.assign(values.begin(), values.end());
    std::sort(all.begin(), all.end(), [](const Complex& a, const Complex& b) {
        const double x = std::abs(a), y = std::abs(b);
        if (std::abs(x - y) > 1e-12 * std::max(x, y)) return x > y;
        return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
    });
    return all;
}

}  // namespace faying::modes
