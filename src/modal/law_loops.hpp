#pragma once
// Steady loops of a law at many amplitudes, with slopes by what is searched of it.

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "faying/core/error.hpp"
#include "faying/laws/searched.hpp"

namespace faying::modal {

/// A law at one point of its parameters: loops, and their slopes by what is searched.
class Loops {
 public:
    Loops(const std::vector<laws::SearchedPart>& parts, const std::string& owner,
          const std::vector<std::string>& searched, const std::vector<std::pair<std::string, double>>& held,
          const double* values, bool slopes)
        : count_(searched.size()) {
        using Jet = laws::SearchDual;
        laws::SearchPoint<Jet>::Values x;
        for (const auto& [key, value] : held) x.emplace_back(key, Jet(value));
        for (std::size_t i = 0; i < count_; ++i) x.emplace_back(searched[i], Jet(values[i], int(i)));
        const auto all = laws::from_search<Jet>(owner, parts, std::move(x));
        for (const auto& part : parts) {
            std::vector<double> own;
            std::vector<Jet> jets;
            for (const auto& info : part.part.parameters) {
                const auto at =
                    std::find_if(all.begin(), all.end(), [&](const auto& v) { return v.first == info.key; });
                if (at == all.end() && !info.fallback)
                    throw core::BadInput(owner, fmt::format("parameter '{}' has neither prior nor value", info.key));
                jets.push_back(at == all.end() ? Jet(*info.fallback) : at->second);
                own.push_back(jets.back().a);
                if (!info.bounds.contains(own.back()))
                    throw core::BadInput(owner, fmt::format("{} is out of bounds", info.key));
            }
            models_.push_back(part.part.law->make(own));
            masing_.push_back(part.part.law->info.claims.masing);
            if (slopes) jets_.push_back(std::move(jets));
        }
    }

    struct At {
        double stiffness = 0, dissipation = 0;
        Eigen::VectorXd stiffness_slopes, dissipation_slopes;
    };
    At at(double u, bool harmonic, bool slopes) const { return at(std::vector{u}, harmonic, slopes).front(); }
    std::vector<At> at(const std::vector<double>& u, bool harmonic, bool slopes) const {
        std::vector<At> sums(u.size());
        for (auto& sum : sums)
            if (slopes) sum.stiffness_slopes = sum.dissipation_slopes = Eigen::VectorXd::Zero(Eigen::Index(count_));
        for (std::size_t m = 0; m < models_.size(); ++m)
            if (masing_[m])
                along_virgin_curve(m, u, harmonic, slopes, sums);
            else
                by_cycles(m, u, harmonic, slopes, sums);
        return sums;
    }

 private:
    /// Loops of one amplitude after the other, by whatever way suits the law.
    void by_cycles(std::size_t m, const std::vector<double>& u, bool harmonic, bool slopes,
                   std::vector<At>& sums) const {
        for (std::size_t i = 0; i < u.size(); ++i) {
            const auto c = models_[m]->cycle(u[i], options_);
            sums[i].stiffness += harmonic ? c.harmonic_stiffness : c.secant;
            sums[i].dissipation += c.dissipation;
            if (!slopes) continue;
            const auto d = models_[m]->cycle_derivatives(u[i], options_);
            for (std::size_t p = 0; p < d.size(); ++p) {
                const auto& by = jets_[m][p].v.head(Eigen::Index(count_));
                sums[i].stiffness_slopes += (harmonic ? d[p].harmonic_stiffness : d[p].secant) * by;
                sums[i].dissipation_slopes += d[p].dissipation * by;
            }
        }
    }

    /// Masing: all loops are the virgin curve doubled, so one walk up that curve serves every amplitude:
    ///
    ///     K = 4/(pi A) Int_0^pi f0(A sin^2(t/2)) (-cos t) dt,   D = 4 d0(A)
    ///
    /// in two Gauss rules that meet where the law slips altogether; t = t1 w^2 smooths powers of t at zero.
    void along_virgin_curve(std::size_t m, const std::vector<double>& u, bool harmonic, bool slopes,
                            std::vector<At>& sums) const {
        using First = boost::math::quadrature::gauss<double, 20>;
        using Second = boost::math::quadrature::gauss<double, 10>;
        struct Node {
            double place, weight;
            std::size_t amplitude;
            bool tip;
        };
        std::vector<Node> nodes;
        nodes.reserve(u.size() * (harmonic ? 1 + First::abscissa().size() * 2 + 10 : 1));
        const double slip = models_[m]->macroslip().value_or(core::infinity);
        for (std::size_t i = 0; i < u.size(); ++i) {
            nodes.push_back({u[i], harmonic ? 0 : 1 / u[i], i, true});
            if (!harmonic) continue;
            const double scale = 4 / (std::numbers::pi * u[i]);
            const double end = slip < u[i] ? 2 * std::asin(std::sqrt(slip / u[i])) : std::numbers::pi;
            const auto add = [&](double t, double weight) {
                const double sine = std::sin(0.5 * t);
                nodes.push_back({u[i] * sine * sine, -scale * weight * std::cos(t), i, false});
            };
            const auto rule = [&](const auto& x, const auto& w, const auto& use) {
                for (std::size_t k = 0; k < x.size(); ++k) {
                    use(0.5 * (1 + x[k]), 0.5 * w[k]);
                    if (x[k] != 0) use(0.5 * (1 - x[k]), 0.5 * w[k]);
                }
            };
            rule(First::abscissa(), First::weights(), [&](double x, double w) { add(end * x * x, w * 2 * end * x); });
            if (end < std::numbers::pi)
                rule(Second::abscissa(), Second::weights(), [&](double x, double w) {
                    add(end + (std::numbers::pi - end) * x, w * (std::numbers::pi - end));
                });
        }
        std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
        std::vector<double> path;
        path.reserve(nodes.size());
        for (const auto& n : nodes) path.push_back(n.place);
        // By amplitude: stiffness and dissipation.
        std::vector<std::array<double, 2>> taken(u.size());
        const auto take = [&](const laws::History& h) {
            std::fill(taken.begin(), taken.end(), std::array{0.0, 0.0});
            for (std::size_t k = 0; k < nodes.size(); ++k) {
                auto& [stiffness, dissipation] = taken[nodes[k].amplitude];
                stiffness += nodes[k].weight * h.f[k];
                if (nodes[k].tip) dissipation += 4 * h.dissipated[k];
            }
        };
        take(models_[m]->follow({path}));
        for (std::size_t i = 0; i < u.size(); ++i) {
            sums[i].stiffness += taken[i][0];
            sums[i].dissipation += taken[i][1];
        }
        if (!slopes) return;
        const auto slopes_of = models_[m]->follow_derivatives({path});
        for (std::size_t p = 0; p < slopes_of.size(); ++p) {
            if (jets_[m][p].v.isZero(0)) continue;  // a parameter that is held
            const auto& by = jets_[m][p].v.head(Eigen::Index(count_));
            take(slopes_of[p]);
            for (std::size_t i = 0; i < u.size(); ++i) {
                sums[i].stiffness_slopes += taken[i][0] * by;
                sums[i].dissipation_slopes += taken[i][1] * by;
            }
        }
    }

    std::size_t count_;
    std::vector<bool> masing_;
    laws::CycleOptions options_ = {.tolerance = 1e-11};
    std::vector<std::shared_ptr<const laws::LawModel>> models_;
    std::vector<std::vector<laws::SearchDual>> jets_;
};

}  // namespace faying::modal
