// Networks of sliders: time, events and memory of a period against the number of sliders, and what the methods of [S3]
// take for the same. One core, processor time.
//
//     bench_network [largest n, 2000 [smallest n, 100]]
//     bench_network 5000 5000                   # takes minutes, most of them to make the random matrix

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>

#include "cpu_time.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/network/follower.hpp"
#include "faying/network/generators.hpp"
#include "faying/network/m_state.hpp"
#include "faying/network/plays.hpp"

namespace {

using namespace faying;
using network::Follower;
using network::Network;

/// What a period of 1.2 sin t takes once the loop is steady, and its events.
struct Period {
    double seconds;
    unsigned long events;
};
Period period(const std::shared_ptr<const Network>& net, network::Method method = network::Method::events) {
    Follower walk(net, method);
    walk.advance(1.2);
    walk.advance(-1.2);
    const auto events = walk.events();
    const double start = bench::cpu_seconds();
    walk.advance(1.2);
    walk.advance(-1.2);
    return {bench::cpu_seconds() - start, walk.events() - events};
}

/// One step of [S3] Appendix A from rest to f = 0.1 and on to 0.2: both bounds of every slider, 2n unknowns.
double lemke_step(const Network& net) {
    const auto n = net.size();
    Eigen::MatrixXd M(2 * n, 2 * n);
    M << net.stiffness, -net.stiffness, -net.stiffness, net.stiffness;
    Eigen::VectorXd q(2 * n);
    q << net.friction - 0.2 * net.coupling, net.friction + 0.2 * net.coupling;
    const double start = bench::cpu_seconds();
    const auto found = network::solve_complementarity(M, q, network::Method::lemke);
    const double seconds = bench::cpu_seconds() - start;
    if (found.residual > 1e-9) fmt::print("  (Lemke's residual {:.1e})\n", found.residual);
    return seconds;
}

/// Of this process at its largest, MB.
double peak_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:") {
            double kilobytes = 0;
            status >> kilobytes;
            return kilobytes / 1024;
        }
    return std::nan("");
}

void growth(int smallest, int largest) {
    fmt::print(
        "random networks ([S3] 2.2, seed 12345), one period of 1.2 sin t\n{:>7}{:>10}{:>12}{:>14}{:>12}{:>12}{:>10}\n",
        "n", "events", "s", "us per event", "K, T MB", "peak MB", "growth");
    double last = 0, last_n = 0;
    for (const int n : {100, 500, 1000, 2000, 5000}) {
        if (n < smallest || n > largest) continue;
        std::fflush(stdout);
        const auto net = std::make_shared<const Network>(network::random_network(n, 12345));
        const auto [seconds, events] = period(net);
        const double memory = 2.0 * n * n * sizeof(double) / 1e6;  // what the walk needs: K and the tableau
        fmt::print("{:7}{:10}{:12.4f}{:14.1f}{:12.1f}{:12.1f}{:>10}\n", n, events, seconds,
                   1e6 * seconds / double(events), memory, peak_memory(),
                   last > 0 ? fmt::format("n^{:.2f}", std::log(seconds / last) / std::log(n / last_n)) : "");
        last = seconds;
        last_n = n;
    }
}

void against_others() {
    const auto hundred = std::make_shared<const Network>(network::random_network(100, 12345));
    const auto exact = period(hundred);
    fmt::print("\nn = 100, one period, velocities at each event by\n  pivots      {:9.4f} s\n", exact.seconds);
    for (const auto method : {network::Method::newton, network::Method::lemke}) {
        const auto other = period(hundred, method);
        fmt::print("  {:<12}{:9.4f} s  ({:.0f} times)\n", network::name_of(method), other.seconds,
                   other.seconds / exact.seconds);
    }
    for (const int n : {100, 500}) {
        const auto net = std::make_shared<const Network>(network::random_network(n, 12345));
        const double step = lemke_step(*net), whole = period(net).seconds;
        fmt::print(
            "n = {}: one Lemke step of [S3] App. A {:.3f} s; the whole period, exactly, {:.3f} s: {:.1f} steps\n", n,
            step, whole, whole / step);
    }
}

/// [S3] Appendix G: the two-state law against an Iwan law of 200 sliders, seconds for the same signal of 120,000
/// points.
void appendix_g() {
    std::vector<double> path;
    for (int i = 0; i < 120000; ++i) {
        const double t = 1e-3 * i;
        path.push_back(0.6748 * std::sin(t) + 0.2887 * std::sin(6.5581 * t));
    }
    const auto timed = [&](const laws::Law& law) {
        const double start = bench::cpu_seconds();
        law.follow(path);
        return bench::cpu_seconds() - start;
    };
    const double two = timed(laws::Law(
        "two-state", {{"alpha", 2.0 / 3}, {"sigma", 1.0 / 16}, {"b1", 0.48686449556014766}, {"b2", 0.65546138683345}}));
    const auto sliders = [&](int count) {
        return timed(laws::Law("equal-sliders", {{"k", 1}, {"phi_max", 1}, {"count", double(count)}}));
    };
    const double twenty = sliders(20), iwan = sliders(200);
    const double increments = timed(
        laws::Law("two-state-increment",
                  {{"alpha", 2.0 / 3}, {"sigma", 1.0 / 16}, {"b1", 0.48686449556014766}, {"b2", 0.65546138683345}}));
    const double masing = timed(laws::Law("iwan4", {{"FS", 0.5}, {"KT", 1}, {"chi", 0}, {"beta", 0}}));
    network::Plays plays(network::parallel_network(200, 1.0 / 200));
    const double start = bench::cpu_seconds();
    for (const double u : path) plays.advance(u);
    const double sums = bench::cpu_seconds() - start;
    fmt::print(
        "\n[S3] Appendix G (there: 20 sliders by complementarity take 5 times the two-state increments): 120,000 "
        "points\n"
        "  two-state, closed form         {:8.4f} s\n",
        two);
    const auto row = [&](const char* name, double seconds) {
        fmt::print("  {:<30} {:8.4f} s  ({:.2f} times)\n", name, seconds, seconds / two);
    };
    row("two-state, increments", increments);
    row("20 sliders one by one", twenty);
    row("200 sliders one by one", iwan);
    row("200 sliders by running sums", sums);
    row("Iwan-4, exact continuum", masing);
}

}  // namespace

int main(int argc, char** argv) {
    const int largest = argc > 1 ? std::atoi(argv[1]) : 2000;
    const int smallest = argc > 2 ? std::atoi(argv[2]) : 100;
    growth(smallest, largest);
    if (smallest > 100) return 0;
    against_others();
    appendix_g();
}
