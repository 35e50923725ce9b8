// faying preload: static equilibrium of a model and its joints.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/modes/prestress.hpp"
#include "faying/structure/model_file.hpp"
#include "mode_options.hpp"

namespace faying::app {

void add_preload(CLI::App& app) {
    struct Options {
        Common common;
        std::string file, friction = "active";
    };
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("preload", "Static equilibrium of a model file and its joints");
    command->footer("Example:\n  faying preload examples/three_masses/model.toml --json");
    command->add_option("model", o->file, "model file (TOML)")->required();
    add_friction(*command, o->friction);
    add_common(*command, o->common);
    command->callback([o] {
        const auto model = structure::read_model(o->file);
        if (model.static_force.size() == 0)
            throw core::BadInput(o->file, "[structure] has no static load: there is nothing to prestress");
        const auto p = modes::prestress(model, {.friction = friction_of(o->friction)});
        nlohmann::json sites = nlohmann::json::object();
        Eigen::Index row = 0;
        for (const auto& joint : model.joints) {
            const Eigen::VectorXd u = p.sites.segment(row, joint.map.rows());
            sites[joint.name] = std::vector<double>(u.begin(), u.end());
            row += joint.map.rows();
        }
        const nlohmann::ordered_json result = {{"u", std::vector<double>(p.u.begin(), p.u.end())},
                                               {"sites", sites},
                                               {"residual", p.residual},
                                               {"iterations", p.iterations},
                                               {"load_steps", p.load_steps},
                                               {"friction", o->friction}};
        o->common.report("preload", result, [&] {
            fmt::print("{} DOF, friction {}: {} iterations, residual {:.1e}\n", model.size(), o->friction, p.iterations,
                       p.residual);
            fmt::print("{:>6} {:>16}\n", "DOF", "u");
            for (Eigen::Index i = 0; i < p.u.size(); ++i) fmt::print("{:6} {:16.9g}\n", i + 1, p.u(i));
        });
    });
}

}  // namespace faying::app
