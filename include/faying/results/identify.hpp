#pragma once
// The parameters of laws from measured loops, with the loops, as `faying identify` shows them.
//
//     const LawIdentified run = identify_law({.files = {"loop.csv"}, .laws = {"iwan4"}});
//     run.found.parameters.at("FS");
//     const LawsCompared both = compare_laws({.files = {"1.csv", "2.csv"}, .held_out = {"3.csv"},
//                                             .laws = {"iwan4", "bouc-wen"}});      // best first
//     io::write_file("fit.html", io::figure_html(figure(both)));

#include <nlohmann/json_fwd.hpp>

#include "faying/core/names.hpp"
#include "faying/fit/identify.hpp"
#include "faying/io/output.hpp"

namespace faying::results {

inline constexpr core::Names<fit::Memory, 3> memories{
    {{"auto", fit::Memory::automatic}, {"virgin", fit::Memory::virgin}, {"steady", fit::Memory::steady}}};
inline constexpr core::Names<fit::LoopForm, 3> loop_forms{{{"integral", fit::LoopForm::integral},
                                                           {"spline", fit::LoopForm::spline},
                                                           {"differences", fit::LoopForm::differences}}};

struct IdentifyRequest {
    std::vector<std::string> files;          ///< fitted together
    std::vector<std::string> held_out = {};  ///< only predicted
    std::vector<std::string> laws;
    fit::IdentifyOptions options = {};
};

/// A loop and what the law makes of it.
struct LoopAnswer {
    std::string file;
    bool held_out = false;
    fit::Loop loop;
    fit::LoopPrediction law;
};

struct LawIdentified {
    std::string law;
    fit::Identified found;
    std::vector<LoopAnswer> loops;  ///< fitted ones first
    int passes = 0;                 ///< through a steady loop
    bool by_force = false;          ///< the law answers forces with displacements
    fit::LoopForm form = {};        ///< generalized-valanis only
    std::string problem = {};       ///< why there is no answer, among laws that are compared

    std::size_t points() const;                  ///< fitted
    std::optional<double> held_out_rms() const;  ///< relative, over all that were held out; none: none were
    /// Throws NotConverged, saying what may help.
    void require_converged() const;
};

/// Best first: by the relative error of the loops held out, else by BIC; those without an answer last.
struct LawsCompared {
    std::vector<LawIdentified> laws;
    bool any_held_out = false;
    void require_converged() const;
};

/// The first law of the request. Throws as files::read_loop and fit::identify do.
LawIdentified identify_law(const IdentifyRequest& request);
/// All of them. Values that are held, sought or begun with go to the laws that have them; throws BadInput for one that
/// no law has.
LawsCompared compare_laws(const IdentifyRequest& request);

nlohmann::json json(const LawIdentified& run);
io::Table table(const LawIdentified& run);  ///< measured and modelled
io::Figure figure(const LawIdentified& run);
std::string text(const LawIdentified& run);

nlohmann::json json(const LawsCompared& run);
io::Table table(const LawsCompared& run);
io::Figure figure(const LawsCompared& run);
std::string text(const LawsCompared& run);

}  // namespace faying::results
