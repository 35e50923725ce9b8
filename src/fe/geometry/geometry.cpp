#include "faying/fe/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "parts.hpp"

namespace faying::fe {

namespace {

const std::vector<GeometryEntry>& entries() {
    static const std::vector<GeometryEntry> all = {brake_reuss_entry(), sumali_entry(),        lap_joint_entry(),
                                                   beam_entry(),        cracked_plate_entry(), flange_entry(),
                                                   panel_entry()};
    return all;
}

/// What the deck is, for whoever opens it.
std::string heading(const Geometry& seen, const GeometryInput& input, const std::vector<double>& values) {
    std::string text =
        fmt::format("*HEADING\n{} by faying mesh, in m, N, kg, s\n** {}\n** element {}, size {:g} m{}\n", seen.name,
                    seen.summary, input.element, input.size, input.tied ? ", faying surfaces tied" : "");
    for (std::size_t k = 0; k < values.size(); ++k)
        text += fmt::format("** {} = {:g} {}\n", seen.parameters[k].key, values[k], seen.parameters[k].unit);
    return text;
}

}  // namespace

core::ParameterInfo length(const std::string& key, double value, const std::string& meaning) {
    return {key, key, "m", {1e-6, 1e6}, core::Scale::linear, meaning, value};
}

void add_material(std::vector<core::ParameterInfo>& table, double young, double poisson, double density) {
    table.push_back({"young", "E", "Pa", core::positive, core::Scale::linear, "Young's modulus", young});
    table.push_back({"poisson", "nu", "", {0, 0.5, false, true}, core::Scale::linear, "Poisson's ratio", poisson});
    table.push_back({"density", "rho", "kg/m3", core::positive, core::Scale::linear, "density", density});
}

void write_material(Columns& columns, const Material3& material, const std::vector<std::string>& bodies) {
    for (const auto& body : bodies) columns.line(fmt::format("*SOLID SECTION, ELSET={}, MATERIAL=STEEL", body));
    columns.line(fmt::format("*MATERIAL, NAME=STEEL\n*ELASTIC\n{:.10g}, {:.10g}\n*DENSITY\n{:.10g}", material.young,
                             material.poisson, material.density));
}

void add_levels(std::vector<double>& levels, double to, double size) {
    const double from = levels.back();
    const int n = divisions_of(to - from, size);
    for (int k = 1; k <= n; ++k) levels.push_back(k == n ? to : from + (to - from) * k / n);
}

void fits(bool held, const char* geometry, const std::string& constraint) {
    if (!held) throw core::BadInput(geometry, "the dimensions do not fit together: " + constraint + " is needed");
}

void write_interface(Columns& columns, int level, const QuadFilter& where, const std::vector<QuadFilter>& patches,
                     bool tied) {
    columns.comment("The two faying surfaces; their meshes match node for node.");
    columns.surface("TOP_FACE", "TOP", level, Side::bottom, where);
    columns.surface("BOTTOM_FACE", "BOTTOM", level, Side::top, where);
    for (std::size_t k = 0; k < patches.size(); ++k) {
        const QuadFilter& patch = patches[k];
        columns.surface(fmt::format("TOP_PATCH_{}", k + 1), "TOP", level, Side::bottom, patch);
        columns.surface(fmt::format("BOTTOM_PATCH_{}", k + 1), "BOTTOM", level, Side::top, patch);
    }
    if (tied) columns.tie("STUCK", "TOP_FACE", "BOTTOM_FACE");
}

const std::vector<Geometry>& geometries() {
    static const std::vector<Geometry> all = [] {
        std::vector<Geometry> list;
        for (const auto& entry : entries()) list.push_back(entry.seen);
        return list;
    }();
    return all;
}

MadeGeometry make_geometry(const std::string& name, const GeometryOptions& options) {
    const auto found =
        std::find_if(entries().begin(), entries().end(), [&](const auto& e) { return e.seen.name == name; });
    if (found == entries().end()) {
        std::string list;
        for (const auto& entry : entries()) list += (list.empty() ? "" : ", ") + entry.seen.name;
        throw core::BadInput(name, "is not a geometry; allowed are: " + list);
    }
    const Geometry& seen = found->seen;
    std::vector<const core::ParameterInfo*> table;
    for (const auto& p : seen.parameters) table.push_back(&p);
    const auto values = core::checked_values(name, table, options.values);
    const GeometryInput input{options.size == 0 ? seen.size : options.size,
                              options.element.empty() ? seen.element : options.element, options.tied, options.gmsh};
    if (!(input.size > 0) || !std::isfinite(input.size))
        throw core::BadInput("--size",
                             fmt::format("{:g} is not a size; a positive number of metres is needed", input.size));
    if (found->plane) {
        if (std::find(seen.elements.begin(), seen.elements.end(), input.element) == seen.elements.end())
            throw core::BadInput("--element", fmt::format("'{}' is not made here; allowed are {} (CPS: plane stress, "
                                                          "CPE: plane strain)",
                                                          input.element, fmt::join(seen.elements, ", ")));
        const PlaneText made = found->plane(values, input);
        return {heading(seen, input, values) + made.text, input.size, input.element, made.nodes, made.elements, 2};
    }
    Columns::second_order_plan(input.element);
    const Columns columns = found->make(values, input);
    return {columns.text(heading(seen, input, values)), input.size, input.element, columns.node_count(),
            columns.element_count()};
}

}  // namespace faying::fe
