#include "faying/laws/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "entry.hpp"
#include "faying/laws/polynomial.hpp"

namespace faying::laws {

const std::vector<LawEntry>& catalogue() {
    static const std::vector<LawEntry> all = [] {
        std::vector<LawEntry> laws;
        add_jenkins(laws);
        add_contact(laws);
        add_iwan(laws);
        add_sliders(laws);
        add_bouc_wen(laws);
        add_valanis(laws);
        add_two_state(laws);
        add_six_state(laws);
        add_pinched(laws);
        return laws;
    }();
    return all;
}

const LawEntry& find_law(std::string_view key) {
    for (const auto& e : catalogue())
        if (e.info.key == key) return e;
    std::vector<std::string> keys;
    for (const auto& e : catalogue()) keys.push_back(e.info.key);
    throw core::BadInput(
        fmt::format("unknown law '{}'; allowed are: {}, and any of them +kp", key, fmt::join(keys, ", ")));
}

namespace {

/// The spring of `X+kp`: a polynomial of degree one under its own name.
LawEntry post_slip_spring() {
    LawEntry spring = find_law(Polynomial<>::key);
    core::ParameterInfo kp = spring.info.parameters.front();
    kp.key = "kp";
    kp.symbol = "k_p";
    kp.bounds = core::non_negative;
    kp.scale = core::Scale::logarithmic;
    kp.meaning = "post-slip stiffness";
    spring.info.parameters = {kp};
    spring.make = [](const std::vector<double>& values) {
        std::vector<double> coefficients(Polynomial<>::degree, 0.0);
        coefficients[0] = values[0];
        return find_law(Polynomial<>::key).make(coefficients);
    };
    return spring;
}

std::vector<LawEntry> parts_of(const std::string& name) {
    std::vector<LawEntry> parts;
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t plus = std::min(name.find('+', from), name.size());
        const std::string key = name.substr(from, plus - from);
        parts.push_back(key == "kp" && from > 0 ? post_slip_spring() : find_law(key));
        from = plus + 1;
    }
    if (parts.size() > 1)
        for (const auto& part : parts)
            if (part.info.drive == Drive::force)
                throw core::BadInput(part.info.key, "is driven by force and cannot stand in parallel with another law");
    return parts;
}

/// Keys as the user writes them: bare where only one part has the key, else with the part's number in front.
std::vector<std::vector<core::ParameterInfo>> named_apart(const std::vector<LawEntry>& parts) {
    std::vector<std::vector<core::ParameterInfo>> named;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        named.push_back(parts[i].info.parameters);
        for (auto& p : named.back()) {
            int owners = 0;
            for (const auto& part : parts)
                for (const auto& other : part.info.parameters) owners += other.key == p.key;
            if (owners > 1) p.key = fmt::format("{}.{}", i + 1, p.key);
        }
    }
    return named;
}

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
    const auto parts = parts_of(name);
    const auto named = named_apart(parts);
    std::vector<const core::ParameterInfo*> table;
    for (const auto& part : named)
        for (const auto& p : part) {
            table.push_back(&p);
            parameters_.push_back(p);
        }
    values_ = core::checked_values(name, table, given);
    drive_ = parts.front().info.drive;
    auto next = values_.begin();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool spring = parts[i].info.key == Polynomial<>::key;
        masing_ = masing_ && (parts[i].info.claims.masing || spring);
        elastic_ = elastic_ && spring;
        cuts_do_not_matter_ = cuts_do_not_matter_ && parts[i].info.claims.cut_tolerance > 0;
        const std::vector<double> own(next, next + long(named[i].size()));
        models_.push_back(parts[i].make(own));
        parts_.push_back({.spring = spring,
                          .linear = spring && std::all_of(own.begin() + 1, own.end(), [](double k) { return k == 0; }),
                          .post_slip = spring ? 0.0 : post_slip_of(parts[i].info.parameters, own),
                          .parameters = own.size()});
        next += long(own.size());
    }
}

Law Law::contact(const std::string& name, const core::ParameterValues& given) {
    std::vector<std::string> keys;
    for (const auto& entry : contact_catalogue()) {
        keys.push_back(entry.info.key);
        if (entry.info.key != name) continue;
        Law law;
        law.name_ = name;
        law.parameters_ = entry.info.parameters;
        std::vector<const core::ParameterInfo*> table;
        for (const auto& p : law.parameters_) table.push_back(&p);
        law.values_ = core::checked_values(name, table, given);
        law.masing_ = law.elastic_ = false;
        law.parts_ = {{.post_slip = post_slip_of(law.parameters_, law.values_), .parameters = law.values_.size()}};
        law.contact_ = entry.make(law.values_);
        return law;
    }
    throw core::BadInput(fmt::format("unknown contact law '{}'; allowed are: {}", name, fmt::join(keys, ", ")));
}

const std::vector<std::shared_ptr<const LawModel>>& Law::models() const {
    if (contact_) throw core::BadInput(name_, "is a contact law on three displacements; it stands at joints only");
    return models_;
}

History Law::follow(const Path& path) const {
    History sum = models().front()->follow(path);
    for (std::size_t i = 1; i < models().size(); ++i) {
        const History h = models()[i]->follow(path);
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
    Cycle<double> sum = models().front()->cycle(amplitude, options);
    for (std::size_t i = 1; i < models().size(); ++i) {
        const auto c = models()[i]->cycle(amplitude, options);
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
    History sum = models().front()->loop(amplitude, points);
    for (std::size_t i = 1; i < models().size(); ++i) add_to(sum.f, models()[i]->loop(amplitude, points).f);
    return sum;
}

std::vector<History> Law::follow_derivatives(const Path& path) const {
    std::vector<History> all;
    for (std::size_t i = 0; i < models().size(); ++i) {
        auto part = models_[i]->follow_derivatives(path);
        for (std::size_t k = 0; k < parts_[i].parameters; ++k) all.push_back(std::move(part[k]));
    }
    return all;
}

std::vector<Cycle<double>> Law::cycle_derivatives(double amplitude, const CycleOptions& options) const {
    std::vector<Cycle<double>> all;
    for (std::size_t i = 0; i < models().size(); ++i) {
        const auto part = models_[i]->cycle_derivatives(amplitude, options);
        all.insert(all.end(), part.begin(), part.begin() + long(parts_[i].parameters));
    }
    return all;
}

std::vector<Joint> Law::joints(std::size_t sites) const {
    std::vector<Joint> all;
    if (contact_) all.push_back(contact_->joint(sites));
    for (const auto& part : models_) all.push_back(part->joint(sites));
    return all;
}

std::vector<JointOf<core::Dual>> Law::joints(std::size_t sites, Seeds seeds) const {
    std::vector<JointOf<core::Dual>> all;
    if (contact_) all.push_back(contact_->joint(sites, seeds));
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
