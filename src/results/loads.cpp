#include "faying/results/loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/io/csv.hpp"
#include "faying/modes/about.hpp"
#include "faying/modes/backbone.hpp"
#include "faying/modes/linear.hpp"

namespace faying::results {

namespace {

using core::Words;

void check_mode(const structure::Model& model, Eigen::Index mode, const std::string& option) {
    if (mode < 1 || mode > model.size())
        throw core::BadInput(option, fmt::format("there is no mode {}; allowed are 1 to {}", mode, model.size()));
}

double stuck_omega(const structure::Model& model, Eigen::Index mode, const std::string& option) {
    check_mode(model, mode, option);
    return modes::linear_modes(model.mass, structure::stuck_stiffness(model), mode).omega(mode - 1);
}

transient::History half_sine_load(const structure::Model& model, Words& words, Eigen::Index loaded_mode) {
    const double p = words.number("p");
    if (words.has("omega")) return transient::half_sine(p, words.number("omega"));
    const Eigen::Index pulse = words.has("pulse") ? words.index("pulse") : loaded_mode;
    if (pulse == 0)
        throw core::BadInput(words.owner(), "give the pulse's omega=RAD/S, or pulse=MODE to take that of a stuck mode");
    return transient::half_sine(p, stuck_omega(model, pulse, words.owner()));
}

/// Two columns of a file: time or frequency, and value.
io::Table two_columns(const std::string& file, const char* first) {
    io::Table table = io::read_csv(file);
    if (table.columns.size() != 2)
        throw core::BadInput(file,
                             fmt::format("has {} columns; expected two, {} and value", table.columns.size(), first));
    return table;
}

transient::History tabulated_load(Words& words) {
    const std::string file = words.take("file");
    io::Table table = two_columns(file, "time");
    const double scale = words.number("scale", 1);
    for (double& x : table.columns[1]) x *= scale;
    try {
        return transient::tabulated(table.columns[0], table.columns[1]);
    } catch (const core::BadInput& error) {
        throw core::BadInput(file, error.what());
    }
}

transient::History random_load(Words& words) {
    const double lines = words.number("lines", 500), seed = words.number("seed", 1);
    if (!(lines >= 1 && lines <= 1e6) || !(seed >= 0 && seed <= 9e15))
        throw core::BadInput(words.owner(), "lines must be 1 to 1e6 and seed 0 to 9e15");
    if (words.has("file")) {
        const std::string file = words.take("file");
        const io::Table table = two_columns(file, "frequency (rad/s)");
        try {
            return transient::random(table.columns[0], table.columns[1], int(lines), std::uint64_t(seed));
        } catch (const core::BadInput& error) {
            throw core::BadInput(file, error.what());
        }
    }
    const double level = words.number("level"), from = words.number("from"), to = words.number("to");
    return transient::random(level, from, to, int(lines), std::uint64_t(seed));
}

}  // namespace

Eigen::VectorXd load_shape(const structure::Model& model, Words& words) {
    const int ways = words.has("at") + words.has("mode") + words.has("base") + words.has("output") + words.has("load");
    if (ways != 1)
        throw core::BadInput(words.owner(), "give exactly one of at=DOF, output=NAME, load=NAME, mode=N and base=1");
    if (words.has("at")) {
        const Eigen::Index dof = words.index("at");
        if (dof < 1 || dof > model.size())
            throw core::BadInput(words.owner(),
                                 fmt::format("DOF {} does not exist; allowed are 1 to {}", dof, model.size()));
        return transient::point_load(model, dof);
    }
    if (words.has("output")) return structure::find_output(model, words.take("output"));
    if (words.has("load")) return structure::find_load(model, words.take("load"));
    if (words.has("base")) {
        const Eigen::VectorXd rigid = words.vector("base");
        return transient::base_load(
            model, rigid.size() == 1 ? Eigen::VectorXd(rigid(0) * Eigen::VectorXd::Ones(model.size())) : rigid);
    }
    const Eigen::Index mode = words.index("mode");
    const std::string shape = words.has("shape") ? words.take("shape") : "stuck";
    if (shape != "stuck" && shape != "slip")
        throw core::BadInput(words.owner(), fmt::format("shape '{}' is not known; allowed are stuck, slip", shape));
    return transient::mode_load(model, mode, shape == "slip");
}

transient::Load parse_load(const structure::Model& model, const LoadWords& given) {
    const std::string option = "--" + given.kind;
    Words words(option, given.text);
    const Eigen::Index loaded_mode = words.has("mode") ? Words(words).index("mode") : 0;
    transient::Load load{load_shape(model, words), {}};
    constexpr double forever = std::numeric_limits<double>::infinity();
    if (given.kind == "impulse") {
        load.history = half_sine_load(model, words, loaded_mode);
    } else if (given.kind == "sine") {
        const double p = words.number("p"), omega = words.number("omega");
        load.history = transient::sine(p, omega, words.number("phase", 0), words.number("duration", forever));
    } else if (given.kind == "chirp") {
        const double p = words.number("p"), from = words.number("from"), to = words.number("to");
        load.history = transient::chirp(p, from, to, words.number("duration"));
    } else if (given.kind == "random") {
        load.history = random_load(words);
    } else {
        load.history = tabulated_load(words);
    }
    words.finish();
    return load;
}

void check_size(const std::string& option, const std::string& what, double x) {
    using modes::least_amplitude, modes::largest_amplitude;
    if (!(x >= least_amplitude && x <= largest_amplitude))
        throw core::BadInput(
            option, fmt::format("{} = {:g} is not in [{:g}, {:g}]: squares of it are no normal numbers", what, x,
                                least_amplitude, largest_amplitude));
}

HarmonicForceWords parse_harmonic_force(const structure::Model& model, const std::string& text) {
    Words words("--force", text);
    HarmonicForceWords force{load_shape(model, words), {}};
    const Eigen::VectorXd levels = words.vector("p");
    force.levels.assign(levels.begin(), levels.end());
    words.finish();
    for (const double p : force.levels) {
        if (!(p > 0)) throw core::BadInput("--force", fmt::format("p = {:g} is not above zero", p));
        check_size("--force", "p", p);
    }
    auto sorted = force.levels;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        throw core::BadInput("--force", "a level of p is given twice");
    if (sorted.size() > 1000)
        throw core::BadInput("--force", fmt::format("{} levels of p; at most 1000 are followed", sorted.size()));
    return force;
}

transient::Start parse_start(const structure::Model& model, const std::string& free, bool preload) {
    transient::Start start;
    start.preloaded = preload;
    if (free.empty()) return start;
    Words words("--free", free);
    if (words.has("mode")) {
        const Eigen::Index mode = words.index("mode");
        check_mode(model, mode, "--free");
        const Eigen::VectorXd phi =
            modes::modes_about(model, preload ? modes::About::preload : modes::About::stuck, mode)
                .modes.shapes.col(mode - 1);
        const double q = words.number("q", 0), v = words.number("v", 0);
        start.displacement = q * phi;
        start.velocity = v * phi;
    } else {
        if (words.has("u")) start.displacement = words.vector("u");
        if (words.has("v")) start.velocity = words.vector("v");
    }
    words.finish();
    for (const auto* x : {&start.displacement, &start.velocity})
        if (x->size() != 0 && x->size() != model.size())
            throw core::BadInput("--free",
                                 fmt::format("u and v need {} numbers, separated by semicolons", model.size()));
    return start;
}

}  // namespace faying::results
