#include "faying/laws/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace faying::laws {

namespace {

/// kp where a law has one.
double post_slip_of(const std::vector<core::ParameterInfo>& table, const std::vector<double>& values) {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].key == "kp") return values[i];
    return 0.0;
}

/// An answer beyond the largest double is no answer.
void require_finite(const std::string& law, const char* what, double where, std::initializer_list<double> answers) {
    for (const double x : answers)
        if (!std::isfinite(x))
            throw core::BadInput(
                law, fmt::format("the answer at {} {:g} overflows; choose units that keep numbers below 1e150", what,
                                 where));
}

void add_to(std::vector<double>& sum, const std::vector<double>& more) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

/// What both promise. A spring forgets everything; a linear one is its own virgin curve doubled.
Claims together(const Claims& a, const Claims& b, bool linear_spring) {
    const bool cut = a.cut_tolerance > 0 && b.cut_tolerance > 0;
    return {.odd = a.odd && b.odd,
            .return_point = a.return_point && (b.return_point || b.elastic),
            .masing = a.masing && (b.masing || linear_spring),
            .dissipative = a.dissipative && b.dissipative,
            .continuous = a.continuous && b.continuous,
            .elastic = a.elastic && b.elastic,
            .cut_tolerance = cut ? std::max(a.cut_tolerance, b.cut_tolerance) : 0};
}

/// "kt" of "2.kt".
std::string without_number(const std::string& key) {
    const auto dot = key.find('.');
    return dot == std::string::npos ? key : key.substr(dot + 1);
}

/// A law that remembers the whole way it has come and follows it again at every step.
struct FollowedLaw {
    using Scalar = double;
    struct State {
        std::vector<double> path;
    };
    static constexpr std::string_view key = "law";
    const Law* law;
    Claims claims;
    Drive drive;

    State virgin() const { return {}; }
    Step<double, State> step(State z, double u) const {
        z.path.push_back(u);
        const History h = law->follow(z.path);
        return {drive == Drive::force ? h.u.back() : h.f.back(), h.tangent.back(), h.work.back(), h.dissipated.back(),
                std::move(z)};
    }
};

/// Coefficients of a spring that are left out beside others are zero: k3 alone is a cubic spring.
core::ParameterValues with_left_out(core::ParameterValues given, const std::vector<ExpressionPart>& parts) {
    for (const auto& part : parts) {
        const auto named = [&](const auto& p) { return given.contains(p.key); };
        if (!part.law->info.claims.elastic || std::none_of(part.parameters.begin(), part.parameters.end(), named))
            continue;
        for (const auto& p : part.parameters)
            if (!p.fallback) given.try_emplace(p.key, 0.0);
    }
    return given;
}

}  // namespace

Law::Law(const std::string& name, const core::ParameterValues& given) : name_(name) {
    auto parts = parts_of(name, given.contains("un") ? 1 : width_of_law(name));
    if (const auto& law = *parts.front().law; law.in_series && given.contains("ks"))
        parts = {{law.in_series.get(), law.in_series->info.parameters}};
    for (const auto& part : parts)
        parameters_.insert(parameters_.end(), part.parameters.begin(), part.parameters.end());
    std::vector<const core::ParameterInfo*> table;
    for (const auto& p : parameters_) table.push_back(&p);
    values_ = core::checked_values(name, table, with_left_out(given, parts));
    auto next = values_.begin();
    for (const auto& part : parts) {
        const auto end = next + long(part.parameters.size());
        const std::vector<double> values(next, end);
        add_part(part.law->info, values, part.law->make(values));
        next = end;
    }
}

Law::Law(const LawInfo& info, const std::vector<double>& values, std::shared_ptr<const LawModel> model)
    : name_(info.key), parameters_(info.parameters), values_(values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto& p = info.parameters[i];
        const bool by_default = p.fallback && (*p.fallback == values[i] || std::isnan(*p.fallback));
        if (!by_default && !p.bounds.contains(values[i]))
            throw core::BadInput(name_,
                                 fmt::format("parameter '{}' = {:g} is outside {}", p.key, values[i], p.bounds.text()));
    }
    add_part(info, values, std::move(model));
}

void Law::add_part(const LawInfo& info, const std::vector<double>& values, std::shared_ptr<const LawModel> model) {
    const bool spring = info.claims.elastic;
    const bool linear = spring && model->linear();
    claims_ = together(claims_, info.claims, linear);
    drive_ = info.drive;
    components_ = info.components;
    normal_ = info.normal;
    masing_ = masing_ && (info.claims.masing || spring);
    elastic_ = elastic_ && spring;
    independent_of_increments_ = independent_of_increments_ && info.claims.cut_tolerance > 0;
    if (info.derivatives == Derivatives::differences) derivatives_ = Derivatives::differences;
    parts_.push_back({.spring = spring,
                      .linear = linear,
                      .post_slip = spring ? 0.0 : post_slip_of(info.parameters, values),
                      .parameters = values.size(),
                      .claims = info.claims});
    models_.push_back(std::move(model));
}

Law operator+(const Law& first, const Law& second) {
    for (const Law* law : {&first, &second}) {
        if (law->components() != 1) throw core::BadInput(law->name(), "is a contact law and stands alone");
        if (law->drive() == Drive::force)
            throw core::BadInput(law->name(), "is driven by force and cannot stand in parallel with another law");
    }
    Law sum = first;
    sum.name_ += "+" + second.name_;
    sum.parameters_.insert(sum.parameters_.end(), second.parameters_.begin(), second.parameters_.end());
    sum.values_.insert(sum.values_.end(), second.values_.begin(), second.values_.end());
    sum.parts_.insert(sum.parts_.end(), second.parts_.begin(), second.parts_.end());
    sum.models_.insert(sum.models_.end(), second.models_.begin(), second.models_.end());
    sum.masing_ = first.masing_ && second.masing_;
    sum.elastic_ = first.elastic_ && second.elastic_;
    sum.independent_of_increments_ = first.independent_of_increments_ && second.independent_of_increments_;
    if (second.derivatives_ == Derivatives::differences) sum.derivatives_ = Derivatives::differences;
    const bool linear =
        std::all_of(second.parts_.begin(), second.parts_.end(), [](const auto& part) { return part.linear; });
    sum.claims_ = together(first.claims_, second.claims_, linear);
    std::vector<std::vector<std::string>> keys;
    auto next = sum.parameters_.begin();
    for (const auto& part : sum.parts_) {
        auto& of_part = keys.emplace_back();
        for (std::size_t k = 0; k < part.parameters; ++k) of_part.push_back(without_number((next++)->key));
    }
    next = sum.parameters_.begin();
    for (const auto& of_part : named_apart(keys))
        for (const auto& key : of_part) (next++)->key = key;
    return sum;
}

std::vector<Finding> Law::check(const CheckOptions& options) const {
    if (components_ != 1) throw core::BadInput(name_, "contact laws are not checked along a line");
    return check_law(FollowedLaw{this, claims_, drive_}, options);
}

std::optional<double> Law::macroslip() const {
    double all = elastic_ ? core::infinity : 0.0;
    for (std::size_t i = 0; i < models_.size(); ++i) {
        if (parts_[i].spring) continue;
        const auto part = models_[i]->macroslip();
        if (!part) return std::nullopt;
        all = std::max(all, *part);
    }
    return all;
}

History Law::follow(const Path& path) const {
    History sum = models_.front()->follow(path);
    for (std::size_t i = 1; i < models_.size(); ++i) {
        const History h = models_[i]->follow(path);
        add_to(sum.f, h.f);
        add_to(sum.tangent, h.tangent);
        add_to(sum.work, h.work);
        add_to(sum.dissipated, h.dissipated);
    }
    for (std::size_t i = 0; i < sum.f.size(); ++i)
        require_finite(name_, "point", path.points[i],
                       {sum.u[i], sum.f[i], sum.tangent[i], sum.work[i], sum.dissipated[i]});
    return sum;
}

Cycle<double> Law::cycle(double amplitude, const CycleOptions& options) const {
    if (!(amplitude > 0) || !std::isfinite(amplitude))
        throw core::BadInput(name_, fmt::format("cycle amplitude {:g} is not in (0, inf)", amplitude));
    Cycle<double> sum = models_.front()->cycle(amplitude, options);
    for (std::size_t i = 1; i < models_.size(); ++i) {
        const auto c = models_[i]->cycle(amplitude, options);
        sum.dissipation += c.dissipation;
        sum.secant += c.secant;
        sum.harmonic_stiffness += c.harmonic_stiffness;
        sum.harmonic_damping += c.harmonic_damping;
        sum.residual = std::max(sum.residual, c.residual);
        sum.loops = std::max(sum.loops, c.loops);
    }
    require_finite(name_, "amplitude", amplitude,
                   {sum.dissipation, sum.secant, sum.harmonic_stiffness, sum.harmonic_damping});
    return sum;
}

History Law::loop(double amplitude, int points) const {
    History sum = models_.front()->loop(amplitude, points);
    for (std::size_t i = 1; i < models_.size(); ++i) add_to(sum.f, models_[i]->loop(amplitude, points).f);
    return sum;
}

std::vector<History> Law::follow_derivatives(const Path& path) const {
    std::vector<History> all;
    for (std::size_t i = 0; i < models_.size(); ++i) {
        auto part = models_[i]->follow_derivatives(path);
        for (std::size_t k = 0; k < parts_[i].parameters; ++k) all.push_back(std::move(part[k]));
    }
    return all;
}

std::vector<Cycle<double>> Law::cycle_derivatives(double amplitude, const CycleOptions& options) const {
    std::vector<Cycle<double>> all;
    for (std::size_t i = 0; i < models_.size(); ++i) {
        const auto part = models_[i]->cycle_derivatives(amplitude, options);
        all.insert(all.end(), part.begin(), part.begin() + long(parts_[i].parameters));
    }
    return all;
}

ContactHistory Law::follow(std::span<const Vector3<double>> points) const {
    ContactHistory h = models_.front()->follow(points);
    for (std::size_t i = 0; i < h.u.size(); ++i)
        if (!std::isfinite(h.work[i]))
            throw core::BadInput(name_, fmt::format("the answer at point {} overflows", i + 1));
    return h;
}

std::vector<Joint> Law::joints(std::size_t sites) const {
    std::vector<Joint> all;
    for (const auto& part : models_) all.push_back(part->joint(sites));
    return all;
}

std::vector<JointOf<core::Dual>> Law::joints(std::size_t sites, Seeds seeds) const {
    std::vector<JointOf<core::Dual>> all;
    std::size_t first = 0;
    for (std::size_t i = 0; i < models_.size(); ++i) {
        all.push_back(models_[i]->joint(sites, seeds.subspan(first, parts_[i].parameters)));
        first += parts_[i].parameters;
    }
    return all;
}

std::vector<Joint> Law::elastic_joints(std::size_t sites) const {
    std::vector<Joint> all;
    for (std::size_t i = 0; i < models_.size(); ++i)
        if (parts_[i].spring) all.push_back(models_[i]->joint(sites));
    return all;
}

}  // namespace faying::laws
