#pragma once
// Elements that bend far: total Lagrangian, St. Venant-Kirchhoff.
//
//     F = 1 + du/dX,   E = (F^T F - 1)/2,   S = C : E,   f_ai = Int (F S)_iJ dN_a/dX_J dV0
//
// The energy is of fourth degree in u, so that the force is a polynomial, exactly:
//
//     f(u) = f1(u) + f2(u, u) + f3(u, u, u),    f2 and f3 symmetric
//
// Forces come from strains, never from an assembled stiffness: on thin meshes K u loses what bending needs.
// Abaqus' *ELASTIC under NLGEOM is linear between Kirchhoff stress and logarithmic strain instead, CalculiX' is this
// one. docs/theory/geometric.md.
//
//     const LargeElements block(mesh, mesh.blocks[0]);
//     block.force(e, u, f);                     // u: one node's directions after the other, f is added to

#include <Eigen/Dense>
#include <memory>
#include <span>

#include "faying/fe/assembly.hpp"

namespace faying::fe {

/// All elements of a block; everything about the reference shape is made once. u, v, w and f are of one element, in the
/// order of its DOF.
class LargeElements {
 public:
    using Vector = Eigen::VectorXd;
    using In = Eigen::Ref<const Vector>;
    using Out = Eigen::Ref<Vector>;

    /// Throws BadInput for kinds with a mean strain, incompatible modes or an averaged dilatation, and for elements
    /// that are inverted.
    LargeElements(const Mesh& mesh, const ElementBlock& block);
    LargeElements(LargeElements&&) noexcept;
    LargeElements& operator=(LargeElements&&) noexcept;
    ~LargeElements();

    std::size_t size() const;
    int dofs() const;  ///< of one element

    double energy(std::size_t e, const In& u) const;
    /// f += f(u)
    void force(std::size_t e, const In& u, Out f) const;
    /// f += f1(u)
    void linear(std::size_t e, const In& u, Out f) const;
    /// f += f2(u, v)
    void quadratic(std::size_t e, const In& u, const In& v, Out f) const;
    /// f += f3(u, v, w)
    void cubic(std::size_t e, const In& u, const In& v, const In& w, Out f) const;
    /// k += df/du at u; symmetric
    void tangent(std::size_t e, const In& u, Eigen::Ref<Eigen::MatrixXd> k) const;
    /// f += the coefficient of s^order of f(u_0 + s u_1 + s^2 u_2 + ..); `u` one column a power, those missing are
    /// zero.
    void series(std::size_t e, const Eigen::Ref<const Eigen::MatrixXd>& u, int order, Out f) const;

    struct Block;

 private:
    std::unique_ptr<const Block> block_;
};

/// Throws BadInput, naming element and reason, unless elements of this block can bend far.
void check_bends_far(const ElementBlock& block);

}  // namespace faying::fe
