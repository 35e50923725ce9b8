#include "faying/files/reduced.hpp"

#include <fmt/format.h>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/io/file.hpp"
#include "uncondensed_format.hpp"

namespace faying::files {

using structure::Output;
using structure::Patch;
using structure::Quadrature;
using structure::Reduced;

namespace {

using Names = std::vector<std::string>;

[[noreturn]] void wrong_size(const archive::Archive& file, const std::string& name, Eigen::Index rows,
                             Eigen::Index columns, Eigen::Index want_rows, Eigen::Index want_columns) {
    throw core::BadInput(
        file.source(), fmt::format("'{}' is {} x {}; expected {} x {}", name, rows, columns, want_rows, want_columns));
}

Eigen::MatrixXd sized(const archive::Archive& file, const std::string& name, Eigen::Index rows, Eigen::Index columns) {
    Eigen::MatrixXd m = file.matrix(name);
    if (m.size() == 0 && rows * columns == 0) return Eigen::MatrixXd(rows, columns);
    if (m.rows() != rows || m.cols() != columns) wrong_size(file, name, m.rows(), m.cols(), rows, columns);
    return m;
}

Eigen::VectorXd sized(const archive::Archive& file, const std::string& name, Eigen::Index size) {
    Eigen::VectorXd v = file.vector(name);
    if (v.size() != size) wrong_size(file, name, v.size(), 1, size, 1);
    return v;
}

template <class List, class Name>
Names names_of(const List& list, Name name) {
    Names names;
    for (const auto& item : list) names.push_back(name(item));
    return names;
}

/// The rows of all parts, one part under the other.
template <class List, class Part>
Eigen::MatrixXd stacked(const List& list, Eigen::Index rows, Eigen::Index columns, Part part) {
    Eigen::MatrixXd all(rows * Eigen::Index(list.size()), columns);
    Eigen::Index row = 0;
    for (const auto& item : list) {
        all.middleRows(row, rows) = part(item);
        row += rows;
    }
    return all;
}

archive::Archive archive_of(const std::vector<Patch>& patches, Eigen::Index size) {
    archive::Archive group;
    group.set("name", names_of(patches, [](const Patch& p) { return p.name; }));
    const auto area = stacked(patches, 1, 1, [](const Patch& p) { return Eigen::MatrixXd::Constant(1, 1, p.area); });
    group.set("area", Eigen::VectorXd(area.col(0)), "m2");
    group.set("centroid", stacked(patches, 1, 3, [](const Patch& p) { return p.centroid.transpose(); }), "m");
    group.set("axes", stacked(patches, 3, 3, [](const Patch& p) { return p.axes; }));
    group.set("map", stacked(patches, 6, size, [](const Patch& p) { return p.map; }));
    return group;
}

std::vector<Patch> patches_of(const archive::Archive& file, Eigen::Index size) {
    std::vector<Patch> patches;
    if (!file.has("patches")) return patches;
    const Names names = file.texts("patches.name");
    const auto n = Eigen::Index(names.size());
    const auto area = sized(file, "patches.area", n);
    const auto centroid = sized(file, "patches.centroid", n, 3);
    const auto axes = sized(file, "patches.axes", 3 * n, 3);
    const auto map = sized(file, "patches.map", 6 * n, size);
    for (Eigen::Index k = 0; k < n; ++k)
        patches.push_back({names[std::size_t(k)], area(k), centroid.row(k).transpose(), axes.middleRows(3 * k, 3),
                           map.middleRows(6 * k, 6)});
    return patches;
}

archive::Archive archive_of(const Quadrature& q) {
    archive::Archive group;
    group.set("map", Eigen::SparseMatrix<double>(q.map.sparseView()));
    group.set("weight", q.weight, "m2");
    group.set("points", q.points, "m");
    const Eigen::VectorXi element = Eigen::VectorXi::Map(q.element.data(), Eigen::Index(q.element.size()));
    group.set("element", Eigen::VectorXd(element.cast<double>()));
    if (q.nodes.size() > 0) {
        group.set("nodes", Eigen::SparseMatrix<double>(q.nodes.sparseView()));
        group.set("interpolation", q.interpolation);
    }
    return group;
}

Quadrature quadrature_of(const archive::Archive& file, Eigen::Index size, const std::string& group) {
    Quadrature q;
    if (!file.has(group)) return q;
    const auto at = [&](const char* name) { return group + "." + name; };
    q.weight = file.vector(at("weight"));
    q.map = sized(file, at("map"), 3 * q.weight.size(), size);
    if (const Eigen::MatrixXd points = file.matrix(at("points")); points.size() > 0)
        q.points = sized(file, at("points"), q.weight.size(), 3);
    for (const double e : file.vector(at("element"))) {
        if (!(e >= 0 && e < 2147483648.0 && e == std::floor(e)))
            throw core::BadInput(file.source(),
                                 fmt::format("'{}' has {:g}; a whole number is needed", at("element"), e));
        q.element.push_back(int(e));
    }
    if (file.has(at("nodes"))) {
        q.nodes = file.matrix(at("nodes"));
        q.interpolation = file.sparse(at("interpolation"));
        if (q.nodes.cols() != size) wrong_size(file, at("nodes"), q.nodes.rows(), q.nodes.cols(), q.nodes.rows(), size);
        if (q.interpolation.rows() != q.map.rows() || q.interpolation.cols() != q.nodes.rows())
            wrong_size(file, at("interpolation"), q.interpolation.rows(), q.interpolation.cols(), q.map.rows(),
                       q.nodes.rows());
    }
    return q;
}

/// Each pair is a group of its own: "pairs.pair_1" and so on.
archive::Archive archive_of(const std::vector<structure::ContactPair>& pairs) {
    archive::Archive group;
    group.set("name", names_of(pairs, [](const auto& p) { return p.name; }));
    Eigen::VectorXd penalty(Eigen::Index(pairs.size())), friction = penalty;  // negative: none is named
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        penalty(Eigen::Index(k)) = pairs[k].penalty;
        friction(Eigen::Index(k)) = pairs[k].friction.value_or(-1);
        archive::Archive sites = archive_of(pairs[k].sites);
        sites.set("gap", pairs[k].gap, "m");
        group.set(fmt::format("pair_{}", k + 1), sites);
    }
    group.set("penalty", penalty, "N/m3");
    group.set("friction", friction);
    return group;
}

std::vector<structure::ContactPair> pairs_of(const archive::Archive& file, Eigen::Index size) {
    std::vector<structure::ContactPair> pairs;
    if (!file.has("pairs")) return pairs;
    const Names names = file.texts("pairs.name");
    const auto penalty = sized(file, "pairs.penalty", Eigen::Index(names.size()));
    const auto friction = sized(file, "pairs.friction", Eigen::Index(names.size()));
    for (std::size_t k = 0; k < names.size(); ++k) {
        const std::string group = fmt::format("pairs.pair_{}", k + 1);
        structure::ContactPair pair{names[k], quadrature_of(file, size, group), {}, penalty(Eigen::Index(k))};
        if (friction(Eigen::Index(k)) >= 0) pair.friction = friction(Eigen::Index(k));
        pair.gap = sized(file, group + ".gap", pair.sites.weight.size());
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

void read_lists(const archive::Archive& file, Eigen::Index size, Reduced& reduced) {
    if (file.has("loads")) {
        const Names names = file.texts("loads.name");
        const auto vectors = sized(file, "loads.vectors", Eigen::Index(names.size()), size);
        for (std::size_t k = 0; k < names.size(); ++k)
            reduced.loads.emplace_back(names[k], vectors.row(Eigen::Index(k)).transpose());
    }
    if (file.has("outputs")) {
        const Names names = file.texts("outputs.name");
        const auto rows = sized(file, "outputs.rows", Eigen::Index(names.size()), size);
        for (std::size_t k = 0; k < names.size(); ++k)
            reduced.outputs.push_back({names[k], rows.row(Eigen::Index(k)).transpose()});
    }
    if (file.has("provenance"))
        for (const auto& key : file.group("provenance").names())
            reduced.provenance[key] = file.text("provenance." + key);
}

void write_lists(const Reduced& reduced, archive::Archive& file) {
    const Eigen::Index size = reduced.mass.rows();
    if (!reduced.loads.empty()) {
        archive::Archive loads;
        loads.set("name", names_of(reduced.loads, [](const auto& l) { return l.first; }));
        loads.set("vectors", stacked(reduced.loads, 1, size, [](const auto& l) { return l.second.transpose(); }));
        file.set("loads", loads);
    }
    if (!reduced.outputs.empty()) {
        archive::Archive outputs;
        outputs.set("name", names_of(reduced.outputs, [](const Output& o) { return o.name; }));
        outputs.set("rows", stacked(reduced.outputs, 1, size, [](const Output& o) { return o.row.transpose(); }));
        file.set("outputs", outputs);
    }
    if (!reduced.provenance.empty()) {
        archive::Archive provenance;
        for (const auto& [key, value] : reduced.provenance) provenance.set(key, value);
        file.set("provenance", provenance);
    }
}

}  // namespace

Reduced read_reduced(const std::string& path) { return reduced_of(archive::read_archive(io::input(path))); }

Reduced reduced_of(const archive::Archive& file) {
    const std::string& path = file.source();
    if (is_uncondensed(file))
        throw core::BadInput(path,
                             "is a structure that is not condensed (reduce --solver sparse); only faying "
                             "quasistatic takes those");
    if (!file.has("M") || !file.has("K"))
        throw core::BadInput(path, fmt::format("is not a reduced model: M and K are needed; there are: {}",
                                               fmt::join(file.names(), ", ")));
    Reduced reduced;
    reduced.mass = file.matrix("M");
    const Eigen::Index size = reduced.mass.rows();
    reduced.stiffness = sized(file, "K", size, size);
    if (file.has("dofs")) reduced.dofs = file.texts("dofs");
    reduced.patches = patches_of(file, size);
    reduced.quadrature = quadrature_of(file, size, "quadrature");
    reduced.pairs = pairs_of(file, size);
    read_lists(file, size, reduced);
    structure::check_reduced(reduced, path);
    return reduced;
}

void write_reduced(const std::string& path, const Reduced& reduced) {
    structure::check_reduced(reduced, path);
    archive::Archive file;
    file.set("format", "faying reduced model 1");
    file.set("M", reduced.mass, "kg");
    file.set("K", reduced.stiffness, "N/m");
    if (!reduced.dofs.empty()) file.set("dofs", reduced.dofs);
    if (!reduced.patches.empty()) file.set("patches", archive_of(reduced.patches, reduced.mass.rows()));
    if (reduced.quadrature.weight.size() > 0) file.set("quadrature", archive_of(reduced.quadrature));
    if (!reduced.pairs.empty()) file.set("pairs", archive_of(reduced.pairs));
    write_lists(reduced, file);
    archive::write_archive(path, file);
}

}  // namespace faying::files
