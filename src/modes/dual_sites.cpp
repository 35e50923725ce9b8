#include "dual_sites.hpp"

namespace faying::modes {

using core::Dual;

namespace {

/// Direction of a part's own kp, the parameters of which start at `first`; `1.kp` where several parts have one.
int direction_of_kp(const laws::Law& law, std::size_t first, std::size_t count, const std::vector<int>& seeds) {
    for (std::size_t i = first; i < first + count; ++i)
        if (const auto& key = law.parameters()[i].key; key == "kp" || key.ends_with(".kp")) return seeds[i];
    return -1;
}

DualSites::Vector constants(const Eigen::VectorXd& values) {
    DualSites::Vector out(std::size_t(values.size()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = Dual(values(long(i)));
    return out;
}

}  // namespace

DualSites::DualSites(const structure::Model& model, const Sites& sites, const std::vector<std::vector<int>>& seeds)
    : model_(model) {
    std::size_t next = 0;
    for (std::size_t g = 0; g < model.joints.size(); ++g) {
        const auto& law = model.joints[g].law;
        std::size_t first = 0, k = 0;
        for (auto& joint : law.joints(std::size_t(model.joints[g].sites()), seeds[g])) {
            const std::size_t count = law.parts()[k++].parameters;
            parts_.push_back(
                {std::move(joint), &sites.parts()[next++], direction_of_kp(law, first, count, seeds[g]), {}, {}, {}});
            first += count;
        }
    }
}

/// Virgin, and displacements and forces counted from zero.
void DualSites::reset() {
    for (auto& part : parts_) {
        part.joint.reset();
        part.base.assign(std::size_t(part.plain->count), Dual(0.0));
        part.at_base = part.base;
    }
}

Eigen::MatrixXd DualSites::virgin_force(const Eigen::VectorXd& displacements) {
    reset();
    return force(constants(displacements));
}

/// Springs and normal contact as at a fresh start, and kp u of hysteretic parts.
Eigen::MatrixXd DualSites::spring_force(const Eigen::VectorXd& displacements) {
    Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(displacements.size(), core::directions);
    reset();
    for (auto& part : parts_) {
        const auto& plain = *part.plain;
        const auto& weight = model_.joints[plain.group].weight;
        const Eigen::VectorXd u = displacements.segment(plain.row, plain.count);
        const auto count = std::size_t(plain.count);
        at_ = constants(Sites::base_of(plain, Start::fresh, u));
        force_.resize(count);
        part.tangent.resize(count * std::size_t(plain.components));
        part.joint.evaluate(at_, force_, part.tangent);
        for (Eigen::Index i = 0; i < plain.count; ++i) {
            const bool off = !plain.elastic && !(plain.contact && i % 3 == 2);
            const double w = weight(i / plain.components);
            if (!off) slope.row(plain.row + i) += w * force_[std::size_t(i)].v.transpose();
            if (off && part.kp >= 0) slope(plain.row + i, part.kp) += w * u(i);
        }
    }
    return slope;
}

Eigen::MatrixXd DualSites::stuck_force(const Sites& sites, const Eigen::VectorXd& displacements) {
    virgin_force(sites.just_closed());
    return tangent_times(displacements);
}

void DualSites::begin(Start start, const Eigen::VectorXd& prestressed, const Eigen::MatrixXd& slope) {
    for (auto& part : parts_) {
        const auto& plain = *part.plain;
        const auto count = std::size_t(plain.count);
        const Eigen::VectorXd base = Sites::base_of(plain, start, prestressed.segment(plain.row, plain.count));
        part.base.resize(count);
        for (int d = 0; d < core::directions; ++d) {
            const Eigen::VectorXd moved = Sites::base_of(plain, start, slope.col(d).segment(plain.row, plain.count));
            for (std::size_t i = 0; i < count; ++i) {
                part.base[i].a = base(long(i));
                part.base[i].v[d] = moved(long(i));
            }
        }
        part.joint.reset();
        part.at_base.resize(count);
        part.tangent.resize(count * std::size_t(plain.components));
        part.joint.evaluate(part.base, part.at_base, part.tangent);
        if (Sites::has_path(plain, start)) part.joint.commit();
        if (plain.contact) Sites::count_from_base(part.joint, part.base);
    }
}

Eigen::MatrixXd DualSites::force(const Vector& increments) {
    Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(long(increments.size()), core::directions);
    for (auto& part : parts_) {
        const auto& plain = *part.plain;
        const auto count = std::size_t(plain.count);
        at_.resize(count);
        force_.resize(count);
        part.tangent.resize(count * std::size_t(plain.components));
        for (std::size_t i = 0; i < count; ++i) at_[i] = part.base[i] + increments[std::size_t(plain.row) + i];
        part.joint.evaluate(at_, force_, part.tangent);
        const auto& weight = model_.joints[plain.group].weight;
        for (std::size_t i = 0; i < count; ++i)
            slope.row(plain.row + long(i)) +=
                weight(long(i) / plain.components) * (force_[i].v - part.at_base[i].v).transpose();
    }
    return slope;
}

Eigen::MatrixXd DualSites::tangent_times(const Eigen::VectorXd& v) const {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(v.size(), core::directions);
    for (const auto& part : parts_) {
        const auto& plain = *part.plain;
        const auto& weight = model_.joints[plain.group].weight;
        const auto width = Eigen::Index(plain.components);
        for (Eigen::Index i = 0; i < plain.count; ++i)
            for (Eigen::Index c = 0; c < width; ++c)
                out.row(plain.row + i) += weight(i / width) * v(plain.row + i / width * width + c) *
                                          part.tangent[std::size_t(i * width + c)].v.transpose();
    }
    return out;
}

void DualSites::commit() {
    for (auto& part : parts_)
        if (!part.plain->elastic) part.joint.commit();
}

DualSites::Directions DualSites::dissipated() const {
    Directions sum = Directions::Zero();
    for (const auto& part : parts_) {
        if (part.plain->elastic) continue;
        const auto& weight = model_.joints[part.plain->group].weight;
        for (Eigen::Index i = 0; i < weight.size(); ++i) sum += weight(i) * part.joint.dissipated(std::size_t(i)).v;
    }
    return sum;
}

void DualSites::memory(Vector& out) const {
    out.clear();
    for (const auto& part : parts_) {
        if (part.plain->elastic) continue;
        const std::size_t at = out.size(), count = part.joint.memory_size() * part.joint.sites();
        out.resize(at + count);
        part.joint.memory({out.data() + at, count});
    }
}

void DualSites::set_memory(const Vector& in) {
    std::size_t at = 0;
    for (auto& part : parts_) {
        if (part.plain->elastic) continue;
        const std::size_t count = part.joint.memory_size() * part.joint.sites();
        part.joint.set_memory({in.data() + at, count});
        at += count;
    }
}

}  // namespace faying::modes
