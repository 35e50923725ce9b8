#pragma once
// FNV-1a: tells whether bytes are the same as before, no more.
//
//     core::Checksum sum; sum.add("text"); sum.add(number); sum.value();

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace faying::core {

class Checksum {
 public:
    void add(std::string_view bytes) {
        for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * 1099511628211u;
    }
    template <class T>
    requires std::is_arithmetic_v<T>
    void add(T number) { add(std::string_view(reinterpret_cast<const char*>(&number), sizeof number)); }
    std::uint64_t value() const { return value_; }

 private:
    std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace faying::core
