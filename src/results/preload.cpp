#include "faying/results/preload.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/modes/rest_state.hpp"
#include "faying/results/sites.hpp"
#include "text.hpp"

namespace faying::results {

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

/// A number per place over x, by joint; dots, for places are no line.
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

void print_joint(Text& out, const AtRest& rest, std::size_t j) {
    const auto& joint = rest.model.joints[j];
    const auto summary = summary_of(rest, j);
    out.print("{}: {} sites", joint.name, joint.sites());
    if (modes::has_normal(joint))
        out.print(", {} touching, normal force {:.6g} N, greatest pressure {:.4g} {}, greatest gap {:.3g} m",
                  summary.touching, summary.normal_force, summary.pressure, pressure_unit(joint), summary.gap);
    if (!joint.normal) out.print(", greatest slip {:.3g} m", summary.slip);
    out.print("\n");
    if (joint.sites() > most_printed) return out.print("  (--csv and --json list them)\n");
    out.print("  {:>16} {:>30} {:>9} {:>12} {:>12} {:>12}\n", "site", "x, y, z / m", "status",
              fmt::format("pressure / {}", pressure_unit(joint)), "gap / m", "slip / m");
    for (Eigen::Index i = 0; i < joint.sites(); ++i) {
        const auto& s = rest.states[j][std::size_t(i)];
        const auto where = modes::has_places(joint)
                               ? fmt::format("{:.5g}, {:.5g}, {:.5g}", length(joint.places(i, 0)),
                                             length(joint.places(i, 1)), length(joint.places(i, 2)))
                               : std::string();
        const auto number = [](bool known, double x) { return known ? fmt::format("{:.5g}", x) : std::string("-"); };
        out.print("  {:>16} {:>30} {:>9} {:>12} {:>12} {:>12}\n", structure::short_site_name(joint, i), where,
                  modes::name(s.status), number(modes::has_normal(joint), s.pressure),
                  number(modes::has_normal(joint), s.gap), number(!joint.normal, s.slip));
    }
}

}  // namespace

AtRest preload(structure::Model model, modes::Friction friction, const std::string& name) {
    if (model.static_force.size() == 0)
        throw core::BadInput(name, "[structure] has no static load: there is nothing to prestress");
    AtRest rest{std::move(model), friction, {}, {}, name};
    rest.prestress = modes::prestress(rest.model, {.friction = friction});
    for (std::size_t j = 0; j < rest.model.joints.size(); ++j)
        rest.states.push_back(modes::rest_states(rest.model, rest.prestress, j));
    return rest;
}

nlohmann::json json(const AtRest& rest) {
    const auto& p = rest.prestress;
    nlohmann::json sites = nlohmann::json::object(), contact = nlohmann::json::array(), dofs = nlohmann::json::array();
    for (std::size_t j = 0; j < rest.states.size(); ++j) {
        const auto& joint = rest.model.joints[j];
        sites[joint.name] = list(modes::rest_rows(rest.model, p, j).displacement);
        if (modes::has_normal(joint)) contact.push_back(contact_list(joint, rest.states[j]));
    }
    for (Eigen::Index i = 0; i < p.u.size(); ++i) dofs.push_back(structure::dof_name(rest.model, i));
    return {{"u", list(p.u)},
            {"dofs", dofs},
            {"sites", sites},
            {"contact", contact},
            {"residual", p.residual},
            {"iterations", p.iterations},
            {"load_steps", p.load_steps},
            {"friction", core::name_of(modes::frictions, rest.friction)}};
}

std::string text(const AtRest& rest) {
    Text out;
    const auto& p = rest.prestress;
    out.print("{} DOF, friction {}: {} iterations, residual {:.1e}\n", rest.model.size(),
              core::name_of(modes::frictions, rest.friction), p.iterations, p.residual);
    for (std::size_t j = 0; j < rest.states.size(); ++j) print_joint(out, rest, j);
    out.print("{:>24} {:>16}\n", "DOF", "u");
    for (Eigen::Index i = 0; i < p.u.size(); ++i)
        out.print("{:>24} {:16.9g}\n", structure::dof_name(rest.model, i), p.u(i));
    return out;
}

std::string sites_csv(const AtRest& rest) {
    Text out;
    out.print("joint,site,x,y,z,area,status,pressure,gap,slip,u1,u2,u3,f1,f2,f3\n");
    for (std::size_t j = 0; j < rest.states.size(); ++j) {
        const auto& joint = rest.model.joints[j];
        const auto rows = modes::rest_rows(rest.model, rest.prestress, j);
        const Eigen::Index width = joint.components();
        const auto cell = [&](bool known, double x) { known ? out.print(",{}", x) : out.print(","); };
        for (Eigen::Index i = 0; i < joint.sites(); ++i) {
            const auto& s = rest.states[j][std::size_t(i)];
            out.print("{},{}", quoted(joint.name), quoted(structure::short_site_name(joint, i)));
            const bool placed = modes::has_places(joint), tractions = structure::gives_tractions(joint);
            for (int c = 0; c < 3; ++c) cell(placed, placed ? joint.places(i, c) : 0);
            cell(tractions, joint.weight(i));
            out.print(",{}", modes::name(s.status));
            cell(modes::has_normal(joint), s.pressure);
            cell(modes::has_normal(joint), s.gap);
            cell(!joint.normal, s.slip);
            for (const auto* values : {&rows.displacement, &rows.force})
                for (Eigen::Index c = 0; c < 3; ++c) cell(c < width, c < width ? (*values)(width * i + c) : 0);
            out.print("\n");
        }
    }
    return out;
}

std::string dofs_csv(const AtRest& rest) {
    Text out;
    out.print("dof,u\n");
    for (Eigen::Index i = 0; i < rest.prestress.u.size(); ++i)
        out.print("{},{}\n", quoted(structure::dof_name(rest.model, i)), rest.prestress.u(i));
    return out;
}

io::Figure figure(const AtRest& rest) {
    io::Figure made;
    made.title = fmt::format("Preload of {}", rest.name);
    made.subtitle = fmt::format("friction {} while preloading", core::name_of(modes::frictions, rest.friction));
    for (const auto& panel : {along_x(rest, "pressure", pressure_label(rest), &SiteState::pressure, modes::has_normal),
                              along_x(rest, "gap", "gap / m", &SiteState::gap, modes::has_normal),
                              along_x(rest, "slip", "slip / m", &SiteState::slip, slides)})
        if (!panel.curves.empty()) made.panels.push_back(panel);
    if (made.panels.empty())
        throw core::BadInput("--plot", "no joint of the model knows where its sites are; --csv lists them");
    made.table = {{"joint", "sites", "touching", "normal force / N", "greatest pressure", "greatest gap / m",
                   "greatest slip / m", "sites that slid"}};
    io::Detail detail{"Seen from above", {}, {}};
    for (std::size_t j = 0; j < rest.states.size(); ++j) {
        const auto& joint = rest.model.joints[j];
        made.table.push_back(table_line(rest, j));
        if (modes::has_places(joint) && joint.sites() > 1)
            detail.maps.push_back(site_map(joint, modes::by_place(joint, rest.states[j])));
    }
    if (!detail.maps.empty()) made.details.push_back(std::move(detail));
    return made;
}

std::string sites_vtk(const AtRest& rest) { return sites_vtk(rest.model, rest.states); }

ModelModes model_modes(const structure::Model& model, std::optional<modes::About> about, int count,
                       modes::Friction friction, const std::string& name) {
    if (about == modes::About::preload && model.static_force.size() == 0)
        throw core::BadInput(name, "[structure] has no static load: there is no preload to take modes about");
    return {model.size(), model.joints.size(),
            modes::modes_about(model, about.value_or(modes::About::preload), count, {.friction = friction})};
}

nlohmann::json json(const ModelModes& m) {
    const auto& [modes, about, contacts, touching] = m.made;
    nlohmann::json shapes = nlohmann::json::array();
    for (Eigen::Index r = 0; r < modes.omega.size(); ++r) shapes.push_back(list(modes.shapes.col(r)));
    nlohmann::json result = {
        {"about", name(about)},       {"joints", about == modes::About::preload ? "preloaded" : name(about)},
        {"omega", list(modes.omega)}, {"frequency", core::hertz(modes.omega)},
        {"shapes", shapes},           {"residual", list(modes.residual)}};
    if (contacts > 0) result["contact"] = {{"sites", contacts}, {"touching", touching}};
    return result;
}

std::string text(const ModelModes& m) {
    const auto state = m.made.about != modes::About::preload ? std::string(name(m.made.about))
                       : m.made.contacts == 0                ? "about the preload"
                                              : fmt::format("about the preload, {} of {} contact sites touching",
                                                            m.made.touching, m.made.contacts);
    return fmt::format("{} DOF, {} joints, {}\n", m.dofs, m.joints, state) +
           modes_text(m.made.modes.omega, m.made.modes.residual, m.unit);
}

std::string modes_text(const fe::DeckModes& m, const core::FrequencyUnit& unit) {
    return fmt::format("{} DOF, mass {:.6g}, {} rigid motions\n", m.model.stiffness.rows(), m.model.checks.mass,
                       m.rigid) +
           m.notes.text() + modes_text(m.omega, m.residual, unit);
}

std::string modes_text(const Eigen::VectorXd& omega, const Eigen::VectorXd& residual, const core::FrequencyUnit& unit) {
    Text out;
    out.print("{:>5} {:>16} {:>10}\n", "mode", unit.label(), "residual");
    for (Eigen::Index r = 0; r < omega.size(); ++r)
        out.print("{:5} {:16.9g} {:10.1e}\n", r + 1, unit.of(omega(r)), residual(r));
    return out;
}

void write_files(const AtRest& rest, const io::OutputFiles& files, const std::string& dofs, const std::string& vtk) {
    std::vector<io::FileContent> all;
    if (!files.csv.empty()) all.push_back({files.csv, sites_csv(rest)});
    if (!dofs.empty()) all.push_back({dofs, dofs_csv(rest)});
    if (!files.plot.empty()) {
        auto drawn = figure(rest);
        if (!files.title.empty()) drawn.title = files.title;
        all.push_back({files.plot, io::figure_text(files.plot, drawn)});
    }
    if (!vtk.empty()) all.push_back({vtk, sites_vtk(rest)});
    io::write_files(all);
}

}  // namespace faying::results
