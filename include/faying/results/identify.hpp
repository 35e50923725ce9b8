#pragma once
// The parameters of a law from a measured loop, with the loop, as `faying identify` shows them.
//
//     const LawIdentified run = identify_law("loop.csv", "iwan4", {});
//     run.found.parameters.at("FS");
//     io::write_file("fit.html", io::figure_html(figure(run)));

#include <nlohmann/json_fwd.hpp>

#include "faying/core/names.hpp"
#include "faying/fit/identify.hpp"
#include "faying/io/output.hpp"

namespace faying::results {

inline constexpr core::Names<fit::Memory, 3> memories{
    {{"auto", fit::Memory::automatic}, {"virgin", fit::Memory::virgin}, {"steady", fit::Memory::steady}}};

struct LawIdentified {
    std::string file, law;
    fit::Loop loop;
    fit::Identified found;
    int passes = 0;         ///< through a steady loop
    bool by_force = false;  ///< the law answers forces with displacements

    /// Throws NotConverged, saying what may help.
    void require_converged() const;
};

/// Throws as files::read_loop and fit::identify do.
LawIdentified identify_law(const std::string& file, const std::string& law, const fit::IdentifyOptions& options);

nlohmann::json json(const LawIdentified& run);
io::Table table(const LawIdentified& run);  ///< measured and modelled
io::Figure figure(const LawIdentified& run);
std::string text(const LawIdentified& run);

}  // namespace faying::results
