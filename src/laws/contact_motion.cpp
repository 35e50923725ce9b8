#include "contact_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace faying::laws {

namespace {

constexpr double period = 2 * std::numbers::pi;

}  // namespace

ContactMotion::ContactMotion(const ContactPieces& law, const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                             const Eigen::VectorXd& motion)
    : law_(law),
      base_(base),
      harmonics_(harmonics),
      u_(Eigen::Map<const Eigen::MatrixXd>(motion.data(), 3, harmonics.size())),
      functions_(harmonics.size()),
      columns_(3 * functions_) {
    straight_ = u_.row(1).isZero(0.0);
    double reach = std::abs(base(2));
    for (Eigen::Index b = 0; b < functions_; ++b) reach += std::abs(u_(2, b));
    largest_limit_ = std::min(law.fs, law.mu * law.kn * reach);
    if (!law.coulomb && !std::isfinite(law.mu)) largest_limit_ = law.fs;
    mark_times();
}

ContactMotion::Place ContactMotion::at(double t, double inside) const {
    Place p;
    p.h.resize(functions_);
    p.rate = p.bend = Eigen::VectorXd::Zero(functions_);
    harmonics_.values(t, p.h.data());
    for (std::size_t i = 0; i < harmonics_.orders().size(); ++i) {
        const double k = harmonics_.orders()[i];
        const Eigen::Index b = harmonics_.at(i);
        if (k == 0) continue;
        p.rate(b) = -k * p.h(b + 1);
        p.rate(b + 1) = k * p.h(b);
        p.bend.segment(b, 2) = -k * k * p.h.segment(b, 2);
    }
    p.u = base_ + u_ * p.h;
    p.v = u_ * p.rate;
    p.a = u_ * p.bend;
    double n = p.u(2);
    if (inside != t) {
        Eigen::VectorXd h(functions_);
        harmonics_.values(inside, h.data());
        n = base_(2) + u_.row(2).dot(h);
    }
    p.touches = !law_.penalty || n > 0;
    p.grips = law_.coulomb ? n > 0 : p.touches;
    if (!p.grips) return p;
    const double sloped = law_.mu * law_.kn;
    if (law_.coulomb || (std::isfinite(law_.mu) && sloped * n < law_.fs)) {
        p.limit = std::max(sloped * p.u(2), 0.0);
        p.limit_rate = sloped * p.v(2);
        p.pressed = sloped;
    } else {
        p.limit = law_.fs;
    }
    return p;
}

Eigen::MatrixXd ContactMotion::tangential(const Eigen::VectorXd& h) const {
    Eigen::MatrixXd d = Eigen::MatrixXd::Zero(2, columns_);
    for (Eigen::Index b = 0; b < functions_; ++b) d(0, 3 * b) = d(1, 3 * b + 1) = h(b);
    return d;
}

Eigen::RowVectorXd ContactMotion::normal(const Eigen::VectorXd& h) const {
    Eigen::RowVectorXd d = Eigen::RowVectorXd::Zero(columns_);
    for (Eigen::Index b = 0; b < functions_; ++b) d(3 * b + 2) = h(b);
    return d;
}

/// Times at which the normal displacement takes a value.
void ContactMotion::mark_crossings(double level) {
    const Eigen::VectorXd n = u_.row(2).transpose();
    auto turns = core::turning_points(harmonics_, n);
    if (turns.empty()) return;
    turns.push_back(turns.front() + period);
    Eigen::VectorXd h(functions_);
    const auto value = [&](double t) {
        harmonics_.values(t, h.data());
        return base_(2) + n.dot(h) - level;
    };
    for (std::size_t i = 0; i + 1 < turns.size(); ++i)
        if (value(turns[i]) * value(turns[i + 1]) < 0)
            marks_.push_back(std::fmod(core::time_of(harmonics_, n, level - base_(2), turns[i], turns[i + 1]), period));
}

void ContactMotion::mark_times() {
    marks_ = {0, period};
    const bool kinked = law_.coulomb || law_.penalty;
    if (kinked) mark_crossings(0.0);
    if (!law_.coulomb && std::isfinite(law_.mu)) mark_crossings(law_.fs / (law_.mu * law_.kn));
    std::sort(marks_.begin(), marks_.end());
    marks_.erase(std::unique(marks_.begin(), marks_.end(), [](double a, double b) { return b - a < 1e-13; }),
                 marks_.end());
    marks_.back() = period;
    // and often enough for the quadrature
    std::vector<double> all;
    const double most = period / (4.0 * (harmonics_.highest() + 1));
    for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
        const int parts = std::max(1, int(std::ceil((marks_[i + 1] - marks_[i]) / most)));
        for (int k = 0; k < parts; ++k) all.push_back(marks_[i] + k * (marks_[i + 1] - marks_[i]) / parts);
    }
    all.push_back(period);
    marks_ = all;
}

}  // namespace faying::laws
