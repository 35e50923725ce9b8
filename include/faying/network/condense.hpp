#pragma once
// A network of many sliders as a law of few states.
//
//     CondenseOptions options{.states = 6};
//     const auto training = training_histories(net, options);      // the network's own answers, once
//     const Condensed small = condense(net, training, options);
//     for (const auto& e : errors(small.law, held_out_histories(net, options))) e.dissipation;
//
// Three kinds of set (m_state.hpp):
//
//     box        m sliders joined by springs, K, mu and b free (mu = 1 without loss): least squares of xi and of what
//                is dissipated along the training histories, with exact derivatives.
//     polytope   the box with its corners cut: more pairs of facets than states, their normals free too. Facets grow
//                where the law so far dissipates with several facets at once.
//     ellipsoid  [S3] 2.3: x = Phi q with a basis from the network's own motion, Kbar = Phi^T K Phi, bbar = Phi^T b, and
//                A fitted to G(eta)^2 = (Sum_j mu_j |(Phi eta)_j|)^2 = eta.A eta over random directions.

#include <string>
#include <vector>

#include "faying/core/error.hpp"
#include "faying/network/history.hpp"
#include "faying/network/m_state.hpp"

namespace faying::network {

enum class Set { box, polytope, ellipsoid };
/// Of the ellipsoid: singular vectors of the positions; the first half of those and then of the motions just after
/// turning points ([S3] 2.3.1); or one after the other the motion that the basis so far misses most.
enum class Basis { svd, reversal, greedy };
/// Of the ellipsoid: directions count alike, or by the friction they meet.
enum class FitOf { relative, absolute };

std::string_view name_of(Set set);
std::string_view name_of(Basis basis);
std::string_view name_of(FitOf fit);

/// The one of this name; throws BadInput that names `where` and all of them.
template <class Enum>
Enum chosen(const std::string& where, const std::string& word, std::initializer_list<Enum> all) {
    std::string names;
    for (const Enum one : all) {
        if (name_of(one) == word) return one;
        names += (names.empty() ? "" : ", ") + std::string(name_of(one));
    }
    throw core::BadInput(where, "unknown '" + word + "'; allowed are: " + names);
}

struct CondenseOptions {
    int states = 6;
    Set set = Set::polytope;
    int facets = 0;  ///< of a polytope, pairs of them; 0: six per state, at most forty
    Basis basis = Basis::svd;
    FitOf fit = FitOf::relative;
    double load = 0;  ///< the largest the law is made for; 0: where the network's compliance is nine tenths of its last
    double smallest = 0;     ///< peaks of the loads it is made for begin here; 0: a quarter of the largest
    std::uint64_t seed = 1;  ///< of random directions and random histories
    int iterations = 600;

    void check() const;
};

/// A load history with the network's answer: turning points and points between.
struct KnownHistory {
    std::string name;
    std::vector<double> load, xi, dissipated, tangent;
};

/// The largest load that `options` mean for this network.
double largest_load(const Network& network, const CondenseOptions& options);

/// The smallest over the largest.
double smallest_share(double largest, const CondenseOptions& options);

/// Cycles that grow, two tones of many sizes, shares and ratios, and turning points drawn at random: what a law is
/// fitted to.
std::vector<KnownHistory> training_histories(const Network& network, const CondenseOptions& options);
/// Other tones, other amplitudes, and turning points drawn at random: what it has not seen.
std::vector<KnownHistory> held_out_histories(const Network& network, const CondenseOptions& options);
/// The network along a history of the caller's.
KnownHistory known_history(const Network& network, const std::string& name, const std::vector<double>& loads);

struct HistoryError {
    std::string name;
    double answer = 0;       ///< root mean square of xi, over the range of the network's
    double dissipation = 0;  ///< relative, at the end of the history, with its sign
    double tangent = 0;      ///< root mean square of dxi/df, over the network's largest
    double peak_load = 0;
};

struct Condensed {
    MState law;
    double load = 0;  ///< the largest it was made for
    double cost = 0;  ///< root mean square of all residuals of the fit (box, polytope); of G, relative (ellipsoid)
    int iterations = 0;
    bool converged = true;
};

Condensed condense(const Network& network, const std::vector<KnownHistory>& training, const CondenseOptions& options);

/// xi of the law along a history.
std::vector<double> answered(const MState& law, const KnownHistory& history);

std::vector<HistoryError> errors(const MState& law, const std::vector<KnownHistory>& histories);

/// What a law of the catalogue, fitted by `fit::identify` to the first of these histories put end to end, reaches on
/// the others: the network's xi is prescribed, and its force the answer.
struct RivalErrors {
    std::string law;
    core::ParameterValues parameters;
    std::vector<HistoryError> errors;
};
RivalErrors rival(const std::string& law, const std::vector<KnownHistory>& training,
                  const std::vector<KnownHistory>& held_out);

}  // namespace faying::network
