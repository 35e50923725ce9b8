#pragma once
// The record of a time history on disk: states, joints, energies, and what is needed to go on after a kill.
//
//     SimulationRecord record("hit.h5", study, simulation, labels, true);
//     record.take_up(simulation);                        // to where an earlier session was stopped
//     simulation.to_end([&](const auto& s) { record.add(s); }, {}, [&](const auto& y) { record.commit(y); });
//     record.finish(simulation);

#include <optional>
#include <string>

#include "faying/archive/stream.hpp"
#include "faying/transient/simulate.hpp"

namespace faying::results {

/// What people call the columns of u, v, q and the joints' tables: in the group `labels` of the file.
struct RecordLabels {
    std::vector<std::string> displacement, velocity, modes, joints;
};

class SimulationRecord {
 public:
    /// A new record, or with `resume` one that is there, checked to be of the same study and cut to its last restart
    /// point.
    SimulationRecord(const std::string& path, const std::string& study, const transient::Simulation& run,
                     const RecordLabels& labels, bool resume);
    ~SimulationRecord();
    SimulationRecord(const SimulationRecord&) = delete;
    SimulationRecord& operator=(const SimulationRecord&) = delete;

    /// Brings a new simulation to where the record ends. Does nothing for a new record.
    void take_up(transient::Simulation& simulation);
    void add(const transient::Snapshot& snapshot);
    void add_sample(const transient::Snapshot& snapshot);
    void commit(const Eigen::VectorXd& joint_displacement);
    /// Everything on disk, restartable from here.
    void save(const transient::Simulation& simulation);
    /// Saved, and the file itself written, which until now was the old one or none.
    void finish(const transient::Simulation& simulation);

    /// What earlier sessions recorded, row by row.
    void each_earlier(const transient::Simulation::OnSnapshot& row) const;
    /// Samples of earlier sessions.
    const std::vector<transient::Snapshot>& earlier_samples() const { return earlier_; }
    bool resumed() const { return resumed_; }

 private:
    std::optional<archive::Stream> file_;
    bool resumed_ = false, finished_ = false;
    std::vector<transient::Snapshot> earlier_;
    Eigen::Index dofs_ = 0, modes_ = 0, joints_ = 0, committed_ = 0;
    std::vector<double> restart_;

    bool go_on(const std::string& path, const std::string& study);
    Eigen::Index sample_width() const;
    std::vector<double> flat(const transient::Snapshot& snapshot) const;
    transient::Snapshot from_flat(const Eigen::VectorXd& row) const;
};

}  // namespace faying::results
