// [S2] 3.2: the Sumali beam from its mesh, modal Iwan models and impacts (examples/sumali/modal_iwan.toml).

#include "faying/files/modal_study.hpp"
#include "faying/files/model.hpp"
#include "published/beam_example.hpp"
#include "published/friction_exponent.hpp"
#include "published/scoreboard.hpp"

namespace {

using namespace faying;
using tests::expect_row;

modal::StudyResult sumali_study() {
    const tests::BeamExample beam("sumali", "sumali", "reduce.toml", "rom.h5");
    const auto file = files::read_modal_study(beam.path("modal_iwan.toml"));
    return modal::run_study(files::read_model(file.model), file.study, {});
}

/// Mean underestimation of damping, %, of a mode under the impacts at a place that stay in microslip; largest first.
std::vector<double> sumali_microslip(const modal::StudyResult& result, int mode, const std::string& place) {
    std::vector<double> percent;
    for (const auto& c : result.comparisons)
        if (c.mode == mode && c.place == place && c.regime == modal::Regime::microslip)
            percent.push_back(100 * (c.mean_ratio - 1));
    return percent;
}

double mean_of(const std::vector<double>& x) {
    double sum = 0;
    for (const double value : x) sum += value / double(x.size());
    return sum;
}

void sumali_table5(const modal::StudyResult& result) {
    const char* rows[] = {"SUM3", "SUM4", "SUM5"};
    std::vector<double> rise, top;
    for (std::size_t m = 0; m < 3; ++m) {
        const auto& one = result.modes[m];
        const auto& fit = one.fit.mode;
        EXPECT_TRUE(one.fit.converged);
        expect_row(rows[m], {fit.k_infinity, fit.FS, fit.KT, fit.chi, fit.beta});
        rise.push_back(fit.at(fit.macroslip()).zeta / fit.zeta0);
        double greatest = 0;
        for (const auto& ring : one.selective)
            for (const auto& p : ring.points) greatest = std::max(greatest, p.zeta / fit.zeta0);
        top.push_back(greatest);
    }
    expect_row("SUM6", rise);
    expect_row("SUM7", top);
}

/// Exponents of the friction loss in the ring-downs of mode 7 alone that stay in microslip.
void sumali_exponents(const modal::ModeResult& mode) {
    std::vector<double> exponents;
    for (const auto& ring : mode.selective) {
        if (ring.joint_reach.value() < 1)
            exponents.push_back(tests::friction_exponent(ring.points, mode.fit.mode.zeta0, mode.omega0));
    }
    expect_row("SUM14", exponents);
}

void sumali_macroslip(const modal::StudyResult& result) {
    std::vector<double> all, dominant;
    for (const auto& c : result.comparisons) {
        if (c.mode > 2 || c.regime != modal::Regime::macroslip) continue;
        all.push_back(100 * (1 / c.mean_ratio - 1));
        if (c.dominant) dominant.push_back(all.back());
    }
    expect_row("SUM11", {mean_of(all)});
    expect_row("SUM12", {mean_of(dominant)});
}

TEST(PublishedModalIwan, SumaliBeam) {
    const auto result = sumali_study();
    sumali_table5(result);
    sumali_exponents(result.modes[0]);
    const auto weak = sumali_microslip(result, 1, "outer bolt");
    expect_row("SUM8", {weak[0], weak[1], weak[2]});
    expect_row("SUM9", {mean_of(sumali_microslip(result, 2, "inner bolt"))});
    const auto tip = sumali_microslip(result, 1, "tip"), bolt = sumali_microslip(result, 2, "outer bolt");
    expect_row("SUM10", {mean_of({tip[0], bolt[0]}), mean_of({tip[1], bolt[1]})});
    sumali_macroslip(result);
    double ninth = 0;
    for (const char* place : {"tip", "outer bolt", "inner bolt"})
        for (const double percent : sumali_microslip(result, 3, place)) ninth = std::max(ninth, percent);
    expect_row("SUM13", {ninth});
}

}  // namespace
