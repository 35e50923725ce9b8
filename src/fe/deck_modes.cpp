#include "faying/fe/deck_modes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/core/frequency.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/vtk.hpp"
#include "faying/sparse/statics.hpp"

namespace faying::fe {

namespace {

/// Shapes of this rank's own rows.
void solve_modes(DeckModes& m, Eigen::Index count, core::Stages& stages) {
    const auto& model = m.model;
    const sparse::Sparse none_held(0, model.stiffness.cols());
    stages.at(0.2, fmt::format("factorising {} DOF (time estimated)", model.stiffness.rows()));
    const sparse::Statics statics(
        {model.stiffness, model.mass, rigid_motions(m.deck, model), none_held, true, stages.within(0.2, 0.6)});
    m.rigid = statics.rigid().cols();
    m.listed_rigid = std::min(count, m.rigid);
    const Eigen::Index elastic = count - m.listed_rigid;
    stages.at(0.6, fmt::format("{} modes of {} DOF", elastic, model.stiffness.rows()));
    m.omega = Eigen::VectorXd::Zero(count);
    m.residual = Eigen::VectorXd::Zero(count);
    m.shapes.resize(statics.rows().count(), count);
    m.shapes.leftCols(m.listed_rigid) = statics.rigid().leftCols(m.listed_rigid);
    if (elastic > 0) {
        const auto pairs = statics.modes(elastic, 1e-12, stages.within(0.6, 0.95));
        m.omega.tail(elastic) = pairs.values.cwiseMax(0).cwiseSqrt();
        m.shapes.rightCols(elastic) = pairs.vectors;
    }
    const Eigen::MatrixXd kx = statics.stiffness().times(m.shapes), mx = statics.mass().times(m.shapes);
    // A rigid motion's force is measured in what its own displacements would cost one by one.
    const Eigen::VectorXd alone = statics.rows().part(Eigen::MatrixXd(model.stiffness.diagonal()));
    for (Eigen::Index j = 0; j < count; ++j) {
        const double lambda = m.omega(j) * m.omega(j);
        const Eigen::MatrixXd r = kx.col(j) - lambda * mx.col(j);
        const Eigen::MatrixXd of =
            lambda > 0 ? Eigen::MatrixXd(lambda * mx.col(j)) : Eigen::MatrixXd(alone.cwiseProduct(m.shapes.col(j)));
        m.residual(j) = std::sqrt(sparse::inner(r, r)(0) / sparse::inner(of, of)(0));
        if (!std::isfinite(m.omega(j)) || !std::isfinite(m.residual(j)))
            throw core::NotConverged(fmt::format("mode {} is not a number", j + 1), m.residual(j));
    }
}

}  // namespace

void apply_choices(const std::vector<std::string>& elements, const std::string& weighting, ModelOptions& to) {
    for (const auto& text : elements) {
        const ElementChoice choice = element_choice(text, "--element");
        std::erase_if(to.elements, [&](const ElementChoice& c) { return c.from == choice.from; });
        to.elements.push_back(choice);
    }
    if (!weighting.empty()) to.constraints.weighting = weighting_named(weighting, "--weighting");
}

DeckModes deck_modes(const std::string& file, const DeckModesRequest& request, core::Stages& stages) {
    DeckModes m;
    stages.at(0.01, "reading");
    m.deck = read_deck(file);
    stages.at(0.05, "assembling");
    m.model = model_of(m.deck, request.model);
    require_mass(m.deck, m.model);
    const Eigen::Index dofs = m.model.stiffness.rows();
    const Eigen::Index count = request.count > 0 ? request.count : std::min<Eigen::Index>(16, dofs);
    if (count > dofs)
        throw core::BadInput(file, fmt::format("{} modes asked for; the model has {} degrees of freedom", count, dofs));
    solve_modes(m, count, stages);
    m.shapes = sparse::Rows::of(dofs).whole(m.shapes);
    if (sparse::rank() != 0) return m;
    stages.at(0.95, "weighing choices");
    const Eigen::Index weighed = std::min<Eigen::Index>(5, count - m.listed_rigid);
    m.notes = DeckNotes(m.deck, m.model.notes, m.model.untied,
                        weighed_choices(m.deck, request.model, m.model,
                                        {m.omega.segment(m.listed_rigid, weighed),
                                         m.shapes.middleCols(m.listed_rigid, weighed),
                                         m.shapes.leftCols(m.listed_rigid),
                                         {}}));
    if (m.listed_rigid < m.rigid)
        m.notes.add(
            fmt::format("{} modes asked for and {} rigid motions: no elastic mode is among them; ask for more "
                        "than {}",
                        count, m.rigid, m.rigid));
    return m;
}

void write_shapes(const std::string& path, const DeckModes& m) {
    const DeckMesh mesh = mesh_of(m.deck);
    std::vector<VtkField> fields;
    for (Eigen::Index j = 0; j < m.omega.size(); ++j)
        fields.push_back({fmt::format("mode {}, {:.6g} Hz", j + 1, core::hertz(m.omega(j))),
                          nodal_displacements(mesh, m.model, m.shapes.col(j))});
    write_vtk(path, mesh.mesh, fields);
}

nlohmann::json json(const DeckModes& m, bool with_shapes) {
    nlohmann::json shapes = nlohmann::json::array(), dofs = nlohmann::json::array();
    if (with_shapes) {
        for (Eigen::Index j = 0; j < m.omega.size(); ++j)
            shapes.push_back(std::vector<double>(m.shapes.col(j).begin(), m.shapes.col(j).end()));
        for (const auto& dof : m.model.dofs) dofs.push_back({node_name(m.deck, dof.node), dof.dof});
    }
    nlohmann::json result = {{"dof", m.model.stiffness.rows()},
                             {"mass", m.model.checks.mass},
                             {"rigid", m.rigid},
                             {"untied", m.model.untied.size()},
                             {"omega", std::vector<double>(m.omega.begin(), m.omega.end())},
                             {"frequency", core::hertz(m.omega)},
                             {"shapes", shapes},
                             {"dofs", dofs},
                             {"residual", std::vector<double>(m.residual.begin(), m.residual.end())}};
    result.update(m.notes.json());
    return result;
}

}  // namespace faying::fe
