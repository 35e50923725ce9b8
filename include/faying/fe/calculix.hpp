#pragma once
// CalculiX as a process: run a deck in its own folder, surface its notes, read back what it stored.
//
//     io::ScratchFolder folder;
//     const auto run = fe::run_calculix(deck_text, folder.path());           // throws when ccx is missing or refuses
//     const auto stored = fe::read_stored_matrices(run.folder, run.job);     // *FREQUENCY, SOLVER=MATRIXSTORAGE
//     const auto modes = fe::read_eigenfrequencies(run.folder, run.job);     // *FREQUENCY

#include <Eigen/Sparse>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "faying/core/error.hpp"
#include "faying/io/process.hpp"

namespace faying::fe {

struct CalculixOptions {
    std::string program = "ccx";  ///< a name on PATH or a path
    double time_limit = 600;      ///< seconds; the process is killed then
    int threads = 1;              ///< OMP_NUM_THREADS: one gives the same bits every time
};

struct CalculixRun {
    int exit_status = 0;
    std::string log;                    ///< all that it printed
    std::vector<std::string> warnings;  ///< its *WARNING paragraphs
    std::filesystem::path folder;
    std::string job;
};

/// ccx ran and refused the deck, crashed, or took too long. The message quotes its *ERROR paragraphs.
class CalculixFailed : public core::BadInput {
 public:
    CalculixFailed(const std::string& where, const std::string& what, CalculixRun failed)
        : BadInput(where, what), run(std::move(failed)) {}
    CalculixRun run;
};

/// Runs a deck given as text, written to folder/job.inp. A missing program is a BadInput naming the package to install;
/// an *ERROR in its output, a status other than zero or the time limit is a CalculixFailed.
CalculixRun run_calculix(std::string_view deck, const std::filesystem::path& folder,
                         const CalculixOptions& options = {}, const std::string& job = "job");

/// Runs a deck that is a file, where it lies, so that its *INCLUDE lines hold.
CalculixRun run_calculix_file(const std::filesystem::path& deck, const CalculixOptions& options = {});

struct NodeDof {
    int node;       ///< as in the deck
    int direction;  ///< 1, 2, 3
};

struct StoredMatrices {
    Eigen::SparseMatrix<double> stiffness, mass;  ///< both triangles
    std::vector<NodeDof> dof;                     ///< of each row
};

/// job.sti, job.mas and job.dof of *FREQUENCY, SOLVER=MATRIXSTORAGE: 14 digits, constrained DOF left out.
StoredMatrices read_stored_matrices(const std::filesystem::path& folder, const std::string& job);

struct Eigenfrequency {
    double omega_squared;  ///< rad^2/time^2
    double omega;          ///< rad/time
    double frequency;      ///< cycles/time
};

/// The table of job.dat after *FREQUENCY; seven or so digits.
std::vector<Eigenfrequency> read_eigenfrequencies(const std::filesystem::path& folder, const std::string& job);

}  // namespace faying::fe
