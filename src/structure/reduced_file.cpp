// Reduced models as files: an archive of named matrices (.h5 or .mat) that MATLAB and h5py open as well.
//
//     M, K                       dense, DOF x DOF
//     dofs                       what each coordinate is
//     loads.name, .vectors (n x DOF)
//     patches.name, .area, .centroid (n x 3), .axes (3n x 3), .map (6n x DOF)
//     quadrature.map (3n x DOF), .weight, .points (n x 3), .element, .nodes, .interpolation (map = interpolation nodes)
//     outputs.name, .rows (n x DOF)
//     provenance.*               texts

#include <fmt/format.h>

#include "faying/core/error.hpp"
#include "faying/io/archive.hpp"
#include "faying/structure/reduced.hpp"

namespace faying::structure {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using io::Archive;

/// Vectors as the rows of one matrix.
template <class List, class Get>
MatrixXd rows_of(const List& list, Index columns, Get get) {
    MatrixXd all(static_cast<Index>(list.size()), columns);
    for (std::size_t i = 0; i < list.size(); ++i) all.row(static_cast<Index>(i)) = get(list[i]);
    return all;
}

template <class List, class Get>
std::vector<std::string> names_of(const List& list, Get get) {
    std::vector<std::string> names;
    for (const auto& entry : list) names.push_back(get(entry));
    return names;
}

Archive patches_archive(const std::vector<Patch>& patches, Index dof) {
    const auto n = static_cast<Index>(patches.size());
    Archive a;
    MatrixXd axes(3 * n, 3), map(6 * n, dof);
    Eigen::VectorXd area(n);
    for (Index i = 0; i < n; ++i) {
        const Patch& p = patches[static_cast<std::size_t>(i)];
        axes.middleRows<3>(3 * i) = p.axes;
        map.middleRows<6>(6 * i) = p.map;
        area(i) = p.area;
    }
    a.set("name", names_of(patches, [](const Patch& p) { return p.name; }));
    a.set("area", area);
    a.set("centroid", rows_of(patches, 3, [](const Patch& p) { return p.centroid; }));
    a.set("axes", axes);
    a.set("map", map);
    return a;
}

std::vector<Patch> read_patches(const Archive& a, const std::string& path) {
    const auto names = a.texts("name");
    const auto n = static_cast<Index>(names.size());
    const Eigen::VectorXd area = a.vector("area");
    const MatrixXd centroid = a.matrix("centroid"), axes = a.matrix("axes"), map = a.matrix("map");
    if (area.size() != n || centroid.rows() != n || centroid.cols() != 3 || axes.rows() != 3 * n || axes.cols() != 3 ||
        map.rows() != 6 * n)
        throw core::BadInput(path, "patches: sizes of name, area, centroid, axes and map do not agree");
    std::vector<Patch> patches;
    for (Index i = 0; i < n; ++i)
        patches.push_back({names[static_cast<std::size_t>(i)], area(i), centroid.row(i), axes.middleRows<3>(3 * i),
                           map.middleRows<6>(6 * i)});
    return patches;
}

}  // namespace

void write_reduced(const std::string& path, const Reduced& r) {
    const Index dof = r.mass.rows();
    Archive a;
    a.set("M", r.mass);
    a.set("K", r.stiffness);
    if (!r.dofs.empty()) a.set("dofs", r.dofs);
    if (!r.loads.empty()) {
        Archive loads;
        loads.set("name", names_of(r.loads, [](const auto& load) { return load.first; }));
        loads.set("vectors", rows_of(r.loads, dof, [](const auto& load) { return load.second; }));
        a.set("loads", loads);
    }
    if (!r.patches.empty()) a.set("patches", patches_archive(r.patches, dof));
    if (r.quadrature.weight.size() > 0) {
        Archive q;
        q.set("map", Eigen::SparseMatrix<double>(r.quadrature.map.sparseView()));
        if (r.quadrature.nodes.size() > 0) {
            q.set("nodes", Eigen::SparseMatrix<double>(r.quadrature.nodes.sparseView()));
            q.set("interpolation", r.quadrature.interpolation);
        }
        q.set("weight", r.quadrature.weight);
        q.set("points", r.quadrature.points);
        q.set("element",
              Eigen::VectorXd(Eigen::Map<const Eigen::VectorXi>(r.quadrature.element.data(), r.quadrature.weight.size())
                                  .cast<double>()));
        a.set("quadrature", q);
    }
    if (!r.outputs.empty()) {
        Archive outputs;
        outputs.set("name", names_of(r.outputs, [](const Output& o) { return o.name; }));
        outputs.set("rows", rows_of(r.outputs, dof, [](const Output& o) { return o.row; }));
        a.set("outputs", outputs);
    }
    Archive provenance;
    for (const auto& [key, value] : r.provenance) provenance.set(key, value);
    a.set("provenance", provenance);
    io::write_archive(path, a);
}

Reduced read_reduced(const std::string& path) {
    const Archive a = io::read_archive(path);
    Reduced r;
    r.mass = a.matrix("M");
    r.stiffness = a.matrix("K");
    if (a.has("dofs")) r.dofs = a.texts("dofs");
    if (a.has("loads")) {
        const auto names = a.texts("loads.name");
        const MatrixXd vectors = a.matrix("loads.vectors");
        if (vectors.rows() != static_cast<Index>(names.size()))
            throw core::BadInput(path, fmt::format("loads: {} names but {} vectors", names.size(), vectors.rows()));
        for (std::size_t i = 0; i < names.size(); ++i)
            r.loads.emplace_back(names[i], vectors.row(static_cast<Index>(i)));
    }
    if (a.has("patches")) r.patches = read_patches(a.group("patches"), path);
    if (a.has("quadrature")) {
        r.quadrature.map = a.matrix("quadrature.map");
        if (a.has("quadrature.nodes")) {
            r.quadrature.nodes = a.matrix("quadrature.nodes");
            r.quadrature.interpolation = a.sparse("quadrature.interpolation");
        }
        r.quadrature.weight = a.vector("quadrature.weight");
        r.quadrature.points = a.matrix("quadrature.points");
        for (double e : a.vector("quadrature.element")) r.quadrature.element.push_back(static_cast<int>(e));
    }
    if (a.has("outputs")) {
        const auto names = a.texts("outputs.name");
        const MatrixXd rows = a.matrix("outputs.rows");
        if (rows.rows() != static_cast<Index>(names.size()))
            throw core::BadInput(path, fmt::format("outputs: {} names but {} rows", names.size(), rows.rows()));
        for (std::size_t i = 0; i < names.size(); ++i) r.outputs.push_back({names[i], rows.row(static_cast<Index>(i))});
    }
    if (a.has("provenance"))
        for (const auto& key : a.group("provenance").names()) r.provenance[key] = a.group("provenance").text(key);
    check_reduced(r, path);
    return r;
}

}  // namespace faying::structure
