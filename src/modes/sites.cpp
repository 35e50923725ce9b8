#include "sites.hpp"

#include <algorithm>
#include <cmath>

namespace faying::modes {

namespace {

constexpr double rounding = 1e-10;  ///< of a force increment, beside a preload that is far larger

/// Whether the forces of a virgin site along its faces are the same whatever presses, and their tangent symmetric.
bool slides_alike_under_all_pressures(const laws::Law& law) {
    const auto width = std::size_t(law.components()), normal = std::size_t(law.normal());
    std::vector<double> at(width), force(width), tangent(width * width), first(width);
    for (auto& joint : law.joints(1))
        for (int decade = -15; decade <= 3; ++decade) {
            for (const double pressed : {1e3, 1e-6, 1e-12, 0.0, -1e-12, -1e-6, -1e3}) {
                for (std::size_t i = 0; i < width; ++i) at[i] = (1.0 + 0.7 * double(i)) * std::pow(10.0, decade);
                at[normal] = pressed;
                joint.evaluate(at, force, tangent);
                if (pressed == 1e3) first = force;
                for (std::size_t i = 0; i < width; ++i)
                    for (std::size_t j = 0; j < width; ++j) {
                        const double k = tangent[i * width + j], transposed = tangent[j * width + i];
                        if (i == normal && j != normal && k != 0.0) return false;
                        if (std::abs(k - transposed) > rounding * (std::abs(k) + std::abs(transposed))) return false;
                    }
                for (std::size_t i = 0; i < width; ++i)
                    if (i != normal && force[i] != first[i]) return false;
            }
        }
    return true;
}

}  // namespace

bool work_needs_path(const structure::Model& model) {
    return std::any_of(model.joints.begin(), model.joints.end(), [](const auto& joint) {
        return joint.law.contact() && !slides_alike_under_all_pressures(joint.law);
    });
}

bool prestress_matters(const structure::Model& model, Start kind) {
    for (const auto& joint : model.joints)
        if (joint.gap.size() > 0 && joint.gap.minCoeff() < 0) return true;  // pressed in from the start
    if (model.static_force.size() == 0 || model.static_force.isZero(0.0)) return false;
    for (const auto& joint : model.joints) {
        if (joint.law.contact()) return true;
        for (const auto& part : joint.law.parts())
            if (part.spring ? !part.linear : kind == Start::with_history) return true;
    }
    return false;
}

DualSites dual_sites(const structure::Model& model, const std::vector<std::vector<int>>& seeds) {
    std::vector<laws::SiteGroup> groups;
    for (std::size_t j = 0; j < model.joints.size(); ++j)
        groups.push_back({model.joints[j].law, model.joints[j].weight, seeds[j], {}, model.joints[j].gap});
    return DualSites(groups);
}

DualSites::Vector with_slopes(const Eigen::VectorXd& values, const Eigen::MatrixXd& slopes) {
    DualSites::Vector x = constants(values);
    for (Eigen::Index i = 0; i < x.size(); ++i)
        for (Eigen::Index d = 0; d < std::min<Eigen::Index>(core::directions, slopes.cols()); ++d)
            x(i).v[d] = slopes(i, d);
    return x;
}

DualSites::Vector constants(const Eigen::VectorXd& values) { return values.cast<core::Dual>(); }

Eigen::MatrixXd slopes_of(const DualSites::Vector& x) {
    Eigen::MatrixXd slopes(x.size(), core::directions);
    for (Eigen::Index i = 0; i < x.size(); ++i) slopes.row(i) = x(i).v.transpose();
    return slopes;
}

void add_stiffness(const Sites& sites, const Interface& interface, Eigen::MatrixXd& matrix) {
    using Row = Interface::SiteMap::InnerIterator;
    const auto& map = interface.site_map();
    sites.each_tangent([&](Eigen::Index row, int width, const double* k) {
        for (int a = 0; a < width; ++a)
            for (int b = 0; b < width; ++b, ++k) {
                if (*k == 0.0) continue;
                for (Row j(map, row + b); j; ++j)
                    for (Row i(map, row + a); i; ++i) matrix(i.col(), j.col()) += *k * i.value() * j.value();
            }
    });
}

void masing_dissipation(Sites& sites, std::vector<double>& by_joint, std::vector<Eigen::VectorXd>& by_site) {
    sites.commit();
    sites.dissipated(by_joint);
    by_site = sites.dissipated_by_site();
    for (double& d : by_joint) d *= 4.0;
    for (auto& d : by_site) d *= 4.0;
    sites.restart();
}

double not_odd(Sites& sites, const Eigen::VectorXd& d) {
    if (!sites.sticks()) return 0.0;  // no contact
    sites.evaluate(d);
    const Eigen::VectorXd there = sites.force();
    sites.commit();
    sites.evaluate(-d);
    double sum = 0;
    for (const auto& part : sites.parts())
        for (Eigen::Index i = part.row; part.contact() && i < part.row + part.count; i += part.width) {
            const auto f = there.segment(i, part.width);
            const double error = (sites.force().segment(i, part.width) + f).norm();
            if (error > rounding * f.norm()) sum += error * d.segment(i, part.width).norm();
        }
    sites.restart();
    sites.evaluate(d);
    return sum;
}

}  // namespace faying::modes
