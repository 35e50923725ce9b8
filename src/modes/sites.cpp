#include "sites.hpp"

#include <limits>

namespace faying::modes {

namespace {

constexpr double rounding = 1e-10;  ///< of a force increment, beside a preload that is far larger

std::span<const double> span_of(const Eigen::VectorXd& v, Eigen::Index count) { return {v.data(), std::size_t(count)}; }

}  // namespace

bool prestress_matters(const structure::Model& model, Start kind) {
    if (model.static_force.size() == 0 || model.static_force.isZero(0.0)) return false;
    for (const auto& joint : model.joints) {
        if (joint.components() == 3) return true;
        for (const auto& part : joint.law.parts())
            if (part.spring ? !part.linear : kind == Start::with_history) return true;
    }
    return false;
}

Sites::Sites(const structure::Model& model, const Interface& interface) : model_(model), interface_(interface) {
    Eigen::Index tangents = 0, longest = 0;
    for (std::size_t g = 0; g < model.joints.size(); ++g) {
        const auto& joint = model.joints[g];
        const int width = joint.components();
        tangent_at_.push_back(tangents);
        auto made = joint.law.joints(std::size_t(joint.sites()));
        for (std::size_t k = 0; k < made.size(); ++k) {
            Part part{.joint = made[k], .begun = made[k], .base = {}, .at_base = {}};
            part.group = g;
            part.row = rows_;
            part.count = joint.map.rows();
            part.components = width;
            part.contact = width == 3;
            part.elastic = joint.law.parts()[k].spring;
            part.kp = joint.law.parts()[k].post_slip;
            part.base = part.at_base = Eigen::VectorXd::Zero(part.count);
            sticks_ = sticks_ || part.contact;
            if (!part.elastic) {
                memory_size_ += Eigen::Index(made[k].memory_size()) * joint.sites();
                all_settable_ = all_settable_ && made[k].memory_size() > 0;
            }
            parts_.push_back(std::move(part));
        }
        rows_ += joint.map.rows();
        tangents += joint.map.rows() * width;
        longest = std::max(longest, joint.map.rows());
    }
    force_.setZero(rows_);
    tangent_.setZero(tangents);
    at_.resize(longest);
    part_force_.resize(longest);
    part_tangent_.resize(longest * 3);
}

Eigen::VectorXd Sites::base_of(const Part& part, Start start, const Eigen::VectorXd& prestressed) {
    if (part.elastic || start == Start::with_history) return prestressed;
    Eigen::VectorXd base = Eigen::VectorXd::Zero(part.count);
    if (part.contact)  // tangentially slack, normally where the preload put it
        for (Eigen::Index i = 2; i < part.count; i += 3) base(i) = prestressed(i);
    return base;
}

void Sites::begin(Start start, const Eigen::VectorXd& prestressed) {
    for (auto& part : parts_) {
        part.joint.reset();
        part.base = base_of(part, start, prestressed.segment(part.row, part.count));
        part.joint.evaluate(span_of(part.base, part.count), {part_force_.data(), std::size_t(part.count)},
                            {part_tangent_.data(), std::size_t(part.count * part.components)});
        part.at_base = part_force_.head(part.count);
        if (has_path(part, start)) part.joint.commit();
        if (part.contact) {
            std::vector<double> base(part.base.begin(), part.base.end());
            count_from_base(part.joint, base);
            part.base = Eigen::Map<const Eigen::VectorXd>(base.data(), part.count);
        }
        part.begun = part.joint;
    }
}

void Sites::restart() {
    for (auto& part : parts_) part.joint = part.begun;
}

void Sites::add_weighted(const Part& part, bool from_base) {
    const auto& weight = model_.joints[part.group].weight;
    const int width = part.components;
    for (Eigen::Index i = 0; i < part.count; ++i)
        force_(part.row + i) += weight(i / width) * (part_force_(i) - (from_base ? part.at_base(i) : 0.0));
    const Eigen::Index at = tangent_at_[part.group];
    for (Eigen::Index i = 0; i < part.count * width; ++i)
        tangent_(at + i) += weight(i / (width * width)) * part_tangent_(i);
}

void Sites::evaluate(const Eigen::VectorXd& increments) {
    force_.setZero();
    tangent_.setZero();
    increments_ = increments;
    for (auto& part : parts_) {
        at_.head(part.count) = part.base + increments.segment(part.row, part.count);
        part.joint.evaluate(span_of(at_, part.count), {part_force_.data(), std::size_t(part.count)},
                            {part_tangent_.data(), std::size_t(part.count * part.components)});
        add_weighted(part, true);
    }
}

void Sites::evaluate_springs(const Eigen::VectorXd& displacements) {
    force_.setZero();
    tangent_.setZero();
    for (auto& part : parts_) {
        const auto u = displacements.segment(part.row, part.count);
        at_.head(part.count) = u;
        if (part.contact)
            for (Eigen::Index i = 0; i < part.count; ++i)
                if (i % 3 != 2) at_(i) = 0.0;
        part.joint.evaluate(span_of(at_, part.count), {part_force_.data(), std::size_t(part.count)},
                            {part_tangent_.data(), std::size_t(part.count * part.components)});
        if (!part.elastic) {
            const int width = part.components;
            for (Eigen::Index i = 0; i < part.count; ++i) {
                const bool normal = part.contact && i % 3 == 2;
                if (!normal) part_force_(i) = part.kp * u(i);
                for (int c = 0; c < width; ++c) {
                    const bool diagonal = c == i % width;
                    double& k = part_tangent_(i * width + c);
                    if (!normal || !diagonal) k = diagonal ? part.kp : 0.0;
                }
            }
        }
        add_weighted(part, false);
    }
}

Eigen::VectorXd Sites::just_closed() const {
    Eigen::VectorXd closed = Eigen::VectorXd::Zero(rows_);
    for (const auto& part : parts_)
        if (part.contact)
            for (Eigen::Index i = 2; i < part.count; i += 3) closed(part.row + i) = std::numeric_limits<double>::min();
    return closed;
}

void Sites::commit() {
    for (auto& part : parts_)
        if (!part.elastic) part.joint.commit();
}

void Sites::save(std::vector<laws::Joint>& states) const {
    states.resize(0);
    for (const auto& part : parts_) states.push_back(part.joint);
}

void Sites::restore(const std::vector<laws::Joint>& states) {
    for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k].joint = states[k];
}

void Sites::add_stiffness(Eigen::MatrixXd& matrix) const {
    using Row = Interface::SiteMap::InnerIterator;
    const auto& map = interface_.site_map();
    Eigen::Index row = 0;
    for (std::size_t g = 0; g < model_.joints.size(); ++g) {
        const auto& joint = model_.joints[g];
        const int width = joint.components();
        const double* k = tangent_.data() + tangent_at_[g];
        for (Eigen::Index site = 0; site < joint.sites(); ++site, row += width)
            for (int a = 0; a < width; ++a)
                for (int b = 0; b < width; ++b, ++k) {
                    if (*k == 0.0) continue;
                    for (Row j(map, row + b); j; ++j)
                        for (Row i(map, row + a); i; ++i) matrix(i.col(), j.col()) += *k * i.value() * j.value();
                }
    }
}

void Sites::multiply_tangent(const Eigen::VectorXd& v, Eigen::VectorXd& out) const {
    Eigen::Index row = 0;
    for (std::size_t g = 0; g < model_.joints.size(); ++g) {
        const auto& joint = model_.joints[g];
        const int width = joint.components();
        const double* k = tangent_.data() + tangent_at_[g];
        for (Eigen::Index site = 0; site < joint.sites(); ++site, row += width)
            for (int a = 0; a < width; ++a) {
                double sum = 0;
                for (int b = 0; b < width; ++b) sum += *k++ * v(row + b);
                out(row + a) = sum;
            }
    }
}

void Sites::dissipated(std::vector<double>& by_joint) const {
    by_joint.assign(model_.joints.size(), 0.0);
    for (const auto& part : parts_) {
        if (part.elastic) continue;
        const auto& weight = model_.joints[part.group].weight;
        for (Eigen::Index i = 0; i < weight.size(); ++i)
            by_joint[part.group] += weight(i) * part.joint.dissipated(std::size_t(i));
    }
}

std::vector<Eigen::VectorXd> Sites::dissipated_by_site() const {
    std::vector<Eigen::VectorXd> all;
    for (const auto& joint : model_.joints) all.push_back(Eigen::VectorXd::Zero(joint.sites()));
    for (const auto& part : parts_)
        if (!part.elastic)
            for (Eigen::Index i = 0; i < all[part.group].size(); ++i)
                all[part.group](i) += model_.joints[part.group].weight(i) * part.joint.dissipated(std::size_t(i));
    return all;
}

void Sites::masing_dissipation(std::vector<double>& by_joint, std::vector<Eigen::VectorXd>* by_site) {
    for (auto& part : parts_)
        if (!part.elastic) part.joint.commit();
    dissipated(by_joint);
    for (double& d : by_joint) d *= 4.0;
    if (by_site) {
        *by_site = dissipated_by_site();
        for (auto& d : *by_site) d *= 4.0;
    }
    for (auto& part : parts_)
        if (!part.elastic) part.joint = part.begun;
}

double Sites::not_odd() {
    if (!sticks_) return 0.0;  // no contact
    const Eigen::VectorXd d = increments_;
    evaluate(d);
    const Eigen::VectorXd there = force_;
    commit();
    evaluate(-d);
    double sum = 0;
    for (const auto& part : parts_)
        if (part.contact)
            for (Eigen::Index i = part.row; i < part.row + part.count; i += 3) {
                const auto f = there.segment<3>(i);
                const double miss = (force_.segment<3>(i) + f).norm();
                if (miss > rounding * f.norm()) sum += miss * d.segment<3>(i).norm();
            }
    for (auto& part : parts_)
        if (!part.elastic) part.joint = part.begun;
    evaluate(d);
    return sum;
}

void Sites::memory(Eigen::VectorXd& out) const {
    out.resize(memory_size_);
    Eigen::Index at = 0;
    for (const auto& part : parts_) {
        if (part.elastic) continue;
        const auto count = part.joint.memory_size() * part.joint.sites();
        part.joint.memory({out.data() + at, count});
        at += Eigen::Index(count);
    }
}

void Sites::set_memory(const Eigen::VectorXd& in) {
    Eigen::Index at = 0;
    for (auto& part : parts_) {
        if (part.elastic) continue;
        const auto count = part.joint.memory_size() * part.joint.sites();
        part.joint.set_memory({in.data() + at, count});
        at += Eigen::Index(count);
    }
}

std::pair<Eigen::Index, Eigen::Index> Sites::touching(const Eigen::VectorXd& displacements) const {
    Eigen::Index closed = 0, all = 0;
    for (const auto& part : parts_) {
        if (!part.contact) continue;
        for (Eigen::Index i = 2; i < part.count; i += 3, ++all) closed += displacements(part.row + i) > 0.0;
    }
    return {closed, all};
}

}  // namespace faying::modes
