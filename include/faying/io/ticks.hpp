#pragma once
// Where the ticks of an axis go, and what they say: steps of 1, 2 or 5 times a power of ten; decades on a logarithmic
// axis, with 1-2-5 or 1-3-10 where there are few. web/ticks.js is the same mathematics for the browser, which needs
// it again at every zoom; tests/io/page_test.py holds the two together.

#include <string>
#include <vector>

namespace faying::io {

struct Tick {
    double value;       ///< the double nearest to the decimal that the label shows
    std::string label;  ///< empty on a minor tick
    bool operator==(const Tick&) const = default;
};

struct Range {
    double low, high;
};

/// The range of an axis for data between low and high: some air at both ends, never empty.
Range padded(double low, double high, bool logarithmic);

/// Ascending ticks within the range, about count of them labelled (at most count + 1 on a linear axis). Logarithmic:
/// 0 < low.
std::vector<Tick> ticks(Range range, bool logarithmic, int count);

}  // namespace faying::io
