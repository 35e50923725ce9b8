// Full joints: processor seconds of one evaluation with gradients, as a study's search does it, of each of the five
// full-joint variants of [S0] on the beam's own interface; beside another build of this program when one is named.
//
//     faying mesh brake-reuss --out beam.inp && faying reduce full_joint.toml --out full_joint.h5   # in the example
//     bench_fulljoint [SETS [STUDY.toml [BEFORE]]]          # BEFORE: the bench_fulljoint of another version
//
// Sets are random within [S0] Appendix A, the first in the middle. `worst`: the largest difference of frequency
// (relative) and damping ratio (relative) from BEFORE, over sets and amplitudes that both converge at.

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>

#include "cpu_time.hpp"
#include "faying/core/error.hpp"
#include "faying/study/run.hpp"

namespace {

using namespace faying;
using namespace faying::bench;

struct Measured {
    double seconds = 0, slowest = 0;
    int sets = 0, unusable = 0;
    std::vector<std::vector<double>> omega, zeta;  ///< by set; empty where it is not usable
};

Measured measure(const study::Problem& problem, int sets) {
    Measured m;
    std::mt19937_64 random(1);
    for (int set = 0; set < sets; ++set) {
        const auto law = study::draw(problem.variant(), set == 0 ? nullptr : &random);
        std::vector<double> values;
        for (const auto& axis : problem.variant().axes) values.push_back(law.at(axis.key));
        const double start = cpu_seconds();
        const auto found = problem.predicted(values, 0, true);
        const double took = cpu_seconds() - start;
        m.seconds += took / sets;
        m.slowest = std::max(m.slowest, took);
        ++m.sets;
        m.unusable += !found;
        auto& omega = m.omega.emplace_back();
        auto& zeta = m.zeta.emplace_back();
        for (Eigen::Index i = 0; found && i < found->omega.size(); ++i) {
            omega.push_back(found->omega(i));
            zeta.push_back(found->zeta(i));
        }
    }
    return m;
}

/// What another build of this program finds: a line per set.
std::map<std::string, Measured> run(const std::string& program, const std::string& arguments) {
    std::map<std::string, Measured> all;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen((program + " " + arguments).c_str(), "r"),
                                                               ::pclose);
    if (!pipe) throw core::BadInput(program, "cannot be run");
    std::array<char, 256> line{};
    std::array<char, 128> name{};
    double seconds = 0, omega = 0, zeta = 0;
    int set = 0, usable = 0;
    while (std::fgets(line.data(), int(line.size()), pipe.get())) {
        if (std::sscanf(line.data(), "set %127s %d %d %lf", name.data(), &set, &usable, &seconds) == 4) {
            auto& m = all[name.data()];
            m.omega.emplace_back();
            m.zeta.emplace_back();
            m.unusable += usable == 0;
            ++m.sets;
            m.seconds += seconds;
        } else if (std::sscanf(line.data(), "point %127s %lf %lf", name.data(), &omega, &zeta) == 3) {
            all[name.data()].omega.back().push_back(omega);
            all[name.data()].zeta.back().push_back(zeta);
        }
    }
    return all;
}

/// Lines that `run` reads.
void print_plain(const std::string& name, const Measured& m) {
    for (std::size_t set = 0; set < m.omega.size(); ++set) {
        fmt::print("set {} {} {} {:.6g}\n", name, set, m.omega[set].empty() ? 0 : 1, m.seconds / m.sets);
        for (std::size_t i = 0; i < m.omega[set].size(); ++i)
            fmt::print("point {} {:.17g} {:.17g}\n", name, m.omega[set][i], m.zeta[set][i]);
    }
    std::fflush(stdout);
}

double worst(const std::vector<std::vector<double>>& now, const std::vector<std::vector<double>>& before) {
    double most = 0;
    for (std::size_t set = 0; set < std::min(now.size(), before.size()); ++set)
        for (std::size_t i = 0; i < std::min(now[set].size(), before[set].size()); ++i)
            most = std::max(most, std::abs(now[set][i] / before[set][i] - 1));
    return most;
}

}  // namespace

int main(int argc, char** argv) try {
    const int sets = std::max(1, argc > 1 ? std::atoi(argv[1]) : 5);
    const std::string file = argc > 2 ? argv[2] : FAYING_SOURCE_DIR "/examples/brake_reuss/all26.toml";
    const std::string before_program = argc > 3 ? argv[3] : "";
    const bool plain = before_program == "--plain";
    const auto study = study::read_study(file);
    std::map<std::string, Measured> before;
    if (!plain && !before_program.empty()) before = run(before_program, fmt::format("{} {} --plain", sets, file));
    if (!plain)
        fmt::print("{:32} {:>6} {:>12} {:>8} {:>9} {:>9} {:>8} {:>16}\n", "variant", "sets", "here / s", "slowest",
                   "unusable", "before/s", "ratio", "worst omega zeta");
    for (const auto& v : study.variants) {
        if (!v.full) continue;
        const study::Problem problem(v, study.setup);
        const auto m = measure(problem, sets);
        if (plain) {
            print_plain(v.name, m);
            continue;
        }
        fmt::print("{:32} {:6} {:12.3f} {:8.3f} {:6}/{:<2}", v.name, m.sets, m.seconds, m.slowest, m.unusable, m.sets);
        if (const auto old = before.find(v.name); old != before.end())
            fmt::print(" {:9.3f} {:8.1f} {:8.1e} {:8.1e} (unusable {})", old->second.seconds,
                       old->second.seconds / m.seconds, worst(m.omega, old->second.omega),
                       worst(m.zeta, old->second.zeta), old->second.unusable);
        fmt::print("\n");
        std::fflush(stdout);
    }
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_fulljoint: {}\n", error.what());
    return 2;
}
