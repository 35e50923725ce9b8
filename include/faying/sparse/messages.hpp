#pragma once
// Texts from rank to rank. Calls from several threads must not overlap.
//
//     send(1, task);                                     // on rank 0
//     if (auto message = arrived()) answer(message->text);

#include <optional>
#include <string>

namespace faying::sparse {

struct Message {
    int from = 0;
    std::string text;
};

/// Returns when the text may be changed; the other side may not have it yet.
void send(int rank, const std::string& text);
/// A message that has come, if there is one.
std::optional<Message> arrived();
/// Ends all ranks at once, with this status.
[[noreturn]] void end_all(int status);

}  // namespace faying::sparse
