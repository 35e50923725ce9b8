#pragma once
// Networks of sliders as requests and answers that show themselves: along a history of loads (`faying network`), and
// condensed to a law of few states (`faying condense`).
//
//     const auto net = network::read_network("net.toml");
//     const NetworkRun run = follow_network(net, input_from_path("0,1,-0.5,0.7"));     // run.history.xi
//     const CondenseRun small = condense_network(net, {.condense = {.states = 6}});    // small.made.law
//     io::write_file("law.toml", law_text(small));

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "faying/io/output.hpp"
#include "faying/network/condense.hpp"
#include "faying/results/loops.hpp"

namespace faying::results {

struct NetworkRun {
    network::Network network;
    LoopInput input;
    network::Method method;
    network::NetworkHistory history;
};

/// `slippers` keeps who slips when, which the figure needs. Throws BadInput for points of contact.
NetworkRun follow_network(network::Network net, LoopInput input, network::Method method = network::Method::events,
                          bool slippers = true);

nlohmann::json json(const NetworkRun& run);
io::Table table(const NetworkRun& run);
io::Figure figure(const NetworkRun& run);
std::string text(const NetworkRun& run);

struct CondenseRequest {
    network::CondenseOptions condense = {};
    std::vector<std::string> tests = {};            ///< loads as formulas in t; empty: histories that were held out
    std::string time = "0:62.83185307179586:2001";  ///< START:STOP:COUNT of the tests
    std::pair<int, int> curve = {1, 0};             ///< also the error for every number of states from .. to
    std::vector<std::string> rivals = {};           ///< laws fitted to the first training history
};

/// The largest of all histories.
struct WorstErrors {
    double force = 0, dissipation = 0, tangent = 0;
};
WorstErrors worst_of(const std::vector<network::HistoryError>& all);

struct CondenseRun {
    CondenseRequest request;
    Eigen::Index sliders = 0;
    network::Condensed made;
    std::vector<network::HistoryError> seen, unseen;
    std::vector<network::HistoryError>
        by_formula;  ///< of an ellipsoid: not seen, with the slip direction of [S3] ch. 5
    struct CurvePoint {
        int states;
        WorstErrors worst;
        bool converged;
    };
    std::vector<CurvePoint> curve;
    struct Loop {
        network::KnownHistory network;
        std::vector<double> law;  ///< its xi at the same points
    };
    std::vector<Loop> loops;  ///< of the histories it has not seen
    std::vector<network::RivalErrors> rivals;

    void require_converged() const;  ///< throws NotConverged where the fit stopped short
};

/// `done` hears what is counted ("test histories", "states"), how much of it is done, and of how much.
CondenseRun condense_network(const network::Network& net, CondenseRequest request,
                             const std::function<void(const char*, std::size_t, std::size_t)>& done = {});

nlohmann::json json(const CondenseRun& run);
/// The loops of the histories it has not seen beside the network's, and the error against the number of states.
io::Figure figure(const CondenseRun& run);
std::string text(const CondenseRun& run);
/// The law as a file that stands wherever a law's name does, opened by what it was made of and how good it is.
std::string law_text(const CondenseRun& run);

}  // namespace faying::results
