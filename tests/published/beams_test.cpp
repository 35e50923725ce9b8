// [S0] 3.1-3.2 and [S2] Table 4: the two beams, from their dimensions through meshes and reductions.

#include <numbers>

#include "faying/files/model.hpp"
#include "faying/modes/linear.hpp"
#include "published/beam_example.hpp"
#include "published/scoreboard.hpp"

namespace {

using namespace faying;
using tests::BeamExample;
using tests::expect_row;

std::vector<double> first(const Eigen::VectorXd& omega, Eigen::Index count) {
    return {omega.begin(), omega.begin() + count};
}

TEST(PublishedBeams, SumaliFrequenciesStuckAndSlipping) {
    const BeamExample sumali("sumali", "sumali", "reduce.toml", "rom.h5");
    const auto model = files::read_model(sumali.path("model.toml"));
    expect_row("SUM1", first(modes::linear_modes(model.mass, structure::stuck_stiffness(model), 3).omega, 3));
    expect_row("SUM2", first(modes::linear_modes(model.mass, structure::slipping_stiffness(model), 3).omega, 3));
}

TEST(PublishedBeams, BrakeReussMassAreaAndSize) {
    const BeamExample beam("brake_reuss", "brake-reuss", "whole_joint.toml", "whole_joint.h5", {.size = 0.0056});
    expect_row("BRB1", {beam.reduced.mass});
    expect_row("BRB2", {beam.reduced.interface.area()});
    expect_row("BRB3", {double(beam.reduced.reduced.mass.rows())});
    const auto model = files::read_model(beam.path("model.toml"));
    const auto omega = modes::linear_modes(model.mass, structure::stuck_stiffness(model), 3).omega;
    expect_row("BRB4", {omega(0) / (2 * std::numbers::pi), omega(2) / (2 * std::numbers::pi)});
}

}  // namespace
