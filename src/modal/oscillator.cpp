#include "faying/modal/oscillator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/laws/catalogue.hpp"
#include "fit/random.hpp"
#include "law_loops.hpp"

namespace faying::modal {

namespace {

using core::BadInput;
using fit::Prior;
using std::numbers::pi;

/// Powers of N and m in a unit: "N/m" is (1, -1).
struct Dimension {
    int force = 0, length = 0;
};
std::optional<Dimension> dimension_of(const std::string& unit) {
    Dimension d;
    if (unit.empty()) return d;
    const auto slash = unit.find('/');
    const std::string top = unit.substr(0, slash);
    if (top == "N")
        d.force = 1;
    else if (top == "m")
        d.length = 1;
    else if (top != "1")
        return std::nullopt;
    if (slash == std::string::npos) return top == "1" ? std::nullopt : std::optional(d);
    const std::string bottom = unit.substr(slash + 1);
    if (bottom == "m")
        d.length -= 1;
    else if (bottom.size() == 3 && bottom.starts_with("m^") && bottom[2] >= '2' && bottom[2] <= '9')
        d.length -= bottom[2] - '0';
    else
        return std::nullopt;
    return d;
}

/// Beforehand, for a parameter in units where the greatest amplitude and the mode's stiffness are one: a joint is no
/// stiffer than its mode, and slips anywhere from far below to far above what was measured.
Prior prior_of(const core::ParameterInfo& info, const Dimension& d) {
    if (d.force == 0 && d.length == 0) {
        if (info.search)
            return info.scale == core::Scale::logarithmic
                       ? Prior::log_uniform(info.key, info.search->low, info.search->high)
                       : Prior::uniform(info.key, info.search->low, info.search->high);
        if (info.scale == core::Scale::logarithmic) return Prior::log_uniform(info.key, 1e-2, 1e2);
        if (std::isfinite(info.bounds.lower) && std::isfinite(info.bounds.upper))
            return Prior::uniform(info.key, info.bounds.lower, info.bounds.upper);
        return Prior::normal(info.key, 0, 1);
    }
    if (info.bounds.lower < 0) return Prior::normal(info.key, 0, 0.1);
    if (d.force == 1 && d.length == -1) return Prior::log_uniform(info.key, 1e-6, 1);
    if (d.force == 1 && d.length == 0) return Prior::log_uniform(info.key, 1e-6, 1e2);
    return Prior::log_uniform(info.key, 1e-4, 1e4);
}

/// cos^(n+1) over a cycle, twice its mean: what q^n adds to the harmonic stiffness, over q^(n-1).
double harmonic_share(int power) {
    double share = 1;
    for (int n = power + 1; n >= 2; n -= 2) share *= double(n - 1) / n;
    return 2 * share;
}

/// "iwan4+polynomial k3,k5" taken apart.
struct Written {
    std::string law;
    std::vector<int> powers;
};
Written taken_apart(const std::string& text) {
    const auto word = text.find("polynomial");
    if (word == std::string::npos || (word > 0 && text[word - 1] != '+')) return {text, {}};
    Written w;
    w.law = word > 0 ? text.substr(0, word - 1) : "";
    std::string terms = text.substr(word + std::string("polynomial").size());
    if (terms.find_first_not_of(" :") == std::string::npos) terms = " k3,k5";
    if (terms[0] != ' ' && terms[0] != ':')
        throw BadInput("law " + text, "the polynomial stands last, as \"iwan4+polynomial k3,k5\"");
    std::string term;
    for (const char c : terms + ",") {
        if (c == ' ' || c == ':') continue;
        if (c != ',') {
            term += c;
            continue;
        }
        if (term.size() != 2 || term[0] != 'k' ||
            (term[1] != '3' && term[1] != '5' && term[1] != '7' && term[1] != '9'))
            throw BadInput("law " + text, fmt::format("'{}' is no odd term; allowed are k3, k5, k7, k9", term));
        const int power = term[1] - '0';
        if (std::find(w.powers.begin(), w.powers.end(), power) != w.powers.end())
            throw BadInput("law " + text, fmt::format("{} is there twice", term));
        w.powers.push_back(power);
        term.clear();
    }
    std::sort(w.powers.begin(), w.powers.end());
    return w;
}

}  // namespace

Scales scales_of(const std::vector<fit::Backbone>& backbones) {
    Scales s{0, core::infinity, 1};
    for (const auto& b : backbones)
        for (std::size_t i = 0; i < b.size(); ++i) {
            s.amplitude = std::max(s.amplitude, b.amplitude[i]);
            if (b.amplitude[i] < s.least) s.least = b.amplitude[i], s.omega = b.omega[i];
        }
    return s;
}
Scales scales_of(const fit::Backbone& backbone) { return scales_of(std::vector{backbone}); }

Oscillator::Oscillator(const std::string& law, const Scales& scales, Stiffness stiffness,
                       const core::ParameterValues& fixed)
    : name_(law), scales_(scales), harmonic_(stiffness == Stiffness::harmonic) {
    auto written = taken_apart(law);
    law_ = written.law;
    powers_ = written.powers;
    add(Prior::log_normal("omega", scales.omega, 0.02), "rad/s", 1);
    add(Prior::log_uniform("zeta0", 1e-6, 0.1), "", 1);
    if (!law_.empty()) add_law(fixed);
    add_polynomial();
    for (const auto& [key, value] : fixed)
        if (std::none_of(held_.begin(), held_.end(), [&key = key](const auto& h) { return h.first == key; }))
            throw BadInput("law " + law, fmt::format("has no parameter '{}' that can be held", key));
}

void Oscillator::add(Prior prior, std::string unit, double factor) {
    priors_.push_back(std::move(prior));
    units_.push_back(std::move(unit));
    factors_.push_back(factor);
}

void Oscillator::add_law(const core::ParameterValues& fixed) {
    if (laws::is_contact_law(law_))
        throw BadInput("law " + law_, "is a contact law of three displacements; a mode has one");
    parts_ = laws::searched_parts(law_);
    const double stiffness = scales_.omega * scales_.omega;
    for (const auto& part : parts_)
        if (part.part.law->info.drive == laws::Drive::force)
            throw BadInput("law " + law_, "is driven by force; a mode drives by displacement");
    for (const auto& info : laws::searchable(law_)) {
        const auto d = dimension_of(info.unit);
        const double factor =
            d ? std::pow(stiffness * scales_.amplitude, d->force) * std::pow(scales_.amplitude, d->length) : 1;
        if (const auto given = fixed.find(info.key); given != fixed.end()) {
            held_.emplace_back(info.key, given->second / factor);
            continue;
        }
        const auto dot = info.key.rfind('.');
        if (info.key.substr(dot == std::string::npos ? 0 : dot + 1) == "kp") {
            held_.emplace_back(info.key, 0);
            notes_.push_back(fmt::format("{} is the mode's own spring and part of Kinf: held at 0", info.key));
            continue;
        }
        if (info.fallback && !info.search) continue;  // at its default
        if (!d)
            throw BadInput("law " + law_,
                           fmt::format("parameter '{}' in {} cannot be scaled; hold it", info.key, info.unit));
        searched_.push_back(info.key);
        add(prior_of(info, *d), info.unit, factor);
    }
    if (searched_.size() > std::size_t(laws::most_searched))
        throw BadInput("law " + law_, fmt::format("{} parameters; at most {} can be found, hold some", searched_.size(),
                                                  int(laws::most_searched)));
    // Known before anything is fitted: a law that has no steady loop says so. Some of its parameters may not go together.
    std::string why;
    for (int k = 0; k < 50; ++k) {
        fit::Random random{std::uint64_t(k), 0x1a3};
        std::vector<double> values;
        for (const auto& p : priors_) values.push_back(p.value(k == 0 ? 0.0 : random.normal()));
        try {
            Loops(parts_, law_, searched_, held_, values.data() + 2, false).at(1, harmonic_, false);
            return;
        } catch (const BadInput& error) {
            why = error.what();
        } catch (const core::NotConverged& error) {
            why = error.what();
        }
    }
    throw BadInput("law " + law_, why);
}

void Oscillator::add_polynomial() {
    const double stiffness = scales_.omega * scales_.omega;
    for (const int power : powers_)
        add(Prior::normal(fmt::format("k{}", power), 0, 0.1), fmt::format("N/m^{}", power),
            stiffness / std::pow(scales_.amplitude, power - 1));
}

void Oscillator::set_prior(const std::string& key, double low, double high) {
    for (std::size_t i = 0; i < priors_.size(); ++i) {
        if (priors_[i].key != key) continue;
        const bool logarithmic =
            low > 0 && (priors_[i].kind == Prior::Kind::log_uniform || priors_[i].kind == Prior::Kind::log_normal);
        low /= factors_[i];
        high /= factors_[i];
        priors_[i] = logarithmic ? Prior::log_uniform(key, low, high) : Prior::uniform(key, low, high);
        return;
    }
    std::vector<std::string> keys;
    for (const auto& p : priors_) keys.push_back(p.key);
    throw BadInput("law " + name_, fmt::format("has no parameter '{}'; allowed are: {}", key, fmt::join(keys, ", ")));
}

std::optional<fit::Prediction> Oscillator::at(const std::vector<double>& values, const std::vector<double>& amplitudes,
                                              bool slopes) const {
    const auto n = Eigen::Index(amplitudes.size()), m = Eigen::Index(priors_.size());
    const auto law = Eigen::Index(searched_.size());
    const double w1 = values[0], zeta0 = values[1], scale = scales_.omega * scales_.omega;
    fit::Prediction p{Eigen::VectorXd(n), Eigen::VectorXd(n)};
    if (slopes) p.omega_slopes = p.zeta_slopes = Eigen::MatrixXd::Zero(n, m);
    try {
        const double u1 = scales_.least / scales_.amplitude;
        std::vector<double> places{u1};
        for (const double a : amplitudes) places.push_back(a / scales_.amplitude);
        std::vector<Loops::At> all(places.size());
        if (!law_.empty())
            all = Loops(parts_, law_, searched_, held_, values.data() + 2, slopes).at(places, harmonic_, slopes);
        const auto& first = all.front();
        for (Eigen::Index i = 0; i < n; ++i) {
            const double u = places[std::size_t(i) + 1];
            const auto& here = all[std::size_t(i) + 1];
            double k = here.stiffness - first.stiffness;
            for (std::size_t j = 0; j < powers_.size(); ++j) {
                const double share = harmonic_ ? harmonic_share(powers_[j]) : 1;
                k += values[std::size_t(2 + law) + j] * share *
                     (std::pow(u, powers_[j] - 1) - std::pow(u1, powers_[j] - 1));
            }
            const double square = w1 * w1 + scale * k;
            if (!(square > 0)) return std::nullopt;
            const double omega = std::sqrt(square), viscous = zeta0 * w1 / omega;
            const double loss = scale / (2 * pi * square * u * u), friction = loss * here.dissipation;
            p.omega(i) = omega;
            p.zeta(i) = viscous + friction;
            if (!slopes) continue;
            const auto by_stiffness = [&](Eigen::Index column, double dk) {
                const double dw = 0.5 * scale * dk / omega;
                p.omega_slopes(i, column) = dw;
                p.zeta_slopes(i, column) = -(viscous + 2 * friction) * dw / omega;
            };
            p.omega_slopes(i, 0) = w1 / omega;
            p.zeta_slopes(i, 0) = viscous / w1 - (viscous + 2 * friction) * w1 / square;
            p.zeta_slopes(i, 1) = w1 / omega;
            for (Eigen::Index c = 0; c < law; ++c) {
                by_stiffness(2 + c, here.stiffness_slopes(c) - first.stiffness_slopes(c));
                p.zeta_slopes(i, 2 + c) += loss * here.dissipation_slopes(c);
            }
            for (std::size_t j = 0; j < powers_.size(); ++j)
                by_stiffness(2 + law + Eigen::Index(j),
                             (harmonic_ ? harmonic_share(powers_[j]) : 1) *
                                 (std::pow(u, powers_[j] - 1) - std::pow(u1, powers_[j] - 1)));
        }
    } catch (const core::NotConverged&) {
        return std::nullopt;  // a loop that does not close has no frequency
    } catch (const BadInput&) {
        return std::nullopt;  // parameters that do not go together
    }
    if (!p.omega.allFinite() || !p.zeta.allFinite() || !(p.zeta.minCoeff() > 0)) return std::nullopt;
    if (slopes && !(p.omega_slopes.allFinite() && p.zeta_slopes.allFinite())) return std::nullopt;
    return p;
}

double Oscillator::in_units(std::size_t parameter, double value) const { return value * factors_[parameter]; }

std::vector<NamedValue> Oscillator::named(const std::vector<double>& values) const {
    const double stiffness = scales_.omega * scales_.omega;
    double k1 = 0;
    const double u1 = scales_.least / scales_.amplitude;
    std::vector<NamedValue> law;
    if (!law_.empty()) {
        k1 = Loops(parts_, law_, searched_, held_, values.data() + 2, false).at(u1, harmonic_, false).stiffness;
        // What is searched has units that can be scaled; the law's own parameters follow from it.
        laws::SearchPoint<double>::Values x;
        const auto info = laws::searchable(law_);
        const auto factor_of = [&](const std::string& key) {
            for (const auto& i : info)
                if (i.key == key) {
                    const auto d = dimension_of(i.unit);
                    return d ? std::pow(stiffness * scales_.amplitude, d->force) *
                                   std::pow(scales_.amplitude, d->length)
                             : 1.0;
                }
            return 1.0;
        };
        for (const auto& [key, value] : held_) x.emplace_back(key, value * factor_of(key));
        for (std::size_t i = 0; i < searched_.size(); ++i) x.emplace_back(searched_[i], in_units(2 + i, values[2 + i]));
        const auto own = laws::from_search<double>(law_, parts_, std::move(x));
        for (const auto& part : parts_)
            for (const auto& i : part.part.parameters)
                for (const auto& [key, value] : own)
                    if (key == i.key) law.push_back({key, value, i.unit});
    }
    const auto polynomial = 2 + searched_.size();
    for (std::size_t j = 0; j < powers_.size(); ++j)
        k1 += values[polynomial + j] * (harmonic_ ? harmonic_share(powers_[j]) : 1) * std::pow(u1, powers_[j] - 1);
    std::vector<NamedValue> all{{"Kinf", values[0] * values[0] - stiffness * k1, "1/s^2"}, {"zeta0", values[1], ""}};
    all.insert(all.end(), law.begin(), law.end());
    for (std::size_t j = 0; j < powers_.size(); ++j)
        all.push_back(
            {priors_[polynomial + j].key, in_units(polynomial + j, values[polynomial + j]), units_[polynomial + j]});
    return all;
}

structure::Model Oscillator::model(const std::vector<double>& values) const {
    structure::Model m;
    m.mass = Eigen::MatrixXd::Identity(1, 1);
    m.damping = Eigen::MatrixXd::Constant(1, 1, 2 * values[1] * values[0]);
    core::ParameterValues law, springs{{"k1", 0.0}};
    for (const auto& v : named(values)) {
        if (v.key == "Kinf")
            m.stiffness = Eigen::MatrixXd::Constant(1, 1, v.value);
        else if (std::any_of(powers_.begin(), powers_.end(), [&](int p) { return v.key == fmt::format("k{}", p); }))
            springs[v.key] = v.value;
        else if (v.key != "zeta0")
            law[v.key] = v.value;
    }
    if (!law_.empty())
        m.joints.push_back(structure::single_site("law", laws::Law(law_, law), Eigen::VectorXd::Ones(1)));
    if (!powers_.empty())
        m.joints.push_back(
            structure::single_site("polynomial", laws::Law("polynomial", springs), Eigen::VectorXd::Ones(1)));
    return m;
}

}  // namespace faying::modal
