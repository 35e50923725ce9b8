#pragma once
// What `faying loop` is asked to follow: a path, cycles, a signal or a recorded history; and which laws.

#include <string>
#include <vector>

#include "faying/laws/catalogue.hpp"

namespace faying::app {

/// Points to follow. `report` picks the ones to print (turning points of a signal are followed but not printed).
struct LoopInput {
    std::vector<double> times;   ///< empty for a path
    std::vector<double> points;  ///< displacements (forces for a force-driven law)
    std::vector<std::size_t> report;
    std::vector<laws::Vector3<double>> contact;  ///< instead of points, for x:y:n paths
};

LoopInput input_from_path(const std::string& text);
LoopInput input_from_signal(const std::string& formula, const std::string& times);
LoopInput input_from_history(const std::string& file);
std::vector<double> parse_numbers(const std::string& text, const std::string& option);

/// "kt=1" "fs=2" -> values; throws naming the law and the word.
core::ParameterValues parse_parameters(const std::string& law, const std::vector<std::string>& words);

/// "iwan4:FS=10,KT=1": a law as --compare takes it.
laws::Law parse_law(const std::string& text);

/// The same path with every straight piece cut into `pieces`, for drawing (exact laws do not mind).
std::vector<double> refined(const std::vector<double>& points, int pieces);

}  // namespace faying::app
