#include "faying/results/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/file.hpp"
#include "faying/results/sites.hpp"

namespace faying::results {

namespace {

bool know_places(const structure::Model& model) {
    return std::any_of(model.joints.begin(), model.joints.end(), modes::has_places);
}

}  // namespace

void check_series(const std::string& path, const structure::Model& model, bool shapes) {
    if (std::filesystem::path(path).extension() != ".pvd")
        throw core::BadInput("--vtk", fmt::format("'{}' is no series; a name that ends in .pvd is needed", path));
    if (!shapes && !know_places(model))
        throw core::BadInput("--vtk", "no joint of the model knows where its sites are, and there are no --shapes");
    io::check_writable(path);
}

void write_series(const std::string& path, const SlowRun& run, const std::optional<ShapeMesh>& shapes) {
    const std::filesystem::path series = path;
    const std::string stem = series.stem().string();
    const bool timed = !run.history.times.empty() && !run.cycled();
    const bool places = know_places(run.model);
    std::string sets;
    std::size_t number = 0;
    for (const std::size_t i : shown(run)) {
        const auto& point = run.loop.run.points[i];
        if (!point.converged) continue;
        ++number;
        const auto add = [&](int part, const std::string& name, const std::string& text) {
            io::write_file((series.parent_path() / name).string(), text);
            sets += fmt::format("<DataSet timestep=\"{:.17g}\" part=\"{}\" file=\"{}\"/>\n",
                                timed ? run.history.times[i] : double(number), part, name);
        };
        if (shapes)
            add(0, fmt::format("{}_{:04}.vtu", stem, number),
                fe::vtk_of(shapes->points, shapes->cells, {{"displacement", shapes->displacements(point.x)}}));
        if (places) add(1, fmt::format("{}_sites_{:04}.vtu", stem, number), sites_vtk(run.model, point.sites));
    }
    io::write_file(path,
                   "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                   "byte_order=\"LittleEndian\">\n<Collection>\n" +
                       sets + "</Collection>\n</VTKFile>\n");
}

}  // namespace faying::results
