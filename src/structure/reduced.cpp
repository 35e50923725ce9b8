#include "faying/structure/reduced.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"

namespace faying::structure {

namespace {

/// The rows of a patch's map that a one-displacement law follows.
Eigen::MatrixXd rows_along(const Patch& patch, const std::string& along) {
    if (along == "tangential") return patch.map.topRows(2);
    const std::string local[] = {"t1", "t2", "normal"}, moved[] = {"x", "y", "z"}, turned[] = {"rx", "ry", "rz"};
    for (int i = 0; i < 3; ++i) {
        if (along == local[i]) return patch.map.row(i);
        if (along == moved[i]) return patch.axes.col(i).transpose() * patch.map.topRows(3);
        if (along == turned[i]) return patch.axes.col(i).transpose() * patch.map.bottomRows(3);
    }
    throw core::BadInput(fmt::format("along = \"{}\" is not known; allowed are: {}", along, directions_of_patches));
}

/// What the rows of `rows_along` are called.
std::vector<std::string> names_along(const std::string& along) {
    if (along == "tangential") return {component_names[0], component_names[1]};
    return {along == "t1" ? component_names[0] : along == "t2" ? component_names[1] : along};
}

/// Contact laws take all three; others must say which.
void check_along(const laws::Law& law, const std::string& along) {
    if (law.components() == 3 && !along.empty())
        throw core::BadInput(law.name(), "is a contact law and follows all three directions: leave 'along' out");
    if (law.components() == 1 && along.empty())
        throw core::BadInput(law.name(), fmt::format("needs 'along': one of {}", directions_of_patches));
}

/// Those of these names; "all": every one.
template <class Item>
std::vector<const Item*> chosen(const std::vector<Item>& items, const std::vector<std::string>& names,
                                const char* what) {
    std::vector<const Item*> list;
    std::string allowed = "all";
    for (const auto& item : items) allowed += ", " + item.name;
    for (const auto& name : names) {
        const std::size_t before = list.size();
        for (const auto& item : items) {
            if (name != "all" && item.name != name) continue;
            if (std::find(list.begin(), list.end(), &item) != list.end())
                throw core::BadInput(fmt::format("{} '{}' is given twice", what, item.name));
            list.push_back(&item);
        }
        if (list.size() == before)
            throw core::BadInput(fmt::format("there is no {} '{}'; allowed are: {}", what, name, allowed));
    }
    if (list.empty()) throw core::BadInput(fmt::format("no {} is named; allowed are: {}", what, allowed));
    return list;
}

void require(bool held, const std::string& where, const std::string& what) {
    if (!held) throw core::BadInput(where, what);
}

/// Names are how files and options choose: two of one name leave one out of reach.
template <class List, class Name>
void require_own_names(const List& list, Name name, const char* what, const std::string& where) {
    for (auto one = list.begin(); one != list.end(); ++one)
        for (auto other = list.begin(); other != one; ++other)
            require(name(*one) != name(*other), where, fmt::format("there are two {} named '{}'", what, name(*one)));
}

void check_quadrature(const Quadrature& q, Eigen::Index n, const std::string& where) {
    const Eigen::Index points = q.weight.size();
    require(q.map.rows() == 3 * points && (points == 0 || q.map.cols() == n), where,
            fmt::format("the quadrature map is {} x {}; expected {} x {}", q.map.rows(), q.map.cols(), 3 * points, n));
    require((q.weight.array() > 0).all(), where, "quadrature weights must be positive");
    if (q.nodes.size() > 0) {
        require(
            q.nodes.cols() == n && q.interpolation.cols() == q.nodes.rows() && q.interpolation.rows() == q.map.rows(),
            where, "the sizes of the quadrature's nodes and interpolation do not fit its map");
        require((q.interpolation * q.nodes - q.map).norm() <= 1e-9 * q.map.norm(), where,
                "the quadrature map is not interpolation * nodes");
    }
}

}  // namespace

void check_reduced(const Reduced& reduced, const std::string& where) {
    check_model(bare_model(reduced), where);
    const Eigen::Index n = reduced.mass.rows();
    for (const auto& [name, load] : reduced.loads)
        require(load.size() == n, where, fmt::format("load '{}' has {} entries; expected {}", name, load.size(), n));
    for (const auto& patch : reduced.patches) {
        require(patch.area > 0, where,
                fmt::format("patch '{}' has area {:g}; must be positive", patch.name, patch.area));
        require(patch.map.rows() == 6 && patch.map.cols() == n, where,
                fmt::format("patch '{}' has a map of {} x {}; expected 6 x {}", patch.name, patch.map.rows(),
                            patch.map.cols(), n));
    }
    require_own_names(
        reduced.patches, [](const Patch& p) { return p.name; }, "patches", where);
    require_own_names(
        reduced.loads, [](const auto& l) { return l.first; }, "loads", where);
    require_own_names(
        reduced.outputs, [](const Output& o) { return o.name; }, "outputs", where);
    require(reduced.dofs.empty() || Eigen::Index(reduced.dofs.size()) == n, where,
            fmt::format("there are {} names of DOF; expected {}", reduced.dofs.size(), n));
    check_quadrature(reduced.quadrature, n, where);
    for (const auto& pair : reduced.pairs) {
        const std::string which = fmt::format("{}: contact pair '{}'", where, pair.name);
        require(pair.sites.weight.size() > 0, which, "has no sites");
        check_quadrature(pair.sites, n, which);
        require(pair.gap.size() == pair.sites.weight.size() && pair.gap.allFinite(), which,
                "needs a gap of every site");
        require(pair.penalty > 0 && std::isfinite(pair.penalty), which, "its penalty stiffness must be positive");
    }
    require_own_names(
        reduced.pairs, [](const ContactPair& p) { return p.name; }, "contact pairs", where);
}

Model bare_model(const Reduced& reduced, const std::map<std::string, double>& factors) {
    Model model;
    model.mass = reduced.mass;
    model.stiffness = reduced.stiffness;
    model.outputs = reduced.outputs;
    model.dofs = reduced.dofs;
    for (const auto& [name, load] : reduced.loads) model.loads.push_back({name, load});
    for (const auto& [name, factor] : factors) {
        bool found = false;
        std::string allowed;
        for (const auto& [known, load] : reduced.loads) {
            allowed += (allowed.empty() ? "" : ", ") + known;
            if (known != name) continue;
            if (model.static_force.size() == 0) model.static_force = Eigen::VectorXd::Zero(load.size());
            model.static_force += factor * load;
            found = true;
        }
        require(found, "static", fmt::format("there is no load '{}'; allowed are: {}", name, allowed));
    }
    return model;
}

Joint joint_on_patches(const Reduced& reduced, std::string name, laws::Law law, const std::vector<std::string>& patches,
                       const std::string& along, bool per_area) {
    check_along(law, along);
    const bool contact = law.components() == 3;
    const auto list = chosen(reduced.patches, patches, "patch");
    std::vector<Eigen::MatrixXd> maps;
    std::vector<double> weights;
    for (const Patch* patch : list) {
        maps.push_back(contact ? Eigen::MatrixXd(patch->map.topRows(3)) : rows_along(*patch, along));
        weights.insert(weights.end(), std::size_t(contact ? 1 : maps.back().rows()), per_area ? patch->area : 1.0);
    }
    Joint joint{
        std::move(name), std::move(law), {}, Eigen::Map<Eigen::VectorXd>(weights.data(), long(weights.size())), {}, {}};
    joint.map.resize(joint.components() * joint.sites(), reduced.mass.rows());
    joint.places.resize(joint.sites(), 3);
    joint.normal = along == "normal";
    for (const Patch* patch : list) {
        if (contact) joint.site_names.push_back(patch->name);
        for (const auto& direction : contact ? std::vector<std::string>() : names_along(along))
            joint.site_names.push_back(fmt::format("{}, {}", patch->name, direction));
    }
    Eigen::Index at = 0;
    for (std::size_t p = 0; p < maps.size(); ++p) {
        const Eigen::Index rows = maps[p].rows(), width = joint.components();
        joint.map.middleRows(at, rows) = maps[p];
        joint.places.middleRows(at / width, rows / width).rowwise() = list[p]->centroid.transpose();
        at += rows;
    }
    return joint;
}

Joint joint_on_interface(const Reduced& reduced, std::string name, laws::Law law, const std::string& along) {
    check_along(law, along);
    const auto& q = reduced.quadrature;
    const Eigen::Index points = q.weight.size();
    require(points > 0, law.name(),
            "interface = true, but the model has no quadrature points (it is a whole-joint model)");
    Joint joint{std::move(name), std::move(law), q.map, q.weight, q.nodes, q.interpolation, q.points};
    if (joint.components() == 3) return joint;
    joint.normal = along == "normal";
    std::vector<Eigen::Index> rows;
    if (along == "tangential") rows = {0, 1};
    if (along == "t1") rows = {0};
    if (along == "t2") rows = {1};
    if (along == "normal") rows = {2};
    require(!rows.empty(), joint.law.name(),
            fmt::format("along = \"{}\" on an interface; allowed are: tangential, t1, t2, normal", along));
    const auto each = static_cast<Eigen::Index>(rows.size());
    Eigen::SparseMatrix<double, Eigen::RowMajor> pick(each * points, 3 * points);
    for (Eigen::Index i = 0; i < points; ++i)
        for (Eigen::Index k = 0; k < each; ++k) pick.insert(each * i + k, 3 * i + rows[std::size_t(k)]) = 1.0;
    if (joint.base.size() > 0) joint.local = pick * q.interpolation;
    joint.map = pick * q.map;
    joint.weight.resize(each * points);
    if (q.points.rows() == points) joint.places.resize(each * points, 3);
    for (Eigen::Index i = 0; i < each * points; ++i) {
        joint.weight(i) = q.weight(i / each);
        if (q.points.rows() == points) joint.places.row(i) = q.points.row(i / each);
    }
    return joint;
}

std::vector<const ContactPair*> find_pairs(const Reduced& reduced, const std::vector<std::string>& names) {
    require(!reduced.pairs.empty(), "pair", "the reduced model has no contact pairs");
    return chosen(reduced.pairs, names, "contact pair");
}

Joint joint_on_pair(const Reduced& reduced, std::string name, laws::Law law, const ContactPair& pair) {
    require(law.contact() && law.components() == 3, law.name(),
            "is no contact law; a contact pair needs one, such as elastic-dry-friction");
    require(pair.sites.map.cols() == reduced.mass.rows(), pair.name, "is no pair of this reduced model");
    const auto& q = pair.sites;
    Joint joint{std::move(name), std::move(law), q.map, q.weight, q.nodes, q.interpolation, q.points};
    joint.gap = pair.gap;
    return joint;
}

Joint joint_on_nodes(const Reduced& reduced, std::string name, laws::Law law) {
    const auto& q = reduced.quadrature;
    require(law.components() == 3, law.name(), "is no contact law, which the nodes of an interface need");
    require(q.nodes.size() > 0, law.name(), "the model has no interface nodes (it is a whole-joint model)");
    const Eigen::Index nodes = q.nodes.rows() / 3;
    Joint joint{std::move(name), std::move(law), q.nodes, Eigen::VectorXd::Zero(nodes), {}, {}};
    const bool placed = q.points.rows() == q.weight.size();
    if (placed) joint.places = Eigen::MatrixXd::Zero(nodes, 3);
    for (Eigen::Index column = 2; column < q.interpolation.outerSize(); column += 3)  // the normal's
        for (Eigen::SparseMatrix<double>::InnerIterator it(q.interpolation, column); it; ++it) {
            const Eigen::Index node = column / 3, point = it.row() / 3;
            joint.weight(node) += it.value() * q.weight(point);
            if (placed) joint.places.row(node) += it.value() * q.weight(point) * q.points.row(point);
        }
    if (placed) joint.places.array().colwise() /= joint.weight.array();
    return joint;
}

}  // namespace faying::structure
