#pragma once
// The box of parameters that is searched, and its coordinates: every parameter runs from 0 to 1, linearly or in its
// logarithm, as the law's table says. Distances between parameter sets are taken in these coordinates.
//
//     const auto space = search_space("iwan4", law.parameters(), {{"FS", {1e2, 1e5}}, {"KT", {1e6, 1e9}}, ..});
//     space.values({0.5, ..});         // FS = 3162, ..

#include <map>
#include <string>
#include <vector>

#include "faying/core/parameter.hpp"

namespace faying::fit {

struct Range {
    double lower = 0, upper = 1;
};

struct Axis {
    std::string key;
    Range range;
    core::Scale scale = core::Scale::linear;
};

class Space {
 public:
    /// Throws BadInput for an empty, infinite or (on a log axis) not positive range.
    explicit Space(std::vector<Axis> axes);

    std::size_t size() const { return axes_.size(); }
    const std::vector<Axis>& axes() const { return axes_; }
    /// The ends of the range are met exactly; coordinates beyond [0, 1] count as the end.
    std::vector<double> values(const std::vector<double>& coordinates) const;
    /// Values outside the range are moved to its end.
    std::vector<double> coordinates(const std::vector<double>& values) const;
    /// d value / d coordinate
    std::vector<double> slopes(const std::vector<double>& coordinates) const;

 private:
    std::vector<Axis> axes_;
};

/// Axes for a law's table. A given range must lie within the table's bounds. Without one the table's own bounds are
/// taken if they are finite; a parameter that has a default is then left at it and has no axis. Throws BadInput naming
/// `owner`, the key and what is allowed.
Space search_space(const std::string& owner, const std::vector<core::ParameterInfo>& table,
                   const std::map<std::string, Range>& ranges);

}  // namespace faying::fit
