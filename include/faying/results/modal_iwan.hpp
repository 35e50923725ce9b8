#pragma once
// Modal Iwan models: of measured points, or of a study of ring-downs and impacts, as `faying modal-iwan` shows them.
//
//     const PointsFit found = fit_points("backbone.csv", {});
//     found.fit.mode.FS;
//     const IwanStudy all = iwan_study("study.toml", "runs");              // finished runs are kept in a folder

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "faying/core/frequency.hpp"
#include "faying/core/names.hpp"
#include "faying/io/output.hpp"
#include "faying/modal/study.hpp"

namespace faying::results {

struct PointsFit {
    std::string file;
    std::vector<modal::ModalPoint> points;
    modal::FitOptions options;
    modal::IwanFit fit;
    core::FrequencyUnit unit = {};
};

/// Columns q (or amplitude), omega and zeta, as `faying envelope --csv` writes them, with its 95 % bounds of the curve
/// if they are there. Throws core::BadInput, and core::NotConverged when the fit stops short.
PointsFit fit_points(const std::string& file, const modal::FitOptions& options);

inline constexpr core::Names<modal::Stiffness, 2> stiffnesses{
    {{"harmonic", modal::Stiffness::harmonic}, {"secant", modal::Stiffness::secant}}};
inline constexpr core::Names<bool, 2> robust_losses{{{"cauchy", true}, {"squares", false}}};

struct IwanStudy {
    std::string file;
    modal::StudyResult result;
    core::FrequencyUnit unit = {};
};

/// The study of a file. Finished runs are kept in a folder and taken up again (none for an empty name); those of another
/// study do not mix with them. Throws as modal::run_study does.
IwanStudy iwan_study(const std::string& file, const std::string& folder, modal::RunOptions options = {});

nlohmann::json json(const PointsFit& fit);
nlohmann::json json(const IwanStudy& study);
io::Table table(const PointsFit& fit);    ///< q, omega, zeta measured and fitted
io::Table table(const IwanStudy& study);  ///< impacts: measured over modelled damping
io::Figure figure(const PointsFit& fit);
io::Figure figure(const IwanStudy& study);
std::string text(const PointsFit& fit);
std::string text(const IwanStudy& study);

}  // namespace faying::results
