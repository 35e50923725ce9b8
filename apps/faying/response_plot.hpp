#pragma once
// The page of `faying response`: levels with what is stable and what is not, the mode through their peaks, and
// what a click on a point shows: the motion in phase space, the joints' loops, the harmonics.

#include "faying/core/frequency.hpp"
#include "faying/io/plot.hpp"
#include "faying/modes/harmonic_balance.hpp"

namespace faying::app {

struct ResponseLevel {
    double force = 0;
    std::vector<modes::HarmonicPoint> points;
};

struct ResponseFigure {
    std::string title, subtitle, output;  ///< output: whose peak is drawn; empty: amplitude a
    core::FrequencyUnit unit;
    bool along_force = false;                     ///< axis
    std::vector<modes::HarmonicPoint> mode = {};  ///< drawn through the peaks; may be empty
};

/// The greatest displacement of an output in a period.
double peak_of(const modes::HarmonicPoint& point, const Eigen::VectorXd& output, const core::Harmonics& harmonics);

io::Figure response_figure(const structure::Model& model, const std::vector<ResponseLevel>& levels,
                           const core::Harmonics& harmonics, const ResponseFigure& about);

}  // namespace faying::app
