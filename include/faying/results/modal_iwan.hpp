#pragma once
// Modal Iwan models: of measured points, or of a study of ring-downs and impacts, as `faying modal-iwan` shows them.
//
//     const PointsFit found = fit_points("backbone.csv", {});
//     found.fit.mode.FS;
//     const IwanStudy all{"study.toml", modal::run_study(model, file.study, {.store = folder_store("runs", key)})};

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "faying/core/frequency.hpp"
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

struct IwanStudy {
    std::string file;
    modal::StudyResult result;
    core::FrequencyUnit unit = {};
};

/// Finished runs as files in a folder, each written at once; none for an empty name. Another study does not mix with
/// them: its key differs.
modal::RunStore folder_store(const std::string& folder, const std::string& key);

nlohmann::json json(const PointsFit& fit);
nlohmann::json json(const IwanStudy& study);
io::Table table(const PointsFit& fit);    ///< q, omega, zeta measured and fitted
io::Table table(const IwanStudy& study);  ///< impacts: measured over modelled damping
io::Figure figure(const PointsFit& fit);
io::Figure figure(const IwanStudy& study);
std::string text(const PointsFit& fit);
std::string text(const IwanStudy& study);

}  // namespace faying::results
