#include "faying/study/study.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "faying/files/backbones.hpp"
#include "faying/files/reduced.hpp"
#include "faying/fit/boundary_intersection.hpp"
#include "faying/fit/pareto.hpp"
#include "faying/study/evaluation_log.hpp"
#include "modes/lap_joint.hpp"
#include "own_laws.hpp"
#include "source_dir.hpp"

namespace {

using namespace faying;
using namespace faying::study;

std::string data(const std::string& name) { return tests::source_dir() + "/data/" + name; }

/// Middle of the search box of a variant.
std::vector<double> middle(const Variant& v, double at = 0.5) {
    const fit::Space space(v.axes);
    return space.values(std::vector<double>(space.size(), at));
}

TEST(Variants, AreTwentySixThatTheCodeKnows) {
    EXPECT_EQ(all26().size(), 26u);
    int full = 0, loops = 0, no_viscous = 0;
    for (const auto& v : all26()) {
        EXPECT_NO_THROW(check_law(v)) << v.name;
        EXPECT_EQ(&find_variant(v.name), &v);
        full += v.full;
        loops += v.framework == modes::Framework::loops;
        no_viscous += !v.viscous;
    }
    EXPECT_EQ(full, 5);
    EXPECT_EQ(loops, 13);
    EXPECT_EQ(no_viscous, 4);
    EXPECT_THROW(find_variant("no-such"), core::BadInput);
}

/// The traction that is searched is the one at which the law saturates.
TEST(Variants, SlipTractionIsWhereTheLawSaturates) {
    for (const char* name : {"bouc-wen", "bouc-wen-1", "bouc-wen-2", "bouc-wen-1-loops"}) {
        const Variant& v = find_variant(name);
        const auto x = middle(v);
        auto law = law_values(v, x);
        law.erase("kn");
        double fs = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (v.axes[i].key == "fs") fs = x[i];
        const auto h = laws::Law(v.law, law).follow({0, 1});  // a metre: far in macroslip
        EXPECT_NEAR(h.f.back() / fs, 1, 1e-6) << name;
    }
}

TEST(Variants, SlopesOfTheTransformAreDerivatives) {
    for (const char* name : {"bouc-wen", "bouc-wen-1-loops", "valanis", "iwan4+kp"}) {
        const Variant& v = find_variant(name);
        const auto x = middle(v, 0.4);
        const auto at = law_values_with_slopes(v, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            auto up = x, down = x;
            const double h = 1e-6 * std::abs(x[i]);
            up[i] += h;
            down[i] -= h;
            const auto high = law_values(v, up), low = law_values(v, down);
            for (std::size_t k = 0; k < at.keys.size(); ++k) {
                const double slope = (high.at(at.keys[k]) - low.at(at.keys[k])) / (2 * h);
                EXPECT_NEAR(at.slopes(long(k), long(i)), slope,
                            1e-6 * std::abs(slope) + 1e-9 * std::abs(at.values(long(k)) / x[i]))
                    << name << " d " << at.keys[k] << " / d " << v.axes[i].key;
            }
        }
    }
}

std::string keys_of(const Variant& v) {
    std::string all;
    for (const auto& a : v.axes) all += a.key + " ";
    return all;
}

/// Two equal laws are two sets of parameters; a key that stands for another is named apart from its namesake.
TEST(Variants, SeveralLawsAreSearchedApart) {
    auto two = variant_of_law("two", "jenkins+jenkins+kp", false, modes::Framework::masing);
    EXPECT_EQ(keys_of(two), "1.kt 1.fs 2.kt 2.fs kp kn ");
    set_range(two, "2.fs", {1e3, 1e4});
    set_fixed(two, "kp", 1e9);
    EXPECT_EQ(label_of(two, "2.fs").symbol, "f_s/A");
    EXPECT_EQ(label_of(two, "2.fs").unit, "N/m²");
    EXPECT_NO_THROW(check_law(two));
    const auto law = law_values(two, {1e12, 1e5, 2e12, 5e3, 1e13});
    EXPECT_EQ(law, (core::ParameterValues{
                       {"1.kt", 1e12}, {"1.fs", 1e5}, {"2.kt", 2e12}, {"2.fs", 5e3}, {"kp", 1e9}, {"kn", 1e13}}));

    auto mixed = variant_of_law("mixed", "bouc-wen+jenkins", false, modes::Framework::loops);
    EXPECT_EQ(keys_of(mixed), "A n kt 2.fs 1.fs beta/alpha kn ");
    const auto values = law_values(mixed, {3e12, 1, 2e12, 1e5, 2e5, 0.5, 1e13});
    EXPECT_EQ(values,
              (core::ParameterValues{
                  {"A", 3e12}, {"n", 1}, {"alpha", 3e7}, {"beta", 1.5e7}, {"kt", 2e12}, {"fs", 1e5}, {"kn", 1e13}}));
}

/// As the report writes them.
TEST(Variants, AxesAreLabelled) {
    const std::map<std::string, std::string> expected{
        {"fs", "f_s/A|N/m²"}, {"FS", "F_S/A|N/m²"}, {"kt", "k_t/A|N/m³"}, {"KT", "K_T/A|N/m³"},
        {"A", "A/A|N/m³"},    {"E0", "E_0/A|N/m³"}, {"kp", "k_p/A|N/m³"}, {"Et", "E_t/A|N/m³"},
        {"kn", "k_n/A|N/m³"}, {"mu", "μ|"},         {"chi", "χ|"},        {"beta", "β|"},
        {"theta", "θ|"},      {"n", "n|"},          {"kappa", "κ|"},      {"beta/alpha", "β/α|"}};
    std::set<std::string> seen;
    for (const auto& v : all26())
        for (const auto& a : v.axes) {
            const auto label = label_of(v, a.key);
            EXPECT_EQ(label.symbol + "|" + label.unit, expected.at(a.key)) << v.name;
            seen.insert(a.key);
        }
    EXPECT_EQ(seen.size(), expected.size());
}

class OnTheBeam : public testing::Test {
 protected:
    study::Setup setup;
    void SetUp() override {
        setup.whole = std::make_shared<structure::Reduced>(files::read_reduced(data("brake_reuss/whole_joint.h5")));
        setup.loads = {{"preload", 12845.0}};
        Mode one, two;
        one.zeta0 = two.zeta0 = 1e-4;
        two.number = 2;
        two.index = 3;
        two.fitted = false;
        for (auto* m : {&one, &two}) {
            for (int i = 0; i < 6; ++i) m->data.amplitude.push_back(1e-6 * std::pow(10.0, 0.4 * i));
            m->data.omega.assign(6, m == &one ? 1100.0 : 3700.0);
            m->data.zeta.assign(6, 1e-3);
            m->measured_amplitude = m->data.amplitude;
            setup.modes.push_back(*m);
        }
    }
    /// The data become those of a variant at a parameter set.
    void measure(const Variant& v, const std::vector<double>& values) {
        const Problem truth(v, setup);
        std::vector<fit::Backbone> made;
        for (const auto& m : setup.modes) {
            auto b = m.data;
            const auto points = truth.backbone(values, m);
            for (std::size_t i = 0; i < points.size(); ++i) {
                EXPECT_TRUE(points[i].converged);
                b.omega[i] = points[i].omega;
                b.zeta[i] = points[i].zeta;
            }
            made.push_back(b);
        }
        for (std::size_t k = 0; k < made.size(); ++k) setup.modes[k].data = made[k];
    }
};

TEST_F(OnTheBeam, ErrorsVanishAtTheTruth) {
    const Variant& v = find_variant("iwan4");
    const std::vector<double> truth{1.6e6, 3e12, -0.4, 1e-2, 1e13};
    measure(v, truth);
    const Problem problem(v, setup);
    const auto o = problem.evaluate(Phase::tight, truth);
    ASSERT_TRUE(o.evaluation.usable());
    EXPECT_LT(o.evaluation.objectives[0], -24);
    EXPECT_LT(o.evaluation.objectives[1], -20);
    ASSERT_EQ(o.curves.size(), 2u);
    EXPECT_EQ(o.curves[0].zeta.size(), 6u);
    EXPECT_EQ(o.curves[1].omega[0], setup.modes[1].data.omega[0]);  // the predicted mode
    const auto near = problem.evaluate(Phase::search, {1.7e6, 3e12, -0.4, 1e-2, 1e13});
    EXPECT_GT(near.evaluation.objectives[0], -10);
    EXPECT_TRUE(near.curves.empty());
}

/// Data made with a law are recovered by it: the parameters, not only the errors.
TEST_F(OnTheBeam, RecoversTheParametersThatMadeTheData) {
    const Variant& v = find_variant("bouc-wen-1");
    const std::vector<double> truth{3e12, 1e13, 2e6};
    ASSERT_EQ(v.axes[0].key + v.axes[1].key + v.axes[2].key, "Afskn");
    const std::vector<double> ordered{truth[0], truth[2], truth[1]};
    measure(v, ordered);
    setup.modes[1].fitted = true;  // the normal stiffness hardly acts on the first mode alone
    const Problem problem(v, setup);
    fit::BoundaryOptions o;
    o.rays = 1;
    o.random_starts = 3;
    o.rounds = 0;
    o.evaluations = 400;
    o.tolerance = 1e-12;
    const auto found = fit::boundary_intersection(
        problem.space(), [&](const auto& x) { return problem.evaluate(Phase::gradient, x).evaluation; }, o);
    const auto front = fit::merged_front(found.candidates);
    ASSERT_FALSE(front.empty());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(front.front().values[i] / ordered[i], 1, 0.01) << v.axes[i].key;
    EXPECT_LT(fit::errors_of(front.front().evaluation.objectives).frequency, 1e-5);
}

/// Exact derivatives through law, transform, backbone and errors.
TEST_F(OnTheBeam, GradientsAreDerivatives) {
    for (const char* name : {"iwan4", "bouc-wen", "valanis-loops", "elastic-dry-friction"}) {
        const Variant& v = find_variant(name);
        const Problem problem(v, setup);
        auto x = problem.space().values(std::vector<double>(problem.space().size(), 0.45));
        for (std::size_t i = 0; i < x.size(); ++i)  // slips before it opens: contact that opens encloses no loop
            if (v.axes[i].key == "mu") x[i] = 0.003;
        const auto o = problem.evaluate(Phase::gradient, x);
        ASSERT_TRUE(o.evaluation.usable()) << name;
        ASSERT_EQ(o.evaluation.jacobian.cols(), long(x.size()));
        for (std::size_t i = 0; i < x.size(); ++i) {
            auto up = x, down = x;
            const double h = 1e-4 * std::abs(x[i]);
            up[i] += h;
            down[i] -= h;
            const auto high = problem.evaluate(Phase::search, up), low = problem.evaluate(Phase::search, down);
            ASSERT_TRUE(high.evaluation.usable() && low.evaluation.usable());
            for (std::size_t j = 0; j < 2; ++j) {
                const double slope = (high.evaluation.objectives[j] - low.evaluation.objectives[j]) / (2 * h);
                EXPECT_NEAR(o.evaluation.jacobian(long(j), long(i)) * x[i], slope * x[i],
                            2e-3 * std::abs(slope * x[i]) + 1e-4)
                    << name << " objective " << j << " " << v.axes[i].key;
            }
        }
    }
}

/// A law that the library does not know, searched by its gradients: as the library's law that is the same.
TEST_F(OnTheBeam, TakesALawFromOutside) {
    laws::add_law<tests::Dahl<>>();
    const auto own = variant_of_law("own", "test-dahl", false, modes::Framework::loops);
    EXPECT_EQ(keys_of(own), "k fc kn ");
    auto known = variant_of_law("known", "valanis", false, modes::Framework::loops);
    set_fixed(known, "Et", 0);
    set_fixed(known, "kappa", 0);
    EXPECT_EQ(keys_of(known), "E0 fs kn ");
    const std::vector<double> x{5e12, 1.6e5, 1e13};
    const auto a = Problem(own, setup).evaluate(Phase::gradient, x),
               b = Problem(known, setup).evaluate(Phase::gradient, x);
    ASSERT_TRUE(a.evaluation.usable() && b.evaluation.usable());
    for (std::size_t j = 0; j < 2; ++j) {
        EXPECT_NEAR(a.evaluation.objectives[j], b.evaluation.objectives[j], 1e-6);
        for (long i = 0; i < 3; ++i)
            EXPECT_NEAR(a.evaluation.jacobian(long(j), i) * x[std::size_t(i)],
                        b.evaluation.jacobian(long(j), i) * x[std::size_t(i)], 1e-4);
    }
}

/// Evaluations that were stored are never made again, and what they are asked for gets the same bits.
TEST_F(OnTheBeam, AnEvaluationLogAsksOnce) {
    const auto folder = std::filesystem::temp_directory_path() / ("faying_log_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const Problem problem(find_variant("jenkins"), setup);
    const std::vector<double> x{1e12, 1e6, 1e13}, y{2e12, 1e6, 1e13};
    int asked = 0;
    const auto ask = [&](Phase phase, const std::vector<double>& values) {
        ++asked;
        return problem.evaluate(phase, values);
    };
    Outcome first;
    {
        Store store((folder / "a.db").string(), Access::write);
        EvaluationLog evaluation_log(store, "jenkins", ask, {});
        first = evaluation_log.evaluate(Phase::gradient, x);
        evaluation_log.evaluate(Phase::gradient, x);
        evaluation_log.evaluate(Phase::search, x);  // another phase is another question
        EXPECT_EQ(asked, 2);
    }
    Store store((folder / "a.db").string(), Access::write);
    bool stop = false;
    EvaluationLog evaluation_log(store, "jenkins", ask, {.stop = [&] { return stop; }});
    const auto again = evaluation_log.evaluate(Phase::gradient, x);
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(again.evaluation.objectives, first.evaluation.objectives);
    EXPECT_EQ(again.evaluation.jacobian, first.evaluation.jacobian);
    stop = true;
    EXPECT_THROW(evaluation_log.evaluate(Phase::search, y), core::Interrupted);
    EXPECT_EQ(asked, 2);
    std::filesystem::remove_all(folder);
}

/// The same number need not be the same mode in a finer model: the output tells.
TEST(StudyFile, ModesOfBothModelsAreTheSame) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("faying_modes_{}", ::getpid());
    std::filesystem::create_directories(folder);
    const auto whole = files::read_reduced(data("brake_reuss/whole_joint.h5"));
    const double seen = std::abs(
        structure::find_output(structure::bare_model(whole), "accelerometer").dot(stuck_shapes(whole, 1).col(0)));
    auto full = tests::full_joint(5, 2, 6);
    const Eigen::MatrixXd shapes = stuck_shapes(full, 2);
    full.outputs = {{"accelerometer", seen * full.mass * (0.3 * shapes.col(0) + shapes.col(1))}};
    files::write_reduced((folder / "full.h5").string(), full);
    const auto read = [&](const std::string& index) {
        std::ofstream(folder / "study.toml") << fmt::format(
            "title = \"t\"\nvariants = [\"jenkins\"]\n[structure]\nwhole = \"{}\"\nfull = \"full.h5\"\n"
            "static = {{ preload = 12845 }}\n[measurement]\nfile = \"{}\"\namplitude = \"acceleration\"\n"
            "output = \"accelerometer\"\n[[mode]]\nmode = 1\n{}\n",
            data("brake_reuss/whole_joint.h5"), data("brake_reuss_virtual/backbones.csv"), index);
        return read_study((folder / "study.toml").string());
    };
    for (const char* wrong : {"", "index = 1", "index = { whole = 2, full = 2 }", "index = { half = 2 }"})
        EXPECT_THROW(read(wrong), core::BadInput) << wrong;
    const auto study = read("index = { whole = 1, full = 2 }");
    EXPECT_EQ(study.setup.modes[0].index, 1);
    EXPECT_EQ(study.setup.modes[0].full_index, 2);
    std::filesystem::remove_all(folder);
}

/// What is compared is what was measured, to the bit, unless the file asks for other amplitudes.
TEST(StudyFile, MeasuredAmplitudesUnlessAsked) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("faying_points_{}", ::getpid());
    std::filesystem::create_directories(folder);
    const auto write = [&](int count) {  // a kink, and amplitudes that are nowhere evenly spaced
        fit::Backbone b;
        for (int i = 0; i < count; ++i) {
            b.amplitude.push_back(1e-6 * (1 + i + 0.3 * std::sin(i)));
            b.omega.push_back(1000 - (i > count / 2 ? i - count / 2 : 0));
            b.zeta.push_back(1e-3 + (i > count / 2 ? 1e-5 * (i - count / 2) : 0));
        }
        files::write_backbones((folder / "measured.csv").string(), {b});
        return b;
    };
    const auto read = [&](const std::string& points) {
        std::ofstream(folder / "study.toml") << fmt::format(
            "variants = [\"jenkins\"]\n[structure]\nwhole = \"{}\"\nstatic = {{ preload = 12845 }}\n"
            "[measurement]\nfile = \"measured.csv\"\n{}\n[[mode]]\nmode = 1\n",
            data("brake_reuss/whole_joint.h5"), points);
        return read_study((folder / "study.toml").string());
    };
    const auto measured = write(33);
    const auto plain = read(""), named = read("points = \"measured\""), asked = read("points = 20");
    for (const auto* study : {&plain, &named}) {
        EXPECT_FALSE(study->points);
        EXPECT_EQ(study->setup.modes[0].data.amplitude, measured.amplitude);
        EXPECT_EQ(study->setup.modes[0].data.omega, measured.omega);
        EXPECT_EQ(study->setup.modes[0].data.zeta, measured.zeta);
        EXPECT_TRUE(study->notes.empty());
    }
    EXPECT_EQ(asked.points, 20);
    EXPECT_EQ(asked.setup.modes[0].data.size(), 20u);
    EXPECT_EQ(asked.setup.modes[0].measured.omega, measured.omega);
    EXPECT_EQ(fingerprint(plain), fingerprint(named));
    EXPECT_NE(fingerprint(plain), fingerprint(asked));
    EXPECT_THROW(read("points = \"some\""), core::BadInput);
    EXPECT_THROW(read("points = 1"), core::BadInput);
    // Samples rather than a backbone: all are used, and that is said.
    write(1000);
    const auto many = read("");
    EXPECT_EQ(many.setup.modes[0].data.size(), 1000u);
    ASSERT_EQ(many.notes.size(), 1u);
    EXPECT_NE(many.notes[0].find("measured amplitudes (mode 1: 1000)"), std::string::npos);
    EXPECT_TRUE(read("points = 40").notes.empty());
    write(1);
    EXPECT_THROW(read(""), core::BadInput);
    std::filesystem::remove_all(folder);
}

/// Jenkins sliders have a kink where they begin to slip. At the measured amplitudes the true parameters have no error;
/// between them the interpolated measurement is not what the law does.
TEST(StudyFile, TruthHasNoErrorAtTheMeasuredAmplitudes) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("faying_truth_{}", ::getpid());
    std::filesystem::create_directories(folder);
    const auto read = [&](const std::string& points) {
        std::ofstream(folder / "study.toml") << fmt::format(
            "variants = [\"jenkins\"]\n[structure]\nwhole = \"{}\"\nstatic = {{ preload = 12845 }}\n"
            "[measurement]\nfile = \"measured.csv\"\nviscous = 1e-4\n{}\n[[mode]]\nmode = 1\n",
            data("brake_reuss/whole_joint.h5"), points);
        return read_study((folder / "study.toml").string());
    };
    const std::string path = (folder / "measured.csv").string();
    fit::Backbone measured;
    measured.amplitude = {1e-6, 3e-6, 2e-5, 3e-5, 1.5e-4, 4e-4};
    measured.omega = measured.zeta = std::vector<double>(measured.size(), 0.5);
    files::write_backbones(path, {measured});
    const auto truth = middle(find_variant("jenkins"), 0.4);
    {
        const auto study = read("");
        const auto points = Problem(study.variants[0], study.setup).backbone(truth, study.setup.modes[0]);
        for (std::size_t i = 0; i < points.size(); ++i) {
            ASSERT_TRUE(points[i].converged);
            measured.omega[i] = points[i].omega;
            measured.zeta[i] = points[i].zeta;
        }
    }
    ASSERT_GT(measured.zeta.back(), 2 * measured.zeta.front());  // they slip
    files::write_backbones(path, {measured});
    const auto errors_with = [&](const std::string& points) {
        const auto study = read(points);
        return fit::errors_of(
            Problem(study.variants[0], study.setup).evaluate(Phase::tight, truth).evaluation.objectives);
    };
    EXPECT_LT(errors_with("").damping, 1e-9);
    EXPECT_GT(errors_with("points = 20").damping, 1e-3);
    std::filesystem::remove_all(folder);
}

/// A frequency with noise: neighbouring accelerations may change places as modal amplitudes, and stay whole points.
TEST(StudyFile, NoisyAccelerationsKeepTheirPoints) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("faying_noisy_{}", ::getpid());
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "measured.csv") << "amplitude,omega,zeta\n1,1000,0.001\n1.01,1020,0.0011\n2,990,0.002\n";
    std::ofstream(folder / "study.toml") << fmt::format(
        "variants = [\"jenkins\"]\n[structure]\nwhole = \"{}\"\nstatic = {{ preload = 12845 }}\n[measurement]\n"
        "file = \"measured.csv\"\namplitude = \"acceleration\"\noutput = \"accelerometer\"\n[[mode]]\nmode = 1\n",
        data("brake_reuss/whole_joint.h5"));
    const auto study = read_study((folder / "study.toml").string());
    const auto& mode = study.setup.modes[0];
    EXPECT_EQ(mode.measured_amplitude, (std::vector<double>{1.01, 1, 2}));
    EXPECT_EQ(mode.data.omega, (std::vector<double>{1020, 1000, 990}));
    EXPECT_EQ(mode.data.zeta, (std::vector<double>{0.0011, 0.001, 0.002}));
    EXPECT_TRUE(std::is_sorted(mode.data.amplitude.begin(), mode.data.amplitude.end()));
    EXPECT_EQ(mode.zeta0, 0.001);
    std::filesystem::remove_all(folder);
}

}  // namespace
