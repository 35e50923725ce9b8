#pragma once
// What reading and writing MATLAB files share: matio's objects with owners, and its complaints captured.

#include <matio.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace faying::archive::matlab {

struct CloseFile {
    void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
    void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using File = std::unique_ptr<mat_t, CloseFile>;
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

/// matio reports through one global function, and by default prints, or ends the program. Here it is listened to.
class Listening {
 public:
    Listening();
    std::string message() const;  ///< the first one since then, " (..)", or nothing
};

/// The number of variables of a version 5 file: elements of a type, a length and that many bytes, to the very end of
/// the file. Nothing where they do not end there.
std::optional<int> count_variables(const std::string& path, bool swapped);

}  // namespace faying::archive::matlab
