#pragma once
// Solid elements by their Abaqus names, and their stiffness and mass. docs/theory/elements.md has the equations, what
// equals CalculiX and which elements lock.
//
//     K = Int B^T D B dV,   M = Int rho N^T N dV,   u = sum_a N_a(xi) u_a,   DOF order u1x u1y u1z u2x ..
//
// All kinds but three integrate this as it stands with `stiffness_rule`: C3D8 is the plain 2 x 2 x 2 element, equal to
// CalculiX. Abaqus' own C3D8 and CPE4 average the volumetric strain over the element: Dilatation::averaged does that.
// C3D8I (CPE4I, CPS4I) adds incompatible modes, condensed out; C3D8R (CPE4R, CPS4R) is one mean strain and a control
// of its hourglass modes (hourglass.hpp). The mass is always consistent.
// MassPoints::as_stiffness gives CalculiX' masses, which too few points make unequal to ours for tetrahedra, wedges and
// C3D20R.
//
//     const auto steel = fe::isotropic(200e9, 0.3, 7800);
//     const auto m = fe::element_matrices(fe::ElementKind::C3D8, corners, steel);   // corners: 8 x 3

#include <Eigen/Dense>
#include <optional>
#include <span>
#include <string_view>

#include "faying/fe/hourglass.hpp"
#include "faying/fe/material.hpp"
#include "faying/fe/quadrature.hpp"
#include "faying/fe/shape.hpp"

namespace faying::fe {

// clang-format off
enum class ElementKind {
    C3D4, C3D10, C3D6, C3D15, C3D8, C3D8R, C3D8I, C3D20, C3D20R,
    CPE3, CPE4, CPE4R, CPE4I, CPE6, CPE8, CPE8R,
    CPS3, CPS4, CPS4R, CPS4I, CPS6, CPS8, CPS8R
};
// clang-format on

enum class Stress { solid, plane_strain, plane_stress };
enum class Formulation { plain, incompatible_modes, mean_strain };
enum class Dilatation { full, averaged };
/// exact: enough points for N^T N on an undistorted element. as_stiffness: the points of the stiffness, CalculiX' way
/// (C3D4 then has m/16 in every entry); only for plain elements, the others stay exact.
enum class MassPoints { exact, as_stiffness };

struct ElementTraits {
    ElementKind kind;
    std::string_view name;
    Shape shape;
    Stress stress;
    Formulation formulation;
    Rule stiffness_rule, mass_rule;

    int nodes() const { return node_count(shape); }
    int dimension() const { return stress == Stress::solid ? 3 : 2; }  ///< also the DOF a node
};

const ElementTraits& traits(ElementKind kind);
std::span<const ElementTraits> all_element_kinds();

/// By Abaqus name, in any case; nothing for a name that is not here.
std::optional<ElementKind> element_kind(std::string_view name);

struct ElementMatrices {
    Eigen::MatrixXd stiffness, mass;
    double volume = 0;
    double total_mass = 0;  ///< density times volume
};

struct ElementOptions {
    double thickness = 1;                      ///< of plane elements; solids ignore it
    Dilatation dilatation = Dilatation::full;  ///< averaged: C3D8 and CPE4 as Abaqus has them; others ignore it
    MassPoints mass = MassPoints::exact;
    HourglassControl hourglass = {};     ///< of C3D8R, CPE4R, CPS4R; others ignore it
    std::string_view label = "element";  ///< names the element in errors
};

/// One node a row, x y z (z is ignored by plane elements).
using Coordinates = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// Throws BadInput naming the label for a wrong number of nodes, a coordinate that is not finite, a thickness that is
/// not positive, and an inverted or degenerate element (a Jacobian that is not positive at an integration point).
ElementMatrices element_matrices(ElementKind kind, const Eigen::Ref<const Coordinates>& nodes,
                                 const ElasticMaterial& material, const ElementOptions& options = {});

}  // namespace faying::fe
