// Any bytes are a deck or are refused with core::BadInput: no crash, no endless loop, no other exception. What is read
// is also counted and written flat, and the flat deck must be read back with the same nodes.
//
//     build/fuzz/bin/deck_fuzz -max_total_time=120 CORPUS tests/fuzz/seeds/deck tests/fe/decks

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "faying/core/error.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/deck_summary.hpp"
#include "faying/fe/deck_writer.hpp"

using namespace faying;

namespace {

/// What follows a line "*%%" is the one file there is to include, under any name.
fe::Deck read(const std::string& bytes) {
    const auto cut = bytes.find("\n*%%\n");
    bool first = true;
    return fe::read_deck("fuzz.inp", [&](const std::string&) -> std::optional<std::string> {
        if (first) {
            first = false;
            return bytes.substr(0, cut);
        }
        if (cut == std::string::npos) return {};
        return bytes.substr(cut + 5);
    });
}

void write_and_read_back(const fe::Deck& deck) {
    fe::FlatOptions options;
    options.constraints.emplace();
    options.step = fe::StaticStep{};
    if (!deck.steps.empty()) options.state_of_step = 0;
    std::ostringstream out;
    fe::FlatReport report;
    try {
        report = fe::write_flat_deck(deck, out, options);
    } catch (const core::BadInput&) {
        return;
    }
    // Sections other than solids are passed on word for word, so they may say anything.
    for (const auto& section : deck.sections)
        if (section.kind != fe::Section::Kind::solid) return;
    try {
        const fe::Deck back = fe::parse_deck(out.str());
        if (back.nodes.size() != deck.nodes.size() + report.rotation_nodes.size()) std::abort();
    } catch (const core::BadInput& error) {
        std::fprintf(stderr, "flat deck refused: %s\n%s\n", error.what(), out.str().c_str());
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    try {
        const fe::Deck deck = read(bytes);
        fe::summarize(deck);
        for (const auto& surface : deck.surfaces) fe::surface_area(deck, surface);
        write_and_read_back(deck);
    } catch (const core::BadInput&) {}
    return 0;
}
