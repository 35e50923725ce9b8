#include "faying/geometric/ground_contact.hpp"

#include <cmath>

namespace faying::geometric {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

Vector3d tangential(const Vector3d& u, const Vector3d& n) { return u - u.dot(n) * n; }

}  // namespace

GroundedSolid::GroundedSolid(const Solid& solid, std::vector<ContactSite> sites)
    : solid_(solid), sites_(std::move(sites)), states_(sites_.size()) {}

Vector3d GroundedSolid::moved(const ContactSite& site, const VectorXd& u) const {
    Vector3d d = Vector3d::Zero();
    for (std::size_t i = 0; i < 3; ++i)
        if (site.rows[i] >= 0) d(static_cast<Index>(i)) = u(site.rows[i]);
    return d;
}

SiteForces GroundedSolid::at(std::size_t i, const VectorXd& u) const {
    const ContactSite& site = sites_[i];
    const ContactState& state = states_[i];
    const Vector3d d = moved(site, u);
    SiteForces f;
    f.gap = (site.place + d - site.point).dot(site.normal);
    const bool tied = kind_ == Kind::tied;
    f.closed = tied ? state.tied : f.gap <= 0;
    if (!f.closed) return f;
    f.normal = -site.normal_stiffness * site.area * f.gap;
    if (kind_ == Kind::frictionless) return f;
    f.traction = site.tangential_stiffness * site.area * (tangential(d, site.normal) - state.plastic);
    const double size = f.traction.norm(), most = site.friction * f.normal;
    if (!tied && size > most) {
        f.slipping = true;
        f.traction *= most / size;
    }
    return f;
}

/// df/du of f = T - N n at the node.
Matrix3d GroundedSolid::stiffness(std::size_t i, const VectorXd& u) const {
    const ContactSite& site = sites_[i];
    const SiteForces f = at(i, u);
    if (!f.closed) return Matrix3d::Zero();
    const Vector3d& n = site.normal;
    const double kn = site.normal_stiffness * site.area, kt = site.tangential_stiffness * site.area;
    const Matrix3d normal = kn * n * n.transpose();
    if (kind_ == Kind::frictionless) return normal;
    const Matrix3d plane = Matrix3d::Identity() - n * n.transpose();
    if (!f.slipping) return normal + kt * plane;
    const Vector3d trial = kt * (tangential(moved(site, u), n) - states_[i].plastic);
    const Vector3d way = trial.normalized();
    const double most = site.friction * f.normal;
    return normal - site.friction * kn * way * n.transpose() +
           kt * most / trial.norm() * (plane - way * way.transpose());
}

VectorXd GroundedSolid::force(const VectorXd& u) const {
    VectorXd f = solid_.force(u);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const SiteForces at_site = at(i, u);
        const Vector3d on_node = at_site.traction - at_site.normal * sites_[i].normal;
        for (std::size_t d = 0; d < 3; ++d)
            if (sites_[i].rows[d] >= 0) f(sites_[i].rows[d]) += on_node(static_cast<Index>(d));
    }
    for (const Index row : held_) f(row) += spring_ * u(row);
    return f;
}

Sparse GroundedSolid::tangent(const VectorXd& u) const {
    Sparse k = solid_.tangent(u);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const Matrix3d s = stiffness(i, u);
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b)
                if (sites_[i].rows[a] >= 0 && sites_[i].rows[b] >= 0)
                    k.coeffRef(sites_[i].rows[a], sites_[i].rows[b]) += s(static_cast<Index>(a), static_cast<Index>(b));
    }
    for (const Index row : held_) k.coeffRef(row, row) += spring_;
    return k;
}

double GroundedSolid::energy(const VectorXd& u) const {
    double sum = solid_.energy(u);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const SiteForces f = at(i, u);
        if (!f.closed) continue;
        sum += 0.5 * f.normal * f.normal / (sites_[i].normal_stiffness * sites_[i].area);
        if (kind_ != Kind::frictionless)
            sum += 0.5 * f.traction.squaredNorm() / (sites_[i].tangential_stiffness * sites_[i].area);
    }
    return sum;
}

VectorXd GroundedSolid::series(const MatrixXd& u, int order) const {
    if (order == 0) return force(u.col(0));
    VectorXd f = solid_.series(u, order);
    if (order >= u.cols()) return f;
    const VectorXd along = u.col(order);  // closed contact is linear: each order meets its own displacement only
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const Vector3d on_node = stiffness(i, u.col(0)) * moved(sites_[i], along);
        for (std::size_t d = 0; d < 3; ++d)
            if (sites_[i].rows[d] >= 0) f(sites_[i].rows[d]) += on_node(static_cast<Index>(d));
    }
    for (const Index row : held_) f(row) += spring_ * along(row);
    return f;
}

void GroundedSolid::commit(const VectorXd& u) {
    if (kind_ != Kind::friction) return;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const SiteForces f = at(i, u);
        const Vector3d s = tangential(moved(sites_[i], u), sites_[i].normal);
        ContactState& state = states_[i];
        const Vector3d plastic =
            f.closed ? Vector3d(s - f.traction / (sites_[i].tangential_stiffness * sites_[i].area)) : s;
        if (f.slipping) state.dissipated += f.traction.dot(plastic - state.plastic);
        state.plastic = plastic;
    }
}

double GroundedSolid::dissipated() const {
    double sum = 0;
    for (const auto& state : states_) sum += state.dissipated;
    return sum;
}

void GroundedSolid::set(Kind kind, const VectorXd& u) {
    kind_ = Kind::frictionless;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        states_[i].plastic = tangential(moved(sites_[i], u), sites_[i].normal);
        states_[i].tied = at(i, u).closed;
        states_[i].dissipated = 0;
    }
    kind_ = kind;
}

Rest GroundedSolid::preload(const VectorXd& load, const std::vector<Index>& held) {
    kind_ = Kind::frictionless;
    held_ = held;
    const VectorXd zero = VectorXd::Zero(size());
    spring_ = solid_.tangent(zero).diagonal().cwiseAbs().mean();
    Rest rest = at_rest(*this, load);
    held_.clear();
    return rest;
}

Rest GroundedSolid::preload_with_friction(const VectorXd& load, const std::vector<Index>& held, int increments) {
    const VectorXd zero = VectorXd::Zero(size());
    set(Kind::friction, zero);
    held_ = held;
    spring_ = solid_.tangent(zero).diagonal().cwiseAbs().mean();
    Rest rest;
    rest.u = zero;
    for (int i = 1; i <= increments; ++i) rest = at_rest(*this, load * (double(i) / increments), rest.u);
    held_.clear();
    return rest;
}

int GroundedSolid::closed(const VectorXd& u) const {
    int count = 0;
    for (std::size_t i = 0; i < sites_.size(); ++i) count += at(i, u).closed;
    return count;
}

int GroundedSolid::slipping(const VectorXd& u) const {
    int count = 0;
    for (std::size_t i = 0; i < sites_.size(); ++i) count += at(i, u).slipping;
    return count;
}

double GroundedSolid::normal_sum(const VectorXd& u) const {
    double sum = 0;
    for (std::size_t i = 0; i < sites_.size(); ++i) sum += at(i, u).normal;
    return sum;
}

}  // namespace faying::geometric
