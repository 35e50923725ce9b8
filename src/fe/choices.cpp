#include "faying/fe/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace faying::fe {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// How many elements of a kind there are, and how the first of them are made.
struct Use {
    std::size_t count = 0;
    Place first;
    HourglassControl hourglass;
    Dilatation dilatation = Dilatation::full;
};

std::map<ElementKind, Use> uses_of(const Deck& deck, const ModelOptions& options) {
    std::map<ElementKind, Use> uses;
    for (const ElementBlock& block : mesh_of(deck, options.elements).mesh.blocks) {
        Use& use = uses[block.kind];
        if (use.count == 0) {
            use.hourglass = block.hourglass;
            use.dilatation = block.dilatation.value_or(options.assembly.dilatation);
        }
        use.count += block.size();
    }
    for (auto e = deck.elements.rbegin(); e != deck.elements.rend(); ++e)
        if (const auto* type = known_type(deck, *e); type && type->assembled_as)
            if (const auto found = uses.find(*type->assembled_as); found != uses.end()) found->second.first = e->at;
    return uses;
}

/// The options with one more choice about `kind`, in place of an earlier one.
ModelOptions with(const ModelOptions& options, const std::string& text) {
    ModelOptions other = options;
    const ElementChoice choice = element_choice(text, "element");
    std::erase_if(other.elements, [&](const ElementChoice& c) { return c.from == choice.from; });
    other.elements.push_back(choice);
    return other;
}

void add_taken(const Deck& deck, const ModelOptions& options, std::vector<Choice>& to) {
    for (const ElementChoice& choice : options.elements) {
        if (choice.from == choice.to) continue;
        Place at;
        for (auto e = deck.elements.rbegin(); e != deck.elements.rend(); ++e)
            if (const auto* type = known_type(deck, *e); type && type->assembled_as == choice.from) at = e->at;
        ModelOptions other = options;
        std::erase_if(other.elements, [&](const ElementChoice& c) { return c.text == choice.text; });
        to.push_back({at,
                      fmt::format("elements of type {} are taken as {}, as asked", traits(choice.from).name,
                                  traits(choice.to).name),
                      fmt::format("without element = \"{}\"", choice.text), std::move(other)});
    }
}

void add_formulations(const Deck& deck, const ModelOptions& options, std::vector<Choice>& to) {
    for (const auto& [kind, use] : uses_of(deck, options)) {
        // An element that is here only because it was taken for another has no key of its own.
        const bool taken = std::any_of(options.elements.begin(), options.elements.end(),
                                       [k = kind](const auto& c) { return c.to == k && c.from != k; });
        if (taken) continue;
        const ElementTraits& t = traits(kind);
        if (t.formulation == Formulation::mean_strain) {
            const bool enhanced = use.hourglass.kind == Hourglass::enhanced;
            const std::string instead = fmt::format("{}={}", t.name, enhanced ? "stiffness" : "enhanced");
            to.push_back(
                {use.first,
                 fmt::format("{} elements of type {}: hourglass control by {}", use.count, t.name,
                             enhanced ? "enhanced assumed strain"
                             : use.hourglass.modulus
                                 ? fmt::format("a stiffness of {:g}", use.hourglass.scale * *use.hourglass.modulus)
                                 : fmt::format("a stiffness of {:g} G, as Abaqus has it by default",
                                               0.005 * use.hourglass.scale)),
                 fmt::format("element = \"{}\"", instead), with(options, instead)});
        }
        if (kind == ElementKind::C3D8 || kind == ElementKind::CPE4) {
            const bool averaged = use.dilatation == Dilatation::averaged;
            const std::string instead = fmt::format("{}={}", t.name, averaged ? "full" : "averaged");
            to.push_back(
                {use.first,
                 fmt::format("{} elements of type {}: {}", use.count, t.name,
                             averaged ? "dilatation averaged over the element, as Abaqus has it"
                                      : "fully integrated, as CalculiX has it; Abaqus averages the dilatation"),
                 fmt::format("element = \"{}\"", instead), with(options, instead)});
        }
    }
}

void add_weights(const Deck& deck, const ModelOptions& options, std::vector<Choice>& to) {
    std::size_t count = 0;
    Place first;
    for (const Coupling& coupling : deck.couplings)
        if (coupling.kind == Coupling::Kind::distributing && !deck.surfaces[coupling.surface].faces.empty())
            if (count++ == 0) first = coupling.at;
    if (count == 0) return;
    const auto& chosen = options.constraints.weighting;
    ModelOptions other = options;
    other.constraints.weighting.reset();
    if (!chosen) other.constraints.weighting = Coupling::Weighting::area;
    to.push_back({first,
                  fmt::format("{} distributing couplings on element faces: {}", count,
                              chosen ? fmt::format("weighting \"{}\" instead of the deck's", word(*chosen))
                                     : "nodes weigh as the deck says (UNIFORM: each the same), not by area"),
                  chosen ? "weighting = \"deck\"" : "weighting = \"area\"", std::move(other)});
}

}  // namespace

std::vector<Choice> choices_of(const Deck& deck, const ModelOptions& options) {
    std::vector<Choice> all;
    if (!options.matrices) {
        add_taken(deck, options, all);
        add_formulations(deck, options, all);
    }
    add_weights(deck, options, all);
    return all;
}

namespace {

/// X without what depends on the rest, M-orthonormal: X c with c^T (X^T M X) c = 1.
MatrixXd basis_of(const MatrixXd& gram) {
    const VectorXd length = gram.diagonal().cwiseMax(0).cwiseSqrt();
    const VectorXd scale = (length.array() > 0).select(length.cwiseInverse(), VectorXd::Zero(length.size()));
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scale.asDiagonal() * gram * scale.asDiagonal());
    Eigen::Index first = 0;
    while (first < gram.cols() && !(eigen.eigenvalues()(first) > 1e-10)) ++first;
    const Eigen::Index kept = gram.cols() - first;
    return scale.asDiagonal() * eigen.eigenvectors().rightCols(kept) *
           eigen.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// Lowers the Rayleigh quotients of a block of vectors by a few steps of A. V. Knyazev's LOBPCG (SIAM J. Sci. Comput.
/// 23 (2001) 517) with the diagonal of K: what is wrong locally, as hourglassing that another control would not allow,
/// goes within a few. `free` is zero where nothing may move. Returns the quotients, ascending: upper bounds.
VectorXd relaxed(const Sparse& k, const Sparse& m, MatrixXd x, const VectorXd& free) {
    const VectorXd inverse = free.cwiseQuotient(k.diagonal().cwiseMax(1e-300));
    MatrixXd p(x.rows(), 0);
    VectorXd values;
    constexpr int steps = 15;
    for (int step = 0; step <= steps; ++step) {
        MatrixXd w(x.rows(), 0);
        if (step > 0) w = inverse.asDiagonal() * (k * x - m * (x * values.asDiagonal()));
        MatrixXd s(x.rows(), x.cols() + w.cols() + p.cols());
        s << x, w, p;
        const MatrixXd c = basis_of(s.transpose() * (m * s));
        const Eigen::SelfAdjointEigenSolver<MatrixXd> ritz(c.transpose() * (s.transpose() * (k * s)) * c);
        const MatrixXd mix = c * ritz.eigenvectors().leftCols(std::min(x.cols(), c.cols()));
        if (step > 0) p = s.rightCols(s.cols() - x.cols()) * mix.bottomRows(s.cols() - x.cols());
        values = ritz.eigenvalues().head(mix.cols());
        x = s * mix;
    }
    return values;
}

}  // namespace

Eigen::VectorXd frequency_changes(const Deck& deck, const ModelOptions& alternative, const LinearModel& model,
                                  const Modes& modes) {
    if (modes.omega.size() == 0) return {};
    const LinearModel other = model_of(deck, alternative);
    MatrixXd block(model.stiffness.rows(), modes.rigid.cols() + modes.shapes.cols());
    block << modes.rigid, modes.shapes;
    const MatrixXd all = model.elimination.transformation * block;
    MatrixXd start = MatrixXd::Zero(other.stiffness.rows(), block.cols());
    VectorXd free = VectorXd::Ones(start.rows());
    for (Eigen::Index i = 0; i < start.rows(); ++i) {
        const NodalDof& dof = other.dofs[static_cast<std::size_t>(i)];
        if (const Index row = model.all.find(dof.node, dof.dof); row != none) start.row(i) = all.row(row);
        if (std::binary_search(modes.held.begin(), modes.held.end(), dof.node)) free(i) = 0;
    }
    const VectorXd lambda = relaxed(other.stiffness, other.mass, start, free);
    if (lambda.size() != block.cols()) return {};
    // The last ones may change places with modes that are not here: they are guards, and not told.
    const Eigen::Index told = std::max<Eigen::Index>(1, modes.omega.size() - 2);
    return lambda.segment(modes.rigid.cols(), told)
               .cwiseMax(0)
               .cwiseSqrt()
               .cwiseQuotient(modes.omega.head(told))
               .array() -
           1;
}

std::vector<Choice> weighed_choices(const Deck& deck, const ModelOptions& options, const LinearModel& model,
                                    const Modes& modes) {
    std::vector<Choice> all = choices_of(deck, options);
    for (Choice& choice : all) choice.frequency_change = frequency_changes(deck, choice.alternative, model, modes);
    return all;
}

}  // namespace faying::fe
