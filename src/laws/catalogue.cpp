#include "faying/laws/catalogue.hpp"

#include <fmt/format.h>

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

}  // namespace

Law::Law(const std::string& name, const core::ParameterValues& given) : name_(name) {
    auto parts = parts_of(name, given.contains("un") ? 1 : width_of_law(name));
    if (const auto& law = *parts.front().law; law.in_series && given.contains("ks"))
        parts = {{law.in_series.get(), law.in_series->info.parameters}};
    for (const auto& part : parts)
        parameters_.insert(parameters_.end(), part.parameters.begin(), part.parameters.end());
    std::vector<const core::ParameterInfo*> table;
    for (const auto& p : parameters_) table.push_back(&p);
    values_ = core::checked_values(name, table, given);
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
    drive_ = info.drive;
    components_ = info.components;
    normal_ = info.normal;
    masing_ = masing_ && (info.claims.masing || spring);
    elastic_ = elastic_ && spring;
    independent_of_increments_ = independent_of_increments_ && info.claims.cut_tolerance > 0;
    if (info.derivatives == Derivatives::differences) derivatives_ = Derivatives::differences;
    parts_.push_back({.spring = spring,
                      .linear = spring && model->linear(),
                      .post_slip = spring ? 0.0 : post_slip_of(info.parameters, values),
                      .parameters = values.size()});
    models_.push_back(std::move(model));
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
