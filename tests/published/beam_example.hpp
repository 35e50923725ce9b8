#pragma once
// The beams of examples/, meshed and reduced as their scripts do.

#include <filesystem>
#include <string>

#include "faying/fe/deck_reader.hpp"
#include "faying/fe/geometry.hpp"
#include "faying/fe/reduce_file.hpp"
#include "faying/files/reduced.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/process.hpp"
#include "source_dir.hpp"

namespace faying::tests {

/// An example's folder with its deck made and reduced, as its script `run` does.
class BeamExample {
 public:
    BeamExample(const std::string& name, const std::string& geometry, const std::string& reduction,
                const std::string& rom, const fe::GeometryOptions& options = {}) {
        for (const auto& entry :
             std::filesystem::directory_iterator(std::filesystem::path(source_dir()) / "examples" / name))
            if (entry.path().extension() == ".toml") std::filesystem::copy(entry.path(), folder_.path());
        io::write_file(path("beam.inp"), fe::make_geometry(geometry, options).deck);
        const auto file = fe::read_reduce_file(path(reduction));
        reduced = fe::reduce(fe::read_deck(file.deck), file.options);
        files::write_reduced(path(rom), reduced.reduced);
    }
    std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

    fe::Reduction reduced;

 private:
    io::ScratchFolder folder_;
};

}  // namespace faying::tests
