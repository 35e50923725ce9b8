// Structures: from matrices, model files and reduced models, with joints.

#include "structures.hpp"

#include "faying/core/error.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/reduce_file.hpp"
#include "faying/files/model.hpp"
#include "faying/structure/reduced.hpp"

namespace faying::python {

using structure::Joint;
using structure::Model;
using structure::Reduced;

void ModelHandle::add_joint(Joint joint) {
    for (const auto& there : model_->joints)
        if (there.name == joint.name)
            throw core::BadInput(joint.name, "is the name of another joint; every joint needs a name of its own");
    Model with = *model_;
    with.joints.push_back(std::move(joint));
    structure::check_model(with, with.joints.back().name);
    *this = ModelHandle(std::move(with));
}

void ModelHandle::add_output(structure::Output output) {
    for (const auto& there : model_->outputs)
        if (there.name == output.name) throw core::BadInput(output.name, "is the name of another output");
    if (output.row.size() != model_->size())
        throw core::BadInput(output.name, "its row has " + std::to_string(output.row.size()) +
                                              " entries; the model has " + std::to_string(model_->size()) + " DOF");
    Model with = *model_;
    with.outputs.push_back(std::move(output));
    model_ = std::make_shared<const Model>(std::move(with));
}

ModelHandle ModelHandle::with_laws(const std::vector<laws::Law>& laws) const {
    Model with = *model_;
    for (std::size_t j = 0; j < laws.size(); ++j) {
        auto& joint = with.joints.at(j);
        if (laws[j].components() != joint.components())
            throw core::BadInput(joint.name, "a law of as many displacements as before is needed");
        joint.law = laws[j];
    }
    ModelHandle other = *this;
    other.model_ = std::make_shared<const Model>(std::move(with));
    return other;
}

namespace {

ModelHandle model_of(const Array& mass, const Array& stiffness, double damping_ratio, const Array& damping,
                     const Array& static_force, const std::vector<std::string>& dofs) {
    Model model;
    model.mass = eigen_matrix(mass);
    model.stiffness = eigen_matrix(stiffness);
    model.damping_ratio = damping_ratio;
    if (damping.size() > 0) model.damping = eigen_matrix(damping);
    if (static_force.size() > 0) model.static_force = eigen_vector(static_force);
    model.dofs = dofs;
    structure::check_model(model, "model");
    return ModelHandle(std::move(model));
}

Joint joint_of(const ModelHandle& to, const std::string& name, const laws::Law& law, const Array& map,
               const Array& weight) {
    if (map.shape(1) != to.model().size())
        throw core::BadInput(name, "rows have " + std::to_string(map.shape(1)) + " columns; the model has " +
                                       std::to_string(to.model().size()) + " DOF");
    if (map.shape(0) != law.components() * weight.size())
        throw core::BadInput(name, "a site has " + std::to_string(law.components()) +
                                       " rows and one weight: " + std::to_string(map.shape(0)) + " rows, " +
                                       std::to_string(weight.size()) + " weights");
    return Joint{name, law, eigen_matrix(map), eigen_vector(weight), {}, {}};
}

py::dict described(const Joint& joint) {
    py::dict d;
    d["name"] = joint.name;
    d["rows"] = array_of(joint.map);
    d["weight"] = array_of(joint.weight);
    d["site_names"] = joint.site_names;
    d["places"] = array_of(joint.places);
    return d;
}

py::list described(const std::vector<structure::Output>& outputs) {
    py::list all;
    for (const auto& o : outputs) all.append(py::make_tuple(o.name, array_of(o.row)));
    return all;
}

Eigen::MatrixXd matrix_at(const py::handle& d, const char* key) { return eigen_matrix(d[key].cast<Array>()); }
Eigen::VectorXd vector_at(const py::handle& d, const char* key) { return eigen_vector(d[key].cast<Array>()); }

std::vector<structure::Output> outputs_of(const py::handle& listed) {
    std::vector<structure::Output> all;
    for (const auto& [name, row] : listed.cast<std::vector<std::pair<std::string, Array>>>())
        all.push_back({name, eigen_vector(row)});
    return all;
}

/// All of a model but its laws: those tell of themselves.
py::dict state_of(const ModelHandle& m) {
    const auto& model = m.model();
    py::list joints;
    for (const auto& joint : model.joints) {
        py::dict d = described(joint);
        d["base"] = array_of(joint.base);
        d["local"] = array_of(Eigen::MatrixXd(joint.local));
        d["normal"] = joint.normal;
        d["gap"] = array_of(joint.gap);
        joints.append(d);
    }
    py::dict d;
    d["mass"] = array_of(model.mass);
    d["stiffness"] = array_of(model.stiffness);
    d["damping_ratio"] = model.damping_ratio;
    d["damping"] = array_of(model.damping);
    d["static_force"] = array_of(model.static_force);
    d["joints"] = joints;
    d["outputs"] = described(model.outputs);
    d["loads"] = described(model.loads);
    d["dofs"] = model.dofs;
    return d;
}

ModelHandle model_of_state(const py::dict& d, const std::vector<laws::Law>& laws) {
    Model model;
    model.mass = matrix_at(d, "mass");
    model.stiffness = matrix_at(d, "stiffness");
    model.damping_ratio = d["damping_ratio"].cast<double>();
    model.damping = matrix_at(d, "damping");
    model.static_force = vector_at(d, "static_force");
    model.outputs = outputs_of(d["outputs"]);
    model.loads = outputs_of(d["loads"]);
    model.dofs = d["dofs"].cast<std::vector<std::string>>();
    for (const auto& joint : d["joints"])
        model.joints.push_back(Joint{.name = joint["name"].cast<std::string>(),
                                     .law = laws.at(model.joints.size()),
                                     .map = matrix_at(joint, "rows"),
                                     .weight = vector_at(joint, "weight"),
                                     .base = matrix_at(joint, "base"),
                                     .local = matrix_at(joint, "local").sparseView(),
                                     .places = matrix_at(joint, "places"),
                                     .normal = joint["normal"].cast<bool>(),
                                     .site_names = joint["site_names"].cast<std::vector<std::string>>(),
                                     .gap = vector_at(joint, "gap")});
    structure::check_model(model, "model");
    return ModelHandle(std::move(model));
}

py::dict described(const Reduced& r) {
    py::dict d;
    d["mass"] = array_of(r.mass);
    d["stiffness"] = array_of(r.stiffness);
    d["dofs"] = r.dofs;
    py::dict loads;
    for (const auto& [name, load] : r.loads) loads[py::str(name)] = array_of(load);
    d["loads"] = loads;
    py::list patches;
    for (const auto& p : r.patches) patches.append(py::make_tuple(p.name, p.area));
    d["patches"] = patches;
    d["points"] = array_of(r.quadrature.points);
    d["outputs"] = described(r.outputs);
    d["provenance"] = r.provenance;
    return d;
}

Reduced reduce(const std::string& path, const py::object& progress) {
    return long_work([&] {
        auto file = fe::read_reduce_file(path);
        file.options.done = [&](double share) {
            core::stop_point();
            const py::gil_scoped_acquire lock;
            if (!progress.is_none()) progress(share);
        };
        return fe::reduce(fe::read_deck(file.deck), file.options).reduced;
    });
}

}  // namespace

void bind_structures(py::module_& m) {
    using namespace py::literals;
    py::class_<ModelHandle>(m, "Model")
        .def(py::init(&model_of), "mass"_a, "stiffness"_a, "damping_ratio"_a, "damping"_a, "static_force"_a, "dofs"_a)
        .def_static(
            "read",
            [](const std::string& path) { return long_work([&] { return ModelHandle(files::read_model(path)); }); },
            "path"_a)
        .def("copy", [](const ModelHandle& m) { return ModelHandle(m); })
        .def("state", &state_of)
        .def_static("of_state", &model_of_state, "state"_a, "laws"_a)
        .def(
            "add_joint",
            [](ModelHandle& m, const std::string& name, const laws::Law& law, const Array& rows, const Array& weight) {
                m.add_joint(joint_of(m, name, law, rows, weight));
            },
            "name"_a, "law"_a, "rows"_a, "weight"_a)
        .def(
            "add_joint_on_patches",
            [](ModelHandle& m, const Reduced& reduced, const std::string& name, const laws::Law& law,
               const std::vector<std::string>& patches, const std::string& along, bool per_area) {
                m.add_joint(structure::joint_on_patches(reduced, name, law, patches, along, per_area));
            },
            "reduced"_a, "name"_a, "law"_a, "patches"_a, "along"_a, "per_area"_a)
        .def(
            "add_joint_on_interface",
            [](ModelHandle& m, const Reduced& reduced, const std::string& name, const laws::Law& law,
               const std::string& along) { m.add_joint(structure::joint_on_interface(reduced, name, law, along)); },
            "reduced"_a, "name"_a, "law"_a, "along"_a)
        .def(
            "add_output",
            [](ModelHandle& m, const std::string& name, const Array& row) {
                m.add_output({name, eigen_vector(row)});
            },
            "name"_a, "row"_a)
        .def("with_laws", &ModelHandle::with_laws, "laws"_a)
        .def_property_readonly("size", [](const ModelHandle& m) { return m.model().size(); })
        .def_property_readonly("mass", [](const ModelHandle& m) { return array_of(m.model().mass); })
        .def_property_readonly("stiffness", [](const ModelHandle& m) { return array_of(m.model().stiffness); })
        .def_property_readonly("damping_ratio", [](const ModelHandle& m) { return m.model().damping_ratio; })
        .def_property_readonly("damping", [](const ModelHandle& m) { return array_of(m.model().damping); })
        .def_property_readonly("static_force", [](const ModelHandle& m) { return array_of(m.model().static_force); })
        .def_property_readonly("dofs", [](const ModelHandle& m) { return m.model().dofs; })
        .def_property_readonly("joint_names",
                               [](const ModelHandle& m) {
                                   std::vector<std::string> all;
                                   for (const auto& joint : m.model().joints) all.push_back(joint.name);
                                   return all;
                               })
        .def_property_readonly("joints",
                               [](const ModelHandle& m) {
                                   py::list all;
                                   for (const auto& joint : m.model().joints) all.append(described(joint));
                                   return all;
                               })
        .def_property_readonly("laws",
                               [](const ModelHandle& m) {
                                   std::vector<laws::Law> all;
                                   for (const auto& joint : m.model().joints) all.push_back(joint.law);
                                   return all;
                               })
        .def_property_readonly("outputs", [](const ModelHandle& m) { return described(m.model().outputs); })
        .def_property_readonly("loads", [](const ModelHandle& m) { return described(m.model().loads); });

    py::class_<Reduced>(m, "Reduced")
        .def_static(
            "read", [](const std::string& path) { return long_work([&] { return files::read_reduced(path); }); },
            "path"_a)
        .def_static("reduce", &reduce, "path"_a, "progress"_a)
        .def(
            "write", [](const Reduced& r, const std::string& path) { files::write_reduced(path, r); }, "path"_a)
        .def(
            "model",
            [](const Reduced& r, const std::map<std::string, double>& factors, double damping_ratio) {
                Model model = structure::bare_model(r, factors);
                model.damping_ratio = damping_ratio;
                structure::check_model(model, "model");
                return ModelHandle(std::move(model));
            },
            "static_force"_a, "damping_ratio"_a)
        .def("describe", [](const Reduced& r) { return described(r); });
}

}  // namespace faying::python
