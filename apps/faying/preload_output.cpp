#include "preload_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "backbone_plot.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/vtk.hpp"
#include "faying/modes/rest_state.hpp"

namespace faying::app {

namespace {

using modes::SiteState;
using modes::SiteStatus;

constexpr Eigen::Index most_printed = 60;  ///< sites of a joint: more belong into a file

/// A text in a line of a CSV file.
std::string quoted(const std::string& text) {
    std::string cell = "\"";
    for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c == '\n' || c == '\r' ? ' ' : c);
    return cell + "\"";
}

const char* pressure_unit(const structure::Joint& joint) { return structure::gives_tractions(joint) ? "Pa" : "N"; }

struct Summary {
    std::size_t touching = 0, slid = 0;
    double normal_force = 0, pressure = 0, gap = 0, slip = 0;  ///< the sum; the greatest of the others
};

Summary summary_of(const AtRest& rest, std::size_t j) {
    Summary made;
    for (std::size_t i = 0; i < rest.states[j].size(); ++i) {
        const auto& s = rest.states[j][i];
        made.touching += s.pressure > 0;
        made.slid += s.status == SiteStatus::slipping;
        made.normal_force += s.pressure * rest.model.joints[j].weight(Eigen::Index(i));
        made.pressure = std::max(made.pressure, s.pressure);
        made.gap = std::max(made.gap, s.gap);
        made.slip = std::max(made.slip, s.slip);
    }
    return made;
}

/// For people: a centre that rounding left at 1e-19 m is at 0.
double length(double metres) { return std::abs(metres) < 1e-12 ? 0.0 : metres; }

bool slides(const structure::Joint& joint) { return !joint.normal; }

/// A number a place over x, by joint; dots, for places are no line.
io::Panel along_x(const AtRest& rest, const std::string& title, const std::string& label, double SiteState::*value,
                  bool (*shown)(const structure::Joint&)) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    io::Panel panel{title, {"x / m", false}, {label, false}, {}};
    for (std::size_t j = 0; j < rest.states.size(); ++j) {
        const auto& joint = rest.model.joints[j];
        if (!modes::has_places(joint) || !shown(joint)) continue;
        io::Curve curve{joint.name, {}, {}, {}};
        for (const auto& place : modes::by_place(joint, rest.states[j])) {
            for (const auto& [x, y] : {std::pair{place.at.x(), place.state.*value}, {nothing, nothing}}) {
                curve.x.push_back(x);
                curve.y.push_back(y);
            }
        }
        panel.curves.push_back(std::move(curve));
    }
    return panel;
}

/// Of joints whose parameters are forces the "pressure" is one too.
std::string pressure_label(const AtRest& rest) {
    for (const auto& joint : rest.model.joints)
        if (modes::has_normal(joint) && modes::has_places(joint))
            return structure::gives_tractions(joint) ? "pressure / Pa" : "normal force / N";
    return "";
}

std::vector<std::string> table_line(const AtRest& rest, std::size_t j) {
    const auto& joint = rest.model.joints[j];
    const auto s = summary_of(rest, j);
    std::vector<std::string> line{joint.name, std::to_string(joint.sites())};
    if (modes::has_normal(joint))
        for (const auto& text :
             {std::to_string(s.touching), fmt::format("{:.6g}", s.normal_force),
              fmt::format("{:.4g} {}", s.pressure, pressure_unit(joint)), fmt::format("{:.4g}", s.gap)})
            line.push_back(text);
    else
        line.insert(line.end(), 4, "");
    line.push_back(joint.normal ? "" : fmt::format("{:.4g}", s.slip));
    line.push_back(joint.law.elastic() ? "" : std::to_string(s.slid));
    return line;
}

}  // namespace

std::string sites_csv(const AtRest& rest) {
    std::string text = "joint,site,x,y,z,area,status,pressure,gap,slip,u1,u2,u3,f1,f2,f3\n";
    for (std::size_t j = 0; j < rest.states.size(); ++j) {
        const auto& joint = rest.model.joints[j];
        const auto rows = modes::rest_rows(rest.model, rest.prestress, j);
        const Eigen::Index width = joint.components();
        for (Eigen::Index i = 0; i < joint.sites(); ++i) {
            const auto& s = rest.states[j][std::size_t(i)];
            text += fmt::format("{},{}", quoted(joint.name), quoted(structure::short_site_name(joint, i)));
            for (int c = 0; c < 3; ++c) text += modes::has_places(joint) ? fmt::format(",{}", joint.places(i, c)) : ",";
            text += structure::gives_tractions(joint) ? fmt::format(",{}", joint.weight(i)) : ",";
            text += fmt::format(",{}", modes::name(s.status));
            text += modes::has_normal(joint) ? fmt::format(",{},{}", s.pressure, s.gap) : ",,";
            text += joint.normal ? "," : fmt::format(",{}", s.slip);
            for (const auto* values : {&rows.displacement, &rows.force})
                for (Eigen::Index c = 0; c < 3; ++c)
                    text += c < width ? fmt::format(",{}", (*values)(width * i + c)) : ",";
            text += '\n';
        }
    }
    return text;
}

std::string dofs_csv(const AtRest& rest) {
    std::string text = "dof,u\n";
    for (Eigen::Index i = 0; i < rest.prestress.u.size(); ++i)
        text += fmt::format("{},{}\n", quoted(structure::dof_name(rest.model, i)), rest.prestress.u(i));
    return text;
}

io::Figure preload_figure(const AtRest& rest) {
    io::Figure figure;
    for (const auto& panel : {along_x(rest, "pressure", pressure_label(rest), &SiteState::pressure, modes::has_normal),
                              along_x(rest, "gap", "gap / m", &SiteState::gap, modes::has_normal),
                              along_x(rest, "slip", "slip / m", &SiteState::slip, slides)})
        if (!panel.curves.empty()) figure.panels.push_back(panel);
    if (figure.panels.empty())
        throw core::BadInput("--plot", "no joint of the model knows where its sites are; --csv lists them");
    figure.table = {{"joint", "sites", "touching", "normal force / N", "greatest pressure", "greatest gap / m",
                     "greatest slip / m", "sites that slid"}};
    io::Detail detail{"Seen from above", {}, {}};
    for (std::size_t j = 0; j < rest.states.size(); ++j) {
        const auto& joint = rest.model.joints[j];
        figure.table.push_back(table_line(rest, j));
        if (modes::has_places(joint) && joint.sites() > 1)
            detail.maps.push_back(site_map(joint, modes::by_place(joint, rest.states[j])));
    }
    if (!detail.maps.empty()) figure.details.push_back(std::move(detail));
    return figure;
}

std::string sites_vtk(const AtRest& rest) {
    std::vector<Eigen::Vector3d> points;
    std::vector<std::array<double, 6>> values;
    for (std::size_t j = 0; j < rest.states.size(); ++j) {
        const auto& joint = rest.model.joints[j];
        if (!modes::has_places(joint)) continue;
        for (const auto& [at, area, s] : modes::by_place(joint, rest.states[j])) {
            points.push_back(at);
            values.push_back({s.pressure, s.gap, s.slip, double(s.status), double(j + 1), area});
        }
    }
    if (points.empty())
        throw core::BadInput("--vtk", "no joint of the model knows where its sites are; --csv lists them");
    Eigen::MatrixXd where(Eigen::Index(points.size()), 3);
    std::vector<fe::VtkField> fields;
    for (const char* name :
         {"pressure", "gap", "slip", "status (0 stuck, 1 slipping, 2 open)", "joint", "area (0: not known)"})
        fields.push_back({name, Eigen::MatrixXd(where.rows(), 1)});
    for (Eigen::Index i = 0; i < where.rows(); ++i) {
        where.row(i) = points[std::size_t(i)].transpose();
        for (std::size_t f = 0; f < fields.size(); ++f) fields[f].values(i, 0) = values[std::size_t(i)][f];
    }
    return fe::vtk_of_points(where, fields);
}

void print_sites(const AtRest& rest) {
    for (std::size_t j = 0; j < rest.states.size(); ++j) {
        const auto& joint = rest.model.joints[j];
        const auto summary = summary_of(rest, j);
        fmt::print("{}: {} sites", joint.name, joint.sites());
        if (modes::has_normal(joint))
            fmt::print(", {} touching, normal force {:.6g} N, greatest pressure {:.4g} {}, greatest gap {:.3g} m",
                       summary.touching, summary.normal_force, summary.pressure, pressure_unit(joint), summary.gap);
        if (!joint.normal) fmt::print(", greatest slip {:.3g} m", summary.slip);
        fmt::print("\n");
        if (joint.sites() > most_printed) {
            fmt::print("  (--csv and --json list them)\n");
            continue;
        }
        fmt::print("  {:>16} {:>30} {:>9} {:>12} {:>12} {:>12}\n", "site", "x, y, z / m", "status",
                   fmt::format("pressure / {}", pressure_unit(joint)), "gap / m", "slip / m");
        for (Eigen::Index i = 0; i < joint.sites(); ++i) {
            const auto& s = rest.states[j][std::size_t(i)];
            const auto where = modes::has_places(joint)
                                   ? fmt::format("{:.5g}, {:.5g}, {:.5g}", length(joint.places(i, 0)),
                                                 length(joint.places(i, 1)), length(joint.places(i, 2)))
                                   : std::string();
            const auto number = [](bool known, double x) {
                return known ? fmt::format("{:.5g}", x) : std::string("-");
            };
            fmt::print("  {:>16} {:>30} {:>9} {:>12} {:>12} {:>12}\n", structure::short_site_name(joint, i), where,
                       modes::name(s.status), number(modes::has_normal(joint), s.pressure),
                       number(modes::has_normal(joint), s.gap), number(!joint.normal, s.slip));
        }
    }
}

}  // namespace faying::app
