// faying deck show, faying deck flatten: what is in a deck, and the same deck as CalculiX takes it.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "deck_notes.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/constraints.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/deck_summary.hpp"
#include "faying/fe/deck_writer.hpp"

namespace faying::app {

namespace {

using nlohmann::ordered_json;

const char* kind_word(fe::Surface::Kind kind) {
    switch (kind) {
        case fe::Surface::Kind::element: return "element";
        case fe::Surface::Kind::node: return "node";
        case fe::Surface::Kind::other: return "other";
    }
    return "";
}

ordered_json point(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

ordered_json complaints_of(const fe::Deck& deck, const std::vector<fe::Complaint>& complaints) {
    ordered_json list = ordered_json::array();
    for (const auto& c : complaints)
        list.push_back({{"severity", word(c.severity)}, {"where", deck.where(c.at)}, {"text", c.text}});
    return list;
}

ordered_json sets_of(const fe::Deck& deck) {
    ordered_json nodes = ordered_json::array(), elements = ordered_json::array(), surfaces = ordered_json::array();
    for (const auto& s : deck.node_sets)
        nodes.push_back(
            {{"name", s.name}, {"size", s.nodes.size()}, {"unsorted", s.unsorted}, {"where", deck.where(s.at)}});
    for (const auto& s : deck.element_sets)
        elements.push_back({{"name", s.name}, {"size", s.elements.size()}, {"where", deck.where(s.at)}});
    for (const auto& s : deck.surfaces)
        surfaces.push_back({{"name", s.name},
                            {"kind", kind_word(s.kind)},
                            {"size", s.faces.size() + s.nodes.size()},
                            {"area", fe::surface_area(deck, s)},
                            {"where", deck.where(s.at)}});
    return {{"node_sets", nodes}, {"element_sets", elements}, {"surfaces", surfaces}};
}

ordered_json counts_of(const fe::Deck& deck) {
    return {{"ties", deck.ties.size()},
            {"couplings", deck.couplings.size()},
            {"rigid_bodies", deck.rigid_bodies.size()},
            {"equations", deck.equations.size()},
            {"mpcs", deck.mpcs.size()},
            {"boundaries", deck.boundaries.size()},
            {"contact_pairs", deck.contact_pairs.size()},
            {"pre_tensions", deck.pre_tensions.size()}};
}

/// What the constraints come to; `problem` where they cannot be applied as they stand.
struct Applied {
    fe::ConstraintEquations made;
    std::string problem;
};

Applied apply_constraints(const fe::Deck& deck) {
    try {
        return {fe::constraint_equations(deck, {.supports = false}), ""};
    } catch (const core::BadInput& error) {
        return {{}, error.what()};
    }
}

ordered_json untied_of(const fe::Deck& deck, const fe::ConstraintEquations& made) {
    ordered_json list = ordered_json::array();
    for (const auto& u : made.untied)
        list.push_back({{"tie", deck.ties[static_cast<std::size_t>(u.tie)].name},
                        {"node", fe::node_name(deck, u.node)},
                        {"distance", u.distance},
                        {"tolerance", u.tolerance}});
    return list;
}

void print_untied(const fe::Deck& deck, const fe::ConstraintEquations& made) {
    constexpr std::size_t shown = 10;
    if (made.untied.empty()) return;
    fmt::print("untied slaves {}\n", made.untied.size());
    for (std::size_t k = 0; k < std::min(shown, made.untied.size()); ++k) {
        const auto& u = made.untied[k];
        const auto& tie = deck.ties[static_cast<std::size_t>(u.tie)];
        fmt::print("    tie {} at {}: node {} is {:.4g} from its master, {:.4g} is allowed\n", tie.name,
                   deck.where(tie.at), fe::node_name(deck, u.node), u.distance, u.tolerance);
    }
    if (made.untied.size() > shown) fmt::print("    and {} more\n", made.untied.size() - shown);
}

ordered_json describe(const fe::Deck& deck, const fe::DeckSummary& summary, const Applied& applied) {
    ordered_json types = ordered_json::array(), materials = ordered_json::array(), steps = ordered_json::array();
    for (const auto& t : summary.types)
        types.push_back({{"type", t.name}, {"count", t.count}, {"assembled", t.assembled}});
    for (const auto& use : summary.materials) {
        const auto& m = deck.materials[use.material];
        ordered_json entry = {
            {"name", m.name}, {"elastic", m.elastic}, {"elements", use.elements}, {"volume", use.volume}};
        if (m.density) entry["density"] = *m.density;
        if (use.mass) entry["mass"] = *use.mass;
        materials.push_back(entry);
    }
    for (const auto& s : deck.steps)
        steps.push_back({{"name", s.name},
                         {"procedure", s.procedure},
                         {"boundaries", s.boundaries.size()},
                         {"loads", s.loads.size()},
                         {"where", deck.where(s.at)}});
    ordered_json instances = ordered_json::array();
    for (const auto& i : deck.instances) instances.push_back({{"name", i.name}, {"part", i.part}});
    ordered_json result = {{"files", deck.files},
                           {"nodes", deck.nodes.size()},
                           {"elements", types},
                           {"instances", instances},
                           {"materials", materials},
                           {"bounding_box", {{"low", point(summary.box.low)}, {"high", point(summary.box.high)}}},
                           {"volume", summary.volume},
                           {"mass", summary.mass},
                           {"mass_is_whole", summary.mass_is_whole},
                           {"inside_out", summary.inside_out},
                           {"units", summary.units},
                           {"constraints", counts_of(deck)},
                           {"steps", steps},
                           {"complaints", complaints_of(deck, deck.complaints)}};
    result["constraint_equations"] = applied.made.equations.size();
    result["largest_tie_gap"] = applied.made.largest_gap;
    result["untied"] = untied_of(deck, applied.made);
    if (!applied.problem.empty()) result["constraint_problem"] = applied.problem;
    result.update(sets_of(deck));
    return result;
}

void print_sets(const fe::Deck& deck) {
    const auto list = [](const char* title, const auto& items, const auto& tail) {
        if (items.empty()) return;
        fmt::print("{}\n", title);
        std::size_t internal = 0;
        for (const auto& item : items) {
            bool hidden = false;
            if constexpr (requires { item.internal; }) hidden = item.internal;
            internal += hidden;
            if (!hidden) fmt::print("    {:<32} {}\n", item.name, tail(item));
        }
        if (internal > 0) fmt::print("    and {} internal ones\n", internal);
    };
    list("node sets", deck.node_sets, [](const fe::NodeSet& s) {
        return fmt::format("{} nodes{}", s.nodes.size(), s.unsorted ? ", order as given" : "");
    });
    list("element sets", deck.element_sets,
         [](const fe::ElementSet& s) { return fmt::format("{} elements", s.elements.size()); });
    list("surfaces", deck.surfaces, [&](const fe::Surface& s) {
        if (s.kind == fe::Surface::Kind::element)
            return fmt::format("{} faces, area {:.6g}", s.faces.size(), fe::surface_area(deck, s));
        return s.kind == fe::Surface::Kind::node ? fmt::format("{} nodes", s.nodes.size())
                                                 : std::string("kept, not used");
    });
}

void print_mass(const fe::Deck& deck, const fe::DeckSummary& summary) {
    const auto& low = summary.box.low;
    const auto& high = summary.box.high;
    fmt::print("box       {:g} .. {:g}, {:g} .. {:g}, {:g} .. {:g}\n", low[0], high[0], low[1], high[1], low[2],
               high[2]);
    fmt::print("volume    {:.6g}\nmass      {:.6g}{}\n", summary.volume, summary.mass,
               summary.mass_is_whole ? "" : " (some elements have no density or no volume here)");
    if (!summary.units.empty()) fmt::print("units     looks like {}\n", summary.units);
    if (summary.inside_out > 0)
        fmt::print("          {} solids have no positive volume, first {} at {}\n", summary.inside_out,
                   fe::element_name(deck, summary.first_inside_out),
                   deck.where(deck.elements[static_cast<std::size_t>(summary.first_inside_out)].at));
}

void print(const fe::Deck& deck, const fe::DeckSummary& summary, const Applied& applied) {
    fmt::print("{}: {} nodes, {} elements\n", deck.files[0], deck.nodes.size(), deck.elements.size());
    for (const auto& i : deck.instances) fmt::print("instance  {} of part {}\n", i.name, i.part);
    for (const auto& t : summary.types)
        fmt::print("elements  {:<10} {:>9}{}\n", t.name, t.count, t.assembled ? "" : "  (kept, not assembled)");
    for (const auto& use : summary.materials) {
        const auto& m = deck.materials[use.material];
        fmt::print("material  {}: elastic {}, density {}, {} elements, volume {:.6g}{}\n", m.name,
                   m.elastic.empty() ? "none" : fmt::format("{:g}", fmt::join(m.elastic, " ")),
                   m.density ? fmt::format("{:g}", *m.density) : "none", use.elements, use.volume,
                   use.mass ? fmt::format(", mass {:.6g}", *use.mass) : "");
    }
    print_mass(deck, summary);
    const ordered_json counts = counts_of(deck);
    for (const auto& [name, count] : counts.items())
        if (count.get<std::size_t>() > 0) fmt::print("{:<13} {}\n", name, count.get<std::size_t>());
    if (!applied.made.equations.empty())
        fmt::print("constraints as {} equations, largest gap under a tie {:.3g}\n", applied.made.equations.size(),
                   applied.made.largest_gap);
    if (!applied.problem.empty()) fmt::print("constraints cannot be applied: {}\n", applied.problem);
    print_untied(deck, applied.made);
    for (const auto& s : deck.steps)
        fmt::print("step      {}{}: {} boundary lines, {} load lines\n", s.procedure.empty() ? "?" : s.procedure,
                   s.name.empty() ? "" : " '" + s.name + "'", s.boundaries.size(), s.loads.size());
    print_sets(deck);
    if (!deck.complaints.empty()) fmt::print("complaints\n");
    for (const auto& c : deck.complaints) fmt::print("    {:<8} {}: {}\n", word(c.severity), deck.where(c.at), c.text);
}

void add_show(CLI::App& deck) {
    struct Options {
        Common common;
        std::string file;
    };
    auto options = std::make_shared<Options>();
    auto* command = deck.add_subcommand("show", "What is in a deck: counts, materials, sets, mass, units, complaints");
    command->footer("Example:\n  faying deck show beam.inp");
    command->add_option("file", options->file, "an Abaqus or CalculiX input file")->required();
    add_common(*command, options->common);
    command->callback([options] {
        const fe::Deck read = fe::read_deck(options->file);
        const fe::DeckSummary summary = fe::summarize(read);
        const Applied applied = apply_constraints(read);
        options->common.report("deck show", describe(read, summary, applied), [&] { print(read, summary, applied); });
    });
}

void add_flatten(CLI::App& deck) {
    struct Options {
        Common common;
        std::string file, out;
        int frequency = 0, step = 0;
        bool with_static = false;
    };
    auto options = std::make_shared<Options>();
    auto* command = deck.add_subcommand("flatten", "Write a deck without parts and constraints, as CalculiX takes it");
    command->footer("Example:\n  faying deck flatten assembly.inp --out flat.inp --frequency 20");
    command->add_option("file", options->file, "an Abaqus or CalculiX input file")->required();
    command->add_option("--out", options->out, "the file to write")->required();
    auto* frequency = command->add_option("--frequency", options->frequency, "end with a step for this many modes")
                          ->check(CLI::PositiveNumber);
    command->add_flag("--static", options->with_static, "end with a static step")->excludes(frequency);
    command->add_option("--step", options->step, "with the supports and loads of this step of the deck, from 1")
        ->check(CLI::PositiveNumber);
    add_common(*command, options->common);
    command->callback([options] {
        const fe::Deck read = fe::read_deck(options->file);
        fe::FlatOptions flat;
        if (options->frequency > 0) flat.step = fe::FrequencyStep{.modes = options->frequency};
        if (options->with_static) flat.step = fe::StaticStep{};
        flat.state_of_step = options->step > 0 ? options->step - 1 : fe::none;
        const fe::ConstraintEquations made = fe::constraint_equations(read, {.supports = false});
        flat.constraints = made.equations;
        flat.own_equations = false;  // they are among those
        const fe::FlatReport report = fe::write_flat_deck(read, options->out, flat);
        ordered_json result = {{"out", options->out},
                               {"constraint_equations", made.equations.size()},
                               {"untied", untied_of(read, made)},
                               {"left_out", complaints_of(read, report.left_out)}};
        for (const auto& r : report.renumbered)
            result["renumbered"].push_back(
                {{"instance", r.instance}, {"node_shift", r.node_shift}, {"element_shift", r.element_shift}});
        for (const auto& r : report.renamed)
            result["renamed"].push_back({{"what", r.what}, {"from", r.from}, {"to", r.to}});
        options->common.report("deck flatten", result, [&] {
            fmt::print("{}: written, {} constraint equations\n", options->out, made.equations.size());
            print_untied(read, made);
            for (const auto& r : report.renumbered)
                fmt::print("instance {}: nodes + {}, elements + {}\n", r.instance, r.node_shift, r.element_shift);
            for (const auto& r : report.renamed) fmt::print("{} {} is now {}\n", r.what, r.from, r.to);
            for (const auto& c : report.left_out) fmt::print("left out: {}: {}\n", read.where(c.at), c.text);
        });
    });
}

}  // namespace

void add_deck(CLI::App& app) {
    auto* deck = app.add_subcommand("deck", "Read Abaqus and CalculiX decks");
    deck->require_subcommand(1);
    add_show(*deck);
    add_flatten(*deck);
}

}  // namespace faying::app
