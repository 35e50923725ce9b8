#pragma once
// Laws as they are written: `iwan4`, `iwan4+kp`, `jenkins+jenkins`. This is the one place where such names are taken
// apart.
//
//     for (const auto& part : parts_of("jenkins+iwan4+kp")) part.law->info.key, part.parameters;
//
// A name joined by '+' puts laws in parallel; `kp` is a linear spring beside others. A parameter that two parts share
// is written with the number of the part in front: jenkins+iwan4+kp has kt, fs, FS, KT, .., kp; jenkins+jenkins has
// 1.kt, 1.fs, 2.kt, 2.fs.

#include <string>
#include <string_view>
#include <vector>

#include "faying/laws/entry.hpp"

namespace faying::laws {

struct ExpressionPart {
    const LawEntry* law = nullptr;
    std::vector<core::ParameterInfo> parameters;  ///< of the law, under the names the expression gives them
};

/// Throws BadInput naming the allowed keys. `components`: 1, or 3 for a contact law, which stands alone.
std::vector<ExpressionPart> parts_of(const std::string& name, int components = 1);

/// All parameters of an expression, under the names it gives them.
std::vector<core::ParameterInfo> expression_parameters(const std::string& name, int components = 1);

/// Keys of several parts as an expression names them: bare where only one part has the key, else numbered.
std::vector<std::vector<std::string>> named_apart(const std::vector<std::vector<std::string>>& keys);

}  // namespace faying::laws
