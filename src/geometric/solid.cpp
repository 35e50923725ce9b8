#include "faying/geometric/solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "faying/core/error.hpp"

namespace faying::geometric {

namespace {

void refuse_small_rotations(const fe::Deck& deck) {
    const auto refuse = [&](const fe::Place& at, const char* what) {
        throw core::BadInput(deck.where(at), fmt::format("{} is an equation for small rotations, which large "
                                                         "displacements do not keep; hold or tie nodes directly",
                                                         what));
    };
    if (!deck.couplings.empty()) refuse(deck.couplings[0].at, "a coupling");
    if (!deck.rigid_bodies.empty()) refuse(deck.rigid_bodies[0].at, "a rigid body");
    if (!deck.mpcs.empty()) refuse(deck.mpcs[0].at, "an MPC");
}

}  // namespace

bool is_deck(const std::string& file) { return file.ends_with(".inp"); }

Solid::Solid(const fe::Deck& deck, fe::ModelOptions options) {
    refuse_small_rotations(deck);
    if (!deck.steps.empty()) options.constraints.step = static_cast<fe::Index>(deck.steps.size()) - 1;
    const fe::DeckMesh mesh = fe::mesh_of(deck, options.elements);
    for (const auto& block : mesh.mesh.blocks) fe::check_bends_far(block);
    model_ = fe::model_of(deck, options);
    fe::require_mass(deck, model_);

    using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    const RowMajor transformation = model_.elimination.transformation;
    const int directions = fe::dof_per_node(mesh.mesh);
    for (std::size_t b = 0; b < mesh.mesh.blocks.size(); ++b) {
        const auto& block = mesh.mesh.blocks[b];
        blocks_.emplace_back(mesh.mesh, block);
        const auto nodes = static_cast<std::size_t>(fe::traits(block.kind).nodes());
        for (std::size_t e = 0; e < block.size(); ++e) {
            Place place{b, e, {}, {0}, {}, {}, {}};
            std::set<int> free;
            std::vector<int> terms;
            for (std::size_t a = 0; a < nodes; ++a)
                for (int i = 1; i <= directions; ++i) {
                    const auto node = mesh.nodes[static_cast<std::size_t>(block.nodes[e * nodes + a])];
                    for (RowMajor::InnerIterator it(transformation, model_.all.find(node, i)); it; ++it) {
                        terms.push_back(static_cast<int>(it.col()));
                        place.coefficient.push_back(it.value());
                        free.insert(static_cast<int>(it.col()));
                    }
                    place.start.push_back(static_cast<int>(terms.size()));
                }
            place.free.assign(free.begin(), free.end());
            for (const int t : terms)
                place.column.push_back(
                    static_cast<int>(std::lower_bound(place.free.begin(), place.free.end(), t) - place.free.begin()));
            places_.push_back(std::move(place));
        }
    }
    make_pattern();
    read_loads(deck);
}

void Solid::make_pattern() {
    std::vector<std::set<int>> columns(static_cast<std::size_t>(size()));
    for (Index i = 0; i < size(); ++i) columns[static_cast<std::size_t>(i)].insert(static_cast<int>(i));
    for (const auto& place : places_)
        for (const int c : place.free)
            columns[static_cast<std::size_t>(c)].insert(place.free.begin(), place.free.end());
    pattern_.resize(size(), size());
    Index entries = 0;
    for (const auto& c : columns) entries += static_cast<Index>(c.size());
    pattern_.resizeNonZeros(entries);
    int at = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        pattern_.outerIndexPtr()[c] = at;
        for (const int r : columns[c]) pattern_.innerIndexPtr()[at++] = r;
    }
    pattern_.outerIndexPtr()[columns.size()] = at;
    std::fill_n(pattern_.valuePtr(), entries, 0.0);
    for (auto& place : places_)
        for (const int c : place.free) {
            const int* begin = pattern_.innerIndexPtr() + pattern_.outerIndexPtr()[c];
            const int* end = pattern_.innerIndexPtr() + pattern_.outerIndexPtr()[c + 1];
            for (const int r : place.free)
                place.value.push_back(static_cast<int>(std::lower_bound(begin, end, r) - pattern_.innerIndexPtr()));
        }
}

void Solid::read_loads(const fe::Deck& deck) {
    load_ = VectorXd::Zero(size());
    VectorXd all = VectorXd::Zero(model_.all.size());
    const auto add = [&](const std::vector<fe::PointLoad>& loads) {
        for (const auto& load : loads) {
            if (!load.amplitude.empty())
                throw core::BadInput(deck.where(load.at), "a load with *AMPLITUDE cannot be a preload; give its value");
            for (const auto node : fe::nodes_of(deck, load.target)) {
                const auto i = model_.all.find(node, load.dof);
                if (i == fe::none)
                    throw core::BadInput(deck.where(load.at),
                                         fmt::format("the load is on direction {} of node {}, which no element has",
                                                     load.dof, fe::node_name(deck, node)));
                all(i) = load.value;  // a later step's value takes the place of an earlier one's
            }
        }
    };
    add(deck.loads);
    for (const auto& step : deck.steps) {
        if (step.procedure != "STATIC" || step.perturbation) continue;
        for (const auto& other : step.others)
            for (const char* kind : {"DLOAD", "DSLOAD", "TEMPERATURE", "CONTACTPAIR", "PRETENSIONSECTION"})
                if (other.name == kind)
                    throw core::BadInput(
                        deck.where(other.at),
                        fmt::format("{} is no load that large displacements take here; *CLOAD is", other.written));
        if (step.new_loads) all.setZero();
        add(step.loads);
    }
    if (!all.isZero() && !deck.transforms.empty())
        throw core::BadInput(deck.where(deck.transforms[0].at), "*TRANSFORM beside loads is not taken here");
    load_ = model_.elimination.transformation.transpose() * all;
}

Index Solid::row(fe::Index node, int direction) const {
    const auto all = model_.all.find(node, direction);
    const auto& free = model_.elimination.free;
    const auto found = std::find(free.begin(), free.end(), all);
    return all == fe::none || found == free.end() ? -1 : found - free.begin();
}

VectorXd Solid::gathered(const Place& place, const Eigen::Ref<const VectorXd>& u) const {
    const auto own = static_cast<Index>(place.start.size()) - 1;
    VectorXd local(own);
    for (Index i = 0; i < own; ++i) {
        double sum = 0;
        for (int t = place.start[static_cast<std::size_t>(i)]; t < place.start[static_cast<std::size_t>(i) + 1]; ++t) {
            const auto k = static_cast<std::size_t>(t);
            sum += place.coefficient[k] * u(place.free[static_cast<std::size_t>(place.column[k])]);
        }
        local(i) = sum;
    }
    return local;
}

/// The sum of what `visit` adds to each element's forces, on free DOF.
template <class Visit>
VectorXd Solid::summed(Visit&& visit) const {
    VectorXd f = VectorXd::Zero(size());
    for (const auto& place : places_) {
        VectorXd local = VectorXd::Zero(static_cast<Index>(place.start.size()) - 1);
        visit(place, blocks_[place.block], local);
        for (Index i = 0; i < local.size(); ++i)
            for (int t = place.start[static_cast<std::size_t>(i)]; t < place.start[static_cast<std::size_t>(i) + 1];
                 ++t) {
                const auto k = static_cast<std::size_t>(t);
                f(place.free[static_cast<std::size_t>(place.column[k])]) += place.coefficient[k] * local(i);
            }
    }
    return f;
}

VectorXd Solid::force(const VectorXd& u) const {
    return summed([&](const Place& at, const fe::LargeElements& block, VectorXd& f) {
        block.force(at.element, gathered(at, u), f);
    });
}

VectorXd Solid::quadratic(const VectorXd& u, const VectorXd& v) const {
    return summed([&](const Place& at, const fe::LargeElements& block, VectorXd& f) {
        block.quadratic(at.element, gathered(at, u), gathered(at, v), f);
    });
}

VectorXd Solid::cubic(const VectorXd& u, const VectorXd& v, const VectorXd& w) const {
    return summed([&](const Place& at, const fe::LargeElements& block, VectorXd& f) {
        block.cubic(at.element, gathered(at, u), gathered(at, v), gathered(at, w), f);
    });
}

VectorXd Solid::series(const MatrixXd& u, int order) const {
    return summed([&](const Place& at, const fe::LargeElements& block, VectorXd& f) {
        MatrixXd local(f.size(), u.cols());
        for (Index j = 0; j < u.cols(); ++j) local.col(j) = gathered(at, u.col(j));
        block.series(at.element, local, order, f);
    });
}

double Solid::energy(const VectorXd& u) const {
    double sum = 0;
    for (const auto& place : places_) sum += blocks_[place.block].energy(place.element, gathered(place, u));
    return sum;
}

Sparse Solid::tangent(const VectorXd& u) const {
    Sparse k = pattern_;
    MatrixXd local, reduced;
    for (const auto& place : places_) {
        const auto own = static_cast<Index>(place.start.size()) - 1;
        const auto free = static_cast<Index>(place.free.size());
        local.setZero(own, own);
        blocks_[place.block].tangent(place.element, gathered(place, u), local);
        reduced.setZero(free, free);
        for (Index b = 0; b < own; ++b)
            for (int tb = place.start[static_cast<std::size_t>(b)]; tb < place.start[static_cast<std::size_t>(b) + 1];
                 ++tb) {
                const auto kb = static_cast<std::size_t>(tb);
                for (Index a = 0; a < own; ++a)
                    for (int ta = place.start[static_cast<std::size_t>(a)];
                         ta < place.start[static_cast<std::size_t>(a) + 1]; ++ta) {
                        const auto ka = static_cast<std::size_t>(ta);
                        reduced(place.column[ka], place.column[kb]) +=
                            place.coefficient[ka] * place.coefficient[kb] * local(a, b);
                    }
            }
        for (Index i = 0; i < reduced.size(); ++i)
            k.valuePtr()[place.value[static_cast<std::size_t>(i)]] += reduced.data()[i];
    }
    return k;
}

}  // namespace faying::geometric
