#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ostream>

#include "faying/core/error.hpp"
#include "faying/fe/deck_writer.hpp"
#include "faying/io/file.hpp"
#include "flat.hpp"

namespace faying::fe {

namespace {

/// 1.2345e-07 as 12345e-11: without the point there is room for one more digit.
std::string without_point(const std::string& scientific) {
    const auto e = scientific.find('e');
    const auto point = scientific.find('.');
    if (e == std::string::npos || point == std::string::npos) return scientific;
    const std::string decimals = scientific.substr(point + 1, e - point - 1);
    const int exponent = std::atoi(scientific.c_str() + e + 1) - static_cast<int>(decimals.size());
    return fmt::format("{}{}e{}", scientific.substr(0, point), decimals, exponent);
}

/// The first constraint that plain equations must stand for.
const Place* constraint_of(const Deck& deck) {
    if (!deck.ties.empty()) return &deck.ties[0].at;
    if (!deck.couplings.empty()) return &deck.couplings[0].at;
    if (!deck.rigid_bodies.empty()) return &deck.rigid_bodies[0].at;
    if (!deck.mpcs.empty()) return &deck.mpcs[0].at;
    return nullptr;
}

void check_writable(const Deck& deck, const FlatOptions& options) {
    if (const Place* at = constraint_of(deck); at && !options.constraints)
        throw core::BadInput(deck.where(*at), "this constraint cannot be written without the equations it stands for");
    if (!deck.transforms.empty())
        throw core::BadInput(deck.where(deck.transforms[0].at), "nodal axes (*TRANSFORM) cannot be written flat yet");
    if (options.state_of_step != none &&
        (options.state_of_step < 0 || static_cast<std::size_t>(options.state_of_step) >= deck.steps.size()))
        throw core::BadInput(deck.files[0], fmt::format("step {} is asked for; the deck has {}",
                                                        options.state_of_step + 1, deck.steps.size()));
    if (std::holds_alternative<StaticStep>(options.step) && options.state_of_step != none)
        for (const auto& keyword : deck.steps[static_cast<std::size_t>(options.state_of_step)].others)
            if (keyword.name == "DLOAD" || keyword.name == "DSLOAD" || keyword.name == "TEMPERATURE")
                throw core::BadInput(deck.where(keyword.at),
                                     fmt::format("{} cannot be written flat yet; point loads can", keyword.written));
}

}  // namespace

std::string ccx_number(double x) {
    char buffer[64];
    const auto shortest = std::to_chars(buffer, buffer + sizeof buffer, x);
    std::string text(buffer, shortest.ptr);
    if (text.size() <= 20) return text;
    std::string fixed(buffer, std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::fixed).ptr);
    if (const auto zero = fixed.find("0."); zero == (x < 0 ? 1u : 0u)) fixed.erase(zero, 1);
    if (fixed.size() <= 20 && fixed.find('.') != std::string::npos) return fixed;
    std::string best = without_point(
        std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific).ptr));
    for (int precision = 16; best.size() > 20; --precision)
        best = without_point(std::string(
            buffer, std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific, precision).ptr));
    return best;
}

std::vector<Boundary> boundaries_in_step(const Deck& deck, Index step) {
    std::vector<Boundary> all = deck.boundaries;
    for (Index s = 0; s <= step; ++s) {
        const Step& here = deck.steps[static_cast<std::size_t>(s)];
        if (here.new_boundaries) all.clear();
        all.insert(all.end(), here.boundaries.begin(), here.boundaries.end());
    }
    return all;
}

std::vector<PointLoad> loads_in_step(const Deck& deck, Index step) {
    std::vector<PointLoad> all = deck.loads;
    for (Index s = 0; s <= step; ++s) {
        const Step& here = deck.steps[static_cast<std::size_t>(s)];
        if (here.new_loads) all.clear();
        all.insert(all.end(), here.loads.begin(), here.loads.end());
    }
    return all;
}

namespace {

flat::Flat flatten(const Deck& deck, const FlatOptions& options) {
    check_writable(deck, options);
    flat::Flat flat{deck, options, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    const auto boundaries = boundaries_in_step(deck, options.state_of_step);
    const bool loaded = std::holds_alternative<StaticStep>(options.step);
    const auto loads = loaded ? loads_in_step(deck, options.state_of_step) : std::vector<PointLoad>();
    std::vector<LinearEquation> equations;
    if (options.own_equations) equations = deck.equations;
    if (options.constraints)
        equations.insert(equations.end(), options.constraints->begin(), options.constraints->end());
    flat::assign_labels(flat);
    flat::assign_names(flat);
    flat::assign_rotation_nodes(flat, equations, loads);

    flat.text = fmt::format("** {}, made flat by faying\n", deck.files[0]);
    flat::write_mesh(flat);
    flat::write_sets(flat);
    flat::write_properties(flat);
    flat::write_supports(flat, boundaries);
    flat::write_equations(flat, equations, boundaries);
    flat::write_step(flat, boundaries, loads);
    for (const auto& pair : deck.contact_pairs) flat.leave_out(pair.at, "contact pair");
    for (const auto& section : deck.pre_tensions) flat.leave_out(section.at, "bolt pre-tension");
    for (const auto& keyword : deck.others) flat.leave_out(keyword.at, keyword.written);
    if (options.state_of_step == none)
        for (const auto& step : deck.steps) flat.leave_out(step.at, "step, with its supports and loads");
    return flat;
}

}  // namespace

FlatReport write_flat_deck(const Deck& deck, std::ostream& out, const FlatOptions& options) {
    flat::Flat flat = flatten(deck, options);
    out.write(flat.text.data(), static_cast<std::streamsize>(flat.text.size()));
    return std::move(flat.report);
}

FlatReport write_flat_deck(const Deck& deck, const std::string& path, const FlatOptions& options) {
    flat::Flat flat = flatten(deck, options);  // first, so that a refusal leaves no file
    io::write_file(path, flat.text);
    return std::move(flat.report);
}

}  // namespace faying::fe
