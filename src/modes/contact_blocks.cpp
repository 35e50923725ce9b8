#include "contact_blocks.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <numeric>

#include "faying/core/newton.hpp"

namespace faying::modes {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr std::size_t neighbours = 25;  ///< coordinates around a block, for each of its own
constexpr std::size_t least_neighbours = 400;
constexpr double block_enough = 1e-6;  ///< of a block's residual: what is left goes into the step of all
constexpr int block_iterations = 30;

std::size_t root_of(std::vector<std::size_t>& parent, std::size_t at) {
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
}

/// Coordinates around a block, nearest first; marks[i] == mark: taken.
std::vector<int> around(const ContactBlock& block, const Sparse& k, const std::vector<Eigen::Index>& faces,
                        const std::vector<int>& face_of, std::vector<int>& marks, int mark) {
    const std::size_t most = std::max(least_neighbours, neighbours * block.faces.size());
    std::vector<int> found;
    const auto take_around = [&](Eigen::Index at) {
        for (Sparse::InnerIterator it(k, at); it; ++it) {
            const auto i = std::size_t(it.row());
            if (marks[i] == mark || face_of[i] >= 0) continue;
            marks[i] = mark;
            found.push_back(int(i));
        }
    };
    for (const auto f : block.faces) take_around(faces[std::size_t(f)]);
    for (std::size_t next = 0; next < found.size() && found.size() < most; ++next) take_around(found[next]);
    return found;
}

void find_stiffness(ContactBlock& block, const Sparse& k, const std::vector<Eigen::Index>& faces,
                    const std::vector<int>& inner, std::vector<int>& place) {
    const auto count = Eigen::Index(block.faces.size());
    for (std::size_t i = 0; i < inner.size(); ++i) place[std::size_t(inner[i])] = int(i);
    std::vector<Eigen::Triplet<double>> ii;
    Eigen::MatrixXd across = Eigen::MatrixXd::Zero(Eigen::Index(inner.size()), count);
    block.stiffness.setZero(count, count);
    for (std::size_t i = 0; i < inner.size(); ++i)
        for (Sparse::InnerIterator it(k, inner[i]); it; ++it)
            if (const int row = place[std::size_t(it.row())]; row >= int(i)) ii.emplace_back(row, int(i), it.value());
    for (Eigen::Index c = 0; c < count; ++c) {
        const auto column = faces[std::size_t(block.faces[std::size_t(c)])];
        for (Sparse::InnerIterator it(k, column); it; ++it)
            if (const int row = place[std::size_t(it.row())]; row >= 0) across(row, c) = it.value();
        for (Eigen::Index d = 0; d < count; ++d)
            block.stiffness(d, c) = k.coeff(faces[std::size_t(block.faces[std::size_t(d)])], column);
    }
    for (const int i : inner) place[std::size_t(i)] = -1;
    if (inner.empty()) return;
    Sparse inside(Eigen::Index(inner.size()), Eigen::Index(inner.size()));
    inside.setFromTriplets(ii.begin(), ii.end());
    const Eigen::SimplicialLDLT<Sparse> factor(inside);
    if (factor.info() != Eigen::Success) return;
    Eigen::MatrixXd half = factor.permutationP() * across;
    factor.matrixL().solveInPlace(half);
    block.stiffness -= half.transpose() * factor.vectorD().cwiseInverse().asDiagonal() * half;
}

/// The equilibrium of a block as core::newton sees it.
class OwnEquilibrium {
 public:
    OwnEquilibrium(ContactBlock& block, const Eigen::VectorXd& y, const Eigen::VectorXd& r)
        : block_(block), begun_(y), start_(r), force_(block.evaluate(y)), residual_(r) {
        at_ = d_ = Eigen::VectorXd::Zero(r.size());
    }

    double evaluate() {
        residual_ = start_ - block_.stiffness * at_ + block_.evaluate(begun_ - at_) - force_;
        return residual_.norm();
    }
    bool direction() {
        change_ = Eigen::MatrixXd(block_.stiffness + block_.held()).partialPivLu().solve(residual_);
        return change_.allFinite();
    }
    void move(double, double to) {
        at_ = d_;
        if (to != 0) at_ += to * change_;
    }
    double scale() const { return start_.norm(); }
    bool settled(double, double after, double) {
        d_ = at_;
        return after <= block_enough * scale();
    }
    const Eigen::VectorXd& way() const { return d_; }
    const Eigen::VectorXd& residual() const { return residual_; }

 private:
    ContactBlock& block_;
    Eigen::VectorXd begun_, start_, force_;
    Eigen::VectorXd d_, at_, change_, residual_;
};

}  // namespace

JointAlone::JointAlone(const Sites& sites, std::size_t joint, const Eigen::VectorXd& weight) : weight_(weight) {
    const auto& parts = sites.parts();
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (parts[p].group != joint) continue;
        parts_.push_back(p);
        joints_.push_back(parts[p].joint);
        base_.push_back(parts[p].base);
        at_base_.push_back(parts[p].at_base);
        row_ = parts[p].row;
        width_ = parts[p].width;
    }
    force_.setZero(width_ * weight.size());
    tangent_.setZero(width_ * force_.size());
}

void JointAlone::begin(const Sites& sites) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const auto& part = sites.parts()[parts_[p]];
        joints_[p] = part.joint;
        base_[p] = part.base;
        at_base_[p] = part.at_base;
    }
}

void JointAlone::evaluate(const Eigen::Ref<const Eigen::VectorXd>& u) {
    Eigen::VectorXd at, force(force_.size()), tangent(tangent_.size());
    force_.setZero();
    tangent_.setZero();
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        at = u;
        if (base_[p].size() > 0) at += base_[p];
        joints_[p].evaluate({at.data(), std::size_t(at.size())}, {force.data(), std::size_t(force.size())},
                            {tangent.data(), std::size_t(tangent.size())});
        if (at_base_[p].size() > 0) force -= at_base_[p];
        force_ += force;
        tangent_ += tangent;
    }
    for (Eigen::Index s = 0; s < weight_.size(); ++s) {
        force_.segment(s * width_, width_) *= weight_(s);
        tangent_.segment(s * width_ * width_, width_ * width_) *= weight_(s);
    }
}

Eigen::VectorXd ContactBlock::gather(const Eigen::VectorXd& of_faces) const {
    Eigen::VectorXd own(Eigen::Index(faces.size()));
    for (std::size_t i = 0; i < faces.size(); ++i) own(Eigen::Index(i)) = of_faces(faces[i]);
    return own;
}

void ContactBlock::scatter(const Eigen::VectorXd& of_block, Eigen::VectorXd& of_faces) const {
    for (std::size_t i = 0; i < faces.size(); ++i) of_faces(faces[i]) = of_block(Eigen::Index(i));
}

Eigen::VectorXd ContactBlock::evaluate(const Eigen::VectorXd& y) {
    const Eigen::VectorXd u = map * y;
    Eigen::VectorXd force(u.size());
    Eigen::Index at = 0;
    for (auto& joint : joints) {
        joint.evaluate(u.segment(at, joint.rows()));
        force.segment(at, joint.rows()) = joint.force();
        at += joint.rows();
    }
    return map.transpose() * force;
}

Eigen::MatrixXd ContactBlock::held() const {
    using Entry = Interface::SiteMap::InnerIterator;
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(stiffness.rows(), stiffness.cols());
    Eigen::Index row = 0;
    for (const auto& joint : joints)
        for (Eigen::Index site = 0; site < joint.rows() / joint.width(); ++site, row += joint.width()) {
            const double* k = joint.tangent(site);
            for (int a = 0; a < joint.width(); ++a)
                for (int b = 0; b < joint.width(); ++b, ++k)
                    for (Entry j(map, row + b); *k != 0.0 && j; ++j)
                        for (Entry i(map, row + a); i; ++i) all(i.col(), j.col()) += *k * i.value() * j.value();
        }
    return all;
}

SettledBlock ContactBlock::settle(const Sites& sites, const Eigen::VectorXd& y, const Eigen::VectorXd& r) {
    for (auto& joint : joints) joint.begin(sites);
    OwnEquilibrium own(*this, gather(y), gather(r));
    if (own.scale() > 0)
        core::newton(own, {.tolerance = block_enough, .enough = block_enough, .most_iterations = block_iterations});
    return {own.way(), own.residual(), held()};
}

SettledBlock ContactBlock::stay(const Sites& sites, const Eigen::VectorXd& u, const Eigen::VectorXd& r) {
    for (auto& joint : joints) {
        joint.begin(sites);
        joint.evaluate(u.segment(joint.row(), joint.rows()));
    }
    return {Eigen::VectorXd::Zero(Eigen::Index(faces.size())), gather(r), held()};
}

std::vector<ContactBlock> contact_blocks(const Interface::SiteMap& map, const Sites& sites,
                                         const std::vector<structure::Joint>& joints) {
    using Entry = Interface::SiteMap::InnerIterator;
    const std::size_t count = joints.size();
    std::vector<std::size_t> parent(count), first_on(std::size_t(map.cols()), count);
    std::iota(parent.begin(), parent.end(), std::size_t(0));
    Eigen::Index row = 0;
    for (std::size_t j = 0; j < count; ++j)
        for (const auto end = row + joints[j].components() * joints[j].sites(); row < end; ++row)
            for (Entry e(map, row); e; ++e) {
                auto& first = first_on[std::size_t(e.col())];
                if (first == count) first = j;
                const auto a = root_of(parent, first), b = root_of(parent, j);
                parent[std::max(a, b)] = std::min(a, b);
            }
    std::vector<std::size_t> block_of(count, count);
    std::vector<ContactBlock> blocks;
    for (std::size_t j = 0; j < count; ++j) {
        auto& at = block_of[root_of(parent, j)];
        if (at == count) {
            at = blocks.size();
            blocks.emplace_back();
        }
        blocks[at].joints.emplace_back(sites, j, joints[j].weight);
    }
    for (Eigen::Index c = 0; c < map.cols(); ++c)
        if (const auto j = first_on[std::size_t(c)]; j < count) blocks[block_of[root_of(parent, j)]].faces.push_back(c);
    std::vector<int> place(std::size_t(map.cols()));
    for (auto& block : blocks) {
        for (std::size_t i = 0; i < block.faces.size(); ++i) place[std::size_t(block.faces[i])] = int(i);
        std::vector<Eigen::Triplet<double>> entries;
        int at = 0;
        for (const auto& joint : block.joints)
            for (Eigen::Index r = joint.row(); r < joint.row() + joint.rows(); ++r, ++at)
                for (Entry e(map, r); e; ++e) entries.emplace_back(at, place[std::size_t(e.col())], e.value());
        block.map.resize(at, Eigen::Index(block.faces.size()));
        block.map.setFromTriplets(entries.begin(), entries.end());
    }
    return blocks;
}

void find_stiffnesses(std::vector<ContactBlock>& blocks, const Sparse& stiffness,
                      const std::vector<Eigen::Index>& faces, const std::vector<int>& face_of) {
    std::vector<int> marks(face_of.size(), -1), place(face_of.size(), -1);
    int mark = 0;
    for (auto& block : blocks)
        find_stiffness(block, stiffness, faces, around(block, stiffness, faces, face_of, marks, mark++), place);
}

}  // namespace faying::modes
