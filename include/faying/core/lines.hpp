#pragma once
// Text that is put together line by line.
//
//     Lines out;
//     out.print("{:>14} {:16.9g}\n", "q", q);
//     const std::string text = std::move(out);

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace faying::core {

class Lines {
 public:
    template <class... Arguments>
    void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(all_), format, std::forward<Arguments>(arguments)...);
    }
    operator std::string() && { return std::move(all_); }

 private:
    std::string all_;
};

}  // namespace faying::core
