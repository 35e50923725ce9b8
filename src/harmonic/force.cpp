#include "faying/harmonic/force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

#include "faying/core/error.hpp"
#include "faying/core/quadrature.hpp"
#include "gauss_legendre.hpp"
#include "period_integrals.hpp"
#include "samples.hpp"
#include "scalar_memory.hpp"

namespace faying::harmonic {

using namespace laws;

namespace {

using core::Dual;
using core::Harmonics;
using std::numbers::pi;

constexpr double repeats = 1e-14;   ///< relative change of a memory that has settled
constexpr double rounding = 1e-13;  ///< of a place: reversals no further apart are none that numbers show

/// What is integrated over a piece: the force and its derivatives against every h_b.
struct Sums {
    Eigen::VectorXd force;
    Eigen::MatrixXd slope;  ///< tangent h_b h_c
    Eigen::MatrixXd turns;  ///< derivative to each reversal's displacement, against h_b

    Sums(Eigen::Index functions, Eigen::Index count)
        : force(Eigen::VectorXd::Zero(functions)),
          slope(Eigen::MatrixXd::Zero(functions, functions)),
          turns(Eigen::MatrixXd::Zero(functions, count)) {}
    Sums& operator+=(const Sums& other) {
        force += other.force;
        slope += other.slope;
        turns += other.turns;
        return *this;
    }
};

/// A site of one displacement.
class Scalar {
 public:
    Scalar(const JointOf<Dual>& begun, double base, const Harmonics& harmonics, const Eigen::VectorXd& motion,
           const HarmonicOptions& options)
        : begun_(begun),
          joint_(begun),
          harmonics_(harmonics),
          u_(motion),
          options_(options),
          base_(base),
          integrals_(harmonics) {
        times_ = core::turning_points(harmonics, motion);
        const std::size_t count = times_.size();
        std::vector<double> at(count);
        std::size_t largest = 0;
        for (std::size_t i = 0; i < count; ++i) {
            at[i] = displacement(times_[i]);
            if (std::abs(at[i]) > std::abs(at[largest]) * (1 + 1e-12)) largest = i;
        }
        functions_ = harmonics.size();
        const auto [low, high] = std::minmax_element(at.begin(), at.end());
        if (count > 0 && !(*high - *low > rounding * std::abs(at[largest]))) return;
        for (std::size_t i = 0; i < count; ++i) {  // from the largest on, times ascending
            order_.push_back((largest + i) % count);
            turns_.push_back(at[order_.back()]);
        }
        std::vector<double> ascending;
        for (std::size_t i = 0; i < count; ++i)
            ascending.push_back(times_[order_[i]] + (largest + i >= count ? 2 * pi : 0.0));
        if (count > 0) ascending.push_back(ascending.front() + 2 * pi);
        times_ = ascending;
    }

    HarmonicForce find() {
        HarmonicForce out;
        out.reversals = int(turns_.size());
        if (turns_.empty()) return at_rest(out);
        Sums sums(functions_, Eigen::Index(turns_.size()));
        for (std::size_t first = 0; first < turns_.size(); first += core::directions) {
            settle(first);
            if (first == 0) out.residual = residual_;
            const double before = joint_.dissipated(0).a;
            for (std::size_t i = 0; i < turns_.size(); ++i) {
                piece(i, first, sums);
                go_to((i + 1) % turns_.size(), first);
            }
            if (first == 0) out.dissipated = joint_.dissipated(0).a - before;
        }
        Eigen::MatrixXd at_turns(functions_, sums.turns.cols());
        for (Eigen::Index r = 0; r < at_turns.cols(); ++r)
            harmonics_.values(times_[std::size_t(r)], at_turns.col(r).data());
        out.force = sums.force;
        out.slope = sums.slope + sums.turns * at_turns.transpose();
        for (Eigen::Index b = 0; b < functions_; ++b) {
            out.force(b) *= norm(b);
            out.slope.row(b) *= norm(b);
        }
        return out;
    }

    /// Whether the force jumped on the way: at a kink, or at a reversal.
    bool jumped() const { return jumped_; }

    /// To the parameters that `seeded` carries; no reversal is seeded then.
    Eigen::MatrixXd find_parameters(const JointOf<Dual>& seeded, const Dual& base) {
        Eigen::MatrixXd out = Eigen::MatrixXd::Zero(functions_, core::directions);
        shift_.v = base.v;
        if (turns_.empty()) {
            joint_ = seeded;
            HarmonicForce still;
            at_rest(still);
            if (harmonics_.has_mean()) out.row(0) = force_[0].v.transpose();
            return out;
        }
        const std::size_t none = turns_.size();
        seeded_ = &seeded;
        settle(none);
        Sums sums(functions_, core::directions);
        for (std::size_t i = 0; i < turns_.size(); ++i) {
            piece(i, none, sums);
            go_to((i + 1) % turns_.size(), none);
        }
        for (Eigen::Index b = 0; b < functions_; ++b) out.row(b) = norm(b) * sums.turns.row(b);
        return out;
    }

 private:
    const JointOf<Dual>* seeded_ = nullptr;  ///< where derivatives are to parameters, not to reversals
    Dual shift_;                             ///< how the base moves with those parameters

    double norm(Eigen::Index b) const { return b == 0 && harmonics_.has_mean() ? 0.5 / pi : 1 / pi; }
    const JointOf<Dual>& begun_;
    JointOf<Dual> joint_;
    const Harmonics& harmonics_;
    const Eigen::VectorXd& u_;
    const HarmonicOptions& options_;
    double base_;
    std::vector<double> times_, turns_;  ///< of the reversals, the largest first; times: one more
    std::vector<std::size_t> order_;
    Eigen::Index functions_ = 0;
    double residual_ = 0, stiffest_ = 0;  ///< largest tangent met
    bool jumped_ = false;
    std::vector<Dual> at_, force_, tangent_;
    static constexpr std::size_t looks = 5;  ///< at a piece
    struct {
        std::vector<Dual> u, force, tangent;
    } seen_;  ///< at all pieces of a branch
    std::vector<double> kinks_;
    Dual last_;  ///< force where it went last
    detail::PeriodIntegrals integrals_;

    double displacement(double t) const {
        double value = 0, slope = 0, curvature = 0;
        harmonics_.motion(u_, t, value, slope, curvature);
        return base_ + value;
    }

    /// No motion beside the place where it is: the joint goes there, and answers with its tangent.
    HarmonicForce& at_rest(HarmonicForce& out) {
        at_.assign(1, base_ + (harmonics_.has_mean() ? u_(0) : 0.0) + shift_);
        force_.resize(1);
        tangent_.resize(1);
        joint_.evaluate(at_, force_, tangent_);
        out.force = tangent_[0].a * u_;
        out.slope = tangent_[0].a * Eigen::MatrixXd::Identity(functions_, functions_);
        if (harmonics_.has_mean()) out.force(0) = force_[0].a;
        return out;
    }

    /// Straight to a reversal, seeded where it is one of the four of this pass.
    void go_to(std::size_t turn, std::size_t first) {
        at_.assign(1, turns_[turn] + shift_);
        if (turn >= first && turn < first + core::directions) at_[0].v[Eigen::Index(turn - first)] = 1.0;
        force_.resize(1);
        tangent_.resize(1);
        joint_.evaluate(at_, force_, tangent_);
        joint_.commit();
        last_ = force_[0];
    }

    /// Once around, from the first reversal to the first.
    void go_around(std::size_t first) {
        for (std::size_t i = 1; i <= turns_.size(); ++i) go_to(i % turns_.size(), first);
    }

    /// At the first reversal with the memory that a period brings back.
    void settle(std::size_t first) {
        joint_ = seeded_ ? *seeded_ : begun_;
        go_to(0, first);
        double scale = std::abs(last_.a);
        const bool solvable = joint_.memory_size() > 0;
        std::vector<Dual> memory(joint_.memory_size()), earlier(memory);
        if (solvable) joint_.memory(memory);
        const auto alike = [](const Dual& x, const Dual& y, double size) {
            return std::abs(x.a - y.a) <= repeats * size && (x.v - y.v).norm() <= repeats * (x.v.norm() + y.v.norm());
        };
        const auto around = [&] {
            const Dual before = last_;
            go_around(first);
            scale = std::max(scale, std::abs(last_.a));
            residual_ = scale > 0 ? std::abs(last_.a - before.a) / scale : 0.0;
            bool same = alike(last_, before, scale);
            if (!solvable) return same;
            earlier.swap(memory);
            joint_.memory(memory);
            double size = 0;
            for (const Dual& x : memory) size = std::max(size, std::abs(x.a));
            for (std::size_t i = 0; i < memory.size(); ++i) same = same && alike(memory[i], earlier[i], size);
            return same;
        };
        // What fades slowly is solved for; what stays where it is put has many answers, and this is the history's.
        constexpr int few = 12;
        for (int k = 0; k < (solvable ? few : options_.most_periods); ++k)
            if (around()) return;
        if (solvable) solve_memory(first);
    }

    /// The memory that a period leaves alone, and with it the reversals' derivatives by the implicit function theorem.
    void solve_memory(std::size_t first) {
        const std::size_t none = turns_.size();
        const auto history = joint_;
        const Dual force_there = last_;
        std::vector<Dual> memory(joint_.memory_size());
        joint_.memory(memory);
        if (seeded_) joint_ = begun_;  // the map's slopes first, without parameters
        const Dual shift = std::exchange(shift_, Dual(0.0));
        detail::PeriodicMemory periodic(memory, [&](std::vector<Dual>& m) {
            go_to(0, none);
            joint_.set_memory(m);
            go_around(none);
            joint_.memory(m);
        });
        const double residual = periodic.find(repeats);
        shift_ = shift;
        if (!periodic.fades()) {  // a motion that small: the history's
            joint_ = history;
            last_ = force_there;
            return;
        }
        residual_ = residual;

        if (seeded_) joint_ = *seeded_;
        memory = periodic.memory();
        go_to(0, first);
        joint_.set_memory(memory);
        go_around(first);
        joint_.memory(memory);
        memory = periodic.with_derivatives(memory);
        go_to(0, first);
        joint_.set_memory(memory);
    }

    /// From the i-th reversal to the next.
    void piece(std::size_t i, std::size_t first, Sums& sums) {
        const double from = times_[i], to = times_[i + 1];
        const double low = std::min(turns_[i], turns_[(i + 1) % turns_.size()]),
                     high = std::max(turns_[i], turns_[(i + 1) % turns_.size()]);
        kinks_.clear();
        const bool known = joint_.kinks(0, kinks_);
        std::vector<double> cuts = {from};
        const double margin = 1e-14 * (high - low);
        for (const double u : kinks_)
            if (u > low + margin && u < high - margin)
                cuts.push_back(core::time_of(harmonics_, u_, u - base_, from, to));
        cuts.push_back(to);
        std::sort(cuts.begin(), cuts.end());
        if (options_.jumps) look_for_jumps(cuts, known, high - low);
        // Laws with return-point memory have gentle branches; others may saturate within a small part of one.
        const bool gentle = known && joint_.memory_size() == 0;
        if (gentle) look_along(cuts);
        for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
            if (!(cuts[c + 1] > cuts[c])) continue;
            const bool behind_reversal = c == 0;
            if (gentle && straight(c, cuts[c], cuts[c + 1], first, sums)) continue;
            const auto whole = over(cuts[c], cuts[c + 1], behind_reversal, first);
            if (gentle)
                sums += whole;
            else
                sums += refined(cuts[c], cuts[c + 1], behind_reversal, first, whole, 30,
                                std::numeric_limits<double>::infinity(), known ? 1.0 : 1e3);
        }
    }

    /// At several places of every piece.
    void look_along(const std::vector<double>& cuts) {
        constexpr std::array<double, looks> shares{0.04, 0.31, 0.53, 0.72, 0.97};
        seen_.u.clear();
        for (std::size_t c = 0; c + 1 < cuts.size(); ++c)
            for (const double share : shares)
                seen_.u.push_back(displacement(cuts[c] + share * (cuts[c + 1] - cuts[c])) + shift_);
        seen_.force.resize(seen_.u.size());
        seen_.tangent.resize(seen_.u.size());
        joint_.trace(0, seen_.u, seen_.force, seen_.tangent);
    }

    /// A piece without kinks whose tangent and derivatives are the same wherever it was looked at, to rounding, is a
    /// straight line: then in closed form.
    bool straight(std::size_t piece, double from, double to, std::size_t first, Sums& sums) {
        const std::span at = std::span(seen_.u).subspan(piece * looks, looks),
                        force = std::span(seen_.force).subspan(piece * looks, looks),
                        tangent = std::span(seen_.tangent).subspan(piece * looks, looks);
        const double stiffness = tangent[0].a, start = force[0].a - stiffness * at[0].a;
        for (std::size_t i = 1; i < looks; ++i) {
            const double off = std::abs(force[i].a - start - stiffness * at[i].a);
            if (tangent[i].a != stiffness || force[i].v != force[0].v ||
                !(off <= 1e-14 * (std::abs(start) + std::abs(stiffness * at[i].a))))
                return false;
        }
        stiffest_ = std::max(stiffest_, std::abs(stiffness));
        integrals_.over(from, to);
        const bool parameters = first == turns_.size();
        if (first == 0) {
            sums.force.noalias() += stiffness * (integrals_.second * u_);
            sums.force += (start + stiffness * base_) * integrals_.first;
            sums.slope += stiffness * integrals_.second;
        }
        const Eigen::Index column = parameters ? 0 : Eigen::Index(first);
        const Eigen::Index seeded = std::min<Eigen::Index>(core::directions, sums.turns.cols() - column);
        for (Eigen::Index d = 0; d < seeded; ++d) sums.turns.col(column + d) += force[0].v[d] * integrals_.first;
        return true;
    }

    /// On both sides of every cut, and of the reversal behind; a law that does not know its kinks may jump anywhere.
    void look_for_jumps(const std::vector<double>& cuts, bool known, double span) {
        const double aside = 1e-9 * span, least = 1e-6 * std::max(std::abs(last_.a), stiffest_ * span);
        jumped_ = jumped_ || !known;
        for (std::size_t c = 0; c + 1 < cuts.size() && !jumped_; ++c) {
            const double u = displacement(cuts[c]), way = displacement(cuts[c + 1]) > u ? 1.0 : -1.0;
            at_.assign({Dual(u + way * aside), Dual(c > 0 ? u - way * aside : u)});
            force_.resize(2);
            tangent_.resize(2);
            joint_.trace(0, at_, force_, tangent_);
            const double before = c > 0 ? force_[1].a : last_.a;
            jumped_ = std::abs(force_[0].a - before) > least + 4 * std::abs(tangent_[0].a) * aside;
        }
    }

    /// Halves until two levels agree, derivatives to `looser` times the tolerance, or until halving gains nothing: what
    /// is left then is the law's own rounding, or its integrator's.
    Sums refined(double from, double to, bool behind_reversal, std::size_t first, const Sums& whole, int depth,
                 double before, double looser) {
        const double middle = 0.5 * (from + to);
        const Sums left = over(from, middle, behind_reversal, first), right = over(middle, to, false, first);
        Sums both = left;
        both += right;
        const double scale = std::max(std::abs(last_.a), both.force.cwiseAbs().maxCoeff());
        const double slack = options_.tolerance * (looser > 1 ? 1.0 : 0.1),  // errors of many pieces add up
            off = std::max({(both.force - whole.force).cwiseAbs().maxCoeff() / scale,
                            (both.slope - whole.slope).cwiseAbs().maxCoeff() / (looser * stiffest_),
                            (both.turns - whole.turns).cwiseAbs().maxCoeff() / (looser * stiffest_)});
        const bool stalls = looser == 1 && depth < 28 && off > 0.25 * before;  // not at a kink that nobody knows
        if (depth == 0 || !(off > slack) || stalls) return both;
        Sums sum = refined(from, middle, behind_reversal, first, left, depth - 1, off, looser);
        sum += refined(middle, to, false, first, right, depth - 1, off, looser);
        return sum;
    }

    /// One Gauss rule. As many nodes as the fastest product of harmonics needs, and those of a smooth branch.
    Sums over(double from, double to, bool behind_reversal, std::size_t first) {
        const double length = to - from;
        const auto& rule =
            gauss_legendre((behind_reversal ? 24 : 16) + int(std::ceil(1.5 * harmonics_.highest() * length)));
        const std::size_t n = rule.x.size();
        at_.resize(n);
        force_.resize(n);
        tangent_.resize(n);
        Eigen::MatrixXd h(functions_, Eigen::Index(n));
        Eigen::VectorXd weight(static_cast<Eigen::Index>(n));
        for (std::size_t k = 0; k < n; ++k) {
            const double r = rule.x[k], t = from + length * (behind_reversal ? r * r : r);
            weight(Eigen::Index(k)) = length * rule.w[k] * (behind_reversal ? 2 * r : 1.0);
            harmonics_.values(t, h.col(Eigen::Index(k)).data());
            at_[k] = base_ + u_.dot(h.col(Eigen::Index(k))) + shift_;
        }
        joint_.trace(0, at_, force_, tangent_);
        const bool parameters = first == turns_.size();
        const auto count = parameters ? Eigen::Index(core::directions) : Eigen::Index(turns_.size());
        const Eigen::Index column = parameters ? 0 : Eigen::Index(first);
        Sums sums(functions_, count);
        Eigen::VectorXd f(static_cast<Eigen::Index>(n)), k(static_cast<Eigen::Index>(n));
        Eigen::MatrixXd to_turns = Eigen::MatrixXd::Zero(Eigen::Index(n), count);
        const Eigen::Index seeded = std::min<Eigen::Index>(core::directions, count - column);
        for (std::size_t i = 0; i < n; ++i) {
            const auto row = Eigen::Index(i);
            f(row) = weight(row) * force_[i].a;
            k(row) = weight(row) * tangent_[i].a;
            stiffest_ = std::max(stiffest_, std::abs(tangent_[i].a));
            for (Eigen::Index d = 0; d < seeded; ++d) to_turns(row, column + d) = weight(row) * force_[i].v[d];
        }
        if (first == 0) {
            sums.force.noalias() = h * f;
            sums.slope.noalias() = h * k.asDiagonal() * h.transpose();
        }
        sums.turns.noalias() = h * to_turns;
        return sums;
    }
};

/// Slopes by central differences, for a force that jumps.
HarmonicForce with_differences(const JointOf<Dual>& begun, double base, const Harmonics& harmonics,
                               const Eigen::VectorXd& motion, const HarmonicOptions& options) {
    constexpr double share = 1e-5;  // of the motion: third order and rounding are both about 1e-10 then
    Scalar whole(begun, base, harmonics, motion, options);
    auto out = whole.find();
    const double step = share * motion.norm();
    if (!(step > 0) || !whole.jumped()) return out;
    for (Eigen::Index c = 0; c < motion.size(); ++c) {
        Eigen::VectorXd more = motion, less = motion;
        more(c) += step;
        less(c) -= step;
        out.slope.col(c) = (Scalar(begun, base, harmonics, more, options).find().force -
                            Scalar(begun, base, harmonics, less, options).find().force) /
                           (2 * step);
    }
    return out;
}

}  // namespace

void HarmonicOptions::check(const core::Harmonics& harmonics) const {
    if (samples != 0 && samples < 2 * harmonics.highest() + 2)
        throw core::BadInput("samples", fmt::format("{} per period do not carry harmonic {}; at least {} are needed",
                                                    samples, harmonics.highest(), 2 * harmonics.highest() + 2));
    core::require(tolerance >= 1e-14 && tolerance <= 1e-3, "harmonic options", "1e-14 <= tolerance <= 1e-3");
    core::require(most_periods >= 2, "harmonic options", "most_periods >= 2");
}

HarmonicForce harmonic_force(const JointOf<core::Dual>& begun, const Eigen::VectorXd& base,
                             const core::Harmonics& harmonics, const Eigen::VectorXd& motion,
                             const HarmonicOptions& options) {
    if (options.samples > 0) return sampled(begun, base, harmonics, motion, options);
    if (begun.components() == 1 && options.jumps) return with_differences(begun, base(0), harmonics, motion, options);
    if (begun.components() == 1) return Scalar(begun, base(0), harmonics, motion, options).find();
    throw core::BadInput("harmonics", "contact on three displacements has no closed pieces: give a number of samples");
}

Eigen::MatrixXd harmonic_force_parameters(const JointOf<core::Dual>& begun, const JointOf<core::Dual>& seeded,
                                          const std::vector<core::Dual>& base, const core::Harmonics& harmonics,
                                          const Eigen::VectorXd& motion, const HarmonicOptions& options) {
    if (options.samples > 0) return sampled_parameters(seeded, base, harmonics, motion, options);
    if (begun.components() == 1)
        return Scalar(begun, base[0].a, harmonics, motion, options).find_parameters(seeded, base[0]);
    throw core::BadInput("harmonics", "contact on three displacements has no closed pieces: give a number of samples");
}

}  // namespace faying::harmonic
