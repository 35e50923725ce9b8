#pragma once
// Structures that bend far, as requests and answers that show themselves: condensed onto one mode (`faying sice`), their
// nonlinear normal modes (`faying nnm`), friction beside geometric stiffness (`faying ignl`). Over all ranks under
// mpirun.
//
//     core::Stages stages("sice");
//     const SiceRun run = sice({.file = "strip.inp", .amplitudes = {1e-3, -1e-3}}, {}, stages);
//     run.made.fits[0].k, text(run);

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "faying/core/frequency.hpp"
#include "faying/core/names.hpp"
#include "faying/core/stages.hpp"
#include "faying/geometric/coupled.hpp"
#include "faying/geometric/ignl.hpp"
#include "faying/geometric/sice.hpp"
#include "faying/geometric/structure_file.hpp"
#include "faying/io/output.hpp"

namespace faying::results {

struct GeometricRequest {
    std::string file;                     ///< deck (.inp) or model file (.toml)
    fe::ModelOptions model = {};          ///< of decks
    int mode = 1;                         ///< about rest, from 1
    std::vector<double> amplitudes = {};  ///< empty: what tells most, where an analysis has such
    core::FrequencyUnit unit = {};        ///< of text and figure
};

/// LO:HI:N evenly spaced, without zero; HI alone is up to it, 8 points a side (`both_sides`: from -HI). Throws BadInput.
std::vector<double> even_amplitudes(const std::string& range, bool both_sides, const std::string& where);

/// Those of --at q1,q2,.. or of --range (even_amplitudes); none where neither is given. Throws BadInput.
std::vector<double> given_amplitudes(const std::string& at, const std::string& range, bool both_sides);

/// A structure at rest and the mode that is followed.
struct GeometricMode {
    GeometricRequest request;
    geometric::Opened structure;
    geometric::Mode mode;
};

struct SiceRun {
    GeometricMode about;
    geometric::HeldBy held_by = geometric::HeldBy::amplitude;
    geometric::SiceResult made = {};
    std::vector<int> modes = {};                           ///< condensed onto together; empty: onto about.mode alone
    std::optional<geometric::CoupledTaylor> coupled = {};  ///< then

    void require_converged() const;  ///< throws NotConverged for a point that was not reached
};
/// LO:HI, or one order, of the polynomials fitted; nothing for an empty text. Throws BadInput.
void read_orders(const std::string& orders, const std::string& where, geometric::SiceOptions& to);
/// Condensed onto two or three modes together, exactly to an order of their forces (0: 5 for two, 3 for three). Throws
/// BadInput.
SiceRun coupled_sice(GeometricRequest request, std::vector<int> modes, int order, core::Stages& stages);
/// A coupled run as a model file of its modal coordinates.
std::string model_text(const SiceRun& run);
inline constexpr core::Names<geometric::HeldBy, 4> controls{{{"amplitude", geometric::HeldBy::amplitude},
                                                             {"load", geometric::HeldBy::load},
                                                             {"displacement", geometric::HeldBy::displacement},
                                                             {"arc-length", geometric::HeldBy::arc_length}}};
/// `options.amplitudes`, `row` and `done` are set here. Control by displacement is that of `place`: a node's label and
/// direction (1 to 3) of a deck, a degree of freedom (from 1) of a model file. Throws BadInput.
SiceRun sice(GeometricRequest request, geometric::SiceOptions options, core::Stages& stages,
             const std::vector<int>& place = {});

enum class NnmMethod { automatic, quadrature, harmonic_balance, shooting };
inline constexpr core::Names<NnmMethod, 4> nnm_methods{{{"auto", NnmMethod::automatic},
                                                        {"quadrature", NnmMethod::quadrature},
                                                        {"harmonic-balance", NnmMethod::harmonic_balance},
                                                        {"shooting", NnmMethod::shooting}}};
struct NnmChoice {
    NnmMethod method = NnmMethod::automatic;  ///< quadrature for one degree of freedom, else harmonic balance
    int harmonics = 9;
    int stability = 0;    ///< of meshes: multipliers of disturbances in so many of the lowest modes; 0: not computed
    int order = 0;        ///< beside it the mode condensed to a polynomial of this order; 0: none
    bool shapes = false;  ///< the motion of every DOF in the JSON too
};
struct NnmRun {
    GeometricMode about;
    NnmChoice choice;                                 ///< the method is the one that was taken
    std::vector<geometric::NnmPoint> points;          ///< at about.request.amplitudes
    std::vector<geometric::NnmPoint> condensed = {};  ///< at the same q+, or empty

    void require_converged() const;
};
/// Throws BadInput for joints with friction, and for quadrature of several DOF without an order.
NnmRun nnm(GeometricRequest request, const NnmChoice& choice, core::Stages& stages);

struct IgnlChoice {
    bool eq32 = false;    ///< damping in the text by [S1] Eq. 32 instead of the tangent; the JSON has both
    bool curves = false;  ///< the static curves in the JSON too
    bool iwan = false;    ///< four parameters of an Iwan model fitted to the friction
};
struct IgnlRun {
    GeometricMode about;
    geometric::IgnlOptions options;
    IgnlChoice choice;
    geometric::IgnlResult made;

    /// Where Masing's rule gives different dissipation from both sides, what that means; else empty.
    std::string note() const;
    void require_converged() const;  ///< and that damping means something
};
/// Throws BadInput where there is no friction, or no amplitude.
IgnlRun ignl(GeometricRequest request, geometric::IgnlOptions options, const IgnlChoice& choice, core::Stages& stages);

nlohmann::json json(const SiceRun& run);
nlohmann::json json(const NnmRun& run);
nlohmann::json json(const IgnlRun& run);
io::Table table(const SiceRun& run);  ///< points that converged
io::Table table(const NnmRun& run);
io::Table table(const IgnlRun& run);
io::Figure figure(const SiceRun& run);
io::Figure figure(const NnmRun& run);
io::Figure figure(const IgnlRun& run);
std::string text(const SiceRun& run);
std::string text(const NnmRun& run);
std::string text(const IgnlRun& run);

}  // namespace faying::results
