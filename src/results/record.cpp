#include "faying/results/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "faying/core/error.hpp"

namespace faying::results {

namespace {

using transient::Snapshot;

/// Tables whose rows are counted in the restart point, in this order.
const std::vector<std::string> counted{"t", "samples", "committed"};

const std::vector<std::string> energy_columns{
    "kinetic", "strain", "joint_stored", "joint_dissipated", "viscous", "input", "relative error of the balance"};

std::vector<double> energies(const transient::Energy& e) {
    return {e.kinetic, e.strain, e.joint_stored(), e.joint_dissipated, e.viscous, e.input + e.initial, e.error()};
}

}  // namespace

SimulationRecord::SimulationRecord(const std::string& path, const std::string& study, const transient::Simulation& run,
                                   const RecordLabels& labels, bool resume) {
    const Snapshot first = run.now();
    dofs_ = first.displacement.size();
    modes_ = first.q.size();
    joints_ = first.joint_displacement.size();
    committed_ = run.width();
    if (resume && archive::Stream::exists(path) && go_on(path, study)) return;
    std::vector<archive::StreamTable> tables{{"t", 1, "s"},
                                             {"u", int(dofs_), "m", labels.displacement},
                                             {"v", int(dofs_), "m/s", labels.velocity},
                                             {"q", int(modes_), "m kg^(1/2)", labels.modes},
                                             {"q_velocity", int(modes_), "m kg^(1/2)/s", labels.modes},
                                             {"energy", int(energy_columns.size()), "J", energy_columns},
                                             {"samples", int(flat(first).size())}};
    if (joints_ > 0) {
        tables.push_back({"joint_displacement", int(joints_), "m", labels.joints});
        tables.push_back({"joint_force", int(joints_), "N", labels.joints});
    }
    tables.push_back({"committed", int(std::max<Eigen::Index>(1, committed_)), "m"});
    file_ = archive::Stream::create(
        path, tables, {{"study", study}, {"energy_columns", fmt::format("{}", fmt::join(energy_columns, ", "))}});
}

SimulationRecord::~SimulationRecord() {
    if (!file_ || finished_) return;
    try {
        file_->finish();  // what came before a failure is worth a look; --resume goes on from the last save
    } catch (const core::BadInput&) {  // the failure itself is what is told; the journal stays
    }
}

/// False where nothing was saved yet: then the run begins anew.
bool SimulationRecord::go_on(const std::string& path, const std::string& study) {
    auto file = archive::Stream::open(path);
    if (file.text("study") != study)
        throw core::BadInput(path, "is the record of another model, load or setting; --resume needs the same command");
    if (!file.has_vector("restart")) return false;
    restart_ = file.read_vector("restart");
    if (restart_.size() < 3) throw core::BadInput(path, "has no point to resume from");
    file_ = std::move(file);
    resumed_ = true;
    for (const char* table : {"t", "u", "v", "q", "q_velocity", "energy"}) file_->cut(table, std::size_t(restart_[0]));
    if (joints_ > 0)
        for (const char* table : {"joint_displacement", "joint_force"}) file_->cut(table, std::size_t(restart_[0]));
    file_->cut("samples", std::size_t(restart_[1]));
    file_->cut("committed", std::size_t(restart_[2]));
    const Eigen::MatrixXd energy = file_->read("energy");
    if (energy.rows() > 0) earlier_error_ = energy.col(6).cwiseAbs().maxCoeff();
    const Eigen::MatrixXd samples = file_->read("samples");
    for (Eigen::Index i = 0; i < samples.rows(); ++i) earlier_.push_back(from_flat(samples.row(i)));
    return true;
}

std::vector<double> SimulationRecord::flat(const Snapshot& s) const {
    std::vector<double> row{s.time};
    for (const auto* v : {&s.displacement, &s.velocity, &s.q, &s.q_velocity, &s.joint_displacement, &s.joint_force})
        row.insert(row.end(), v->begin(), v->end());
    return row;
}

Snapshot SimulationRecord::from_flat(const Eigen::VectorXd& row) const {
    Snapshot s;
    s.time = row(0);
    Eigen::Index at = 1;
    const auto take = [&](Eigen::VectorXd& v, Eigen::Index n) {
        v = row.segment(at, n);
        at += n;
    };
    take(s.displacement, dofs_);
    take(s.velocity, dofs_);
    take(s.q, modes_);
    take(s.q_velocity, modes_);
    take(s.joint_displacement, joints_);
    take(s.joint_force, joints_);
    return s;
}

void SimulationRecord::take_up(transient::Simulation& simulation) {
    if (!resumed_) return;
    const Eigen::MatrixXd rows = file_->read("committed");
    if (rows.cols() != std::max<Eigen::Index>(1, committed_))
        throw core::BadInput("--resume", "the record is of an older version of faying");
    std::vector<Eigen::VectorXd> committed;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) committed.push_back(rows.row(i).head(committed_));
    simulation.resume({{restart_.begin() + 3, restart_.end()}}, committed);
}

void SimulationRecord::add(const Snapshot& s) {
    file_->append("t", &s.time);
    file_->append("u", s.displacement.data());
    file_->append("v", s.velocity.data());
    file_->append("q", s.q.data());
    file_->append("q_velocity", s.q_velocity.data());
    file_->append("energy", energies(s.energy).data());
    if (joints_ == 0) return;
    file_->append("joint_displacement", s.joint_displacement.data());
    file_->append("joint_force", s.joint_force.data());
}

void SimulationRecord::add_sample(const Snapshot& s) { file_->append("samples", flat(s).data()); }

void SimulationRecord::commit(const Eigen::VectorXd& y) {
    const double none = 0;
    file_->append("committed", committed_ > 0 ? y.data() : &none);
}

void SimulationRecord::save(const transient::Simulation& simulation) {
    std::vector<double> numbers;
    for (const auto& table : counted) numbers.push_back(double(file_->rows(table)));
    const auto restart = simulation.restart();
    numbers.insert(numbers.end(), restart.numbers.begin(), restart.numbers.end());
    file_->replace("restart", numbers);
    file_->flush();
}

void SimulationRecord::finish(const transient::Simulation& simulation) {
    save(simulation);
    finished_ = true;  // once is enough, also where it fails: the journal has everything
    file_->finish();
}

}  // namespace faying::results
