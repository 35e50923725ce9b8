#include "faying/laws/check.hpp"

#include <fmt/format.h>

namespace faying::laws::detail {

std::string describe(const char* quantity, double got, double expected, double at) {
    return fmt::format("{} is {:.10g} where {:.10g} is expected, at displacement {:.6g}", quantity, got, expected, at);
}

}  // namespace faying::laws::detail
