#include "faying/geometric/contact.hpp"

#include <cmath>
#include <map>

namespace faying::geometric {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

constexpr double at_limit = 1e-9;  ///< of the traction, relative

Vector3d tangential(const Vector3d& d, const Vector3d& n) { return d - d.dot(n) * n; }

/// d of a site.
Vector3d moved(const ContactSite& site, const Eigen::Ref<const VectorXd>& u) {
    Vector3d d = Vector3d::Zero();
    for (const auto& term : site.motion) d += u(term.row) * term.columns;
    return d;
}

/// What a force on one side against the other does to the DOF.
void add_force(const ContactSite& site, const Vector3d& force, VectorXd& f) {
    for (const auto& term : site.motion) f(term.row) += term.columns.dot(force);
}

}  // namespace

ContactSite on_ground(const Solid& solid, fe::Index node, const Vector3d& place, const Vector3d& point,
                      const Vector3d& normal, double area, const ContactProperties& properties) {
    ContactSite site{{}, normal, (place - point).dot(normal), area, properties};
    for (int d = 0; d < 3; ++d)
        if (const Index row = solid.row(node, d + 1); row >= 0) site.motion.push_back({row, Vector3d::Unit(d)});
    return site;
}

std::vector<ContactSite> between(const Solid& solid, const fe::Deck& deck, const fe::PairOptions& options,
                                 const ContactProperties& properties, const VectorXd& u) {
    using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    const auto& model = solid.model();
    fe::Deck there = deck;
    fe::PairOptions paired = options;
    if (!u.isZero()) {
        const VectorXd all = model.elimination.transformation * u;
        for (std::size_t n = 0; n < there.nodes.size(); ++n)
            for (int d = 1; d <= 3; ++d)
                if (const auto i = model.all.find(static_cast<fe::Index>(n), d); i != fe::none)
                    there.nodes[n].point(d - 1) += all(i);
        paired.gap = 0;  // pressed together they lie in each other by what the penalty takes
    }
    const fe::PairedFaces pair = fe::pair_faces(there, paired);
    const int dimensions = pair.dimension;
    const auto place = [&](fe::Index node) { return deck.nodes[static_cast<std::size_t>(node)].point; };
    const ByRows nodes = fe::relative_motion(pair, model.all) * model.elimination.transformation, shape = pair.shape;
    const double fitting = 1e-9 * std::sqrt(pair.area());  // faces drawn onto each other, to rounding
    std::vector<ContactSite> sites;
    for (Index s = 0; s < pair.sites(); ++s) {
        std::map<Index, Vector3d> motion;
        Vector3d apart = Vector3d::Zero();  // of the two sides, as drawn
        for (ByRows::InnerIterator n(shape, s); n; ++n) {
            const auto k = static_cast<std::size_t>(n.col());
            apart += n.value() * place(pair.nodes[k]);
            for (const auto& [node, share] : pair.facing[k]) apart -= n.value() * (share * place(node));
            for (int a = 0; a < dimensions; ++a)
                for (ByRows::InnerIterator it(nodes, dimensions * n.col() + a); it; ++it)
                    motion.try_emplace(it.col(), Vector3d::Zero()).first->second(a) += n.value() * it.value();
        }
        ContactSite site;
        site.normal = -pair.axes[static_cast<std::size_t>(s)].row(2).transpose();
        site.gap = options.gap ? *options.gap : apart.dot(site.normal);
        if (std::abs(site.gap) < fitting) site.gap = 0;
        site.area = pair.weight(s);
        site.properties = properties;
        for (const auto& [row, columns] : motion) site.motion.push_back({row, columns});
        sites.push_back(std::move(site));
    }
    return sites;
}

ContactSolid::ContactSolid(const Solid& solid, std::vector<ContactSite> sites)
    : solid_(solid), sites_(std::move(sites)), states_(sites_.size()) {}

SiteForces ContactSolid::at(std::size_t i, const VectorXd& u) const {
    const ContactSite& site = sites_[i];
    const ContactState& state = states_[i];
    const Vector3d d = moved(site, u);
    SiteForces f;
    f.gap = site.gap + d.dot(site.normal);
    const bool tied = kind_ == Kind::tied;
    f.closed = tied ? state.tied : f.gap <= 0;
    if (!f.closed) return f;
    f.normal = -site.properties.normal_stiffness * site.area * f.gap;
    if (kind_ == Kind::frictionless) return f;
    f.traction = site.properties.tangential_stiffness * site.area * (tangential(d, site.normal) - state.plastic);
    const double size = f.traction.norm(), most = site.properties.friction * f.normal;
    // At its limit, to rounding, it sticks: after a step is committed all that slipped does, until it is pushed on.
    if (!tied && size > most * (1 + at_limit)) {
        f.slipping = true;
        f.traction *= most / size;
    }
    return f;
}

/// df/dd of f = T - N n.
Matrix3d ContactSolid::stiffness(std::size_t i, const VectorXd& u) const {
    const ContactSite& site = sites_[i];
    const SiteForces f = at(i, u);
    if (!f.closed) return Matrix3d::Zero();
    const Vector3d& n = site.normal;
    const double kn = site.properties.normal_stiffness * site.area,
                 kt = site.properties.tangential_stiffness * site.area;
    const Matrix3d normal = kn * n * n.transpose();
    if (kind_ == Kind::frictionless) return normal;
    const Matrix3d plane = Matrix3d::Identity() - n * n.transpose();
    if (!f.slipping) return normal + kt * plane;
    const Vector3d trial = kt * (tangential(moved(site, u), n) - states_[i].plastic);
    const Vector3d way = trial.normalized();
    const double most = site.properties.friction * f.normal;
    return normal - site.properties.friction * kn * way * n.transpose() +
           kt * most / trial.norm() * (plane - way * way.transpose());
}

VectorXd ContactSolid::force(const VectorXd& u) const {
    VectorXd f = solid_.force(u);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const SiteForces at_site = at(i, u);
        add_force(sites_[i], at_site.traction - at_site.normal * sites_[i].normal, f);
    }
    for (const Index row : held_) f(row) += spring_ * u(row);
    return f;
}

Sparse ContactSolid::tangent(const VectorXd& u) const {
    std::vector<Eigen::Triplet<double>> entries;  // open sites too: the pattern stays
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const Matrix3d s = stiffness(i, u);
        for (const auto& a : sites_[i].motion)
            for (const auto& b : sites_[i].motion)
                entries.emplace_back(int(a.row), int(b.row), a.columns.dot(s * b.columns));
    }
    for (const Index row : held_) entries.emplace_back(int(row), int(row), spring_);
    Sparse contact(size(), size());
    contact.setFromTriplets(entries.begin(), entries.end());
    return solid_.tangent(u) + contact;
}

double ContactSolid::energy(const VectorXd& u) const {
    double sum = solid_.energy(u);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const SiteForces f = at(i, u);
        if (!f.closed) continue;
        sum += 0.5 * f.normal * f.normal / (sites_[i].properties.normal_stiffness * sites_[i].area);
        if (kind_ != Kind::frictionless)
            sum += 0.5 * f.traction.squaredNorm() / (sites_[i].properties.tangential_stiffness * sites_[i].area);
    }
    for (const Index row : held_) sum += 0.5 * spring_ * u(row) * u(row);
    return sum;
}

VectorXd ContactSolid::series(const MatrixXd& u, int order) const {
    if (order == 0) return force(u.col(0));
    VectorXd f = solid_.series(u, order);
    if (order >= u.cols()) return f;
    const VectorXd along = u.col(order);  // closed contact is linear: each order meets its own displacement only
    for (std::size_t i = 0; i < sites_.size(); ++i)
        add_force(sites_[i], stiffness(i, u.col(0)) * moved(sites_[i], along), f);
    for (const Index row : held_) f(row) += spring_ * along(row);
    return f;
}

void ContactSolid::commit(const VectorXd& u) {
    if (kind_ != Kind::friction) return;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const SiteForces f = at(i, u);
        const Vector3d s = tangential(moved(sites_[i], u), sites_[i].normal);
        ContactState& state = states_[i];
        const Vector3d plastic =
            f.closed ? Vector3d(s - f.traction / (sites_[i].properties.tangential_stiffness * sites_[i].area)) : s;
        if (f.slipping) state.dissipated += f.traction.dot(plastic - state.plastic);
        state.plastic = plastic;
    }
}

double ContactSolid::dissipated() const {
    double sum = 0;
    for (const auto& state : states_) sum += state.dissipated;
    return sum;
}

void ContactSolid::set(Kind kind, const VectorXd& u) {
    kind_ = Kind::frictionless;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        states_[i].plastic = tangential(moved(sites_[i], u), sites_[i].normal);
        states_[i].tied = at(i, u).closed;
        states_[i].dissipated = 0;
    }
    kind_ = kind;
}

Rest ContactSolid::preload(const VectorXd& load, const std::vector<Index>& held, const VectorXd& from) {
    kind_ = Kind::frictionless;
    held_ = held;
    const VectorXd zero = VectorXd::Zero(size());
    spring_ = solid_.tangent(zero).diagonal().cwiseAbs().mean();
    Rest rest = at_rest(*this, load, from, Steps::leap);
    held_.clear();
    return rest;
}

Rest ContactSolid::preload_with_friction(const VectorXd& load, const std::vector<Index>& held, int increments) {
    const VectorXd zero = VectorXd::Zero(size());
    set(Kind::friction, zero);
    held_ = held;
    spring_ = solid_.tangent(zero).diagonal().cwiseAbs().mean();
    Rest rest;
    rest.u = zero;
    for (int i = 1; i <= increments; ++i) rest = at_rest(*this, load * (double(i) / increments), rest.u, Steps::leap);
    held_.clear();
    return rest;
}

int ContactSolid::closed(const VectorXd& u) const {
    int count = 0;
    for (std::size_t i = 0; i < sites_.size(); ++i) count += at(i, u).closed;
    return count;
}

int ContactSolid::slipping(const VectorXd& u) const {
    // After a step is committed a site that slipped stands at its limit, to rounding.
    int count = 0;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
        const SiteForces f = at(i, u);
        count += f.closed && kind_ == Kind::friction &&
                 f.traction.norm() >= (1 - at_limit) * sites_[i].properties.friction * f.normal;
    }
    return count;
}

double ContactSolid::normal_sum(const VectorXd& u) const {
    double sum = 0;
    for (std::size_t i = 0; i < sites_.size(); ++i) sum += at(i, u).normal;
    return sum;
}

}  // namespace faying::geometric
