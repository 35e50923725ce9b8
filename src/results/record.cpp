#include "faying/results/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "faying/core/error.hpp"

namespace faying::results {

namespace {

using transient::Snapshot;

/// Tables whose rows are counted in the restart point, in this order.
const std::vector<std::string> counted{"t", "samples", "committed"};

/// The first seven are what a reader wants; the last four what they were made of, so that nothing is lost to rounding.
const std::vector<std::string> energy_columns{
    "kinetic", "strain",     "joint_stored", "joint_dissipated", "viscous", "input", "relative error of the balance",
    "initial", "joint_work", "load_work",    "largest"};

std::vector<double> energies(const transient::Energy& e) {
    return {e.kinetic, e.strain,     e.joint_stored(), e.joint_dissipated, e.viscous, e.input + e.initial, e.error(),
            e.initial, e.joint_work, e.input,          e.largest};
}

transient::Energy energy_of(const Eigen::VectorXd& row) {
    return {.kinetic = row(0),
            .strain = row(1),
            .joint_work = row(8),
            .joint_dissipated = row(3),
            .viscous = row(4),
            .input = row(9),
            .initial = row(7),
            .largest = row(10)};
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
                                             {"samples", int(sample_width())}};
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
    const Eigen::MatrixXd energy = file_->read("energy"), samples = file_->read("samples");
    if (energy.cols() != Eigen::Index(energy_columns.size()) || samples.cols() != sample_width())
        throw core::BadInput(path, "the record is of another version of faying");
    for (Eigen::Index i = 0; i < samples.rows(); ++i) earlier_.push_back(from_flat(samples.row(i)));
    return true;
}

std::vector<double> SimulationRecord::flat(const Snapshot& s) const {
    std::vector<double> row{s.time};
    for (const auto* v : {&s.displacement, &s.velocity, &s.q, &s.q_velocity, &s.joint_displacement, &s.joint_force})
        row.insert(row.end(), v->begin(), v->end());
    const auto energy = energies(s.energy);
    row.insert(row.end(), energy.begin(), energy.end());
    return row;
}

Eigen::Index SimulationRecord::sample_width() const {
    return 1 + 2 * (dofs_ + modes_ + joints_) + Eigen::Index(energy_columns.size());
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
    s.energy = energy_of(row.tail(Eigen::Index(energy_columns.size())));
    return s;
}

void SimulationRecord::each_earlier(const transient::Simulation::OnSnapshot& row) const {
    const auto table = [&](const char* name) { return joints_ > 0 ? file_->read(name) : Eigen::MatrixXd(); };
    const Eigen::MatrixXd t = file_->read("t"), u = file_->read("u"), v = file_->read("v"), q = file_->read("q"),
                          q_velocity = file_->read("q_velocity"), energy = file_->read("energy"),
                          y = table("joint_displacement"), f = table("joint_force");
    for (Eigen::Index i = 0; i < t.rows(); ++i) {
        Snapshot s;
        s.time = t(i, 0);
        s.displacement = u.row(i);
        s.velocity = v.row(i);
        s.q = q.row(i);
        s.q_velocity = q_velocity.row(i);
        if (joints_ > 0) {
            s.joint_displacement = y.row(i);
            s.joint_force = f.row(i);
        }
        s.energy = energy_of(energy.row(i));
        row(s);
    }
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
