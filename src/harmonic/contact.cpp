#include "faying/harmonic/contact.hpp"

#include <algorithm>

#include "contact_path.hpp"

namespace faying::harmonic {

using namespace laws;

namespace {

using core::Dual;
using detail::ContactPath;
using detail::ContactStart;

ContactStart start_of(const JointOf<Dual>& begun, const std::vector<Dual>& u) {
    JointOf<Dual> joint = begun;
    std::vector<Dual> f(3), k(9), memory(joint.memory_size());
    joint.evaluate(u, f, k);
    joint.commit();
    joint.memory(memory);
    if (memory.empty()) memory = {f[0], f[1]};  // decoupled axes: friction is all there is
    memory.resize(4, Dual(0.0));
    ContactStart start;
    for (std::size_t c = 0; c < 2; ++c) {
        const auto i = Eigen::Index(c);
        start.tau(i) = memory[c].a;
        start.dtau.row(i) = memory[c].v.transpose();
        start.stretch(i) = memory[c + 2].a;
        start.dstretch.row(i) = memory[c + 2].v.transpose();
    }
    return start;
}

/// Displacements at t = 0.
std::vector<Dual> first_place(const std::vector<Dual>& base, const core::Harmonics& harmonics,
                              const Eigen::VectorXd& motion) {
    Eigen::VectorXd h(harmonics.size());
    harmonics.values(0.0, h.data());
    const Eigen::Vector3d moved = Eigen::Map<const Eigen::MatrixXd>(motion.data(), 3, h.size()) * h;
    auto u = base;
    for (std::size_t c = 0; c < 3; ++c) u[c] += moved(Eigen::Index(c));
    return u;
}

}  // namespace

std::optional<ContactPieces> contact_pieces(const Law& law) {
    if (law.components() != 3 || law.parts().size() != 1) return std::nullopt;
    const std::string& name = law.name();
    ContactPieces c;
    const bool dry = name.starts_with("elastic-dry-friction"), plain = name.starts_with("jenkins");
    if (!dry && !plain) return std::nullopt;
    c.decoupled = name.find("-decoupled") != std::string::npos;
    c.coulomb = dry;
    c.penalty = dry ? name.find("-linear") == std::string::npos : name.find("-penalty") != std::string::npos;
    if (!dry) c.mu = core::infinity;
    for (std::size_t i = 0; i < law.parameters().size(); ++i) {
        const auto& key = law.parameters()[i].key;
        const double value = law.values()[i];
        if (key == "kt") c.kt = value;
        if (key == "kp") c.kp = value;
        if (key == "kn") c.kn = value;
        if (key == "fs") c.fs = value;
        if (key == "mu" || (key == "mu_max" && std::isfinite(value))) c.mu = value;
    }
    return c;
}

ContactSlopes contact_slopes(const Law& law, const std::vector<int>& seeds) {
    ContactSlopes slopes;
    for (std::size_t i = 0; i < law.parameters().size(); ++i) {
        const auto& key = law.parameters()[i].key;
        if (seeds[i] < 0) continue;
        const auto put = [&](ContactSlopes::Row& row) { row(seeds[i]) = 1; };
        if (key == "kt") put(slopes.kt);
        if (key == "kp") put(slopes.kp);
        if (key == "kn") put(slopes.kn);
        if (key == "fs") put(slopes.fs);
        if (key == "mu" || key == "mu_max") put(slopes.mu);
    }
    return slopes;
}

namespace {

/// One axis of decoupled ones: its displacement, none across, and the normal one they share.
Eigen::VectorXd along_axis(const Eigen::VectorXd& three, Eigen::Index axis) {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(three.size());
    for (Eigen::Index i = 0; i < three.size(); i += 3) {
        out(i) = three(i + axis);
        out(i + 2) = three(i + 2);
    }
    return out;
}

/// Each axis by itself, the normal force counted once. With `slopes`: its columns are parameters, not the motion's.
HarmonicForce decoupled(const ContactPieces& law, const ContactStart& both, const Eigen::VectorXd& base,
                        const core::Harmonics& harmonics, const Eigen::VectorXd& motion, const HarmonicOptions& options,
                        const ContactSlopes* slopes) {
    HarmonicForce out;
    out.force = Eigen::VectorXd::Zero(motion.size());
    out.slope = Eigen::MatrixXd::Zero(motion.size(), slopes ? Eigen::Index(core::directions) : motion.size());
    for (const Eigen::Index axis : {0, 1}) {
        ContactStart start;
        start.tau(0) = both.tau(axis);
        start.dtau.row(0) = both.dtau.row(axis);
        start.dtau.row(1).setZero();
        start.dstretch.setZero();
        const Eigen::VectorXd own_base = along_axis(base, axis), own_motion = along_axis(motion, axis);
        ContactSlopes own_slopes;
        if (slopes) {
            own_slopes = *slopes;
            own_slopes.base.row(0) = slopes->base.row(axis);
            own_slopes.base.row(1).setZero();
        }
        const auto found =
            ContactPath(law, own_base, harmonics, own_motion, slopes ? &own_slopes : nullptr, ContactPath::Axes::first)
                .find(start, options);
        out.dissipated += found.dissipated;
        out.residual = std::max(out.residual, found.residual);
        for (Eigen::Index i = 0; i < motion.size(); i += 3)
            for (const auto& [from, to] : {std::pair<Eigen::Index, Eigen::Index>{0, axis}, {2, 2}}) {
                if (from == 2 && axis == 1) continue;
                out.force(i + to) = found.force(i + from);
                if (slopes) {
                    out.slope.row(i + to) = found.slope.row(i + from);
                    continue;
                }
                for (Eigen::Index j = 0; j < motion.size(); j += 3) {
                    out.slope(i + to, j + axis) = found.slope(i + from, j);
                    out.slope(i + to, j + 2) = found.slope(i + from, j + 2);
                }
            }
    }
    return out;
}

}  // namespace

Eigen::MatrixXd harmonic_contact_parameters(const ContactPieces& law, ContactSlopes slopes,
                                            const JointOf<core::Dual>& seeded, const std::vector<core::Dual>& base,
                                            const core::Harmonics& harmonics, const Eigen::VectorXd& motion,
                                            const HarmonicOptions& options) {
    Eigen::VectorXd at(3);
    for (int c = 0; c < 3; ++c) {
        at(c) = base[std::size_t(c)].a;
        slopes.base.row(c) = base[std::size_t(c)].v.transpose();
    }
    const auto start = start_of(seeded, first_place(base, harmonics, motion));
    if (law.decoupled) return decoupled(law, start, at, harmonics, motion, options, &slopes).slope;
    return ContactPath(law, at, harmonics, motion, &slopes, ContactPath::Axes::both).find(start, options).slope;
}

HarmonicForce harmonic_contact(const ContactPieces& law, const JointOf<core::Dual>& begun, const Eigen::VectorXd& base,
                               const core::Harmonics& harmonics, const Eigen::VectorXd& motion,
                               const HarmonicOptions& options) {
    const std::vector<Dual> at{Dual(base(0)), Dual(base(1)), Dual(base(2))};
    const auto start = start_of(begun, first_place(at, harmonics, motion));
    if (law.decoupled) return decoupled(law, start, base, harmonics, motion, options, nullptr);
    return ContactPath(law, base, harmonics, motion, nullptr, ContactPath::Axes::both).find(start, options);
}

std::vector<ContactState> contact_states(const ContactPieces& law, const JointOf<core::Dual>& begun,
                                         const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                                         const Eigen::VectorXd& motion, const HarmonicOptions& options) {
    const std::vector<Dual> at{Dual(base(0)), Dual(base(1)), Dual(base(2))};
    const auto start = start_of(begun, first_place(at, harmonics, motion));
    std::vector<ContactState> all;
    if (!law.decoupled) {
        ContactPath path(law, base, harmonics, motion, nullptr, ContactPath::Axes::both);
        path.find(start, options);
        all.push_back(path.state());
        return all;
    }
    for (const Eigen::Index axis : {0, 1}) {
        const Eigen::VectorXd own_base = along_axis(base, axis), own_motion = along_axis(motion, axis);
        ContactPath path(law, own_base, harmonics, own_motion, nullptr, ContactPath::Axes::first);
        ContactStart own;
        own.tau(0) = start.tau(axis);
        own.dtau.setZero();
        own.dstretch.setZero();
        path.find(own, options);
        all.push_back(path.state());
        if (axis == 0) continue;
        auto& second = all.back();  // found along the first axis of a plane of its own
        std::swap(second.held(0), second.held(1));
        std::swap(second.reference(0), second.reference(1));
        second.angle += 0.5 * std::numbers::pi;
    }
    return all;
}

}  // namespace faying::harmonic
