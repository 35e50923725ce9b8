#pragma once
// What `faying simulate` shows of a run: columns with what they stand for, JSON, text.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "faying/io/csv.hpp"
#include "faying/transient/simulate.hpp"

namespace faying::app {

/// A column's name is short ("u3"), for --channel; its label is what people call it ("tip"), empty where nobody does.
struct Label {
    std::string name, label;
    std::string text() const { return label.empty() ? name : name + " (" + label + ")"; }
};
struct Labels {
    bool modal = false;
    std::vector<Label> displacement, velocity;  ///< u and v, or with `modal` q and q_velocity
    std::vector<Label> outputs, joints;
};
/// `dofs` are the names that a reduced model gives its coordinates; else an output that is one coordinate names it.
Labels labels_of(const structure::Model& model, const std::vector<std::string>& dofs, const transient::Simulation& run,
                 bool modal);

/// Of a list: the label, or where there is none the name.
std::vector<std::string> texts_of(const std::vector<Label>& labels);

/// Recorded displacements, velocities and outputs, a column each.
class RecordColumns {
 public:
    RecordColumns(const structure::Model& model, const transient::Simulation& run, Labels labels);
    void add(const transient::Snapshot& snapshot);
    /// u and v, or q and q_velocity.
    void add(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& v);

    void write_csv(const std::string& path) const;
    void draw(const std::string& path, const std::string& title, const std::string& method) const;

 private:
    Labels labels_;
    Eigen::MatrixXd outputs_;  ///< a row each, of u or q
    io::Table table_;
};

/// States at the samples, labels and units; then how the run went.
nlohmann::json samples_json(const std::vector<transient::Snapshot>& samples, const Labels& labels,
                            const structure::Model& model);
nlohmann::json run_json(const transient::Simulation& run);
/// What a user should know of the step before the run, and of the modes left out after it.
std::vector<std::string> notes_before(const transient::Simulation& run, double step);
std::vector<std::string> notes_after(const transient::Simulation& run);

void print_samples(const std::vector<transient::Snapshot>& samples, const Labels& labels);
void print_run(const transient::Simulation& run);

}  // namespace faying::app
