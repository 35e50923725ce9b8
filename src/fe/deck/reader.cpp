#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "faying/core/error.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/face.hpp"
#include "layout.hpp"

namespace faying::fe {

namespace text {
namespace {

// Solvers read model data in any order, nearly: nodes before what names them, and so on. So the blocks are gone through
// once a pass, each keyword in its own.
enum class Pass { mesh, sets, names, surfaces, rest };
constexpr Pass passes[] = {Pass::mesh, Pass::sets, Pass::names, Pass::surfaces, Pass::rest};

struct Reading {
    Pass pass;
    Handler handler;
};

const std::map<std::string_view, Reading>& readings() {
    static const std::map<std::string_view, Reading> table = {
        {"SYSTEM", {Pass::mesh, read_system}},
        {"NODE", {Pass::mesh, read_node}},
        {"NGEN", {Pass::mesh, read_ngen}},
        {"NFILL", {Pass::mesh, read_nfill}},
        {"ELEMENT", {Pass::mesh, read_element}},
        {"ELGEN", {Pass::mesh, read_elgen}},
        {"NSET", {Pass::sets, read_nset}},
        {"ELSET", {Pass::sets, read_elset}},
        {"MATERIAL", {Pass::names, read_material}},
        {"ORIENTATION", {Pass::names, read_orientation}},
        {"AMPLITUDE", {Pass::names, read_amplitude}},
        {"SECTIONCONTROLS", {Pass::names, read_section_controls}},
        {"SURFACEINTERACTION", {Pass::names, read_surface_interaction}},
        {"SURFACE", {Pass::surfaces, read_surface}},
        {"TRANSFORM", {Pass::rest, read_transform}},
        {"SOLIDSECTION", {Pass::rest, read_section}},
        {"SHELLSECTION", {Pass::rest, read_section}},
        {"SHELLGENERALSECTION", {Pass::rest, read_section}},
        {"BEAMSECTION", {Pass::rest, read_section}},
        {"BEAMGENERALSECTION", {Pass::rest, read_section}},
        {"MEMBRANESECTION", {Pass::rest, read_section}},
        {"SURFACESECTION", {Pass::rest, read_section}},
        {"COHESIVESECTION", {Pass::rest, read_section}},
        {"GASKETSECTION", {Pass::rest, read_section}},
        {"CONNECTORSECTION", {Pass::rest, read_section}},
        {"MASS", {Pass::rest, read_section}},
        {"ROTARYINERTIA", {Pass::rest, read_section}},
        {"SPRING", {Pass::rest, read_section}},
        {"DASHPOT", {Pass::rest, read_section}},
        {"GAP", {Pass::rest, read_section}},
        {"TIE", {Pass::rest, read_tie}},
        {"COUPLING", {Pass::rest, read_coupling}},
        {"RIGIDBODY", {Pass::rest, read_rigid_body}},
        {"EQUATION", {Pass::rest, read_equation}},
        {"MPC", {Pass::rest, read_mpc}},
        {"CONTACTPAIR", {Pass::rest, read_contact_pair}},
        {"PRE-TENSIONSECTION", {Pass::rest, read_pre_tension}},
        {"BOUNDARY", {Pass::rest, read_boundary}},
        {"CLOAD", {Pass::rest, read_cload}},
    };
    return table;
}

/// Keywords that make or change the model in ways not read here: going on would give another model.
const std::map<std::string_view, std::string_view>& refused() {
    static const std::map<std::string_view, std::string_view> table = {
        {"PARAMETER", "parametric decks are not read; write the numbers out"},
        {"NCOPY", "copied nodes are not read; write the nodes out"},
        {"NMAP", "mapped nodes are not read; write the nodes out"},
        {"ELCOPY", "copied elements are not read; write the elements out"},
        {"IMPORT", "imported models are not read"},
        {"SYMMETRICMODELGENERATION", "generated models are not read; write the mesh out"},
        {"ELASTIC", "it stands outside a *MATERIAL"},
        {"DENSITY", "it stands outside a *MATERIAL"},
        {"KINEMATIC", "it must follow *COUPLING"},
        {"DISTRIBUTING", "it must follow *COUPLING"},
        {"ENDPART", "there is no *PART to end"},
        {"ENDINSTANCE", "there is no *INSTANCE to end"},
        {"ENDSTEP", "there is no *STEP to end"},
    };
    return table;
}

/// Keywords at model level that change neither mass nor stiffness nor supports.
bool is_harmless(const std::string& name) {
    static constexpr std::string_view list[] = {"PREPRINT",
                                                "RESTART",
                                                "OUTPUT",
                                                "NODEOUTPUT",
                                                "ELEMENTOUTPUT",
                                                "CONTACTOUTPUT",
                                                "FILEOUTPUT",
                                                "FILEFORMAT",
                                                "NODEFILE",
                                                "ELFILE",
                                                "NODEPRINT",
                                                "ELPRINT",
                                                "TIMEPOINTS",
                                                "DISPLAYBODY",
                                                "FILTER",
                                                "MONITOR",
                                                "CONTROLS",
                                                "PHYSICALCONSTANTS",
                                                "WAVEFRONTMINIMIZATION",
                                                "USERDEFINEDFIELD",
                                                "VIEWFACTOR",
                                                "DIAGNOSTICS"};
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

void run(Builder& builder, Scope& scope, Pass pass, bool sets_with_mesh) {
    builder.system = {};
    for (std::size_t k = 0; k < scope.blocks.size(); ++k) {
        if (scope.used[k]) continue;
        const auto found = readings().find(scope.blocks[k]->name);
        if (found == readings().end()) continue;
        Pass due = found->second.pass;
        if (sets_with_mesh && due == Pass::sets) due = Pass::mesh;
        if (due != pass) continue;
        scope.used[k] = true;
        found->second.handler(builder, scope, k);
    }
}

/// What no handler took: the heading, and everything that is kept or refused.
void keep_the_rest(Builder& builder, const Scope& scope) {
    for (std::size_t k = 0; k < scope.blocks.size(); ++k) {
        if (scope.used[k]) continue;
        const Block& block = *scope.blocks[k];
        if (const auto found = refused().find(block.name); found != refused().end())
            builder.refuse(block.at, fmt::format("{}: {}", block.written, found->second));
        Keyword kept = keep(block);
        if (block.name == "HEADING") {
            for (const auto& line : kept.lines) builder.deck.heading += line + '\n';
            continue;
        }
        if (is_harmless(block.name))
            builder.reject(Severity::kept, block.at, fmt::format("{} is kept, not used", block.written));
        else
            builder.reject(Severity::physics, block.at,
                           fmt::format("{} is not known here: kept, not used", block.written));
        builder.deck.others.push_back(std::move(kept));
    }
}

void complain_of_elements(Builder& builder) {
    struct Count {
        Index all = 0, without_section = 0;
        Place first, first_without;
    };
    const Deck& deck = builder.deck;
    std::vector<Count> counts(deck.types.size());
    for (const Element& element : deck.elements) {
        Count& count = counts[static_cast<std::size_t>(element.type)];
        if (count.all++ == 0) count.first = element.at;
        if (element.section == none && count.without_section++ == 0) count.first_without = element.at;
    }
    for (std::size_t t = 0; t < counts.size(); ++t) {
        const auto& type = deck.types[t];
        const Count& count = counts[t];
        if (count.all == 0) continue;
        if (!type.known)
            builder.reject(Severity::physics, count.first,
                           fmt::format("element type {} is not known: its {} elements are kept, not assembled",
                                       type.name, count.all));
        else if (!type.known->assembled_as && type.known->family != Family::rigid)
            builder.reject(Severity::physics, count.first,
                           fmt::format("the {} elements of type {} are kept, not assembled", count.all, type.name));
        else if (type.known->assembled_as && traits(*type.known->assembled_as).name != type.known->name)
            builder.reject(
                Severity::physics, count.first,
                fmt::format("elements of type {} are taken as {}", type.name, traits(*type.known->assembled_as).name));
        if (count.without_section > 0 && type.known && type.known->assembled_as)
            builder.reject(Severity::physics, count.first_without,
                           fmt::format("{} elements of type {} have no section, so no material", count.without_section,
                                       type.name));
    }
}

void complain_of_missing_line_ends(Builder& builder) {
    for (std::size_t f = 0; f < builder.sources.texts.size(); ++f) {
        const std::string& text = builder.sources.texts[f];
        if (text.empty() || text.back() == '\n') continue;
        const auto lines = static_cast<Index>(std::count(text.begin(), text.end(), '\n') + 1);
        builder.reject(Severity::note, {static_cast<Index>(f), lines},
                       "the file does not end with a line end; it may be cut short");
    }
}

Deck build(const Sources& sources, const std::vector<Block>& blocks) {
    if (blocks.empty())
        throw core::BadInput(sources.names[0], "there is no keyword in this file; a deck has *NODE, *ELEMENT, ..");
    Builder builder(sources);
    builder.deck.files = sources.names;
    const Layout layout = lay_out(builder, blocks);
    std::vector<Scope> scopes = scopes_of(builder, layout);
    bool sets_with_mesh = false;  // *NFILL needs sets while nodes are made
    for (const Block& block : blocks) sets_with_mesh = sets_with_mesh || block.name == "NFILL";
    for (const Pass pass : passes) {
        for (auto& scope : scopes) run(builder, scope, pass, sets_with_mesh);
        if (pass == Pass::sets) builder.settle_sets();
    }
    for (const auto& scope : scopes) keep_the_rest(builder, scope);
    for (const auto& step : layout.steps) read_step(builder, scopes.back(), step);
    complain_of_elements(builder);
    complain_of_missing_line_ends(builder);
    std::stable_sort(builder.deck.notes.begin(), builder.deck.notes.end(), [](const Note& a, const Note& b) {
        return std::pair(a.at.file, a.at.line) < std::pair(b.at.file, b.at.line);
    });
    return std::move(builder.deck);
}

}  // namespace
}  // namespace text

Deck read_deck(const std::string& path, const FileLoader& load) {
    text::Sources sources;
    const auto blocks = text::read_blocks(sources, path, load);
    return text::build(sources, blocks);
}

Deck read_deck(const std::string& path) { return read_deck(path, text::load_from_disk); }

Deck parse_deck(std::string text, const std::string& name) {
    bool first = true;
    return read_deck(name, [&](const std::string&) -> std::optional<std::string> {
        if (!first) return {};
        first = false;
        return std::move(text);
    });
}

}  // namespace faying::fe
