#include "faying/laws/joint_set.hpp"

#include <limits>

#include "faying/core/anderson.hpp"

namespace faying::laws {

namespace {

std::vector<Joint> joints_of(const SiteGroup& group, double) {
    return group.law.joints(std::size_t(group.weight.size()));
}

std::vector<JointOf<core::Dual>> joints_of(const SiteGroup& group, const core::Dual&) {
    const std::vector<int> none(group.law.parameters().size(), -1);
    return group.law.joints(std::size_t(group.weight.size()), group.seeds.empty() ? Seeds(none) : group.seeds);
}

void seed(double&, int) {}
void seed(core::Dual& x, int direction) {
    if (direction >= 0) x.v[direction] = 1.0;
}

/// A part's own kp, whose parameters start at `first`; `1.kp` where several parts have one.
template <class T>
T post_slip(const SiteGroup& group, std::size_t first, const LawPart& part) {
    T kp(part.post_slip);
    for (std::size_t i = first; i < first + part.parameters && i < group.seeds.size(); ++i)
        if (const auto& key = group.law.parameters()[i].key; key == "kp" || key.ends_with(".kp"))
            seed(kp, group.seeds[i]);
    return kp;
}

/// Contact sites just committed at their base count tangential displacements from it, which they hold as before:
/// increments far smaller than the base then keep their digits.
template <class T>
void count_from_base(typename JointSet<T>::Part& part) {
    auto& joint = part.joint;
    if (joint.memory_size() == 0) return;  // a law that does not let its past be set
    std::vector<T> held(joint.memory_size() * joint.sites()), force(std::size_t(part.count)),
        tangent(std::size_t(part.count * part.width));
    joint.memory(held);
    for (Eigen::Index i = 0; i < part.count; ++i)
        if (!part.is_normal(i)) part.base(i) = T(0.0);
    joint.reset();
    joint.evaluate({part.base.data(), std::size_t(part.count)}, force, tangent);
    joint.commit();
    joint.set_memory(held);
}

/// Above x by rounding, or by the least there is.
double just_above(double x) {
    return x == 0 ? std::numeric_limits<double>::min() : x + 4 * std::numeric_limits<double>::epsilon() * std::abs(x);
}

template <class T>
Eigen::VectorXd values_of(const Eigen::Matrix<T, Eigen::Dynamic, 1>& x) {
    Eigen::VectorXd out(x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) out(i) = value(x(i));
    return out;
}

/// Numbers and their derivatives one after the other, as Anderson's mixing takes them, and back.
void unpack(const double* x, std::size_t count, Eigen::VectorXd& out) {
    out = Eigen::Map<const Eigen::VectorXd>(x, Eigen::Index(count));
}
void unpack(const core::Dual* x, std::size_t count, Eigen::VectorXd& out) {
    out.resize(Eigen::Index(count) * (core::directions + 1));
    for (std::size_t i = 0; i < count; ++i)
        out.segment<core::directions + 1>(Eigen::Index(i) * (core::directions + 1)) << x[i].a, x[i].v;
}
void pack(const Eigen::VectorXd& in, double* x, std::size_t count) {
    Eigen::Map<Eigen::VectorXd>(x, Eigen::Index(count)) = in;
}
void pack(const Eigen::VectorXd& in, core::Dual* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Eigen::Index at = Eigen::Index(i) * (core::directions + 1);
        x[i].a = in(at);
        x[i].v = in.segment<core::directions>(at + 1);
    }
}

}  // namespace

template <class T>
JointSet<T>::JointSet(const std::vector<SiteGroup>& groups) {
    Eigen::Index row = 0, tangents = 0, longest = 0;
    int widest = 1;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const SiteGroup& group = groups[g];
        const Law& law = group.law;
        const int width = law.components();
        const Eigen::Index sites = group.weight.size(), count = width * sites;
        auto made = joints_of(group, T());
        bool first = true;
        std::size_t parameter = 0;
        for (std::size_t k = 0; k < made.size(); parameter += law.parts()[k++].parameters) {
            if (!group.parts.empty() && std::count(group.parts.begin(), group.parts.end(), k) == 0) continue;
            const LawPart& about = law.parts()[k];
            parts_.push_back({.joint = made[k],
                              .begun = std::move(made[k]),
                              .group = g,
                              .row = row,
                              .count = count,
                              .width = width,
                              .normal = law.normal(),
                              .spring = about.spring,
                              .first = first,
                              .kp = post_slip<T>(group, parameter, about),
                              .base = {},
                              .at_base = {}});
            first = false;
            if (group.gap.size() > 0 && law.normal() >= 0) {
                Vector& apart = parts_.back().apart;
                apart = Vector::Constant(count, T(0.0));
                for (Eigen::Index s = 0; s < sites; ++s) apart(s * width + law.normal()) = T(-group.gap(s));
            }
            const Part& part = parts_.back();
            sticks_ = sticks_ || part.contact();
            if (part.spring) continue;
            memory_size_ += Eigen::Index(part.joint.memory_size()) * sites;
            all_settable_ = all_settable_ && part.joint.memory_size() > 0;
        }
        blocks_.push_back({row, count, width, group.weight, tangents});
        row += count;
        sites_ += sites;
        tangents += count * width;
        longest = std::max(longest, count);
        widest = std::max(widest, width);
    }
    force_ = Vector::Constant(row, T(0.0));
    tangent_ = Vector::Constant(tangents, T(0.0));
    at_.resize(longest);
    part_force_.resize(longest);
    part_tangent_.resize(longest * widest);
    for (Part& part : parts_)
        if (part.apart.size() > 0) make_virgin(part);
    mark();
}

/// Untouched, gaps open: sites begin where they are, so that tangents count from where contact is made.
template <class T>
void JointSet<T>::make_virgin(Part& part) {
    part.joint.reset();
    part.base = part.apart;
    part.at_base.resize(0);
    if (part.apart.size() == 0 || part.spring) return;
    answer(part, part.base.data());
    part.joint.commit();
}

template <class T>
void JointSet<T>::answer(Part& part, const T* at) {
    const auto count = std::size_t(part.count);
    part.joint.evaluate({at, count}, {part_force_.data(), count},
                        {part_tangent_.data(), count * std::size_t(part.width)});
}

template <class T>
void JointSet<T>::add_weighted(const Part& part, bool from_base) {
    const Block& block = blocks_[part.group];
    const int width = part.width, square = width * width;
    T* force = force_.data() + part.row;
    T* tangent = tangent_.data() + block.tangent;
    const auto put = [first = part.first](T& to, const T& x) {
        if (first)
            to = x;
        else
            to += x;
    };
    const bool counted = from_base && part.at_base.size() > 0;
    for (Eigen::Index s = 0, i = 0, k = 0; s < block.weight.size(); ++s) {
        const double weight = block.weight(s);
        for (int c = 0; c < width; ++c, ++i)
            put(force[i], weight * (counted ? T(part_force_(i) - part.at_base(i)) : part_force_(i)));
        for (int c = 0; c < square; ++c, ++k) put(tangent[k], weight * part_tangent_(k));
    }
}

template <class T>
void JointSet<T>::begin(const Vector& rest, bool history) {
    for (Part& part : parts_) {
        part.joint.reset();
        part.base = rest.segment(part.row, part.count);
        if (part.apart.size() > 0) part.base += part.apart;
        if (!part.spring && !history)  // tangentially slack, normally where the preload put it
            for (Eigen::Index i = 0; i < part.count; ++i)
                if (!part.is_normal(i)) part.base(i) = T(0.0);
        answer(part, part.base.data());
        part.at_base = part_force_.head(part.count);
        if (part.contact() || (!part.spring && history)) part.joint.commit();
        if (part.contact()) count_from_base<T>(part);
    }
    mark();
}

template <class T>
void JointSet<T>::reset() {
    for (Part& part : parts_) make_virgin(part);
}

template <class T>
void JointSet<T>::mark() {
    for (Part& part : parts_) part.begun = part.joint;
}

template <class T>
void JointSet<T>::restart() {
    for (Part& part : parts_) part.joint = part.begun;
}

template <class T>
void JointSet<T>::evaluate(const Vector& u) {
    for (Part& part : parts_) {
        const T* at = u.data() + part.row;
        if (part.base.size() > 0) {
            at_.head(part.count) = part.base + u.segment(part.row, part.count);
            at = at_.data();
        }
        answer(part, at);
        add_weighted(part, true);
    }
}

template <class T>
void JointSet<T>::evaluate_springs(const Vector& u) {
    for (Part& part : parts_) {
        const auto here = u.segment(part.row, part.count);
        for (Eigen::Index i = 0; i < part.count; ++i)
            at_(i) = part.spring || !part.contact() || part.is_normal(i) ? here(i) : T(0.0);
        if (part.apart.size() > 0) at_.head(part.count) += part.apart;
        answer(part, at_.data());
        for (Eigen::Index i = 0; i < part.count && !part.spring; ++i) {
            const bool normal = part.is_normal(i);
            if (!normal) part_force_(i) = part.kp * here(i);
            for (int c = 0; c < part.width; ++c) {
                const bool diagonal = c == i % part.width;
                if (!normal || !diagonal) part_tangent_(i * part.width + c) = diagonal ? part.kp : T(0.0);
            }
        }
        add_weighted(part, false);
    }
}

template <class T>
void JointSet<T>::commit() {
    for (Part& part : parts_)
        if (!part.spring) part.joint.commit();
}

template <class T>
void JointSet<T>::multiply_tangent(const Eigen::VectorXd& v, Vector& out) const {
    each_tangent([&](Eigen::Index row, int width, const T* k) {
        for (int a = 0; a < width; ++a) {
            T sum(0.0);
            for (int b = 0; b < width; ++b) sum += *k++ * v(row + b);
            out(row + a) = sum;
        }
    });
}

template <class T>
Eigen::VectorXd JointSet<T>::just_closed() const {
    Eigen::VectorXd closed = Eigen::VectorXd::Zero(rows());
    for (const Part& part : parts_)
        for (Eigen::Index i = part.normal; part.contact() && i < part.count; i += part.width)
            closed(part.row + i) = just_above(part.apart.size() > 0 ? -value(part.apart(i)) : 0.0);
    return closed;
}

template <class T>
std::pair<Eigen::Index, Eigen::Index> JointSet<T>::touching(const Eigen::VectorXd& u) const {
    Eigen::Index closed = 0, all = 0;
    for (const Part& part : parts_)
        for (Eigen::Index i = part.normal; part.contact() && i < part.count; i += part.width, ++all)
            closed += u(part.row + i) + (part.apart.size() > 0 ? value(part.apart(i)) : 0.0) > 0.0;
    return {closed, all};
}

template <class T>
void JointSet<T>::dissipated(std::vector<T>& by_joint) const {
    by_joint.assign(blocks_.size(), T(0.0));
    for (const Part& part : parts_) {
        const auto& weight = blocks_[part.group].weight;
        for (Eigen::Index i = 0; !part.spring && i < weight.size(); ++i)
            by_joint[part.group] += weight(i) * part.joint.dissipated(std::size_t(i));
    }
}

template <class T>
std::vector<typename JointSet<T>::Vector> JointSet<T>::dissipated_by_site() const {
    std::vector<Vector> all;
    for (const Block& block : blocks_) all.push_back(Vector::Constant(block.weight.size(), T(0.0)));
    for (const Part& part : parts_) {
        const auto& weight = blocks_[part.group].weight;
        for (Eigen::Index i = 0; !part.spring && i < weight.size(); ++i)
            all[part.group](i) += weight(i) * part.joint.dissipated(std::size_t(i));
    }
    return all;
}

template <class T>
T JointSet<T>::dissipated() const {
    T sum(0.0);
    for (const Part& part : parts_) {
        const auto& weight = blocks_[part.group].weight;
        for (Eigen::Index i = 0; !part.spring && i < weight.size(); ++i)
            sum += weight(i) * part.joint.dissipated(std::size_t(i));
    }
    return sum;
}

template <class T>
void JointSet<T>::memory(Vector& out) const {
    out.resize(memory_size_);
    T* at = out.data();
    for (const Part& part : parts_) {
        if (part.spring) continue;
        const auto count = part.joint.memory_size() * part.joint.sites();
        part.joint.memory({at, count});
        at += count;
    }
}

template <class T>
void JointSet<T>::set_memory(const Vector& in) {
    const T* at = in.data();
    for (Part& part : parts_) {
        if (part.spring) continue;
        const auto count = part.joint.memory_size() * part.joint.sites();
        part.joint.set_memory({at, count});
        at += count;
    }
}

template <class T>
SteadyLoops<T> JointSet<T>::steady_loops(const Vector& plus, const Vector& minus, double closed, int most_rounds) {
    constexpr double least_swing = 1e-5;  // of the force: what moves less is lost in the rounding of the prestress
    SteadyLoops<T> out;
    out.closure_error.resize(sites_);
    // Contact that sticks keeps what it was given; a part with a stack beside it keeps a past of its own.
    const bool settable = memory_size_ > 0 && all_settable_ && !sticks_;
    Vector held;
    std::vector<core::Anderson> mixing(settable ? std::size_t(parts_.size()) * std::size_t(sites_) : 0);
    Eigen::VectorXd x, image;
    evaluate(plus);
    Vector before = force_;
    commit();
    const Vector at_rest = [&] {
        Vector sum = Vector::Constant(rows(), T(0.0));
        for (const Part& part : parts_)
            if (part.at_base.size() > 0)
                for (Eigen::Index i = 0; i < part.count; ++i)
                    sum(part.row + i) += blocks_[part.group].weight(i / part.width) * part.at_base(i);
        return sum;
    }();
    if (settable) memory(held);
    for (out.rounds = 1;; ++out.rounds) {
        const auto loss = dissipated_by_site();
        evaluate(minus);
        out.minus = force_;
        commit();
        evaluate(plus);
        out.plus = force_;
        commit();
        const Eigen::VectorXd change = values_of<T>(out.plus - before), swing = values_of<T>(out.plus - out.minus),
                              whole = values_of<T>(out.plus + at_rest);
        Eigen::Index site = 0;
        for (const Block& block : blocks_)
            for (Eigen::Index row = block.row; row < block.row + block.count; row += block.width, ++site) {
                const double size = std::max(swing.segment(row, block.width).norm(),
                                             least_swing * whole.segment(row, block.width).norm());
                out.closure_error(site) = size > 0 ? change.segment(row, block.width).norm() / size : 0.0;
            }
        double derivatives = 0;  // these have to close too
        if constexpr (is_dual<T>)
            for (Eigen::Index i = 0; i < rows(); ++i) {
                const double size = (out.plus(i) - out.minus(i)).v.norm();
                if (size > 0) derivatives = std::max(derivatives, (out.plus(i) - before(i)).v.norm() / size);
            }
        if (std::max(out.closure_error.size() > 0 ? out.closure_error.maxCoeff() : 0.0, derivatives) <= closed ||
            out.rounds == most_rounds) {
            const auto now = dissipated_by_site();
            out.dissipated.resize(sites_);
            Eigen::Index at = 0;
            for (std::size_t g = 0; g < now.size(); at += now[g++].size())
                out.dissipated.segment(at, now[g].size()) = now[g] - loss[g];
            return out;
        }
        before = out.plus;
        if (!settable) continue;
        Vector now;
        memory(now);
        Eigen::Index at = 0;
        std::size_t next = 0;
        for (const Part& part : parts_) {
            const std::size_t size = part.joint.memory_size();
            for (std::size_t s = 0; !part.spring && s < part.joint.sites(); ++s, at += Eigen::Index(size)) {
                unpack(held.data() + at, size, x);
                unpack(now.data() + at, size, image);
                pack(mixing[next++].next(x, image), held.data() + at, size);
            }
        }
        set_memory(held);
        evaluate(plus);
        before = force_;
    }
}

template class JointSet<double>;
template class JointSet<core::Dual>;

}  // namespace faying::laws
