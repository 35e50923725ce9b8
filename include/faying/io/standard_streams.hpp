#pragma once
// Standard streams that a program can trust, and that a terminal can: see docs/trust.md.
//
//     open_standard_streams();
//     ignore_signals_of_writing();
//     escape_standard_streams();

#include <stdexcept>

namespace faying::io {

/// Printing to a full disk or a closed pipe; `code` is its errno.
struct OutputFailed : std::runtime_error {
    int code;
    explicit OutputFailed(int error);
};

/// Opens what was closed by whoever started this: else the first file that is opened would take its place, and be
/// written to by whatever prints. The wrong way round, so that printing still fails as it would have.
void open_standard_streams();

/// A file that grows too large, and a reader that goes away, are errors to be told of and not the end of us.
void ignore_signals_of_writing();

/// From here on, control characters in what is printed to standard output and standard error are spelled out, \u001b:
/// names in decks and files are shown, not obeyed. Valid JSON stays the same JSON, and a progress line may begin anew.
void escape_standard_streams();

/// Writes what is still buffered of standard output. Throws OutputFailed.
void flush_standard_output();

}  // namespace faying::io
