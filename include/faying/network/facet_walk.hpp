#pragma once
// The sweeping process of a polytope in the space of its m states, however many facets: what a fit walks along.
//
//     z = b f - q,     |c_k.z| <= 1 for every pair of facets k         (K = 1 and mu = 1 without loss)
//
// Between events z slides on the facets S at their bound and q moves with the velocity dq/df = P b, where P projects on
// the span of their normals. A facet that is reached changes the velocity: it is the projection of b on the cone of the
// outward normals of all facets at their bound. Derivatives to C and b ride along in closed form: on a branch of
// constant S those of P b times its length; where facet k is reached, at a load f* that moves with the numbers,
//
//     dq  ->  dq + (v_before - v_after) df*
//
// and nothing at turning points. Cost of an event O(p m + m^2 |S|), with derivatives O(p m^2) more.
//
//     FacetWalk walk(facets, true);
//     walk.advance(0.7);
//     walk.dissipated_slopes();                     // to every number of facets.numbers()

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <vector>

namespace faying::network {

struct Facets {
    Eigen::MatrixXd normals;   ///< C, a row per pair
    Eigen::VectorXd coupling;  ///< b

    Eigen::Index states() const { return coupling.size(); }
    Eigen::Index pairs() const { return normals.rows(); }
    /// All numbers in a row: C row by row, then b.
    Eigen::Index size() const { return normals.size() + coupling.size(); }
    std::vector<double> numbers() const;
    static Facets of(const double* numbers, Eigen::Index states, Eigen::Index pairs);
};

class FacetWalk {
 public:
    /// Of the facets it slides on (the side of facet k as +-(k + 1), in order): q moved by this, and this was dissipated.
    using Seen = std::function<void(const std::vector<int>& corner, const Eigen::VectorXd& moved, double dissipated)>;

    explicit FacetWalk(const Facets& facets, bool slopes = false, Seen seen = {});

    /// Straight to this load. Throws std::runtime_error where round-off makes events endless.
    void advance(double load);

    double load() const { return load_; }
    double xi() const { return facets_.coupling.dot(q_); }
    double dissipated() const { return load_ * xi() - area_ - 0.5 * q_.squaredNorm(); }
    /// At fixed load, to all numbers of the facets.
    Eigen::RowVectorXd xi_slopes() const;
    Eigen::RowVectorXd dissipated_slopes() const;

 private:
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    const Facets& facets_;
    bool with_slopes_;
    Seen seen_;
    Eigen::MatrixXd gram_;                                    ///< c_k.c_l
    Eigen::VectorXd along_, size_;                            ///< c_k.b and |c_k|
    double load_ = 0, area_ = 0, direction_ = 0;              ///< area: integral of xi over the load
    Eigen::VectorXd q_, velocity_;                            ///< velocity per |df|
    Eigen::VectorXd level_, rate_;                            ///< c_k.z, and its rate per |df|
    std::vector<int> side_;                                   ///< the bound a facet is at, or 0
    std::vector<Eigen::Index> on_;                            ///< the facets it slides on
    std::vector<double> pushes_, from_;                       ///< of each of them on q, per |df|, positive
    Eigen::MatrixXd factor_;                                  ///< Cholesky's, of their Gram matrix
    Rows slopes_;                                             ///< of q
    Eigen::RowVectorXd along_slopes_, area_slopes_, closer_;  ///< b.slopes_; of the area; of a facet's level

    Eigen::VectorXd z() const { return facets_.coupling * load_ - q_; }
    bool slides_on(Eigen::Index k) const;
    void find_velocity();
    void factor();
    void solve(double* x) const;
    void find_pushes();
    void drop_what_pulls();
    std::pair<double, Eigen::Index> next_event(double most) const;
    void go(double way);
    void carry_slopes(double way);
    void jump_slopes(Eigen::Index reached, int side, double speed);
};

}  // namespace faying::network
