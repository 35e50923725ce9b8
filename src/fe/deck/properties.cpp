// *MATERIAL and what belongs to it, *ORIENTATION, *AMPLITUDE, sections.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "builder.hpp"

namespace faying::fe::text {

namespace {

// clang-format off
const std::initializer_list<std::string_view> material_keywords = {
    "ELASTIC", "DENSITY", "PLASTIC", "EXPANSION", "DAMPING", "CONDUCTIVITY", "SPECIFICHEAT", "HYPERELASTIC",
    "HYPERFOAM", "VISCOELASTIC", "CREEP", "DEPVAR", "USERMATERIAL", "CYCLICHARDENING", "POTENTIAL", "RATEDEPENDENT",
    "DAMAGEINITIATION", "DAMAGEEVOLUTION", "DAMAGESTABILIZATION", "ELECTRICALCONDUCTIVITY", "FAILSTRESS",
    "FAILSTRAIN", "NOCOMPRESSION", "NOTENSION", "LATENTHEAT", "VISCOSITY", "EOS", "UNIAXIALTESTDATA",
    "BIAXIALTESTDATA", "PLANARTESTDATA", "VOLUMETRICTESTDATA", "MULLINSEFFECT", "ANNEALTEMPERATURE",
    "DRUCKERPRAGER", "DRUCKERPRAGERHARDENING", "MOHRCOULOMB", "MOHRCOULOMBHARDENING", "CASTIRONPLASTICITY",
    "DEFORMATIONPLASTICITY", "FLUIDCONSTANTS"};
// clang-format on

/// Heat changes no mass and no stiffness.
bool is_thermal(const std::string& name) {
    return name == "EXPANSION" || name == "CONDUCTIVITY" || name == "SPECIFICHEAT" || name == "LATENTHEAT" ||
           name == "ELECTRICALCONDUCTIVITY" || name == "ANNEALTEMPERATURE" || name == "FLUIDCONSTANTS";
}

/// The first `count` values of a table whose rows take one or more lines; says when there are further rows.
std::vector<double> first_row(Builder& builder, const Block& block, std::size_t count) {
    Lines lines(block.data);
    Row row(builder.sources);
    std::vector<double> values;
    while (values.size() < count && row.read(lines))
        for (double x : row.reals("value")) values.push_back(x);
    if (values.size() < count)
        builder.refuse(block.at, fmt::format("{} has {} values; {} are needed", block.written, values.size(), count));
    values.resize(count);
    if (row.read(lines))
        builder.reject(Severity::note, block.at,
                       fmt::format("{} is a table (temperature or fields): its first row is used", block.written));
    return values;
}

void read_elastic(Builder& builder, const Block& block, Material& material) {
    const auto* given = block.find("TYPE");
    const std::string type = given ? squeezed(*given) : "ISOTROPIC";
    using enum Material::Elasticity;
    if (type == "ISOTROPIC" || type == "ISO") {
        material.elasticity = isotropic;
        material.elastic = first_row(builder, block, 2);
        const double young = material.elastic[0], poisson = material.elastic[1];
        if (!(young > 0)) builder.refuse(block.at, fmt::format("Young's modulus {} is not positive", young));
        if (!(poisson > -1 && poisson <= 0.5))
            builder.refuse(block.at, fmt::format("Poisson's ratio {} is outside (-1, 0.5]", poisson));
    } else if (type == "ENGINEERINGCONSTANTS" || type == "ORTHOTROPIC" || type == "ORTHO") {
        material.elasticity = type == "ENGINEERINGCONSTANTS" ? engineering_constants : orthotropic;
        material.elastic = first_row(builder, block, 9);
    } else if (type == "ANISOTROPIC" || type == "ANISO") {
        material.elasticity = anisotropic;
        material.elastic = first_row(builder, block, 21);
    } else {
        material.elasticity = other;
        material.others.push_back(keep(block));
        builder.reject(Severity::physics, block.at,
                       fmt::format("*ELASTIC, TYPE={} of material '{}' is kept, not used", *given, material.name));
    }
}

}  // namespace

void read_material(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"NAME", "DESCRIPTION"});
    Material material;
    material.name = builder.need(block, "NAME");
    material.at = block.at;
    for (std::size_t i = k; const Block* part = follower(scope, i, material_keywords); ++i) {
        if (part->name == "ELASTIC") {
            builder.allow(*part, {"TYPE", "MODULI", "DEPENDENCIES"});
            read_elastic(builder, *part, material);
        } else if (part->name == "DENSITY") {
            material.density = first_row(builder, *part, 1)[0];
            if (!(*material.density >= 0))
                builder.refuse(part->at, fmt::format("density {} is negative", *material.density));
        } else {
            material.others.push_back(keep(*part));
            builder.reject(is_thermal(part->name) ? Severity::kept : Severity::physics, part->at,
                           fmt::format("{} of material '{}' is kept, not used", part->written, material.name));
        }
    }
    for (double x : material.elastic)
        if (!(std::abs(x) <= 1e30))
            builder.refuse(block.at, fmt::format("material '{}' has an elastic constant of {:g}; up to 1e30 is allowed",
                                                 material.name, x));
    if (material.elasticity == Material::Elasticity::isotropic && !(material.elastic[0] >= 1e-30))
        builder.refuse(block.at, fmt::format("material '{}' has Young's modulus {:g}; from 1e-30 to 1e30 is allowed",
                                             material.name, material.elastic[0]));
    if (material.density && !(*material.density <= 1e30))
        builder.refuse(block.at, fmt::format("material '{}' has a density of {:g}; up to 1e30 is allowed",
                                             material.name, *material.density));
    if (const Index other = builder.deck.materials.find(material.name); other != none) {
        if (builder.deck.materials[other].at == material.at) return;  // in a part, read for another instance
        builder.refuse(block.at, fmt::format("material '{}' is already defined at {}", material.name,
                                             builder.sources.where(builder.deck.materials[other].at)));
    }
    builder.deck.materials.add(std::move(material));
}

void read_orientation(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"NAME", "SYSTEM", "DEFINITION", "LOCALDIRECTIONS"});
    Orientation orientation;
    orientation.name = builder.qualified(scope, builder.need(block, "NAME"));
    orientation.at = block.at;
    orientation.keyword = keep(block);
    const auto* system = block.find("SYSTEM");
    orientation.system = system ? squeezed(*system) : "RECTANGULAR";
    const auto* definition = block.find("DEFINITION");
    if (definition && squeezed(*definition) != "COORDINATES") {
        builder.reject(Severity::physics, block.at,
                       fmt::format("orientation '{}' by {} is kept, not used", orientation.name, *definition));
    } else {
        Lines lines(block.data);
        Row row(builder.sources);
        if (row.read(lines)) orientation.values = row.reals("coordinate");
        if (orientation.values.size() != 6 && orientation.values.size() != 9)
            builder.refuse(
                block.at, fmt::format("*ORIENTATION has {} coordinates; 6 or 9 are needed", orientation.values.size()));
        if (scope.instance != none) {
            const Instance& instance = builder.deck.instances[scope.instance];
            for (std::size_t p = 0; p + 2 < orientation.values.size(); p += 3) {
                Eigen::Map<Eigen::Vector3d> point(&orientation.values[p]);
                point = (instance.rotation * point).eval();
                if (orientation.system != "RECTANGULAR") point += instance.translation;
            }
        }
        if (row.read(lines)) {
            orientation.rotation_axis = row.has(0) ? row.whole(0, "axis") : 1;
            orientation.rotation_angle = row.real_or(1, 0.0, "angle");
            if (orientation.rotation_axis < 1 || orientation.rotation_axis > 3)
                row.refuse(fmt::format("rotation axis {}; allowed are 1, 2, 3", orientation.rotation_axis));
        }
    }
    if (builder.deck.orientations.find(orientation.name) != none)
        builder.refuse(block.at, fmt::format("orientation '{}' is already defined", orientation.name));
    builder.deck.orientations.add(std::move(orientation));
}

void read_amplitude(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.deck.amplitudes.add({builder.need(block, "NAME"), keep(block)});
}

void read_section_controls(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    SectionControls controls;
    controls.name = builder.need(block, "NAME");
    controls.at = block.at;
    if (const auto* name = block.find("HOURGLASS")) {
        const std::string kind = squeezed(*name);
        if (kind == "ENHANCED")
            controls.hourglass.kind = Hourglass::enhanced;
        else if (kind != "STIFFNESS")
            builder.reject(Severity::physics, block.at,
                           fmt::format("HOURGLASS={} is taken as STIFFNESS; it and ENHANCED are here", *name));
    }
    Lines lines(block.data);
    Row row(builder.sources);
    if (row.read(lines)) {
        controls.hourglass.scale = row.real_or(0, 1.0, "hourglass scale");
        if (!(controls.hourglass.scale > 0))
            row.refuse(fmt::format("hourglass scale {} is not positive", controls.hourglass.scale));
    }
    for (const auto& p : block.parameters)
        if (!stands_for(p.name, "NAME") && !stands_for(p.name, "HOURGLASS"))
            builder.reject(Severity::kept, block.at, fmt::format("{} of *SECTION CONTROLS is kept, not used", p.name));
    if (const Index other = builder.deck.section_controls.find(controls.name); other != none) {
        if (builder.deck.section_controls[other].at == controls.at) return;  // in a part, read for another instance
        builder.refuse(block.at, fmt::format("section controls '{}' are already defined at {}", controls.name,
                                             builder.sources.where(builder.deck.section_controls[other].at)));
    }
    builder.deck.section_controls.add(std::move(controls));
}

void read_section(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    Deck& deck = builder.deck;
    Section section;
    section.at = block.at;
    section.keyword = keep(block);
    using enum Section::Kind;
    section.kind = block.name == "SOLIDSECTION"   ? solid
                   : block.name == "SHELLSECTION" ? shell
                   : block.name == "BEAMSECTION"  ? beam
                   : block.name == "MASS"         ? mass
                                                  : other;
    section.elements = builder.element_set(scope, builder.need(block, "ELSET"), block.at);
    if (section.kind == solid || section.kind == beam || (section.kind == shell && !block.has("COMPOSITE")))
        builder.need(block, "MATERIAL");
    if (const auto* name = block.find("MATERIAL")) {
        section.material = deck.materials.find(*name);
        if (section.material == none) builder.refuse(block.at, fmt::format("material '{}' is not defined", *name));
    }
    if (const auto* name = block.find("ORIENTATION")) {
        section.orientation = deck.orientations.find(builder.qualified(scope, *name));
        if (section.orientation == none) section.orientation = deck.orientations.find(*name);
        if (section.orientation == none)
            builder.refuse(block.at, fmt::format("orientation '{}' is not defined", *name));
    }
    if (section.kind == solid) builder.allow(block, {"ELSET", "MATERIAL", "ORIENTATION", "CONTROLS", "STACKDIRECTION"});
    if (const auto* name = block.find("CONTROLS")) {
        section.controls = *name;
        if (deck.section_controls.find(*name) == none)
            builder.refuse(block.at, fmt::format("section controls '{}' are not defined", *name));
    }
    if (const Block* stiffness = follower(scope, k, {"HOURGLASSSTIFFNESS"})) {
        section.hourglass_stiffness = first_row(builder, *stiffness, 1)[0];
        if (!(*section.hourglass_stiffness > 0))
            builder.refuse(stiffness->at, fmt::format("hourglass stiffness {} is not positive; leave the line out for "
                                                      "the default of 0.005 G",
                                                      *section.hourglass_stiffness));
    }
    Lines lines(block.data);
    Row row(builder.sources);
    if (section.kind == mass || section.kind == solid) {
        if (row.read(lines)) section.values = row.reals("value");
    } else if ((section.kind == shell || section.kind == beam) && !block.has("COMPOSITE") && row.read(lines)) {
        section.values = row.reals("value");
    }
    const auto index = static_cast<Index>(deck.sections.size());
    for (Index e : builder.members(section.elements, false)) {
        Element& element = deck.elements[static_cast<std::size_t>(e)];
        if (element.section != none)
            builder.refuse(
                block.at,
                fmt::format("element {} already has the section of {}", element_name(deck, e),
                            builder.sources.where(deck.sections[static_cast<std::size_t>(element.section)].at)));
        element.section = index;
    }
    deck.sections.push_back(std::move(section));
}

}  // namespace faying::fe::text
