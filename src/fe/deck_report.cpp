#include "faying/fe/deck_report.hpp"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/core/lines.hpp"
#include "faying/fe/deck_notes.hpp"
#include "faying/fe/deck_reader.hpp"

namespace faying::fe {

namespace {

const char* surface_kind(Surface::Kind kind) {
    switch (kind) {
        case Surface::Kind::element: return "element";
        case Surface::Kind::node: return "node";
        case Surface::Kind::other: return "other";
    }
    return "";
}

nlohmann::json numbers_of(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

nlohmann::json sets_of(const Deck& deck) {
    nlohmann::json nodes = nlohmann::json::array(), elements = nlohmann::json::array(),
                   surfaces = nlohmann::json::array();
    for (const auto& s : deck.node_sets)
        nodes.push_back(
            {{"name", s.name}, {"size", s.nodes.size()}, {"unsorted", s.unsorted}, {"where", deck.where(s.at)}});
    for (const auto& s : deck.element_sets)
        elements.push_back({{"name", s.name}, {"size", s.elements.size()}, {"where", deck.where(s.at)}});
    for (const auto& s : deck.surfaces)
        surfaces.push_back({{"name", s.name},
                            {"kind", surface_kind(s.kind)},
                            {"size", s.faces.size() + s.nodes.size()},
                            {"area", surface_area(deck, s)},
                            {"where", deck.where(s.at)}});
    return {{"node_sets", nodes}, {"element_sets", elements}, {"surfaces", surfaces}};
}

/// In the order people read them.
std::vector<std::pair<const char*, std::size_t>> constraint_counts(const Deck& deck) {
    return {{"ties", deck.ties.size()},
            {"couplings", deck.couplings.size()},
            {"rigid_bodies", deck.rigid_bodies.size()},
            {"equations", deck.equations.size()},
            {"mpcs", deck.mpcs.size()},
            {"boundaries", deck.boundaries.size()},
            {"contact_pairs", deck.contact_pairs.size()},
            {"pre_tensions", deck.pre_tensions.size()}};
}

void print_untied(core::Lines& out, const Deck& deck, const std::vector<UntiedSlave>& untied) {
    constexpr std::size_t shown = 10;
    if (untied.empty()) return;
    out.print("untied slaves {}\n", untied.size());
    for (std::size_t k = 0; k < std::min(shown, untied.size()); ++k) {
        const auto& u = untied[k];
        const auto& tie = deck.ties[static_cast<std::size_t>(u.tie)];
        out.print("    tie {} at {}: node {} is {:.4g} from its master, {:.4g} is allowed\n", tie.name,
                  deck.where(tie.at), node_name(deck, u.node), u.distance, u.tolerance);
    }
    if (untied.size() > shown) out.print("    and {} more\n", untied.size() - shown);
}

void print_sets(core::Lines& out, const Deck& deck) {
    const auto list = [&](const char* title, const auto& items, const auto& tail) {
        if (items.empty()) return;
        out.print("{}\n", title);
        std::size_t internal = 0;
        for (const auto& item : items) {
            bool hidden = false;
            if constexpr (requires { item.internal; }) hidden = item.internal;
            internal += hidden;
            if (!hidden) out.print("    {:<32} {}\n", item.name, tail(item));
        }
        if (internal > 0) out.print("    and {} internal ones\n", internal);
    };
    list("node sets", deck.node_sets, [](const NodeSet& s) {
        return fmt::format("{} nodes{}", s.nodes.size(), s.unsorted ? ", order as given" : "");
    });
    list("element sets", deck.element_sets,
         [](const ElementSet& s) { return fmt::format("{} elements", s.elements.size()); });
    list("surfaces", deck.surfaces, [&](const Surface& s) {
        if (s.kind == Surface::Kind::element)
            return fmt::format("{} faces, area {:.6g}", s.faces.size(), surface_area(deck, s));
        return s.kind == Surface::Kind::node ? fmt::format("{} nodes", s.nodes.size()) : std::string("kept, not used");
    });
}

void print_mass(core::Lines& out, const Deck& deck, const DeckSummary& summary) {
    const auto& low = summary.box.low;
    const auto& high = summary.box.high;
    out.print("box       {:g} .. {:g}, {:g} .. {:g}, {:g} .. {:g}\n", low[0], high[0], low[1], high[1], low[2],
              high[2]);
    out.print("volume    {:.6g}\nmass      {:.6g}{}\n", summary.volume, summary.mass,
              summary.mass_is_whole ? "" : " (some elements have no density or no volume here)");
    if (!summary.units.empty()) out.print("units     looks like {}\n", summary.units);
    if (summary.inside_out > 0)
        out.print("          {} solids have no positive volume, first {} at {}\n", summary.inside_out,
                  element_name(deck, summary.first_inside_out),
                  deck.where(deck.elements[static_cast<std::size_t>(summary.first_inside_out)].at));
}

}  // namespace

DeckReport report_deck(const std::string& file) {
    DeckReport report;
    report.deck = read_deck(file);
    report.summary = summarize(report.deck);
    try {
        report.constraints = constraint_equations(report.deck, {.supports = false});
    } catch (const core::BadInput& error) {
        report.problem = error.what();
    }
    return report;
}

nlohmann::json json(const DeckReport& report) {
    const auto& [deck, summary, constraints, problem] = report;
    nlohmann::json types = nlohmann::json::array(), materials = nlohmann::json::array(),
                   steps = nlohmann::json::array();
    for (const auto& t : summary.types)
        types.push_back({{"type", t.name}, {"count", t.count}, {"assembled", t.assembled}});
    for (const auto& use : summary.materials) {
        const auto& m = deck.materials[use.material];
        nlohmann::json entry = {
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
    nlohmann::json instances = nlohmann::json::array();
    for (const auto& i : deck.instances) instances.push_back({{"name", i.name}, {"part", i.part}});
    nlohmann::json counts;
    for (const auto& [name, count] : constraint_counts(deck)) counts[name] = count;
    nlohmann::json result = {
        {"files", deck.files},
        {"nodes", deck.nodes.size()},
        {"elements", types},
        {"instances", instances},
        {"materials", materials},
        {"bounding_box", {{"low", numbers_of(summary.box.low)}, {"high", numbers_of(summary.box.high)}}},
        {"volume", summary.volume},
        {"mass", summary.mass},
        {"mass_is_whole", summary.mass_is_whole},
        {"inside_out", summary.inside_out},
        {"units", summary.units},
        {"constraints", counts},
        {"steps", steps},
        {"notes", json(deck, deck.notes)}};
    result["constraint_equations"] = constraints.equations.size();
    result["largest_tie_gap"] = constraints.largest_gap;
    result["untied"] = json(deck, constraints.untied);
    if (!problem.empty()) result["constraint_problem"] = problem;
    result.update(sets_of(deck));
    return result;
}

std::string text_of(const DeckReport& report) {
    const auto& [deck, summary, constraints, problem] = report;
    core::Lines out;
    out.print("{}: {} nodes, {} elements\n", deck.files[0], deck.nodes.size(), deck.elements.size());
    for (const auto& i : deck.instances) out.print("instance  {} of part {}\n", i.name, i.part);
    for (const auto& t : summary.types)
        out.print("elements  {:<10} {:>9}{}\n", t.name, t.count, t.assembled ? "" : "  (kept, not assembled)");
    for (const auto& use : summary.materials) {
        const auto& m = deck.materials[use.material];
        out.print("material  {}: elastic {}, density {}, {} elements, volume {:.6g}{}\n", m.name,
                  m.elastic.empty() ? "none" : fmt::format("{:g}", fmt::join(m.elastic, " ")),
                  m.density ? fmt::format("{:g}", *m.density) : "none", use.elements, use.volume,
                  use.mass ? fmt::format(", mass {:.6g}", *use.mass) : "");
    }
    print_mass(out, deck, summary);
    for (const auto& [name, count] : constraint_counts(deck))
        if (count > 0) out.print("{:<13} {}\n", name, count);
    if (!constraints.equations.empty())
        out.print("constraints as {} equations, largest gap under a tie {:.3g}\n", constraints.equations.size(),
                  constraints.largest_gap);
    if (!problem.empty()) out.print("constraints cannot be applied: {}\n", problem);
    print_untied(out, deck, constraints.untied);
    for (const auto& s : deck.steps)
        out.print("step      {}{}: {} boundary lines, {} load lines\n", s.procedure.empty() ? "?" : s.procedure,
                  s.name.empty() ? "" : " '" + s.name + "'", s.boundaries.size(), s.loads.size());
    print_sets(out, deck);
    if (!deck.notes.empty()) out.print("notes\n");
    for (const auto& c : deck.notes) out.print("    {:<8} {}: {}\n", name(c.severity), deck.where(c.at), c.text);
    return out;
}

Flattened flatten(const FlattenRequest& request) {
    Flattened made{read_deck(request.file), request.out, {}, {}};
    FlatOptions flat;
    if (request.frequency > 0) flat.step = FrequencyStep{.modes = request.frequency};
    if (request.with_static) flat.step = StaticStep{};
    flat.state_of_step = request.step > 0 ? request.step - 1 : none;
    made.constraints = constraint_equations(made.deck, {.supports = false});
    flat.constraints = made.constraints.equations;
    flat.own_equations = false;  // they are among those
    made.report = write_flat_deck(made.deck, request.out, flat);
    return made;
}

nlohmann::json json(const Flattened& flat) {
    nlohmann::json result = {{"out", flat.out},
                             {"constraint_equations", flat.constraints.equations.size()},
                             {"untied", json(flat.deck, flat.constraints.untied)},
                             {"left_out", json(flat.deck, flat.report.left_out)}};
    for (const auto& r : flat.report.renumbered)
        result["renumbered"].push_back(
            {{"instance", r.instance}, {"node_shift", r.node_shift}, {"element_shift", r.element_shift}});
    for (const auto& r : flat.report.renamed)
        result["renamed"].push_back({{"what", r.what}, {"from", r.from}, {"to", r.to}});
    return result;
}

std::string text_of(const Flattened& flat) {
    core::Lines out;
    out.print("{}: written, {} constraint equations\n", flat.out, flat.constraints.equations.size());
    print_untied(out, flat.deck, flat.constraints.untied);
    for (const auto& r : flat.report.renumbered)
        out.print("instance {}: nodes + {}, elements + {}\n", r.instance, r.node_shift, r.element_shift);
    for (const auto& r : flat.report.renamed) out.print("{} {} is now {}\n", r.what, r.from, r.to);
    for (const auto& c : flat.report.left_out) out.print("left out: {}: {}\n", flat.deck.where(c.at), c.text);
    return out;
}

}  // namespace faying::fe
