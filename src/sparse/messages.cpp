#include "faying/sparse/messages.hpp"

#include <cstdlib>

#include "faying/sparse/ranks.hpp"
#include "petsc.hpp"

namespace faying::sparse {

namespace {
constexpr int tag = 4711;
}

void send(int rank, const std::string& text) {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, tag, PETSC_COMM_WORLD);
}

std::optional<Message> arrived() {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, PETSC_COMM_WORLD, &there, &status);
    if (!there) return {};
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Message m{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(m.text.data(), size, MPI_CHAR, m.from, tag, PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
    return m;
}

void end_all(int status) {
    if (ranks() > 1) MPI_Abort(PETSC_COMM_WORLD, status);
    std::_Exit(status);
}

}  // namespace faying::sparse
