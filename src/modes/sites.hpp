#pragma once
// All joints of a model as one nonlinear force on the interface, about the prestressed state.
//
// A law part reads  base + increment  and its force is counted from the force at its base. What the base is depends on
// the framework: the prestressed displacement with the history that led there, or a fresh start (virgin curves of the
// Masing framework, conservative prestress), where only springs and normal contact see the prestress.

#include <Eigen/Dense>
#include <vector>

#include "faying/modes/interface.hpp"
#include "faying/modes/prestress.hpp"

namespace faying::modes {

/// How hysteretic parts start: at the end of the path to the prestressed state, or unloaded there.
enum class Start { with_history, fresh };

/// Whether the prestressed displacement enters at all what happens about it: through contact, springs that are not
/// linear, and histories.
bool prestress_matters(const structure::Model& model, Start kind);

class Sites {
 public:
    Sites(const structure::Model& model, const Interface& interface);

    Eigen::Index rows() const { return rows_; }
    /// Puts every joint at the prestressed state; `prestressed` are the displacements of all rows.
    void begin(Start start, const Eigen::VectorXd& prestressed);
    /// Back to where `begin` left it.
    void restart();

    /// Weighted force increments and tangents at displacement increments of all rows, from the committed states.
    void evaluate(const Eigen::VectorXd& increments);
    /// The same with hysteretic parts off: springs in parallel, kp and normal contact only.
    void evaluate_springs(const Eigen::VectorXd& displacements);
    /// Displacements at which contact has only just closed: there every joint has its stuck stiffness.
    Eigen::VectorXd just_closed() const;
    const Eigen::VectorXd& force() const { return force_; }  ///< weighted, from the base
    void commit();
    /// The committed states of every part, to go back to.
    void save(std::vector<laws::Joint>& states) const;
    void restore(const std::vector<laws::Joint>& states);

    /// matrix(0..width, 0..width) += S^T k S of the last evaluation.
    void add_stiffness(Eigen::MatrixXd& matrix) const;
    /// out = k v, rows to rows, of the last evaluation.
    void multiply_tangent(const Eigen::VectorXd& v, Eigen::VectorXd& out) const;

    /// Dissipated since `begin`, weighted, a joint (and a site).
    void dissipated(std::vector<double>& by_joint) const;
    std::vector<Eigen::VectorXd> dissipated_by_site() const;
    /// 4 d0 by joint for virgin curves up to the increments of the last evaluation; states are left as they were.
    void masing_dissipation(std::vector<double>& by_joint, std::vector<Eigen::VectorXd>* by_site = nullptr);

    /// Contact: by how much the forces at -d, from d on, fail to be those at d mirrored, each times its way; d the
    /// increments of the last evaluation, on virgin curves. None where Masing's rule holds. States are left as they
    /// were.
    double not_odd();

    /// The committed past, where laws let it be set: all such numbers, and how large they are.
    Eigen::Index memory_size() const { return memory_size_; }
    bool all_settable() const { return all_settable_; }  ///< every hysteretic part has such numbers
    bool sticks() const { return sticks_; }              ///< some keep what they hold for as long as they do not slip
    void memory(Eigen::VectorXd& out) const;
    void set_memory(const Eigen::VectorXd& in);

    /// Contact sites that touch, of how many.
    std::pair<Eigen::Index, Eigen::Index> touching(const Eigen::VectorXd& displacements) const;

    struct Part {
        laws::Joint joint, begun;
        std::size_t group = 0;
        Eigen::Index row = 0, count = 0;  ///< rows of this part
        int components = 1;
        bool elastic = false, contact = false;
        double kp = 0;                  ///< post-slip spring inside the law
        Eigen::VectorXd base, at_base;  ///< displacement and force counted from
    };
    const std::vector<Part>& parts() const { return parts_; }
    const structure::Model& model() const { return model_; }
    const Interface& interface() const { return interface_; }
    /// Base of a part for prestressed displacements of its rows.
    static Eigen::VectorXd base_of(const Part& part, Start start, const Eigen::VectorXd& prestressed);
    /// Whether the part is taken along a path to its base before it starts.
    static bool has_path(const Part& part, Start start) {
        return part.contact || (!part.elastic && start == Start::with_history);
    }

    /// Contact sites just committed at their base count tangential displacements from it, which they hold as before:
    /// increments far smaller than the base then keep their digits.
    template <class T>
    static void count_from_base(laws::JointOf<T>& joint, std::vector<T>& base);

 private:
    const structure::Model& model_;
    const Interface& interface_;
    std::vector<Part> parts_;
    Eigen::Index rows_ = 0, memory_size_ = 0;
    bool all_settable_ = true, sticks_ = false;
    Eigen::VectorXd force_, tangent_;       ///< weighted sums; tangent: components^2 a site, by group
    std::vector<Eigen::Index> tangent_at_;  ///< first tangent entry of each group
    Eigen::VectorXd at_, part_force_, part_tangent_;
    Eigen::VectorXd increments_;  ///< of the last evaluation

    void add_weighted(const Part& part, bool from_base);
};

template <class T>
void Sites::count_from_base(laws::JointOf<T>& joint, std::vector<T>& base) {
    if (joint.memory_size() == 0) return;  // a law that does not let its past be set
    std::vector<T> held(joint.memory_size() * joint.sites()), force(base.size()), tangent(3 * base.size());
    joint.memory(held);
    for (std::size_t i = 0; i < base.size(); ++i)
        if (i % 3 != 2) base[i] = T(0.0);
    joint.reset();
    joint.evaluate(base, force, tangent);
    joint.commit();
    joint.set_memory(held);
}

}  // namespace faying::modes
