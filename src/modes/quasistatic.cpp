#include "faying/modes/quasistatic.hpp"

#include <fmt/format.h>

#include "condensed_statics.hpp"
#include "faying/core/error.hpp"
#include "flexible_statics.hpp"
#include "history.hpp"
#include "scattered_statics.hpp"
#include "sparse_statics.hpp"

namespace faying::modes {

void QuasistaticOptions::check() const {
    core::require(tolerance >= 1e-15 && tolerance <= 1e-2, "quasistatic options", "1e-15 <= tolerance <= 1e-2");
    core::require(path_tolerance >= 1e-12 && path_tolerance <= 1, "quasistatic options",
                  "1e-12 <= path_tolerance <= 1");
    core::require(least_step >= 1e-15 && least_step <= 1, "quasistatic options", "1e-15 <= least_step <= 1");
    core::require(most_iterations >= 1, "quasistatic options", "most_iterations >= 1");
}

namespace {

void check_drives(Eigen::Index size, const std::vector<Drive>& drives, const std::vector<std::vector<double>>& values) {
    core::require(!drives.empty(), "quasistatic", "at least one load or prescribed displacement");
    core::require(values.size() == drives.size(), "quasistatic", "a history of every drive");
    for (std::size_t j = 0; j < drives.size(); ++j) {
        core::require(drives[j].row.size() == size, "quasistatic", "a row of a drive as long as the DOF");
        core::require(values[j].size() == values[0].size(), "quasistatic", "histories of one length");
        core::require(!drives[j].locked || drives[j].kind == DriveKind::displacement, "quasistatic",
                      "a locked drive that is a displacement");
        for (const double v : values[j])
            if (!std::isfinite(v)) throw core::BadInput("quasistatic", "a history has a value that is not finite");
    }
}

std::string why_stopped(const QuasistaticRun& run, const std::vector<Drive>& drives) {
    const auto& last = run.points.back();
    std::string where;
    for (std::size_t j = 0; j < drives.size(); ++j)
        where += fmt::format("{}{} = {:.6g}", j ? ", " : "", drives[j].name.empty() ? "drive" : drives[j].name,
                             last.value(Eigen::Index(j)));
    return fmt::format("no equilibrium was found beyond {} on the way to point {}", where, run.points.size());
}

/// A structure of any kind.
struct Structure {
    const structure::Model& model;
    Eigen::Index size;
    MakeStatics statics;

    Structure(const structure::Model& of, const Interface& interface)
        : model(of), size(of.size()), statics([&interface](Sites& sites) -> std::unique_ptr<DrivenStatics> {
              return std::make_unique<CondensedStatics>(interface, sites);
          }) {}
    explicit Structure(const SparseStructure& of)
        : model(of.model), size(of.stiffness.rows()), statics([&of](Sites& sites) -> std::unique_ptr<DrivenStatics> {
              if (is_scattered(of)) return std::make_unique<ScatteredStatics>(of, sites);
              return std::make_unique<SparseStatics>(of, sites);
          }) {}
    explicit Structure(const FlexibleStructure& of)
        : model(of.model), size(of.flexibility.rows()), statics([&of](Sites& sites) -> std::unique_ptr<DrivenStatics> {
              return std::make_unique<FlexibleStatics>(of, sites);
          }) {}
};

/// Shapes need all DOF, and sites in many small groups less than the flexibility between them all.
bool by_flexibility(const SparseStructure& structure, const QuasistaticOptions& options) {
    return !options.shapes && may_be_flexible(structure) && !is_scattered(structure);
}

QuasistaticRun run_through(const Structure& structure, const std::vector<Drive>& drives,
                           const std::vector<std::vector<double>>& values, const QuasistaticOptions& options) {
    options.check();
    check_drives(structure.size, drives, values);
    History history(structure.model, structure.statics, drives, options);
    QuasistaticRun run;
    run.seated = history.seat();
    for (std::size_t i = 0; i < values[0].size(); ++i) {
        Eigen::VectorXd value(Eigen::Index(drives.size()));
        for (std::size_t j = 0; j < drives.size(); ++j) value(Eigen::Index(j)) = values[j][i];
        if (!history.go(value, i, run)) {
            run.stopped = why_stopped(run, drives);
            break;
        }
        if (options.progress) options.progress(i + 1);
    }
    return run;
}

QuasistaticLoop loop_of(const Structure& structure, const std::vector<Drive>& drives, const Eigen::VectorXd& amplitudes,
                        int points, double closure, int most_loops, const QuasistaticOptions& options) {
    options.check();
    core::require(points >= 1 && most_loops >= 1 && closure > 0, "quasistatic loop",
                  "points >= 1, most_loops >= 1, closure > 0");
    check_drives(structure.size, drives, std::vector<std::vector<double>>(drives.size(), {0.0}));
    History history(structure.model, structure.statics, drives, options);
    QuasistaticLoop loop;
    auto& run = loop.run;
    run.seated = history.seat();
    double total = 0;
    const auto go = [&](double from, double to) {
        for (int k = 1; k <= points; ++k) {
            const double share = k == points ? to : from + (to - from) * k / points;
            if (!history.go(share * amplitudes, run.points.size(), run)) {
                run.stopped = why_stopped(run, drives);
                return false;
            }
            if (options.progress) options.progress(run.points.size());
        }
        return true;
    };
    const auto lost = [&] {
        double sum = 0;
        for (const double d : run.points.back().dissipated) sum += d;
        return sum;
    };
    if (!go(0, 1)) return loop;
    for (loop.loops = 1; loop.loops <= most_loops; ++loop.loops) {
        const Eigen::VectorXd u = history.displacements(), f = history.forces();
        loop.first = run.points.size() - 1;
        total = lost();
        if (!go(1, -1)) return loop;
        const Eigen::VectorXd swing_u = history.displacements() - u, swing_f = history.forces() - f;
        if (!go(-1, 1)) return loop;
        loop.dissipation = lost() - total;
        const auto share = [](double part, double whole) { return part > 0 ? part / whole : 0.0; };
        loop.closure_error = std::max(share((history.displacements() - u).norm(), swing_u.norm()),
                                      share((history.forces() - f).norm(), swing_f.norm()));
        if ((loop.closed = loop.closure_error <= closure)) break;
    }
    loop.loops = std::min(loop.loops, most_loops);
    return loop;
}

}  // namespace

QuasistaticRun quasistatic(const structure::Model& model, const Interface& interface, const std::vector<Drive>& drives,
                           const std::vector<std::vector<double>>& values, const QuasistaticOptions& options) {
    return run_through({model, interface}, drives, values, options);
}

QuasistaticRun quasistatic(const SparseStructure& structure, const std::vector<Drive>& drives,
                           const std::vector<std::vector<double>>& values, const QuasistaticOptions& options) {
    if (!by_flexibility(structure, options)) return run_through(Structure(structure), drives, values, options);
    check_drives(structure.stiffness.rows(), drives, values);
    const FlexibleStructure made = flexible(structure, drives);
    return run_through(Structure(made), made.drives, values, options);
}

QuasistaticLoop quasistatic_loop(const structure::Model& model, const Interface& interface,
                                 const std::vector<Drive>& drives, const Eigen::VectorXd& amplitudes, int points,
                                 double closure, int most_loops, const QuasistaticOptions& options) {
    return loop_of({model, interface}, drives, amplitudes, points, closure, most_loops, options);
}

QuasistaticLoop quasistatic_loop(const SparseStructure& structure, const std::vector<Drive>& drives,
                                 const Eigen::VectorXd& amplitudes, int points, double closure, int most_loops,
                                 const QuasistaticOptions& options) {
    if (!by_flexibility(structure, options))
        return loop_of(Structure(structure), drives, amplitudes, points, closure, most_loops, options);
    check_drives(structure.stiffness.rows(), drives, std::vector<std::vector<double>>(drives.size(), {0.0}));
    const FlexibleStructure made = flexible(structure, drives);
    return loop_of(Structure(made), made.drives, amplitudes, points, closure, most_loops, options);
}

}  // namespace faying::modes
