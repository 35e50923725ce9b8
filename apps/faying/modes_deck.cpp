// faying modes DECK.inp: linear modes of a deck, ties and couplings as it has them.

#include "modes_deck.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/vtk.hpp"
#include "faying/solve/statics.hpp"

namespace faying::app {

namespace {

struct DeckModes {
    Eigen::VectorXd omega;
    Eigen::MatrixXd shapes;  ///< own rows
    Eigen::VectorXd residual;
    Eigen::Index rigid = 0;
};

DeckModes solve_modes(const fe::Deck& deck, const fe::LinearModel& model, Eigen::Index count) {
    const solve::Sparse none_held(0, model.stiffness.cols());
    const solve::Statics statics({model.stiffness, model.mass, fe::rigid_motions(deck, model), none_held, true});
    DeckModes m;
    m.rigid = std::min(count, statics.rigid().cols());
    const Eigen::Index elastic = count - m.rigid;
    m.omega = Eigen::VectorXd::Zero(count);
    m.residual = Eigen::VectorXd::Zero(count);
    m.shapes.resize(statics.rows().count(), count);
    m.shapes.leftCols(m.rigid) = statics.rigid().leftCols(m.rigid);
    if (elastic > 0) {
        const auto pairs = statics.modes(elastic);
        m.omega.tail(elastic) = pairs.values.cwiseMax(0).cwiseSqrt();
        m.shapes.rightCols(elastic) = pairs.vectors;
    }
    const Eigen::MatrixXd kx = statics.stiffness().times(m.shapes), mx = statics.mass().times(m.shapes);
    for (Eigen::Index j = 0; j < count; ++j) {
        const double lambda = m.omega(j) * m.omega(j);
        const Eigen::MatrixXd r = kx.col(j) - lambda * mx.col(j);
        const double scale = lambda > 0 ? solve::inner(mx.col(j), mx.col(j))(0) * lambda * lambda
                                        : solve::inner(kx.rightCols(1), kx.rightCols(1))(0);
        m.residual(j) = std::sqrt(solve::inner(r, r)(0) / scale);
    }
    return m;
}

void write_shapes(const std::string& path, const fe::Deck& deck, const fe::LinearModel& model, const DeckModes& m,
                  const Eigen::MatrixXd& whole) {
    const fe::DeckMesh mesh = fe::mesh_of(deck);
    std::vector<fe::VtkField> fields;
    for (Eigen::Index j = 0; j < m.omega.size(); ++j)
        fields.push_back({fmt::format("mode {}, {:.6g} Hz", j + 1, hertz(m.omega(j))),
                          fe::nodal_displacements(mesh, model, whole.col(j))});
    fe::write_vtk(path, mesh.mesh, fields);
}

}  // namespace

void deck_modes(const DeckModesOptions& o) {
    const fe::Deck deck = fe::read_deck(o.file);
    const fe::LinearModel model = fe::model_of(deck);
    const Eigen::Index count = o.count > 0 ? o.count : std::min<Eigen::Index>(16, model.stiffness.rows());
    if (count > model.stiffness.rows())
        throw core::BadInput(o.file, fmt::format("{} modes asked for; the model has {} degrees of freedom", count,
                                                 model.stiffness.rows()));
    const DeckModes m = solve_modes(deck, model, count);
    const Eigen::MatrixXd whole = solve::Rows::of(model.stiffness.rows()).whole(m.shapes);
    if (solve::rank() != 0) return;
    if (!o.vtk.empty()) write_shapes(o.vtk, deck, model, m, whole);
    nlohmann::json shapes = nlohmann::json::array(), dofs = nlohmann::json::array();
    if (o.common.json && o.shapes) {
        for (Eigen::Index j = 0; j < count; ++j)
            shapes.push_back(std::vector<double>(whole.col(j).begin(), whole.col(j).end()));
        for (const auto& dof : model.dofs) dofs.push_back({fe::node_name(deck, dof.node), dof.dof});
    }
    const nlohmann::ordered_json result = {{"dof", model.stiffness.rows()},
                                           {"mass", model.checks.mass},
                                           {"rigid", m.rigid},
                                           {"untied", model.untied.size()},
                                           {"omega", std::vector<double>(m.omega.begin(), m.omega.end())},
                                           {"frequency", hertz(m.omega)},
                                           {"shapes", shapes},
                                           {"dofs", dofs},
                                           {"residual", std::vector<double>(m.residual.begin(), m.residual.end())}};
    o.common.report("modes", result, [&] {
        fmt::print("{} DOF, mass {:.6g}, {} rigid motions\n", model.stiffness.rows(), model.checks.mass, m.rigid);
        for (const auto& c : model.complaints)
            if (c.severity == fe::Severity::physics) fmt::print("{}: {}\n", deck.where(c.at), c.text);
        if (!model.untied.empty()) fmt::print("{} tie slaves have no master and stay free\n", model.untied.size());
        print_modes(m.omega, m.residual, o.unit);
    });
}

}  // namespace faying::app
