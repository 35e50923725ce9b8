// faying modes DECK.inp: linear modes of a deck, ties and couplings as it has them.

#include "modes_deck.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "deck_notes.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/choices.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/vtk.hpp"
#include "faying/sparse/statics.hpp"
#include "stages.hpp"

namespace faying::app {

namespace {

struct DeckModes {
    Eigen::VectorXd omega;
    Eigen::MatrixXd shapes;  ///< own rows
    Eigen::VectorXd residual;
    Eigen::Index rigid = 0;  ///< rigid motions there are; the first of them are among the modes
    Eigen::Index listed_rigid = 0;
};

DeckModes solve_modes(const fe::Deck& deck, const fe::LinearModel& model, Eigen::Index count, Stages& stages) {
    const sparse::Sparse none_held(0, model.stiffness.cols());
    stages.at(0.2, fmt::format("factorising {} DOF (time estimated)", model.stiffness.rows()));
    const sparse::Statics statics(
        {model.stiffness, model.mass, fe::rigid_motions(deck, model), none_held, true, stages.within(0.2, 0.6)});
    DeckModes m;
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

void add_deck_choices(CLI::App& command, std::vector<std::string>& elements, std::string& weighting) {
    command.add_option("--element", elements,
                       "of a deck: formulation instead of the deck's, as C3D8R=C3D8I, C3D8R=enhanced (hourglass "
                       "control; default: stiffness), C3D8=averaged (dilatation); may be repeated");
    command.add_option("--weighting", weighting,
                       "of a deck: weights of distributing couplings on element faces: deck (default), uniform, area, "
                       "linear, quadratic, cubic");
}

void apply_deck_choices(const std::vector<std::string>& elements, const std::string& weighting, fe::ModelOptions& to) {
    for (const auto& text : elements) {
        const fe::ElementChoice choice = fe::element_choice(text, "--element");
        std::erase_if(to.elements, [&](const fe::ElementChoice& c) { return c.from == choice.from; });
        to.elements.push_back(choice);
    }
    if (!weighting.empty()) to.constraints.weighting = fe::weighting_named(weighting, "--weighting");
}

void deck_modes(const DeckModesOptions& o) {
    fe::ModelOptions options;
    apply_deck_choices(o.elements, o.weighting, options);
    auto stages = std::make_unique<Stages>("modes");
    stages->at(0.01, "reading");
    const fe::Deck deck = fe::read_deck(o.file);
    stages->at(0.05, "assembling");
    const fe::LinearModel model = fe::model_of(deck, options);
    fe::require_mass(deck, model);
    const Eigen::Index count = o.count > 0 ? o.count : std::min<Eigen::Index>(16, model.stiffness.rows());
    if (count > model.stiffness.rows())
        throw core::BadInput(o.file, fmt::format("{} modes asked for; the model has {} degrees of freedom", count,
                                                 model.stiffness.rows()));
    const DeckModes m = solve_modes(deck, model, count, *stages);
    const Eigen::MatrixXd whole = sparse::Rows::of(model.stiffness.rows()).whole(m.shapes);
    if (sparse::rank() != 0) return;
    stages->at(0.95, "weighing choices");
    const Eigen::Index weighed = std::min<Eigen::Index>(5, count - m.listed_rigid);
    DeckNotes notes(deck, model.complaints, model.untied,
                    fe::weighed_choices(deck, options, model,
                                        {m.omega.segment(m.listed_rigid, weighed),
                                         whole.middleCols(m.listed_rigid, weighed),
                                         whole.leftCols(m.listed_rigid),
                                         {}}));
    if (m.listed_rigid < m.rigid)
        notes.add(
            fmt::format("{} modes asked for and {} rigid motions: no elastic mode is among them; ask for more "
                        "than {}",
                        count, m.rigid, m.rigid));
    stages.reset();
    if (!o.vtk.empty()) write_shapes(o.vtk, deck, model, m, whole);
    nlohmann::json shapes = nlohmann::json::array(), dofs = nlohmann::json::array();
    if (o.common.json && o.shapes) {
        for (Eigen::Index j = 0; j < count; ++j)
            shapes.push_back(std::vector<double>(whole.col(j).begin(), whole.col(j).end()));
        for (const auto& dof : model.dofs) dofs.push_back({fe::node_name(deck, dof.node), dof.dof});
    }
    nlohmann::ordered_json result = {{"dof", model.stiffness.rows()},
                                     {"mass", model.checks.mass},
                                     {"rigid", m.rigid},
                                     {"untied", model.untied.size()},
                                     {"omega", std::vector<double>(m.omega.begin(), m.omega.end())},
                                     {"frequency", hertz(m.omega)},
                                     {"shapes", shapes},
                                     {"dofs", dofs},
                                     {"residual", std::vector<double>(m.residual.begin(), m.residual.end())}};
    notes.put(result);
    notes.say(o.common.json);
    o.common.report("modes", result, [&] {
        fmt::print("{} DOF, mass {:.6g}, {} rigid motions\n", model.stiffness.rows(), model.checks.mass, m.rigid);
        notes.print();
        print_modes(m.omega, m.residual, o.unit);
    });
}

}  // namespace faying::app
