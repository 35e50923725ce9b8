#pragma once
// Private to harmonic/: what a site of one displacement does over a period (faying/harmonic/force.hpp), from reversal to
// reversal and from kink to kink.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

#include "faying/core/quadrature.hpp"
#include "faying/harmonic/force.hpp"
#include "gauss_legendre.hpp"
#include "period_integrals.hpp"
#include "scalar_memory.hpp"

namespace faying::harmonic::detail {

using namespace laws;

using core::Dual;
using core::Harmonics;

/// What is integrated over a piece: the force and its derivatives against every h_b.
struct ScalarSums {
    Eigen::VectorXd force;
    Eigen::MatrixXd slope;  ///< tangent h_b h_c
    Eigen::MatrixXd turns;  ///< derivative to each reversal's displacement, against h_b
    double rough = 0;       ///< share of the integrands that polynomials through the nodes may leave out

    ScalarSums(Eigen::Index functions, Eigen::Index count)
        : force(Eigen::VectorXd::Zero(functions)),
          slope(Eigen::MatrixXd::Zero(functions, functions)),
          turns(Eigen::MatrixXd::Zero(functions, count)) {}
    ScalarSums& operator+=(const ScalarSums& other) {
        force += other.force;
        slope += other.slope;
        turns += other.turns;
        return *this;
    }
};

/// What a site of one displacement does over a period.
class ScalarPath {
 public:
    ScalarPath(const JointOf<Dual>& begun, double base, const Harmonics& harmonics, const Eigen::VectorXd& motion,
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
            ascending.push_back(times_[order_[i]] + (largest + i >= count ? 2 * std::numbers::pi : 0.0));
        if (count > 0) ascending.push_back(ascending.front() + 2 * std::numbers::pi);
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
    using Sums = ScalarSums;
    static constexpr double repeats = 1e-14;  ///< relative change of a memory that has settled
    static constexpr double smooth =
        1e-10;  ///< last coefficients of a piece: those its rule leaves out are below 1e-13
    static constexpr double rounding = 1e-13;  ///< of a place: reversals no further apart are none that numbers show
    const JointOf<Dual>* seeded_ = nullptr;    ///< where derivatives are to parameters, not to reversals
    Dual shift_;                               ///< how the base moves with those parameters

    double norm(Eigen::Index b) const {
        return b == 0 && harmonics_.has_mean() ? 0.5 / std::numbers::pi : 1 / std::numbers::pi;
    }
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
    PeriodIntegrals integrals_;

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
        constexpr int few = 3;
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
        PeriodicMemory periodic(memory, [&](std::vector<Dual>& m) {
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

    struct Cut {
        double time = 0, u = 0;
    };

    /// From the i-th reversal to the next.
    void piece(std::size_t i, std::size_t first, Sums& sums) {
        const double from = times_[i], to = times_[i + 1];
        const double low = std::min(turns_[i], turns_[(i + 1) % turns_.size()]),
                     high = std::max(turns_[i], turns_[(i + 1) % turns_.size()]);
        kinks_.clear();
        const bool known = joint_.kinks(0, kinks_);
        const double end = turns_[(i + 1) % turns_.size()];
        std::vector<Cut> cuts = {{from, turns_[i]}};
        const double margin = 1e-14 * (high - low);
        for (const double u : kinks_)
            if (u > low + margin && u < high - margin)
                cuts.push_back({core::time_of(harmonics_, u_, u - base_, from, to), u});
        cuts.push_back({to, end});
        std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.time < b.time; });
        if (options_.jumps) look_for_jumps(cuts, known, high - low);
        // Laws with return-point memory have gentle branches; others may saturate within a small part of one.
        const bool gentle = known && joint_.memory_size() == 0;
        if (gentle) look_along(cuts);
        for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
            if (!(cuts[c + 1].time > cuts[c].time)) continue;
            const bool behind_reversal = c == 0;
            if (gentle && straight(c, cuts[c], cuts[c + 1], first, sums)) continue;
            auto whole = over(cuts[c].time, cuts[c + 1].time, behind_reversal, first);
            if (!known || whole.rough > smooth)
                whole = refined(cuts[c].time, cuts[c + 1].time, behind_reversal, first, whole, 30,
                                std::numeric_limits<double>::infinity(), known ? 1.0 : 1e3);
            sums += whole;
        }
    }

    /// At several places of every piece.
    void look_along(const std::vector<Cut>& cuts) {
        constexpr std::array<double, looks> shares{0.04, 0.31, 0.53, 0.72, 0.97};
        seen_.u.clear();
        for (std::size_t c = 0; c + 1 < cuts.size(); ++c)
            for (const double share : shares)
                seen_.u.push_back(cuts[c].u + share * (cuts[c + 1].u - cuts[c].u) + shift_);
        seen_.force.resize(seen_.u.size());
        seen_.tangent.resize(seen_.u.size());
        joint_.trace(0, seen_.u, seen_.force, seen_.tangent);
    }

    /// A piece without kinks whose tangent and derivatives are the same wherever it was looked at, to rounding, is a
    /// straight line: then in closed form.
    bool straight(std::size_t piece, const Cut& from, const Cut& to, std::size_t first, Sums& sums) {
        const auto of_piece = [&](const std::vector<Dual>& all) {
            return std::span(all).subspan(piece * looks, looks);
        };
        const auto at = of_piece(seen_.u), force = of_piece(seen_.force), tangent = of_piece(seen_.tangent);
        const double stiffness = tangent[0].a, start = force[0].a - stiffness * at[0].a;
        for (std::size_t i = 1; i < looks; ++i) {
            const double off = std::abs(force[i].a - start - stiffness * at[i].a);
            if (tangent[i].a != stiffness || force[i].v != force[0].v ||
                !(off <= 1e-14 * (std::abs(start) + std::abs(stiffness * at[i].a))))
                return false;
        }
        stiffest_ = std::max(stiffest_, std::abs(stiffness));
        integrals_.over(from.time, to.time);
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
    void look_for_jumps(const std::vector<Cut>& cuts, bool known, double span) {
        const double aside = 1e-9 * span, least = 1e-6 * std::max(std::abs(last_.a), stiffest_ * span);
        jumped_ = jumped_ || !known;
        for (std::size_t c = 0; c + 1 < cuts.size() && !jumped_; ++c) {
            const double u = cuts[c].u, way = cuts[c + 1].u > u ? 1.0 : -1.0;
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

    /// The largest of the last Legendre coefficients of force, tangent and derivatives at the nodes, beside their sizes.
    double rough(const GaussLegendre& rule, Eigen::Index seeded) const {
        constexpr std::size_t count = 2 + core::directions;
        std::array<std::array<double, GaussLegendre::highest>, count> last{};
        std::array<double, count> sizes{std::abs(last_.a), stiffest_};
        std::fill(sizes.begin() + 2, sizes.end(), stiffest_);
        for (std::size_t i = 0; i < rule.x.size(); ++i)
            for (std::size_t j = 0; j < 2 + std::size_t(seeded); ++j) {
                const double value = j == 0 ? force_[i].a : j == 1 ? tangent_[i].a : force_[i].v[Eigen::Index(j - 2)];
                sizes[j] = std::max(sizes[j], std::abs(value));
                for (std::size_t d = 0; d < last[j].size(); ++d) last[j][d] += rule.last[i][d] * value;
            }
        double worst = 0;
        for (std::size_t j = 0; j < count; ++j)
            for (const double c : last[j])
                if (c != 0) worst = std::max(worst, std::abs(c) / sizes[j]);
        return worst;
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
        if (joint_.memory_size() > 0) sums.rough = rough(rule, seeded);
        if (first == 0) {
            sums.force.noalias() = h * f;
            sums.slope.noalias() = h * k.asDiagonal() * h.transpose();
        }
        sums.turns.noalias() = h * to_turns;
        return sums;
    }
};

}  // namespace faying::harmonic::detail
