// *BOUNDARY, *CLOAD, and steps.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "builder.hpp"

namespace faying::fe::text {

namespace {

struct BoundaryType {
    std::string_view name;
    std::array<int, 6> dofs;  ///< 0 ends
};
constexpr BoundaryType boundary_types[] = {
    {"ENCASTRE", {1, 2, 3, 4, 5, 6}},
    {"PINNED", {1, 2, 3}},
    {"XSYMM", {1, 5, 6}},
    {"YSYMM", {2, 4, 6}},
    {"ZSYMM", {3, 4, 5}},
    {"XASYMM", {2, 3, 4}},
    {"YASYMM", {1, 3, 5}},
    {"ZASYMM", {1, 2, 6}},
};

const BoundaryType* find_boundary_type(const std::string& name) {
    for (const auto& type : boundary_types)
        if (type.name == name) return &type;
    return nullptr;
}

bool is_new(const Block& block) {
    const auto* op = block.find("OP");
    return op && squeezed(*op) == "NEW";
}

std::vector<Boundary> boundaries_of(Builder& builder, const Scope& scope, const Block& block) {
    builder.allow(block, {"OP", "AMPLITUDE", "REGIONTYPE"});
    std::vector<Boundary> all;
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines)) {
        Boundary boundary;
        boundary.at = row.at();
        if (const auto* amplitude = block.find("AMPLITUDE")) boundary.amplitude = *amplitude;
        boundary.target = builder.node_or_set(scope, row.text(0), row.at());
        if (row.has(1) && !integer(row.text(1))) {
            boundary.type = squeezed(row.text(1));
            const auto* type = find_boundary_type(boundary.type);
            if (!type)
                row.refuse(
                    fmt::format("boundary '{}' is not known; allowed are degrees of freedom 1 to 6, ENCASTRE, "
                                "PINNED, XSYMM, YSYMM, ZSYMM, XASYMM, YASYMM, ZASYMM",
                                row.text(1)));
            for (int dof : type->dofs)
                if (dof > 0) boundary.dofs.add(dof);
        } else {
            const Index first = row.whole(1, "first degree of freedom");
            const Index last = row.has(2) ? row.whole(2, "last degree of freedom") : first;
            if (first >= 7 && last >= first && last <= 40) {
                builder.reject(Severity::physics, row.at(),
                               fmt::format("boundary condition on degree of freedom {} (not a displacement) is left "
                                           "out",
                                           first));
                continue;
            }
            boundary.dofs = read_dofs(row, 1);
            boundary.value = row.real_or(3, 0.0, "value");
        }
        all.push_back(std::move(boundary));
    }
    return all;
}

std::vector<PointLoad> loads_of(Builder& builder, const Scope& scope, const Block& block) {
    builder.allow(block, {"OP", "AMPLITUDE", "REGIONTYPE"});
    std::vector<PointLoad> all;
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines)) {
        PointLoad load;
        load.at = row.at();
        if (const auto* amplitude = block.find("AMPLITUDE")) load.amplitude = *amplitude;
        load.target = builder.node_or_set(scope, row.text(0), row.at());
        load.dof = row.whole(1, "degree of freedom");
        if (load.dof < 1 || load.dof > 6) row.refuse(fmt::format("degree of freedom {}; allowed are 1 to 6", load.dof));
        load.value = row.real(2, "load");
        all.push_back(std::move(load));
    }
    return all;
}

// clang-format off
constexpr std::string_view procedures[] = {
    "STATIC", "FREQUENCY", "DYNAMIC", "BUCKLE", "STEADYSTATEDYNAMICS", "MODALDYNAMIC", "COMPLEXFREQUENCY",
    "HEATTRANSFER", "COUPLEDTEMPERATURE-DISPLACEMENT", "VISCO", "GEOSTATIC", "RANDOMRESPONSE", "RESPONSESPECTRUM",
    "MATRIXGENERATE", "SUBSTRUCTUREGENERATE", "GREEN"};
// clang-format on

bool is_output(const std::string& name) {
    return name.ends_with("OUTPUT") || name.ends_with("PRINT") || name.ends_with("FILE") || name == "RESTART" ||
           name == "MONITOR" || name == "FILEFORMAT" || name == "CONTROLS" || name == "SOLVERCONTROLS" ||
           name == "TIMEPOINTS" || name == "SECTIONPRINT";
}

template <class T>
void append(std::vector<T>& to, std::vector<T> from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void read_boundary(Builder& builder, Scope& scope, std::size_t k) {
    append(builder.deck.boundaries, boundaries_of(builder, scope, *scope.blocks[k]));
}

void read_cload(Builder& builder, Scope& scope, std::size_t k) {
    builder.reject(Severity::note, scope.blocks[k]->at, "*CLOAD outside a step: read as a load of the model");
    append(builder.deck.loads, loads_of(builder, scope, *scope.blocks[k]));
}

void read_step(Builder& builder, const Scope& scope, const std::vector<const Block*>& blocks) {
    const Block& first = *blocks.front();
    Step step;
    step.at = first.at;
    if (const auto* name = first.find("NAME")) step.name = *name;
    if (const auto* nlgeom = first.find("NLGEOM")) step.nonlinear_geometry = squeezed(*nlgeom) != "NO";
    step.perturbation = first.has("PERTURBATION");
    for (const Block* block : blocks) {
        step.text += verbatim(*block);
        if (block == &first || block->name == "ENDSTEP") continue;
        if (block->name == "BOUNDARY") {
            step.new_boundaries = step.new_boundaries || is_new(*block);
            append(step.boundaries, boundaries_of(builder, scope, *block));
            continue;
        }
        if (block->name == "CLOAD") {
            step.new_loads = step.new_loads || is_new(*block);
            append(step.loads, loads_of(builder, scope, *block));
            continue;
        }
        step.others.push_back(keep(*block));
        if (std::find(std::begin(procedures), std::end(procedures), block->name) != std::end(procedures)) {
            if (step.procedure.empty()) step.procedure = block->name;
        } else if (!is_output(block->name)) {
            builder.reject(Severity::kept, block->at, fmt::format("{} in a step is kept, not used", block->written));
        }
    }
    builder.deck.steps.push_back(std::move(step));
}

}  // namespace faying::fe::text
