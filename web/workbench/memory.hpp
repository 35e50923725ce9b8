#pragma once
// What a law remembers at the end of a path: the turning points that are still open, or a few numbers.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace faying::workbench {

struct Remembered {
    std::string law;
    std::optional<std::vector<std::array<double, 2>>> turns = {};  ///< (u, f), the oldest first
    std::vector<std::pair<std::string, double>> numbers = {};      ///< by what they are
};

/// Of each law of an expression, its values in table order.
std::vector<Remembered> remembered(const std::string& expression, const std::vector<double>& values,
                                   std::span<const double> points);

}  // namespace faying::workbench
