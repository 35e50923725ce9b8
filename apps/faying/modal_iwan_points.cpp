#include "modal_iwan_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/io/plot.hpp"
#include "faying/archive/table.hpp"

namespace faying::app {

namespace {

using modal::ModalPoint;

const std::vector<double>& column(const io::Table& table, const std::vector<std::string>& names,
                                  const std::string& file) {
    for (const auto& name : names)
        if (const auto at = std::find(table.names.begin(), table.names.end(), name); at != table.names.end())
            return table.columns[std::size_t(at - table.names.begin())];
    throw core::BadInput(file, fmt::format("has no column '{}'; columns q (or amplitude), omega and zeta are needed, "
                                           "there are: {}",
                                           names.front(), fmt::join(table.names, ", ")));
}

/// Relative standard error from 95 % bounds, for values x; zero where the file has none.
std::vector<double> errors(const io::Table& table, const std::string& name, const std::vector<double>& x) {
    const auto find = [&](const std::string& wanted) {
        return std::size_t(std::find(table.names.begin(), table.names.end(), wanted) - table.names.begin());
    };
    const std::size_t low = find(name + "_mean_low"), high = find(name + "_mean_high");
    std::vector<double> found(x.size(), 0.0);
    if (std::max(low, high) >= table.names.size()) return found;
    for (std::size_t i = 0; i < x.size(); ++i)
        found[i] = std::abs(table.columns[high][i] - table.columns[low][i]) / (2 * 1.96 * std::abs(x[i]));
    return found;
}

std::vector<double> values(const std::vector<ModalPoint>& points, double ModalPoint::*member) {
    std::vector<double> all;
    for (const auto& p : points) all.push_back(p.*member);
    return all;
}

std::vector<ModalPoint> fitted(const PointsFit& result, modal::Stiffness stiffness) {
    std::vector<ModalPoint> all;
    for (const auto& p : result.points) all.push_back(result.fit.mode.at(p.q, stiffness));
    return all;
}

}  // namespace

PointsFit fit_points(const std::string& file, const modal::FitOptions& options) {
    const io::Table table = archive::read_table(file);
    const auto &q = column(table, {"q", "amplitude"}, file), &omega = column(table, {"omega"}, file),
               &zeta = column(table, {"zeta"}, file);
    PointsFit result;
    const auto omega_error = errors(table, "omega", omega), zeta_error = errors(table, "zeta", zeta);
    for (std::size_t i = 0; i < q.size(); ++i)
        result.points.push_back({q[i], omega[i], zeta[i], omega_error[i], zeta_error[i]});
    std::sort(result.points.begin(), result.points.end(), [](const auto& a, const auto& b) { return a.q < b.q; });
    try {
        result.fit = modal::fit_modal_iwan(result.points, options);
    } catch (const core::BadInput& error) {
        throw core::BadInput(file, error.what());
    }
    if (!result.fit.converged)
        throw core::NotConverged(
            fmt::format("{}: the fit stopped after {} iterations, {:.2g} off in omega and {:.2g} in zeta", file,
                        result.fit.iterations, result.fit.omega_rms, result.fit.zeta_rms),
            result.fit.zeta_rms);
    return result;
}

void write_points_csv(const std::string& path, const PointsFit& result, modal::Stiffness stiffness) {
    const auto curve = fitted(result, stiffness);
    io::write_csv(path, {{"q", "omega", "zeta", "omega_fitted", "zeta_fitted"},
                         {values(result.points, &ModalPoint::q), values(result.points, &ModalPoint::omega),
                          values(result.points, &ModalPoint::zeta), values(curve, &ModalPoint::omega),
                          values(curve, &ModalPoint::zeta)}});
}

void draw_points(const std::string& path, const std::string& title, const PointsFit& result, modal::Stiffness stiffness,
                 const FrequencyUnit& unit) {
    io::Panel frequency{"frequency", {"q", true}, {unit.label()}, {}},
        damping{"damping", {"q", true}, {"zeta", true}, {}};
    const auto q = values(result.points, &ModalPoint::q);
    const auto curve = fitted(result, stiffness);
    for (const auto& [label, points] : {std::pair("measured", &result.points), std::pair("modal Iwan model", &curve)}) {
        auto omega = values(*points, &ModalPoint::omega);
        for (double& w : omega) w = unit.of(w);
        frequency.curves.push_back({label, q, omega, {}});
        damping.curves.push_back({label, q, values(*points, &ModalPoint::zeta), {}});
    }
    const io::Figure figure{title, "modal Iwan model", {frequency, damping}, {}};
    io::write_file(path, path.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

}  // namespace faying::app
