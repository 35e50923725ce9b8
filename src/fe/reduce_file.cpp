#include "faying/fe/reduce_file.hpp"

#include <filesystem>

#include "io/toml_file.hpp"

namespace faying::fe {

namespace {

using Eigen::Vector3d;
using io::TomlFile;

class Reader {
 public:
    explicit Reader(const std::string& path) : file_(path) {}

    ReduceFile read() {
        const toml::table& root = file_.root();
        file_.only_keys(root, {"deck", "matrices", "units", "modes", "element", "weighting", "interface", "whole_joint",
                               "patch", "full_joint", "contact", "pair", "load", "output"});
        ReduceFile r;
        const std::filesystem::path deck = file_.text(file_.required(root, "deck"), "deck");
        r.deck = (std::filesystem::path(file_.path()).parent_path() / deck).string();
        if (!std::filesystem::is_regular_file(r.deck))
            file_.reject(*root.get("deck"), fmt::format("there is no deck '{}'", r.deck));
        if (const auto* table = section("matrices")) r.options.model.matrices = matrices(*table);
        if (const auto* node = root.get("units")) r.units = file_.text(*node, "units");
        if (const auto* node = root.get("modes")) r.options.modes = file_.whole(*node, "modes", 0);
        if (const auto* node = root.get("element")) r.options.model.elements = elements(*node);
        if (const auto* node = root.get("weighting"))
            r.options.model.constraints.weighting = weighting_named(file_.text(*node, "weighting"), file_.place(*node));
        if (file_.root().contains("pair") || file_.root().contains("contact"))
            pairs(r.options);
        else
            interface(r.options);
        if (const auto* table = section("whole_joint")) r.options.whole_joint = whole_joint(*table);
        if (const auto* table = section("full_joint")) r.options.full_joint = full_joint(*table);
        if (int(r.options.whole_joint.has_value()) + int(r.options.full_joint.has_value()) +
                int(r.options.pairs_of_deck || !r.options.pairs.empty()) !=
            1)
            file_.reject(root, "one of [whole_joint], [full_joint], [[pair]] tables and contact = \"deck\" is needed");
        file_.each_table("patch", [&](const toml::table& t) {
            if (!r.options.whole_joint) file_.reject(t, "a [[patch]] belongs to a [whole_joint]");
            r.options.whole_joint->boxes.push_back(patch(t));
        });
        if (r.options.whole_joint && r.options.whole_joint->cuts.empty() && r.options.whole_joint->boxes.empty())
            file_.reject(*section("whole_joint"), "needs cuts = [..] or [[patch]] tables");
        file_.each_table("load", [&](const toml::table& t) { r.options.loads.push_back(load(t)); });
        file_.each_table("output", [&](const toml::table& t) { r.options.outputs.push_back(output(t)); });
        if (r.options.whole_joint) once("patch", r.options.whole_joint->boxes);
        once("pair", r.options.pairs);
        once("load", r.options.loads);
        once("output", r.options.outputs);
        return r;
    }

 private:
    TomlFile file_;

    const toml::table* section(std::string_view name) const {
        const auto* node = file_.root().get(name);
        if (node && !node->as_table()) file_.reject(*node, fmt::format("{0} is written as a [{0}] table", name));
        return node ? node->as_table() : nullptr;
    }

    /// Names tell things apart.
    template <class T>
    void once(const char* what, const std::vector<T>& list) const {
        for (std::size_t a = 0; a < list.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                if (list[a].name == list[b].name)
                    file_.reject(*file_.root().get(what),
                                 fmt::format("two of them are called '{}'; names must differ", list[a].name));
    }

    /// A name: some text.
    std::string name_of(const toml::table& t) const {
        const auto& node = file_.required(t, "name");
        const std::string name = file_.text(node, "name");
        if (name.find_first_not_of(" \t") == std::string::npos) file_.reject(node, "name must not be empty");
        return name;
    }

    /// One text, or a list of them.
    std::vector<std::string> texts(const toml::node& node, std::string_view what) const {
        std::vector<std::string> list;
        if (const auto* array = node.as_array())
            for (const auto& entry : *array) list.push_back(file_.text(entry, what));
        else
            list.push_back(file_.text(node, what));
        if (list.empty()) file_.reject(node, fmt::format("{} is an empty list", what));
        return list;
    }

    std::vector<ElementChoice> elements(const toml::node& node) const {
        std::vector<ElementChoice> list;
        for (const auto& text : texts(node, "element")) list.push_back(element_choice(text, file_.place(node)));
        return list;
    }

    Vector3d three(const toml::node& node, std::string_view what) const {
        const Eigen::VectorXd v = file_.vector(node, what);
        if (v.size() != 3) file_.reject(node, fmt::format("{} must have three numbers", what));
        return v;
    }

    GivenMatrices matrices(const toml::table& t) const {
        file_.only_keys(t, {"file", "stiffness", "mass"});
        const auto folder = std::filesystem::path(file_.path()).parent_path();
        const auto* file = t.get("file");
        const auto read = [&](const char* key) -> archive::LabelledMatrix {
            const std::string name = file_.text(file_.required(t, key), key);
            if (file) return {archive::read_matrix((folder / file_.text(*file, "file")).string(), name), {}};
            if (std::filesystem::path(name).extension() != ".mtx")
                file_.reject(*t.get(key), fmt::format("'{}' is no .mtx file; for a variable of a .mat or .h5 file, "
                                                      "say file = \"..\" too",
                                                      name));
            return archive::read_matrix_text((folder / name).string());
        };
        return {read("stiffness"), read("mass")};
    }

    void interface(ReduceOptions& options) const {
        InterfaceOptions& o = options.interface;
        const auto* t = section("interface");
        if (!t) file_.reject(file_.root(), "an [interface] table with first and second is needed");
        file_.only_keys(*t, {"first", "second", "tangent", "tolerance", "snap"});
        o.first = file_.text(file_.required(*t, "first"), "first");
        o.second = file_.text(file_.required(*t, "second"), "second");
        if (const auto* node = t->get("tangent")) {
            o.tangent = three(*node, "tangent");
            if (!(o.tangent.norm() > 0)) file_.reject(*node, "tangent has no length");
        }
        if (const auto* node = t->get("tolerance")) {
            o.tolerance = file_.number(*node, "tolerance");
            if (!(*o.tolerance > 0)) file_.reject(*node, "tolerance must be positive");
        }
        options.snap = file_.flag(*t, "snap", options.snap);
    }

    void pairs(ReduceOptions& options) const {
        if (const auto* t = section("interface")) file_.reject(*t, "[[pair]] tables take the place of [interface]");
        if (const auto* node = file_.root().get("contact")) {
            if (file_.text(*node, "contact") != "deck")
                file_.reject(*node, "contact = \"deck\" takes the deck's *CONTACT PAIR lines; there is no other");
            if (file_.root().contains("pair")) file_.reject(*node, "give contact = \"deck\" or [[pair]] tables");
            options.pairs_of_deck = true;
        }
        file_.each_table("pair", [&](const toml::table& t) {
            file_.only_keys(t, {"name", "first", "second", "tangent", "within", "gap", "sites", "friction"});
            PairOptions pair;
            pair.name = name_of(t);
            pair.first = file_.text(file_.required(t, "first"), "first");
            pair.second = file_.text(file_.required(t, "second"), "second");
            if (const auto* node = t.get("tangent")) {
                pair.tangent = three(*node, "tangent");
                if (!(pair.tangent.norm() > 0)) file_.reject(*node, "tangent has no length");
            }
            if (const auto* node = t.get("within")) {
                pair.within = file_.number(*node, "within");
                if (!(*pair.within > 0)) file_.reject(*node, "within must be positive");
            }
            if (const auto* node = t.get("gap")) pair.gap = file_.number(*node, "gap");
            if (const auto* node = t.get("friction")) {
                pair.friction = file_.number(*node, "friction");
                if (!(*pair.friction >= 0)) file_.reject(*node, "friction must not be negative");
            }
            if (const auto* node = t.get("sites")) {
                const std::string at = file_.text(*node, "sites");
                if (at != "nodes" && at != "points") file_.reject(*node, "sites are \"nodes\" or \"points\"");
                pair.sites_at = at == "nodes" ? PairOptions::Sites::nodes : PairOptions::Sites::points;
            }
            options.pairs.push_back(std::move(pair));
        });
    }

    std::vector<LoadTraction> tractions(const toml::node& node) const {
        const auto* list = node.as_array();
        if (!list || !list->is_homogeneous(toml::node_type::table))
            file_.reject(node,
                         "tractions are written as [{ surface = \"NAME\", traction = [x, y, z] }, { surface = "
                         "\"NAME\", pressure = p }, ..]");
        std::vector<LoadTraction> all;
        for (const auto& entry : *list) {
            const auto& t = *entry.as_table();
            file_.only_keys(t, {"surface", "traction", "pressure"});
            LoadTraction one{file_.text(file_.required(t, "surface"), "surface")};
            if (t.contains("traction") == t.contains("pressure"))
                file_.reject(entry, "give one of traction = [x, y, z] and pressure = p");
            if (const auto* vector = t.get("traction")) one.traction = three(*vector, "traction");
            if (const auto* number = t.get("pressure")) one.pressure = file_.number(*number, "pressure");
            all.push_back(std::move(one));
        }
        return all;
    }

    std::vector<int> motions(const toml::table& t, std::string_view key) const {
        std::vector<int> list;
        const auto* node = t.get(key);
        if (!node) return list;
        const auto* array = node->as_array();
        if (!array) file_.reject(*node, fmt::format("{} must be a list, such as [\"normal\", \"r1\"]", key));
        for (const auto& entry : *array) {
            const std::string name = file_.text(entry, key);
            const auto& names = patch_motions;
            const auto found = std::find(names.begin(), names.end(), name);
            if (found == names.end())
                file_.reject(entry,
                             fmt::format("'{}' is no motion of a patch; allowed are t1, t2, normal, r1, r2, rn", name));
            list.push_back(static_cast<int>(found - names.begin()));
        }
        return list;
    }

    WholeJoint whole_joint(const toml::table& t) const {
        file_.only_keys(t, {"cuts", "tied", "free"});
        WholeJoint joint;
        if (const auto* node = t.get("cuts")) {
            const Eigen::VectorXd cuts = file_.vector(*node, "cuts");
            joint.cuts.assign(cuts.begin(), cuts.end());
        }
        joint.tied = motions(t, "tied");
        joint.free = motions(t, "free");
        for (int m : joint.tied)
            if (std::find(joint.free.begin(), joint.free.end(), m) != joint.free.end())
                file_.reject(t, fmt::format("'{}' is both tied and free", patch_motions[static_cast<std::size_t>(m)]));
        return joint;
    }

    PatchBox patch(const toml::table& t) const {
        file_.only_keys(t, {"name", "surface", "centre", "size"});
        PatchBox box;
        box.name = name_of(t);
        if (const auto* node = t.get("surface")) {
            if (t.contains("centre") || t.contains("size"))
                file_.reject(t, "a patch is a surface, or has a centre and a size; not both");
            box.surfaces = texts(*node, "surface");
            return box;
        }
        box.centre = three(file_.required(t, "centre"), "centre");
        const auto& node = file_.required(t, "size");
        const Eigen::VectorXd size = file_.vector(node, "size");
        if (size.size() != 2 || !(size.minCoeff() > 0))
            file_.reject(node, "size must be two positive numbers, along t1 and t2");
        box.size = size;
        return box;
    }

    FullJoint full_joint(const toml::table& t) const {
        file_.only_keys(t, {"mesh", "elements"});
        FullJoint joint;
        if (const auto* node = t.get("mesh")) {
            const std::string name = file_.text(*node, "mesh");
            if (name == "deck")
                joint.mesh = FullJoint::MeshKind::deck;
            else if (name == "uniform")
                joint.mesh = FullJoint::MeshKind::uniform;
            else if (name == "graded")
                joint.mesh = FullJoint::MeshKind::graded;
            else
                file_.reject(*node, fmt::format("mesh '{}' is unknown; allowed are deck, uniform, graded", name));
        }
        if (const auto* node = t.get("elements")) joint.elements = file_.whole(*node, "elements", 1);
        return joint;
    }

    LoadCase load(const toml::table& t) const {
        file_.only_keys(t, {"name", "forces", "tractions", "acceleration", "step"});
        LoadCase load;
        load.name = name_of(t);
        if (const auto* node = t.get("forces")) {
            const auto* list = node->as_array();
            if (!list || !list->is_homogeneous(toml::node_type::table))
                file_.reject(*node, "forces are written as [{ set = \"NAME\", force = [x, y, z] }, ..]");
            for (const auto& entry : *list) {
                const auto& f = *entry.as_table();
                file_.only_keys(f, {"set", "force"});
                load.forces.push_back(
                    {file_.text(file_.required(f, "set"), "set"), three(file_.required(f, "force"), "force")});
            }
        }
        if (const auto* node = t.get("tractions")) load.tractions = tractions(*node);
        if (const auto* node = t.get("acceleration")) load.acceleration = three(*node, "acceleration");
        if (const auto* node = t.get("step")) load.step = file_.text(*node, "step");
        if (load.forces.empty() && load.step.empty() && load.tractions.empty() && load.acceleration.isZero(0.0))
            file_.reject(t, "a load needs forces, tractions, acceleration or step");
        return load;
    }

    OutputPoint output(const toml::table& t) const {
        file_.only_keys(t, {"name", "set", "point", "direction"});
        OutputPoint output;
        output.name = name_of(t);
        if (const auto* node = t.get("set")) output.set = file_.text(*node, "set");
        if (const auto* node = t.get("point")) output.point = three(*node, "point");
        if (output.set.empty() == !output.point) file_.reject(t, "an output needs one of set and point");
        output.direction = three(file_.required(t, "direction"), "direction");
        return output;
    }
};

}  // namespace

ReduceFile read_reduce_file(const std::string& path) { return Reader(path).read(); }

}  // namespace faying::fe
