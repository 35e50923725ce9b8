#pragma once
// What is in a deck, and the same deck written flat as CalculiX takes it, as `faying deck` shows them.
//
//     const DeckReport report = report_deck("beam.inp");
//     report.summary.mass, report.constraints.untied;                   // text_of(report), json(report)
//     const Flattened flat = flatten({.file = "assembly.inp", .out = "flat.inp", .frequency = 20});

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "faying/fe/constraints.hpp"
#include "faying/fe/deck_summary.hpp"
#include "faying/fe/deck_writer.hpp"

namespace faying::fe {

struct DeckReport {
    Deck deck;
    DeckSummary summary;
    ConstraintEquations constraints;  ///< what ties, couplings, .. come to
    std::string problem;              ///< why they cannot be applied as they stand; empty: they can
};
DeckReport report_deck(const std::string& file);

struct FlattenRequest {
    std::string file, out;
    int frequency = 0;         ///< end with a step for this many modes
    bool with_static = false;  ///< or with a static step
    int step = 0;              ///< with the supports and loads of this step of the deck, from 1
};
struct Flattened {
    Deck deck;
    std::string out;
    ConstraintEquations constraints;
    FlatReport report;
};
/// Writes `out`.
Flattened flatten(const FlattenRequest& request);

nlohmann::json json(const DeckReport& report);
nlohmann::json json(const Flattened& flat);
std::string text_of(const DeckReport& report);
std::string text_of(const Flattened& flat);

}  // namespace faying::fe
