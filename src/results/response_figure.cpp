#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "faying/results/harmonic.hpp"
#include "faying/results/sites.hpp"

namespace faying::results {

namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();  // breaks a line

/// What is drawn upwards.
double height(const modes::HarmonicPoint& p, const Eigen::VectorXd& row, const core::Harmonics& harmonics) {
    return row.size() > 0 ? peak_of(p, row, harmonics) : p.a;
}

/// Displacement and velocity of a row over a period.
io::Panel orbit_of(const modes::HarmonicPoint& p, const Eigen::VectorXd& row, const std::string& name,
                   const core::Harmonics& harmonics) {
    const Eigen::VectorXd u = p.harmonics.transpose() * row;
    io::Panel panel;
    panel.title = "orbit of " + name;
    panel.x = {"displacement / m", false};
    panel.y = {"velocity / (m/s)", false};
    io::Curve curve;
    for (int i = 0; i <= 120; ++i) {
        double value = 0, slope = 0, bend = 0;
        harmonics.motion(u, 2 * std::numbers::pi * i / 120, value, slope, bend);
        curve.x.push_back(value);
        curve.y.push_back(p.omega * slope);
    }
    shorten(curve.x);
    shorten(curve.y);
    panel.curves.push_back(std::move(curve));
    return panel;
}

/// A loop of a law of one displacement: its second period from rest.
io::Panel loop_of(const structure::Joint& joint, const modes::HarmonicPoint& p, const core::Harmonics& harmonics) {
    constexpr int points = 200;
    const Eigen::VectorXd u = p.harmonics.transpose() * joint.map.row(0).transpose();
    std::vector<double> path;
    for (int i = 0; i <= 2 * points; ++i) {
        double value = 0, slope = 0, bend = 0;
        harmonics.motion(u, 2 * std::numbers::pi * i / points, value, slope, bend);
        path.push_back(value);
    }
    const auto history = joint.law.follow(path);
    io::Panel panel;
    panel.title = joint.name + (joint.sites() > 1 ? ", first site" : "");
    panel.x = {"joint displacement / m", false};
    panel.y = {"joint force / N", false};
    io::Curve curve{.label = "",
                    .x = {history.u.begin() + points, history.u.end()},
                    .y = {history.f.begin() + points, history.f.end()}};
    shorten(curve.x);
    shorten(curve.y);
    panel.curves.push_back(std::move(curve));
    return panel;
}

/// Amplitudes by order, as upright strokes.
io::Panel bars_of(const modes::HarmonicPoint& p, const Eigen::VectorXd& row, const std::string& name,
                  const core::Harmonics& harmonics) {
    const Eigen::VectorXd u = p.harmonics.transpose() * row;
    io::Panel panel;
    panel.title = "harmonics of " + name;
    panel.x = {"order", false};
    panel.y = {"amplitude / m", false};
    io::Curve curve;
    for (std::size_t i = 0; i < harmonics.orders().size(); ++i) {
        const Eigen::Index b = harmonics.at(i);
        const double k = harmonics.orders()[i], size = k > 0 ? std::hypot(u(b), u(b + 1)) : std::abs(u(b));
        for (const auto& [x, y] : {std::pair{k, 0.0}, {k, size}, {k, gap}}) {
            curve.x.push_back(x);
            curve.y.push_back(y);
        }
    }
    panel.curves.push_back(std::move(curve));
    return panel;
}

io::Detail detail_of(const ResponseRun& run, const modes::HarmonicPoint& p, const Eigen::VectorXd& row) {
    const auto& model = run.model;
    const auto& harmonics = run.used.harmonics;
    const auto& unit = run.request.unit;
    io::Detail detail;
    detail.title = fmt::format("{:.6g} {}, {:g} N", unit.of(p.omega), unit.word, p.force);
    if (p.stability.stable) detail.title += *p.stability.stable ? ", stable" : ", unstable";
    Eigen::VectorXd shown = row;
    std::string name = run.request.outputs.empty() ? "" : run.request.outputs.front();
    if (shown.size() == 0) {  // the DOF that moves most
        Eigen::Index most = 0;
        p.harmonics.rowwise().norm().maxCoeff(&most);
        shown = Eigen::VectorXd::Unit(model.size(), most);
        name = structure::dof_name(model, most);
    }
    detail.panels.push_back(orbit_of(p, shown, name, harmonics));
    for (const auto& joint : model.joints)
        if (detail.panels.size() < 4 && joint.components() == 1 && joint.law.drive() == laws::Drive::displacement &&
            model.static_force.size() == 0)
            detail.panels.push_back(loop_of(joint, p, harmonics));
    detail.panels.push_back(bars_of(p, shown, name, harmonics));
    return detail;
}

/// One curve for what is stable (or not known), one, dashed, for what is not; each breaks where the other goes on, with a
/// point in common.
void add_curves(io::Panel& panel, const std::string& label, const std::vector<double>& x, const std::vector<double>& y,
                const std::vector<bool>& unstable, const std::vector<int>& branch, int first_detail) {
    int solid = -1;
    const auto drawn = [&](bool which) {
        io::Curve curve;
        curve.label = which ? label + ", unstable" : label;
        bool any = false;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const bool own = unstable[i] == which;
            const bool joins = i > 0 && unstable[i - 1] == which && branch[i - 1] == branch[i];
            curve.x.push_back(x[i]);
            curve.y.push_back(own || joins ? y[i] : gap);
            any = any || own;
        }
        if (!any) return;
        curve.first_detail = first_detail;
        if (which)
            curve.dashed_like = solid;
        else
            solid = int(panel.curves.size());
        panel.curves.push_back(std::move(curve));
    };
    drawn(false);
    drawn(true);
}

}  // namespace

double peak_of(const modes::HarmonicPoint& point, const Eigen::VectorXd& output, const core::Harmonics& harmonics) {
    const Eigen::VectorXd u = point.harmonics.transpose() * output;
    double peak = 0;
    for (const double t : core::turning_points(harmonics, u)) {
        double value = 0, slope = 0, curvature = 0;
        harmonics.motion(u, t, value, slope, curvature);
        peak = std::max(peak, std::abs(value));
    }
    return peak;
}

io::Figure figure(const ResponseRun& run) {
    const auto& r = run.request;
    const auto& harmonics = run.used.harmonics;
    const Eigen::VectorXd row =
        r.outputs.empty() ? Eigen::VectorXd() : structure::find_output(run.model, r.outputs.front());
    io::Figure made;
    made.title = fmt::format("Forced response of {}", r.name);
    made.subtitle = run.used.text(r.harmonics.samples);
    io::Panel panel;
    panel.x = {r.along_force() ? "force / N" : r.unit.label(), false};
    panel.y = {
        row.size() > 0 ? fmt::format("peak displacement of {} / m", r.outputs.front()) : "amplitude a / (m kg^(1/2))",
        true};
    for (const auto& level : run.levels) {
        const int first_detail = int(made.details.size());
        std::vector<double> x, y;
        std::vector<bool> unstable;
        std::vector<int> branch;
        for (const auto& p : level.points) {
            if (!p.converged) continue;
            x.push_back(r.along_force() ? p.force : r.unit.of(p.omega));
            y.push_back(height(p, row, harmonics));
            unstable.push_back(p.stability.stable.has_value() && !*p.stability.stable);
            branch.push_back(p.branch);
            made.details.push_back(detail_of(run, p, row));
        }
        add_curves(panel, r.along_force() ? "" : fmt::format("{:g} N", level.force), x, y, unstable, branch,
                   first_detail);
        if (level.synthesis.points.empty() || row.size() > 0) continue;
        io::Curve alone;
        alone.label = fmt::format("{:g} N, mode {} alone", level.force, r.synthesis);
        int branch_before = 0;
        for (const auto& p : level.synthesis.points) {
            if (p.branch != branch_before) {
                alone.x.push_back(gap);
                alone.y.push_back(gap);
            }
            branch_before = p.branch;
            alone.x.push_back(r.unit.of(p.omega));
            alone.y.push_back(p.a);
        }
        panel.curves.push_back(std::move(alone));
    }
    if (!run.mode.empty() && !r.along_force()) {
        io::Curve curve;
        curve.label = "mode (EPMC)";
        for (const auto& p : run.mode)
            if (p.converged) {
                curve.x.push_back(r.unit.of(p.omega));
                curve.y.push_back(height(p, row, harmonics));
            }
        panel.curves.push_back(std::move(curve));
    }
    made.panels.push_back(std::move(panel));
    return made;
}

}  // namespace faying::results
