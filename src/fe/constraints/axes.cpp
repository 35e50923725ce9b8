// Local axes of orientations and of *TRANSFORM.

#include <Eigen/Geometry>
#include <numbers>

#include "constraints.hpp"
#include "faying/core/error.hpp"

namespace faying::fe::constraint {

namespace {

using Eigen::Vector3d;

Eigen::Matrix3d rows(const Vector3d& x, const Vector3d& y, const Vector3d& z) {
    Eigen::Matrix3d m;
    m << x.transpose(), y.transpose(), z.transpose();
    return m;
}

/// x along a, b in the x-y plane.
Eigen::Matrix3d rectangular(const Deck& deck, Place at, const Vector3d& a, const Vector3d& b) {
    const Vector3d z = a.cross(b);
    if (!(z.norm() > 1e-12 * a.norm() * b.norm()))
        throw core::BadInput(deck.where(at), "the two vectors of these axes are parallel, or one is zero");
    const Vector3d x = a.normalized(), up = z.normalized();
    return rows(x, up.cross(x), up);
}

/// Radial, tangential, along the axis from a to b.
Eigen::Matrix3d cylindrical(const Deck& deck, Place at, const Vector3d& a, const Vector3d& b, const Vector3d& point) {
    const Vector3d axis = b - a;
    if (!(axis.norm() > 0)) throw core::BadInput(deck.where(at), "the two points on the axis are the same");
    const Vector3d z = axis.normalized(), from = point - a;
    Vector3d radial = from - from.dot(z) * z;
    if (radial.norm() <= 1e-12 * from.norm() + 1e-300) radial = z.unitOrthogonal();  // on the axis: any will do
    radial.normalize();
    return rows(radial, z.cross(radial), z);
}

/// Radial from a, along the circle of latitude, along the meridian; b is on the polar axis.
Eigen::Matrix3d spherical(const Deck& deck, Place at, const Vector3d& a, const Vector3d& b, const Vector3d& point) {
    const Eigen::Matrix3d around = cylindrical(deck, at, a, b, point);
    const Vector3d radial = (point - a).norm() > 0 ? Vector3d((point - a).normalized()) : Vector3d(around.row(0));
    const Vector3d tangent = around.row(1);
    return rows(radial, tangent, radial.cross(tangent));
}

}  // namespace

Eigen::Matrix3d axes(const Deck& deck, const Orientation& orientation, const Vector3d& at) {
    const auto& v = orientation.values;
    if (v.size() < 6)
        throw core::BadInput(deck.where(orientation.at), "this orientation cannot be used: it has no axes");
    const Vector3d a(v[0], v[1], v[2]), b(v[3], v[4], v[5]);
    const Vector3d c = v.size() >= 9 ? Vector3d(v[6], v[7], v[8]) : Vector3d(Vector3d::Zero());
    Eigen::Matrix3d m;
    if (orientation.system == "RECTANGULAR")
        m = rectangular(deck, orientation.at, a - c, b - c);
    else if (orientation.system == "CYLINDRICAL")
        m = cylindrical(deck, orientation.at, a, b, at);
    else if (orientation.system == "SPHERICAL")
        m = spherical(deck, orientation.at, a, b, at);
    else
        throw core::BadInput(deck.where(orientation.at), "orientation system '" + orientation.system +
                                                             "' cannot be used here; RECTANGULAR, CYLINDRICAL and "
                                                             "SPHERICAL can");
    if (orientation.rotation_angle == 0.0) return m;
    const Vector3d about = m.row(orientation.rotation_axis - 1);
    const Eigen::AngleAxisd turn(orientation.rotation_angle * std::numbers::pi / 180, about);
    return m * turn.toRotationMatrix().transpose();
}

Eigen::Matrix3d axes(const Deck& deck, const Transform& transform, const Vector3d& at) {
    if (transform.type == 'C') return cylindrical(deck, transform.at, transform.a, transform.b, at);
    if (transform.type == 'S') return spherical(deck, transform.at, transform.a, transform.b, at);
    return rectangular(deck, transform.at, transform.a, transform.b);
}

}  // namespace faying::fe::constraint
