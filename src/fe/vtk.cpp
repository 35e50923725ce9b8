#include "faying/fe/vtk.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "faying/io/csv.hpp"

namespace faying::fe {

namespace {

/// VTK's cell types; its node orders are Abaqus' for all of these.
std::uint8_t cell_type(Shape shape) {
    switch (shape) {
        case Shape::line2: return 3;
        case Shape::line3: return 21;
        case Shape::tri3: return 5;
        case Shape::tri6: return 22;
        case Shape::quad4: return 9;
        case Shape::quad8: return 23;
        case Shape::tet4: return 10;
        case Shape::tet10: return 24;
        case Shape::wedge6: return 13;
        case Shape::wedge15: return 26;
        case Shape::hex8: return 12;
        case Shape::hex20: return 25;
    }
    throw std::logic_error("a shape that VTK does not know");
}

std::string escaped(const std::string& text) {
    std::string out;
    for (char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

void add_cell(VtkCells& cells, std::uint8_t type, std::span<const int> nodes) {
    for (int n : nodes) cells.connectivity.push_back(n);
    cells.offsets.push_back(static_cast<std::int64_t>(cells.connectivity.size()));
    cells.types.push_back(type);
}

std::vector<double> by_rows(const Eigen::MatrixXd& a) {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(a.size()));
    for (Eigen::Index i = 0; i < a.rows(); ++i)
        for (Eigen::Index j = 0; j < a.cols(); ++j) values.push_back(a(i, j));
    return values;
}

/// Arrays of numbers, each with its tag, all of them behind the text.
class Appended {
 public:
    template <class T>
    std::string array(const char* type, const std::string& name, const std::vector<T>& values, int components) {
        std::string tag = fmt::format(
            "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", type,
            escaped(name), components, data_.size());
        const std::uint64_t bytes = values.size() * sizeof(T);
        data_.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
        data_.append(reinterpret_cast<const char*>(values.data()), bytes);
        return tag;
    }
    const std::string& data() const { return data_; }

 private:
    std::string data_;
};

}  // namespace

VtkCells cells_of(const Mesh& mesh) {
    VtkCells cells;
    for (const auto& block : mesh.blocks) {
        const Shape shape = traits(block.kind).shape;
        const auto n = static_cast<std::size_t>(node_count(shape));
        for (std::size_t e = 0; e < block.size(); ++e)
            add_cell(cells, cell_type(shape), std::span(block.nodes).subspan(e * n, n));
    }
    return cells;
}

std::string vtk_of(const Eigen::MatrixXd& points, const VtkCells& cells, const std::vector<VtkField>& fields) {
    Appended data;
    std::string xml = fmt::format(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n",
        points.rows(), cells.types.size());
    for (const auto& f : fields)
        xml += data.array("Float64", f.name, by_rows(f.values), static_cast<int>(f.values.cols()));
    xml += "</PointData>\n<Points>\n" + data.array("Float64", "Points", by_rows(points), 3);
    xml += "</Points>\n<Cells>\n" + data.array("Int64", "connectivity", cells.connectivity, 1) +
           data.array("Int64", "offsets", cells.offsets, 1) + data.array("UInt8", "types", cells.types, 1);
    xml += "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
    return xml + data.data() + "\n</AppendedData>\n</VTKFile>\n";
}

void write_vtk(const std::string& path, const Mesh& mesh, const std::vector<VtkField>& fields) {
    io::write_file(path, vtk_of(mesh.nodes, cells_of(mesh), fields));
}

void write_vtk(const std::string& path, const InterfaceMesh& mesh, const std::vector<VtkField>& fields) {
    VtkCells cells;
    for (const auto& element : mesh.elements) add_cell(cells, cell_type(element.shape), element.nodes);
    io::write_file(path, vtk_of(mesh.points, cells, fields));
}

std::string vtk_of_points(const Eigen::MatrixXd& points, const std::vector<VtkField>& fields) {
    constexpr std::uint8_t vertex = 1;
    VtkCells cells;
    for (int i = 0; i < int(points.rows()); ++i) add_cell(cells, vertex, std::span(&i, 1));
    return vtk_of(points, cells, fields);
}

Eigen::MatrixXd nodal_displacements(const DeckMesh& mesh, const LinearModel& model, const Eigen::VectorXd& free) {
    const Eigen::VectorXd all = model.elimination.transformation * free;
    Eigen::MatrixXd u = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(mesh.nodes.size()), 3);
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
        for (int d = 1; d <= 3; ++d)
            if (const Index i = model.all.find(mesh.nodes[n], d); i != none)
                u(static_cast<Eigen::Index>(n), d - 1) = all(i);
    return u;
}

}  // namespace faying::fe
