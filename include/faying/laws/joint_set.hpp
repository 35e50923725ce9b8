#pragma once
// All joints of a structure as one nonlinear force: the one loop over joints, parts of laws and sites.
//
//     JointSet<double> joints({{law, weights}, {other, more_weights}});
//     joints.evaluate(u);                     // trial: weighted forces and tangents of all rows at displacements u
//     joints.commit();                        // accept it
//     joints.dissipated_by_site();
//
// Rows are the displacements that sites read, joint by joint, site by site, and within a site by component: one for a
// law of one displacement, three for contact, any number for an element of your own. JointSet<Dual> is the same with
// derivatives: of laws whose parameters are seeded, of displacements, bases and states.
//
// A law part reads  base + u  and its force is counted from the force at its base: after `begin` displacements are
// increments from a state of rest, with the history that led there, or fresh, where only springs and normal contact
// have been displaced.

#include <Eigen/Dense>
#include <utility>
#include <vector>

#include "faying/laws/catalogue.hpp"

namespace faying::laws {

/// A joint as the set sees it: a law, and the weight of each site.
struct SiteGroup {
    const Law& law;
    const Eigen::VectorXd& weight;
    Seeds seeds = {};                     ///< of JointSet<Dual>: the direction of each parameter; none when empty
    std::vector<std::size_t> parts = {};  ///< of the law; all when empty
    Eigen::VectorXd gap = {};             ///< of contact: how far each site is open at zero displacement; empty: 0
};

/// Steady loops of all sites on straight lines between two places.
template <class T>
struct SteadyLoops {
    Eigen::Matrix<T, Eigen::Dynamic, 1> plus, minus;  ///< forces at both ends, weighted and counted from the base
    Eigen::Matrix<T, Eigen::Dynamic, 1> dissipated;   ///< per loop and site, weighted; sites of all joints in order
    Eigen::VectorXd closure_error;                    ///< by how much a site's force misses its start, of its swing
    int rounds = 0;
};

template <class T>
class JointSet {
 public:
    using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

    struct Part {
        JointOf<T> joint, begun;
        std::size_t group = 0;
        Eigen::Index row = 0, count = 0;  ///< rows of this part
        int width = 1;                    ///< components of a site
        int normal = -1;                  ///< the component that presses; none
        bool spring = false;
        bool first = true;     ///< of its group
        T kp{};                ///< post-slip spring inside the law
        Vector base, at_base;  ///< displacement and force counted from; empty: zero
        Vector apart = {};     ///< what gaps add to the displacements; empty: nothing

        bool contact() const { return normal >= 0; }
        bool is_normal(Eigen::Index i) const { return contact() && i % width == normal; }
    };

    JointSet() = default;
    explicit JointSet(const std::vector<SiteGroup>& groups);

    Eigen::Index rows() const { return force_.size(); }
    Eigen::Index sites() const { return sites_; }
    const std::vector<Part>& parts() const { return parts_; }

    /// Puts every joint at rest, displaced as `rest` says: with the history of a straight way there, or fresh.
    void begin(const Vector& rest, bool history);
    /// Virgin, and counted from zero.
    void reset();
    /// What `restart` leads back to; `begin` marks it too.
    void mark();
    void restart();

    /// Weighted forces and tangents for a straight move of every site from its committed state.
    void evaluate(const Vector& u);
    /// The same with hysteretic parts off: springs in parallel, kp and normal contact only; not counted from bases.
    void evaluate_springs(const Vector& u);
    void commit();
    const Vector& force() const { return force_; }

    /// visit(first row, width, tangent of the site row by row) for every site, of the last evaluation.
    template <class Visit>
    void each_tangent(Visit&& visit) const {
        const T* k = tangent_.data();
        for (const Block& block : blocks_)
            for (Eigen::Index row = block.row; row < block.row + block.count; row += block.width) {
                visit(row, block.width, k);
                k += block.width * block.width;
            }
    }
    /// out = k v, rows to rows.
    void multiply_tangent(const Eigen::VectorXd& v, Vector& out) const;
    /// Displacements at which contact has only just closed: there every joint has its stuck stiffness.
    Eigen::VectorXd just_closed() const;
    /// Contact sites that touch, of how many.
    std::pair<Eigen::Index, Eigen::Index> touching(const Eigen::VectorXd& u) const;

    /// Dissipated since virgin, weighted.
    void dissipated(std::vector<T>& by_joint) const;
    std::vector<Vector> dissipated_by_site() const;
    T dissipated() const;

    /// The committed past of hysteretic parts, where laws let it be set: all such numbers, part by part.
    Eigen::Index memory_size() const { return memory_size_; }
    bool all_settable() const { return all_settable_; }  ///< every hysteretic part has such numbers
    bool sticks() const { return sticks_; }              ///< some keep what they hold for as long as they do not slip
    void memory(Vector& out) const;
    void set_memory(const Vector& in);

    /// Around between u = plus and u = minus from the states committed, until the loop of every site has closed or
    /// `most_rounds` are over; sites are left at `plus`. A past that laws let be set is solved for, site by site. With
    /// dual numbers: derivatives to amplitude, offset and parameters, however the ends and the laws are seeded.
    SteadyLoops<T> steady_loops(const Vector& plus, const Vector& minus, double closed = 1e-10, int most_rounds = 100);

 private:
    /// Rows of a group, whose parts share tangents.
    struct Block {
        Eigen::Index row = 0, count = 0;
        int width = 1;
        Eigen::VectorXd weight;
        Eigen::Index tangent = 0;  ///< its first tangent entry
    };
    std::vector<Part> parts_;
    std::vector<Block> blocks_;
    Eigen::Index sites_ = 0, memory_size_ = 0;
    bool all_settable_ = true, sticks_ = false;
    Vector force_, tangent_;  ///< weighted sums
    Vector at_, part_force_, part_tangent_;

    void answer(Part& part, const T* at);
    void make_virgin(Part& part);
    void add_weighted(const Part& part, bool from_base);
};

extern template class JointSet<double>;
extern template class JointSet<core::Dual>;

}  // namespace faying::laws
