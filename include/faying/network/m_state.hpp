#pragma once
// A law of m hidden states q: the sweeping process that the laws of [S3] are, for any m and any matrices.
//
//     z = b f - K q,     q rests while z is inside the set C and moves along the normal of C on its boundary
//
// driven by force f with the answer xi = b.q, or by displacement u (g in the place of b) with f = k0 u - g.q. The set
// is
//
//     ellipsoid   z.A^-1 z <= 1        [S3] ch. 2: two-state (m = 2, K = alpha I) and six-state are of this kind
//     box         |z_i| <= mu_i        m sliders joined by springs: a small Network, exact from event to event
//     polytope    |C z|_k <= mu_k      as many pairs of facets as wanted, c_k their normals: a Network of rank m
//
// Box and polytope step from event to event. On the ellipsoid slip is in closed form for m = 2 (two-state among them) and for
// K = a A, else by Runge-Kutta-Fehlberg 7(8) to `tolerance` (src/network/ball.hpp).
//
//     const MState law = read_m_state("law.toml");
//     NetworkState z = law.virgin();
//     law.step(z, 0.7).answer;

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "faying/core/dual.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/network/follower.hpp"

namespace faying::network {

/// `exact`, or by [S3] ch. 5: increments along a direction given by a formula, for any m. An approximation however small
/// the increments; they are cut so that none is longer than a twentieth of the way to the first slip.
enum class Slip { exact, formula };

/// z.A^-1 z <= 1 in the place of a network's box.
struct Ellipsoid {
    Eigen::MatrixXd stiffness, friction;  ///< K and A
    Eigen::VectorXd coupling;             ///< b or g
    laws::Drive drive = laws::Drive::force;
    double held = 0;  ///< k0
    Slip slip = Slip::exact;
};

/// |C z| <= mu, row by row: with q = C^T x it is the network C K C^T, C b of as many sliders as C has rows.
struct Polytope {
    Eigen::MatrixXd stiffness, normals;  ///< K and C, a row per pair of facets
    Eigen::VectorXd friction, coupling;  ///< mu per pair of facets, b or g per state
    laws::Drive drive = laws::Drive::force;
    double held = 0;  ///< k0
};

struct MStateAnswer {
    double answer = 0, tangent = 0, stored = 0;
};

/// Derivatives in the directions of core::Dual that a state carries beside its numbers.
struct MStateSlopes {
    Eigen::MatrixXd states;  ///< of positions; of z on an ellipsoid that slips exactly
    Eigen::RowVectorXd dissipated, load;
};
struct MStateDual {
    core::Dual answer, tangent, work, dissipated;
};

struct Ball;         ///< the ellipsoid made round
struct FormulaSlip;  ///< [S3] ch. 5

class MState {
 public:
    static constexpr double tolerance = 1e-13;

    /// Throw core::BadInput opening with `where` for matrices that do not go together or are not positive definite.
    MState(const Network& box, const std::string& where);
    MState(const Polytope& polytope, const std::string& where);
    MState(const Ellipsoid& ellipsoid, const std::string& where);

    Eigen::Index states() const;
    laws::Drive drive() const;
    double held() const;  ///< k0 of one driven by displacement
    /// The sliders of a box or a polytope; else null.
    const Network* sliders() const;
    const Polytope* polytope() const { return polytope_.get(); }
    const Ellipsoid* ellipsoid() const;
    std::string_view set() const { return polytope() ? "polytope" : sliders() ? "box" : "ellipsoid"; }

    NetworkState virgin() const;
    /// Straight from the state's load to this one; work and dissipation are added to the state.
    MStateAnswer step(NetworkState& state, double load) const;
    /// The same with derivatives, exact: loads (and through them scales) carry them.
    MStateSlopes no_slopes() const;
    MStateDual step(NetworkState& state, MStateSlopes& slopes, const core::Dual& load) const;
    /// Answers on the way from a state to loads that go on in one direction: the state goes with them.
    std::vector<MStateAnswer> follow(NetworkState state, std::span<const double> loads) const;
    std::vector<MStateDual> follow(NetworkState state, MStateSlopes slopes, std::span<const core::Dual> loads) const;
    /// Loads at which the tangent jumps, on both ways from a state; false: not known (ellipsoids).
    bool kinks(const NetworkState& state, std::vector<double>& at) const;

 private:
    std::variant<std::shared_ptr<const Network>, std::shared_ptr<const Ball>, std::shared_ptr<const FormulaSlip>> set_;
    std::shared_ptr<const Polytope> polytope_ = {};

    Eigen::Index remembered() const { return sliders() ? sliders()->size() : states(); }
};

/// A law file (see law_from_file), or a network file: a network is a law of as many states as it has sliders.
MState read_m_state(const std::string& path);

/// The text of a law file; `remarks` become comments at its top.
std::string m_state_text(const MState& law, const std::vector<std::string>& remarks);

/// The same as a law that stands wherever laws do. Its parameters are a scale of the force and one of the displacement,
/// both 1 unless given:  f = force_scale F(u/displacement_scale).
laws::LawEntry law_from_file(const std::string& path);

/// From here on a law's name may be a law file or a network file (laws/law_file.hpp).
void add_law_files();

}  // namespace faying::network
