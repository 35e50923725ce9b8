#include "joint_memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faying::modes {

namespace {

constexpr double twin_of_margin = 1e6;  ///< how far tips of twins are moved: 1e-5 of the reach
constexpr double aside = 1e-10;  ///< of a site's reach: older tips stay that far outside, kinks that near are passed

}  // namespace

JointMemory::JointMemory(const HarmonicSystem::Site& site)
    : site_(site),
      own_kind_(site.spring                     ? Kind::nothing
                : site.begun->memory_size() > 0 ? Kind::numbers
                                                : Kind::tips),
      numbers_(site.begun->memory_size()) {
    kind_ = own_kind_;
    u_[0] = Dual(base());
    site.begun->trace(0, u_, f_, k_);
    rest_ = base() != 0 ? f_[0].a : 0.0;
}

void JointMemory::go(laws::JointOf<Dual>& joint, const Dual& u) {
    u_[0] = u;
    joint.evaluate(u_, f_, k_);
    joint.commit();
}

void JointMemory::expect(const std::vector<double>& tips, Eigen::Index first) {
    first_ = first;
    tips_ = tips.size();
    kind_ = tips.empty() ? Kind::nothing : own_kind_;
    double reach = 0;
    for (const double u : tips) reach = std::max(reach, std::abs(u - base()));
    margin_ = 0.1 * aside * reach;
    if (kind_ == Kind::nothing) {
        values_.resize(0);
        sizes_.resize(0);
        if (own_kind_ == Kind::nothing) tips_ = 0;
    } else if (kind_ == Kind::tips) {
        values_ = Eigen::Map<const Eigen::VectorXd>(tips.data(), Eigen::Index(tips.size()));
        sizes_ = Eigen::VectorXd::Constant(values_.size(), reach);
    } else {
        settle_numbers(tips);
        sizes_.resize(values_.size());
        sizes_(0) = reach;
        for (Eigen::Index i = 1; i < values_.size(); ++i) sizes_(i) = std::max(std::abs(values_(i)), 1e-300);
    }
}

/// The numbers that the tips, gone around often enough, leave at the last of them.
void JointMemory::settle_numbers(const std::vector<double>& tips) {
    laws::JointOf<Dual> joint = *site_.begun;
    numbers_of_.resize(numbers_);
    values_.setZero(Eigen::Index(numbers_) + 1);
    Eigen::VectorXd before;
    for (int round = 0; round < 300; ++round) {
        for (const double u : tips) go(joint, Dual(u));
        joint.memory(numbers_of_);
        values_(0) = tips.back();
        for (std::size_t i = 0; i < numbers_; ++i) values_(Eigen::Index(i) + 1) = numbers_of_[i].a;
        if (round > 0 && (values_ - before).norm() <= 1e-14 * values_.norm()) break;
        before = values_;
    }
}

void JointMemory::start(const Eigen::VectorXd& states) {
    values_ = states;
    seen_.clear();
    twins_.clear();
    way_ = 0;
    if (kind_ == Kind::tips) last_turn_ = values_(values_.size() - 1);
    if (kind_ == Kind::numbers) last_turn_ = values_(0);
    if (kind_ == Kind::nothing) {
        joints_.assign(1, *site_.begun);
        memory_slope_.resize(0);
        return;
    }
    if (kind_ == Kind::tips)
        start_tips();
    else
        start_numbers();
}

/// An older tip a little outside of the farthest, then once around to the last.
void JointMemory::start_tips() {
    const auto count = std::size_t(values_.size());
    const std::size_t copies = (count + core::directions - 1) / core::directions;
    joints_.assign(copies, *site_.begun);
    memory_slope_.setZero(values_.size());
    std::size_t farthest = 0;
    for (std::size_t i = 1; i < count; ++i)
        if (std::abs(values_(Eigen::Index(i))) > std::abs(values_(Eigen::Index(farthest)))) farthest = i;
    const double tip = values_(Eigen::Index(farthest));
    for (std::size_t c = 0; c < copies; ++c) {
        go(joints_[c], Dual(tip + (tip > 0 ? 1 : -1) * 10 * margin_));
        for (std::size_t i = farthest + 1; i < count; ++i) go(joints_[c], Dual(values_(Eigen::Index(i))));
        for (std::size_t i = 0; i < count; ++i) {
            Dual u(values_(Eigen::Index(i)));
            if (i / core::directions == c) u.v[Eigen::Index(i % core::directions)] = 1.0;
            go(joints_[c], u);
        }
    }
    if (jumps()) start_twins(farthest);
}

/// The same with one tip moved either way: kinks are displacements, which dual numbers do not see.
void JointMemory::start_twins(std::size_t farthest) {
    const auto count = std::size_t(values_.size());
    const double tip = values_(Eigen::Index(farthest)), moved = twin_of_margin * margin_;
    twins_.assign(2 * count, *site_.begun);
    for (std::size_t k = 0; k < twins_.size(); ++k) {
        const auto at = [&](std::size_t i) {
            return Dual(values_(Eigen::Index(i)) + (i == k / 2 ? (k % 2 == 0 ? moved : -moved) : 0.0));
        };
        go(twins_[k], Dual(tip + (tip > 0 ? 2 : -2) * moved));
        for (std::size_t i = farthest + 1; i < count; ++i) go(twins_[k], at(i));
        for (std::size_t i = 0; i < count; ++i) go(twins_[k], at(i));
    }
}

Eigen::RowVectorXd JointMemory::level_variation() const {
    Eigen::RowVectorXd out = Eigen::RowVectorXd::Zero(held_.cols());
    const double moved = twin_of_margin * margin_;
    const auto nearest = [&](const laws::JointOf<Dual>& twin) {
        std::vector<double> all;
        twin.kinks(0, all);
        double best = std::numeric_limits<double>::infinity();
        for (const double at : all)
            if (std::abs(at - level_) < std::abs(best - level_)) best = at;
        return best;
    };
    for (std::size_t i = 0; 2 * i < twins_.size(); ++i)
        out += (nearest(twins_[2 * i]) - nearest(twins_[2 * i + 1])) / (2 * moved) * held_.row(Eigen::Index(i));
    return out;
}

/// Seeds: 0 and the last are the last reversal by turns, those between the numbers.
void JointMemory::start_numbers() {
    joints_.assign(1, *site_.begun);
    place_ = 0;
    memory_slope_.setZero(Eigen::Index(numbers_) + 2);
    Dual u(values_(0));
    u.v[0] = 1.0;
    go(joints_[0], u);
    seed_numbers();
}

void JointMemory::seed_numbers() {
    numbers_of_.resize(numbers_);
    for (std::size_t i = 0; i < numbers_; ++i) {
        numbers_of_[i] = Dual(values_(Eigen::Index(i) + 1));
        numbers_of_[i].v[Eigen::Index(i) + 1] = 1.0;
    }
    joints_[0].set_memory(numbers_of_);
}

void JointMemory::look_ahead(double u) {
    const double nowhere = std::numeric_limits<double>::infinity();
    level_ = way_ * nowhere;
    behind_ = -way_ * nowhere;
    if (kind_ == Kind::nothing || way_ == 0) return;
    kinks_.clear();
    joints_[0].kinks(0, kinks_);
    kinks_.push_back(last_turn_);
    for (const double at : kinks_) {
        const bool ahead = way_ * (at - u) > margin_;
        if (ahead && way_ * (level_ - at) > 0) level_ = at;
        if (!ahead && way_ * (at - behind_) > 0) behind_ = at;
    }
}

void JointMemory::evaluate(double u) {
    double at = u;
    if (kind_ != Kind::nothing && way_ != 0 && way_ * (level_ - behind_) > 8 * margin_) {
        const double low = way_ > 0 ? behind_ : level_, high = way_ > 0 ? level_ : behind_;
        at = std::clamp(u, low + 2 * margin_, high - 2 * margin_);
    }
    u_[0] = Dual(at);
    for (std::size_t c = 0; c < joints_.size(); ++c) {
        joints_[c].trace(0, u_, f_, k_);
        if (c == 0) {
            tangent_ = k_[0].a;
            force_ = f_[0].a - rest_ + tangent_ * (u - at);
        }
        const Eigen::Index from = Eigen::Index(c) * core::directions;
        const Eigen::Index many = std::min<Eigen::Index>(core::directions, memory_slope_.size() - from);
        for (Eigen::Index d = 0; d < many; ++d) memory_slope_(from + d) = f_[0].v[d];
    }
}

void JointMemory::add_memory(Eigen::Ref<Eigen::RowVectorXd> force) const {
    if (kind_ != Kind::nothing) force.noalias() += memory_slope_.transpose() * held_;
}

void JointMemory::reverse(double u, const Eigen::RowVectorXd& du) {
    const auto turn = Eigen::Index(seen_.size());
    seen_.push_back(u);
    last_turn_ = u;
    if (kind_ == Kind::tips) {
        for (std::size_t c = 0; c < joints_.size(); ++c) {
            Dual at(u);
            if (turn < values_.size() && turn / core::directions == Eigen::Index(c))
                at.v[turn % core::directions] = 1.0;
            go(joints_[c], at);
        }
        for (std::size_t k = 0; k < twins_.size(); ++k) {
            const double moved = turn == Eigen::Index(k / 2) ? twin_of_margin * margin_ : 0.0;
            go(twins_[k], Dual(u + (k % 2 == 0 ? moved : -moved)));
        }
        if (turn < values_.size()) {
            held_.row(turn) = du;
            values_(turn) = u;
        }
    } else if (kind_ == Kind::numbers) {
        const auto many = Eigen::Index(numbers_);
        const Eigen::Index to = place_ == 0 ? many + 1 : 0;
        Dual at(u);
        at.v[to] = 1.0;
        go(joints_[0], at);
        held_.row(to) = du;
        joints_[0].memory(numbers_of_);
        Eigen::MatrixXd moved(many, held_.cols());
        for (Eigen::Index i = 0; i < many; ++i) {
            const Dual& number = numbers_of_[std::size_t(i)];
            moved.row(i) = number.v.head(many + 2).transpose() * held_;
            values_(i + 1) = number.a;
        }
        held_.middleRows(1, many) = moved;
        values_(0) = u;
        place_ = to;
        seed_numbers();
    }
    way_ = -way_;
}

void JointMemory::vary(const Eigen::Ref<const Eigen::MatrixXd>& rows) {
    held_.setZero(memory_slope_.size(), rows.cols());
    if (kind_ == Kind::tips) held_ = rows;
    if (kind_ == Kind::numbers) {
        held_.row(place_) = rows.row(0);
        held_.middleRows(1, count() - 1) = rows.bottomRows(count() - 1);
    }
}

void JointMemory::collect(Eigen::Ref<Eigen::MatrixXd> rows) const {
    if (kind_ == Kind::tips) rows = held_;
    if (kind_ == Kind::numbers) {
        rows.row(0) = held_.row(place_);
        rows.bottomRows(count() - 1) = held_.middleRows(1, count() - 1);
    }
}

}  // namespace faying::modes
