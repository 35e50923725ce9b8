#pragma once
// The modal Iwan model of measured points, for `faying modal-iwan BACKBONE.csv`.

#include <string>

#include "faying/modal/iwan.hpp"
#include "mode_options.hpp"

namespace faying::app {

struct PointsFit {
    std::vector<modal::ModalPoint> points;
    modal::IwanFit fit;
};

/// Columns q (or amplitude), omega and zeta, as `faying envelope --csv` writes them, with its 95 % bounds of the curve
/// if they are there. Throws core::BadInput, and
/// core::NotConverged when the fit stops short.
PointsFit fit_points(const std::string& file, const modal::FitOptions& options);

/// q, omega, zeta measured and fitted.
void write_points_csv(const std::string& path, const PointsFit& result, modal::Stiffness stiffness);
void draw_points(const std::string& path, const std::string& title, const PointsFit& result,
                 modal::Stiffness stiffness, const FrequencyUnit& unit);

}  // namespace faying::app
