#include "faying/fe/vtk.hpp"

#include <fmt/format.h>

#include <cstdint>
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

/// The cells of a mesh, and the file they become.
class Writer {
 public:
    void cell(Shape shape, std::span<const int> nodes) { cell(cell_type(shape), nodes); }
    void vertex(int node) { cell(1, std::span(&node, 1)); }

    std::string file(const Coordinates& points, const std::vector<VtkField>& fields) {
        std::string xml = fmt::format(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
            "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
            "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n",
            points.rows(), types_.size());
        for (const auto& f : fields)
            xml += array("Float64", f.name, by_rows(f.values), static_cast<int>(f.values.cols()));
        xml += "</PointData>\n<Points>\n" + array("Float64", "Points", by_rows(points), 3);
        xml += "</Points>\n<Cells>\n" + array("Int64", "connectivity", connectivity_, 1) +
               array("Int64", "offsets", offsets_, 1) + array("UInt8", "types", types_, 1);
        xml += "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
        return xml + appended_ + "\n</AppendedData>\n</VTKFile>\n";
    }

 private:
    std::vector<std::int64_t> connectivity_, offsets_;
    std::vector<std::uint8_t> types_;
    std::string appended_;

    void cell(std::uint8_t type, std::span<const int> nodes) {
        for (int n : nodes) connectivity_.push_back(n);
        offsets_.push_back(static_cast<std::int64_t>(connectivity_.size()));
        types_.push_back(type);
    }

    static std::vector<double> by_rows(const Eigen::MatrixXd& a) {
        std::vector<double> values;
        values.reserve(static_cast<std::size_t>(a.size()));
        for (Eigen::Index i = 0; i < a.rows(); ++i)
            for (Eigen::Index j = 0; j < a.cols(); ++j) values.push_back(a(i, j));
        return values;
    }

    template <class T>
    std::string array(const char* type, const std::string& name, const std::vector<T>& values, int components) {
        std::string tag = fmt::format(
            "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", type,
            escaped(name), components, appended_.size());
        const std::uint64_t bytes = values.size() * sizeof(T);
        appended_.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
        appended_.append(reinterpret_cast<const char*>(values.data()), bytes);
        return tag;
    }
};

}  // namespace

void write_vtk(const std::string& path, const Mesh& mesh, const std::vector<VtkField>& fields) {
    Writer writer;
    for (const auto& block : mesh.blocks) {
        const Shape shape = traits(block.kind).shape;
        const auto n = static_cast<std::size_t>(node_count(shape));
        for (std::size_t e = 0; e < block.size(); ++e) writer.cell(shape, std::span(block.nodes).subspan(e * n, n));
    }
    io::write_file(path, writer.file(mesh.nodes, fields));
}

void write_vtk(const std::string& path, const InterfaceMesh& mesh, const std::vector<VtkField>& fields) {
    Writer writer;
    for (const auto& element : mesh.elements) writer.cell(element.shape, element.nodes);
    io::write_file(path, writer.file(mesh.points, fields));
}

std::string vtk_of_points(const Eigen::MatrixXd& points, const std::vector<VtkField>& fields) {
    Writer writer;
    for (int i = 0; i < int(points.rows()); ++i) writer.vertex(i);
    return writer.file(points, fields);
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
