#include "faying/network/condense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ellipsoid_fit.hpp"
#include "faying/core/error.hpp"
#include "faying/fit/identify.hpp"
#include "faying/laws/law_file.hpp"
#include "slider_fit.hpp"

namespace faying::network {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::array set_names{std::pair{Set::box, "box"}, std::pair{Set::polytope, "polytope"},
                               std::pair{Set::ellipsoid, "ellipsoid"}};
constexpr std::array basis_names{std::pair{Basis::svd, "svd"}, std::pair{Basis::reversal, "reversal"},
                                 std::pair{Basis::greedy, "greedy"}};
constexpr std::array fit_names{std::pair{FitOf::relative, "relative"}, std::pair{FitOf::absolute, "absolute"}};

template <class Names, class Value>
std::string_view found_name(const Names& names, Value value) {
    for (const auto& [v, name] : names)
        if (v == value) return name;
    return "";
}

void check_states(const Network& network, const CondenseOptions& options) {
    options.check();
    if (options.states > network.size())
        throw core::BadInput("condense", fmt::format("{} states are more than the network's {} sliders", options.states,
                                                     network.size()));
}

}  // namespace

std::string_view name_of(Set set) { return found_name(set_names, set); }
std::string_view name_of(Basis basis) { return found_name(basis_names, basis); }
std::string_view name_of(FitOf fit) { return found_name(fit_names, fit); }

double range_of(const std::vector<double>& x) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    return std::max(*high - *low, 1e-300);
}

Condensed condense(const Network& network, const std::vector<KnownHistory>& training, const CondenseOptions& options) {
    check_states(network, options);
    return options.set == Set::ellipsoid ? condense_ellipsoid(network, training, options)
                                         : condense_sliders(network, training, options);
}

std::vector<double> answered(const MState& law, const KnownHistory& history) {
    const bool force = law.drive() == laws::Drive::force;
    const double held = force ? 0.0 : law.held();
    std::vector<double> xi;
    NetworkState z = law.virgin();
    for (const double load : history.load) {
        const double answer = law.step(z, load).answer;
        xi.push_back(force ? answer : held * load - answer);
    }
    return xi;
}

std::vector<HistoryError> errors(const MState& law, const std::vector<KnownHistory>& histories) {
    std::vector<HistoryError> all;
    const bool force = law.drive() == laws::Drive::force;
    const double held = force ? 0.0 : law.held();
    for (const auto& h : histories) {
        NetworkState z = law.virgin();
        double answer = 0, tangent = 0;
        for (std::size_t i = 0; i < h.load.size(); ++i) {
            const auto a = law.step(z, h.load[i]);
            const double xi = force ? a.answer : held * h.load[i] - a.answer;
            answer += std::pow(xi - h.xi[i], 2);
            tangent += std::pow((force ? a.tangent : held - a.tangent) - h.tangent[i], 2);
        }
        const double n = double(h.load.size());
        const auto [low, high] = std::minmax_element(h.load.begin(), h.load.end());
        all.push_back({h.name, std::sqrt(answer / n) / range_of(h.xi), z.dissipated / h.dissipated.back() - 1.0,
                       std::sqrt(tangent / n) / *std::max_element(h.tangent.begin(), h.tangent.end()),
                       std::max(std::abs(*low), std::abs(*high))});
    }
    return all;
}

RivalErrors rival(const std::string& law, const std::vector<KnownHistory>& training,
                  const std::vector<KnownHistory>& held_out) {
    if (laws::is_law_file(law)) {
        RivalErrors r{law, {}, errors(read_m_state(law), held_out)};
        return r;
    }
    fit::Loop loop;
    loop.u.push_back(0.0);
    loop.f.push_back(0.0);
    for (std::size_t i = 0; i < training.front().load.size(); ++i) {
        loop.u.push_back(training.front().xi[i]);
        loop.f.push_back(training.front().load[i]);
    }
    fit::IdentifyOptions options;
    options.memory = fit::Memory::virgin;
    const auto fitted = fit::identify(loop, law, options);
    RivalErrors r{law, fitted.parameters, {}};
    const laws::Law known(law, fitted.parameters);
    for (const auto& h : held_out) {
        const auto answer = known.follow(h.xi);
        double sum = 0;
        for (std::size_t i = 0; i < h.load.size(); ++i) sum += std::pow(answer.f[i] - h.load[i], 2);
        r.errors.push_back({h.name, std::sqrt(sum / double(h.load.size())) / range_of(h.load),
                            answer.dissipated.back() / h.dissipated.back() - 1.0, std::nan(""),
                            *std::max_element(h.load.begin(), h.load.end())});
    }
    return r;
}

}  // namespace faying::network
