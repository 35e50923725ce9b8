#include "site_slopes.hpp"

#include <deque>
#include <utility>

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
        if (part.width > 1 || (memory && !part.spring && part.joint.memory_size() != 1)) return false;
    return true;
}

SlopeMoves::SlopeMoves(const structure::Model& model, const Sites& sites, const std::vector<Parameter>& parameters)
    : model_(model), sites_(sites), parameters_(Eigen::Index(parameters.size())) {
    /// Groups of one pass; seeds last as long as they do.
    struct Pass {
        std::vector<laws::SiteGroup> groups;
        Seeded seeded;
    };
    std::deque<Pass> passes(1);
    std::deque<std::vector<int>> kept;
    passes[0].seeded.inputs = true;
    std::size_t part = 0;
    for (std::size_t g = 0; g < model.joints.size(); ++g) {
        const auto& joint = model.joints[g];
        const auto& law = joint.law;
        const auto add = [&](Pass& pass, std::size_t k, const std::vector<int>& seeds,
                             std::vector<Eigen::Index> columns) {
            pass.groups.push_back({law, joint.weight, kept.emplace_back(seeds), {k}});
            pass.seeded.part.push_back(part);
            pass.seeded.parameter.push_back(std::move(columns));
        };
        std::size_t first = 0;  // parameter of the law
        for (std::size_t k = 0; k < law.parts().size(); ++k, ++part) {
            const auto& plain = sites.parts()[part];
            memory_at_.push_back(Eigen::Index(memory_row_.size()));
            for (Eigen::Index i = 0; !plain.spring && i < plain.count; ++i) memory_row_.push_back(plain.row + i);
            const std::vector<int> none(law.parameters().size(), -1);
            add(passes[0], k, none, {});
            std::vector<int> seeds = none;
            std::vector<Eigen::Index> columns;
            std::size_t next = 1;
            const auto take = [&] {
                if (columns.empty()) return;
                if (next == passes.size()) passes.emplace_back();
                add(passes[next++], k, seeds, std::exchange(columns, {}));
                seeds = none;
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
    for (auto& pass : passes) {
        pass.seeded.sites = DualSites(pass.groups);
        seeded_.push_back(std::move(pass.seeded));
    }
}

void SlopeMoves::note_begin(Seeded& s) {
    s.before.clear();
    for (const auto& part : s.sites.parts()) {
        auto& before = s.before.emplace_back();
        for (std::size_t i = 0; i < part.joint.sites(); ++i) before.push_back(part.joint.dissipated(i));
    }
}

void SlopeMoves::begin() {
    for (auto& s : seeded_) {
        s.sites.reset();
        note_begin(s);
    }
}

/// Where the sites are to go, from each part's base.
void SlopeMoves::place(const Seeded& s, const Eigen::VectorXd& increments, SiteSlopes::Input input) {
    at_.resize(s.sites.rows());
    Eigen::Index row = 0;
    for (const std::size_t part : s.part) {
        const auto& plain = sites_.parts()[part];
        for (Eigen::Index i = 0; i < plain.count; ++i)
            at_(row++) =
                seeded((plain.base.size() > 0 ? plain.base(i) : 0.0) + increments(plain.row + i), s.inputs, input);
    }
}

void SlopeMoves::begin(const Eigen::VectorXd& increments, const Eigen::VectorXd& memories) {
    for (auto& s : seeded_) {
        place(s, increments, SiteSlopes::place);
        s.sites.evaluate(at_);
        s.sites.commit();
        memories_.resize(s.sites.memory_size());
        Eigen::Index next = 0;
        for (const std::size_t part : s.part)
            for (Eigen::Index i = 0; !sites_.parts()[part].spring && i < sites_.parts()[part].count; ++i)
                memories_(next++) = seeded(memories(memory_at_[part] + i), s.inputs, SiteSlopes::memory);
        s.sites.set_memory(memories_);
        note_begin(s);
    }
}

const SiteSlopes& SlopeMoves::move(const Eigen::VectorXd& increments, SiteSlopes::Input input) {
    const auto memories = Eigen::Index(memory_row_.size());
    out_.force.setZero(sites_.rows(), SiteSlopes::inputs);
    out_.loss.setZero(sites_.rows(), SiteSlopes::inputs);
    out_.remembered.setZero(memories, SiteSlopes::inputs);
    out_.force_memory.setZero(memories);
    out_.loss_memory.setZero(memories);
    out_.force_parameter.setZero(sites_.rows(), parameters_);
    out_.remembered_parameter.setZero(memories, parameters_);
    out_.loss_parameter.setZero(parameters_);
    for (auto& s : seeded_) {
        place(s, increments, input);
        s.sites.evaluate(at_);
        s.sites.commit();
        s.sites.memory(memories_);
        Eigen::Index row = 0, memory = 0;
        for (std::size_t p = 0; p < s.part.size(); ++p) {
            collect(s, p, row, memory);
            const auto& part = s.sites.parts()[p];
            row += part.count;
            if (!part.spring) memory += part.count * Eigen::Index(part.joint.memory_size());
        }
    }
    return out_;
}

/// What part p of a pass did, whose first row and memory there are given.
void SlopeMoves::collect(const Seeded& s, std::size_t p, Eigen::Index row, Eigen::Index memory) {
    const auto& part = s.sites.parts()[p];
    const auto& plain = sites_.parts()[s.part[p]];
    const auto& weight = model_.joints[plain.group].weight;
    const bool remembers = !part.spring && part.joint.memory_size() == 1;
    for (Eigen::Index i = 0; i < part.count; ++i) {
        const Eigen::Index to = plain.row + i, m = memory_at_[s.part[p]] + i;
        const Directions force = s.sites.force()(row + i).v;
        Directions loss = Directions::Zero();
        if (!part.spring) loss = weight(i) * (part.joint.dissipated(std::size_t(i)).v - s.before[p][std::size_t(i)].v);
        if (s.inputs) {
            out_.force.row(to) += force.transpose();
            if (part.spring) continue;
            out_.loss.row(to) += loss.transpose();
            out_.loss_memory(m) = loss[SiteSlopes::memory];
            out_.force_memory(m) = force[SiteSlopes::memory];
            if (remembers) out_.remembered.row(m) = memories_(memory + i).v.transpose();
            continue;
        }
        for (std::size_t d = 0; d < s.parameter[p].size(); ++d) {
            const Eigen::Index column = s.parameter[p][d];
            out_.force_parameter(to, column) += force[Eigen::Index(d)];
            out_.loss_parameter(column) += loss[Eigen::Index(d)];
            if (remembers) out_.remembered_parameter(m, column) = memories_(memory + i).v[Eigen::Index(d)];
        }
    }
}

}  // namespace faying::modes
