#include "faying/sparse/messages.hpp"

#include <cstdlib>

#include "faying/sparse/ranks.hpp"
#include "petsc.hpp"

namespace faying::sparse {

namespace {
constexpr int tag = 4711;
}

void send(int rank, const std::string& text) {
    petsc().MPI_Send(text.data(), static_cast<int>(text.size()), petsc().characters, rank, tag, world());
}

std::optional<Message> arrived() {
    int there = 0;
    MPI_Status status;
    petsc().MPI_Iprobe(MPI_ANY_SOURCE, tag, world(), &there, &status);
    if (!there) return {};
    int size = 0;
    petsc().MPI_Get_count(&status, petsc().characters, &size);
    Message m{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
    petsc().MPI_Recv(m.text.data(), size, petsc().characters, m.from, tag, world(), MPI_STATUS_IGNORE);
    return m;
}

void end_all(int status) {
    if (ranks() > 1) petsc().MPI_Abort(world(), status);
    std::_Exit(status);
}

}  // namespace faying::sparse
