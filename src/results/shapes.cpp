#include "faying/results/shapes.hpp"

#include <fmt/format.h>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/io/file.hpp"

namespace faying::results {

namespace {

constexpr const char* format = "faying shapes 1";

template <class T>
Eigen::VectorXd as_numbers(const std::vector<T>& list) {
    Eigen::VectorXd numbers(Eigen::Index(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) numbers(Eigen::Index(i)) = double(list[i]);
    return numbers;
}

/// Whole numbers from `least` to `most`.
template <class T>
std::vector<T> as_list(const archive::Archive& file, const char* name, double least, double most) {
    std::vector<T> list;
    for (const double v : file.vector(name)) {
        if (!(v >= least && v <= most && v == std::floor(v)))
            throw core::BadInput(file.source(), fmt::format("'{}' has {:g}; whole numbers from {:g} to {:g} are needed",
                                                            name, v, least, most));
        list.push_back(T(v));
    }
    return list;
}

}  // namespace

Eigen::MatrixXd ShapeMesh::displacements(const Eigen::VectorXd& coordinates) const {
    const Eigen::VectorXd all = basis * coordinates;
    return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>>(all.data(), points.rows(), 3);
}

ShapeMesh shapes_of(const fe::Deck& deck, const fe::Reduction& reduction, const Eigen::MatrixXd& basis) {
    const fe::DeckMesh mesh = fe::mesh_of(deck);
    ShapeMesh shapes{mesh.mesh.nodes, fe::cells_of(mesh.mesh), {}};
    shapes.basis.resize(3 * shapes.points.rows(), basis.cols());
    for (Eigen::Index j = 0; j < basis.cols(); ++j) {
        const Eigen::MatrixXd u = fe::nodal_displacements(mesh, reduction.model, basis.col(j));
        for (Eigen::Index n = 0; n < u.rows(); ++n) shapes.basis.col(j).segment<3>(3 * n) = u.row(n).transpose();
    }
    return shapes;
}

void write_shapes(const std::string& path, const ShapeMesh& shapes) {
    archive::Archive file;
    file.set("format", format);
    file.set("points", shapes.points, "m");
    file.set("connectivity", as_numbers(shapes.cells.connectivity));
    file.set("offsets", as_numbers(shapes.cells.offsets));
    file.set("types", as_numbers(shapes.cells.types));
    file.set("basis", shapes.basis);
    archive::write_archive(path, file);
}

ShapeMesh read_shapes(const std::string& path, Eigen::Index size) {
    const archive::Archive file = archive::read_archive(io::input(path));
    if (!file.has("format") || file.text("format") != format)
        throw core::BadInput(path, "holds no shapes; faying reduce --shapes writes them");
    ShapeMesh shapes{file.matrix("points"), {}, file.matrix("basis")};
    const Eigen::Index nodes = shapes.points.rows();
    if (shapes.points.cols() != 3 || shapes.basis.rows() != 3 * nodes)
        throw core::BadInput(
            path, fmt::format("'points' is {} x {} and 'basis' has {} rows; three for each point are needed", nodes,
                              shapes.points.cols(), shapes.basis.rows()));
    if (shapes.basis.cols() != size)
        throw core::BadInput(
            path, fmt::format("has shapes of {} coordinates, the model has {}; is it from another reduction?",
                              shapes.basis.cols(), size));
    auto& cells = shapes.cells;
    cells.connectivity = as_list<std::int64_t>(file, "connectivity", 0, double(nodes - 1));
    cells.offsets = as_list<std::int64_t>(file, "offsets", 1, double(cells.connectivity.size()));
    cells.types = as_list<std::uint8_t>(file, "types", 1, 255);
    if (cells.types.size() != cells.offsets.size() || !std::is_sorted(cells.offsets.begin(), cells.offsets.end()))
        throw core::BadInput(path, "'offsets' and 'types' do not describe cells");
    return shapes;
}

}  // namespace faying::results
