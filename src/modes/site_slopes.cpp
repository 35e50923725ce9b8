#include "site_slopes.hpp"

namespace faying::modes {

using core::Dual;

namespace {
static_assert(SiteSlopes::inputs <= core::directions);

Dual seeded(double x, bool seed, int direction) {
    Dual d(x);
    if (seed) d.v[direction] = 1.0;
    return d;
}
}  // namespace

bool SlopeMoves::allow(const Sites& sites, bool memory) {
    for (const auto& part : sites.parts())
        if (part.contact || (memory && !part.elastic && part.joint.memory_size() != 1)) return false;
    return true;
}

SlopeMoves::SlopeMoves(const structure::Model& model, const Sites& sites, const std::vector<Parameter>& parameters)
    : model_(model), sites_(sites), parameters_(Eigen::Index(parameters.size())) {
    std::size_t part = 0;
    for (std::size_t g = 0; g < model.joints.size(); ++g) {
        const auto& joint = model.joints[g];
        const auto& law = joint.law;
        const auto with_seeds = [&](const std::vector<int>& seeds, std::size_t k) {
            return std::move(law.joints(std::size_t(joint.sites()), seeds)[k]);
        };
        std::size_t first = 0;  // parameter of the law
        for (std::size_t k = 0; k < law.parts().size(); ++k, ++part) {
            const auto* plain = &sites.parts()[part];
            memory_at_.push_back(Eigen::Index(memory_row_.size()));
            for (Eigen::Index i = 0; !plain->elastic && i < plain->count; ++i) memory_row_.push_back(plain->row + i);
            const std::vector<int> none(law.parameters().size(), -1);
            seeded_.push_back({with_seeds(none, k), plain, part, {}, {}});
            std::vector<int> seeds = none;
            std::vector<Eigen::Index> columns;
            const auto take = [&] {
                if (!columns.empty()) seeded_.push_back({with_seeds(seeds, k), plain, part, columns, {}});
                seeds = none;
                columns.clear();
            };
            for (std::size_t c = 0; c < parameters.size(); ++c) {
                const auto p = parameters[c].parameter;
                if (parameters[c].joint != g || p < first || p >= first + law.parts()[k].parameters) continue;
                seeds[p] = int(columns.size());
                columns.push_back(Eigen::Index(c));
                if (columns.size() == core::directions) take();
            }
            take();
            first += law.parts()[k].parameters;
        }
    }
}

void SlopeMoves::note_begin(Seeded& s) {
    s.before.resize(s.joint.sites());
    for (std::size_t i = 0; i < s.before.size(); ++i) s.before[i] = s.joint.dissipated(i);
}

void SlopeMoves::begin() {
    for (auto& s : seeded_) {
        s.joint.reset();
        note_begin(s);
    }
}

void SlopeMoves::begin(const Eigen::VectorXd& increments, const Eigen::VectorXd& memories) {
    for (auto& s : seeded_) {
        if (s.plain->elastic) continue;
        const auto count = std::size_t(s.plain->count);
        const bool inputs = s.parameter.empty();
        at_.resize(count);
        force_.resize(count);
        tangent_.resize(count);
        memories_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto row = Eigen::Index(i);
            at_[i] = seeded(s.plain->base(row) + increments(s.plain->row + row), inputs, SiteSlopes::place);
            memories_[i] = seeded(memories(memory_at_[s.part] + row), inputs, SiteSlopes::memory);
        }
        s.joint.evaluate(at_, force_, tangent_);
        s.joint.commit();
        s.joint.set_memory(memories_);
        note_begin(s);
    }
}

const SiteSlopes& SlopeMoves::move(const Eigen::VectorXd& increments, SiteSlopes::Input input) {
    const auto memories = Eigen::Index(memory_row_.size());
    out_.force.setZero(sites_.rows(), SiteSlopes::inputs);
    out_.lost.setZero(sites_.rows(), SiteSlopes::inputs);
    out_.remembered.setZero(memories, SiteSlopes::inputs);
    out_.force_memory.setZero(memories);
    out_.lost_memory.setZero(memories);
    out_.force_parameter.setZero(sites_.rows(), parameters_);
    out_.remembered_parameter.setZero(memories, parameters_);
    out_.lost_parameter.setZero(parameters_);
    for (auto& s : seeded_) {
        const auto count = std::size_t(s.plain->count);
        at_.resize(count);
        force_.resize(count);
        tangent_.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            at_[i] = seeded(s.plain->base(Eigen::Index(i)) + increments(s.plain->row + Eigen::Index(i)),
                            s.parameter.empty(), input);
        s.joint.evaluate(at_, force_, tangent_);
        memories_.clear();
        if (!s.plain->elastic) {
            s.joint.commit();
            memories_.resize(s.joint.memory_size() * s.joint.sites());
            s.joint.memory(memories_);
            if (s.joint.memory_size() != 1) memories_.clear();
        }
        if (s.parameter.empty())
            collect_inputs(s);
        else
            collect_parameters(s);
    }
    return out_;
}

void SlopeMoves::collect_inputs(const Seeded& s) {
    const auto& weight = model_.joints[s.plain->group].weight;
    for (std::size_t i = 0; i < force_.size(); ++i) {
        const Eigen::Index row = s.plain->row + Eigen::Index(i);
        const double w = weight(Eigen::Index(i));
        out_.force.row(row) += w * force_[i].v.transpose();
        if (s.plain->elastic) continue;
        const auto lost = (w * (s.joint.dissipated(i).v - s.before[i].v)).eval();
        const Eigen::Index m = memory_at_[s.part] + Eigen::Index(i);
        out_.lost.row(row) += lost.transpose();
        out_.lost_memory(m) = lost[SiteSlopes::memory];
        out_.force_memory(m) = w * force_[i].v[SiteSlopes::memory];
        if (!memories_.empty()) out_.remembered.row(m) = memories_[i].v.transpose();
    }
}

void SlopeMoves::collect_parameters(const Seeded& s) {
    const auto& weight = model_.joints[s.plain->group].weight;
    for (std::size_t i = 0; i < force_.size(); ++i) {
        const Eigen::Index row = s.plain->row + Eigen::Index(i);
        const double w = weight(Eigen::Index(i));
        for (std::size_t d = 0; d < s.parameter.size(); ++d) {
            out_.force_parameter(row, s.parameter[d]) += w * force_[i].v[Eigen::Index(d)];
            if (s.plain->elastic) continue;
            out_.lost_parameter(s.parameter[d]) +=
                w * (s.joint.dissipated(i).v[Eigen::Index(d)] - s.before[i].v[Eigen::Index(d)]);
            if (!memories_.empty())
                out_.remembered_parameter(memory_at_[s.part] + Eigen::Index(i), s.parameter[d]) =
                    memories_[i].v[Eigen::Index(d)];
        }
    }
}

}  // namespace faying::modes
