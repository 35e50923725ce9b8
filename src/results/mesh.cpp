#include "faying/results/mesh.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "faying/fe/deck_reader.hpp"
#include "faying/fe/deck_summary.hpp"
#include "faying/io/file.hpp"

namespace faying::results {

MeshRun mesh(const std::string& name, const fe::GeometryOptions& options, const std::string& out) {
    MeshRun run{name, out, options.tied, fe::make_geometry(name, options)};
    const fe::Deck deck = fe::parse_deck(run.made.deck, out);  // what is written is what can be read
    run.mass = fe::summarize(deck).mass;
    io::write_file(out, run.made.deck);
    const fe::Index face = deck.surfaces.find("BOTTOM_FACE");
    if (face != fe::none) run.faying_area = fe::surface_area(deck, deck.surfaces[face]);
    return run;
}

nlohmann::json json(const MeshRun& run) {
    const auto& made = run.made;
    nlohmann::json result = {{"out", run.out},
                             {"geometry", run.name},
                             {"size", made.size},
                             {"element", made.element},
                             {"nodes", made.nodes},
                             {"elements", made.elements},
                             {"dof", made.dof_per_node * made.nodes},
                             {"mass", run.mass},
                             {"tied", run.tied}};
    if (run.faying_area > 0) result["faying_area"] = run.faying_area;
    return result;
}

std::string text(const MeshRun& run) {
    const auto& made = run.made;
    return fmt::format("{}: {} of {}, {} nodes, {} DOF, mass {:.4g} kg{}\n", run.out, made.elements, made.element,
                       made.nodes, made.dof_per_node * made.nodes, run.mass,
                       run.faying_area > 0 ? fmt::format(", faying surfaces {:.4g} m2", run.faying_area) : "");
}

std::string dimensions_text(const fe::Geometry& g) {
    std::string text = "Dimensions and material, each key=value:\n";
    for (const auto& p : g.parameters)
        text += fmt::format("  {:<18} {:<6} {:<9} {}\n", p.key, p.unit.empty() ? "-" : p.unit,
                            p.fallback ? fmt::format("{:g}", *p.fallback) : "", p.meaning);
    return text + fmt::format("\nExample:\n  faying mesh {} --size {:g} {}={:g} --out deck.inp", g.name, 2 * g.size,
                              g.parameters[1].key, *g.parameters[1].fallback);
}

}  // namespace faying::results
