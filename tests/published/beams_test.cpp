// [S0] 3.1-3.2 and [S2] Table 4: the two beams, from their dimensions through meshes and reductions.

#include <filesystem>
#include <numbers>

#include "faying/fe/deck_reader.hpp"
#include "faying/fe/geometry.hpp"
#include "faying/fe/reduce_file.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/process.hpp"
#include "faying/modes/linear.hpp"
#include "faying/structure/model_file.hpp"
#include "published/scoreboard.hpp"

namespace {

namespace fs = std::filesystem;
using namespace faying;
using tests::expect_row;

/// An example's folder with its deck made and reduced, as its script `run` does.
class Example {
 public:
    Example(const std::string& name, const std::string& geometry, const std::string& reduction, const std::string& rom,
            const fe::GeometryOptions& options = {}) {
        for (const auto& entry : fs::directory_iterator(fs::path(tests::source_dir()) / "examples" / name))
            if (entry.path().extension() == ".toml") fs::copy(entry.path(), folder_.path());
        io::write_file(path("beam.inp"), fe::make_geometry(geometry, options).deck);
        const auto file = fe::read_reduce_file(path(reduction));
        reduced = fe::reduce(fe::read_deck(file.deck), file.options);
        structure::write_reduced(path(rom), reduced.reduced);
    }
    std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

    fe::Reduction reduced;

 private:
    io::ScratchFolder folder_;
};

std::vector<double> first(const Eigen::VectorXd& omega, Eigen::Index count) {
    return {omega.begin(), omega.begin() + count};
}

TEST(PublishedBeams, SumaliFrequenciesStuckAndSlipping) {
    const Example sumali("sumali", "sumali", "reduce.toml", "rom.h5");
    const auto model = structure::read_model(sumali.path("model.toml"));
    expect_row("SUM1", first(modes::linear_modes(model.mass, structure::stuck_stiffness(model), 3).omega, 3));
    expect_row("SUM2", first(modes::linear_modes(model.mass, structure::slipping_stiffness(model), 3).omega, 3));
}

TEST(PublishedBeams, BrakeReussMassAreaAndSize) {
    const Example beam("brake_reuss", "brake-reuss", "whole_joint.toml", "whole_joint.h5", {.size = 0.0056});
    expect_row("BRB1", {beam.reduced.mass});
    expect_row("BRB2", {beam.reduced.interface.area()});
    expect_row("BRB3", {double(beam.reduced.reduced.mass.rows())});
    const auto model = structure::read_model(beam.path("model.toml"));
    const auto omega = modes::linear_modes(model.mass, structure::stuck_stiffness(model), 3).omega;
    expect_row("BRB4", {omega(0) / (2 * std::numbers::pi), omega(2) / (2 * std::numbers::pi)});
}

}  // namespace
