#pragma once
// A study as its file says (TOML):
//
//     title = "Brake-Reuss beam: six joint models"
//     variants = ["iwan4", "jenkins", "valanis"]       # of [S0]'s 26; or "all26"; or "none": own [[variant]]s
//     from = "earlier.db"                              # searches start from the fronts of that study too
//     method = "epmc"                                  # modes by harmonic balance; without it quasi-statically (rqnma)
//     harmonics = 3                                    # epmc: orders up to it, or a list of them; samples = N
//
//     [structure]
//     whole  = "whole_joint.h5"                        # reduced models, beside this file
//     full   = "full_joint.h5"                         # only where a full-joint variant asks for it
//     static = { preload = 12845 }
//
//     [measurement]
//     file   = "backbones.csv"                         # or .h5, .mat; not needed where every mode has its own
//     points = "measured"                              # amplitudes that are compared; or a number of log-spaced
//                                                      # ones, interpolated between the measured points
//     amplitude = "modal"                              # or "displacement", "acceleration" at an output of the model
//     output = "accelerometer"
//     viscous = "lowest"                               # zeta0: of the lowest amplitude; or a number
//
//     [[mode]]                                         # which of the measured modes, and which of the model it is
//     mode = 1
//     index = 1
//     name = "first bending"
//     fitted = true                                    # false: only predicted
//     file = "mode1.h5"                                # measured by itself, as `faying envelope --out` writes it
//
//     [search]
//     method = "both"                                  # nsga2, boundary-intersection
//     seed = 1
//     population = 40
//     generations = 30
//     pooled = 50                                      # last generations that make the front
//     rays = 24
//     starts = 2                                       # random ones, beside the genetic front
//     tries = 2                                        # of a ray's starts only so many, the nearest; 0: all
//     rounds = 2                                       # of starting again from the solutions of the rays beside
//     evaluations = 60                                 # most for one start
//     front = 100                                      # most points of a front that are certified
//
//     [search_full]                                    # the same for full joints, which cost a thousand times as much
//     population = 20                                  # without it: nsga2, 20 members, 10 generations
//
//     [boxes]                                          # of the area measure
//     lower = "data"                                   # or "published" ([S0] Table 4)
//     upper = [0.17, 0.5]
//
//     [[variant]]                                      # one more, or another range
//     name = "my-iwan"
//     like = "iwan4"                                   # or: law = "iwan4", joint = "whole", framework = "masing"
//     method = "rqnma"                                 # for this one, with harmonics and samples as above
//     search = { FS = [1e5, 1e7] }
//     fixed  = { chi = -0.5 }

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "faying/study/problem.hpp"

namespace faying::study {

enum class Method { nsga2, boundary_intersection, both };
std::string_view name(Method method);

struct Search {
    Method method = Method::nsga2;
    std::uint64_t seed = 1;
    int population = 40, generations = 30, pooled = 50;
    int rays = 24, starts = 2, tries = 2, rounds = 2, evaluations = 60;
    int front = 100;  ///< most points of a front that are certified
};

struct Boxes {
    bool published = false;  ///< lower corners of [S0] Table 4; else from the data
    std::array<double, 2> upper = {0.17, 0.5};
};

/// A text file the study was read from, or what is known of a binary one.
struct Input {
    std::string name, text;
};

struct Study {
    std::string path, title;
    Setup setup;
    std::vector<Variant> variants;
    std::map<std::string, std::vector<std::vector<double>>> starting_fronts;  ///< fronts to start from, by variant
    Search search;
    Search search_full = {.population = 20, .generations = 10, .front = 24};  ///< of full-joint variants
    Boxes boxes;
    bool is_virtual = false;    ///< the measurement says that it is a virtual experiment
    std::optional<int> points;  ///< log-spaced amplitudes that are compared; none: the measured ones
    Amplitude amplitude = Amplitude::modal;
    std::string output;
    std::string whole_path, full_path;  ///< of the reduced models
    std::vector<Input> inputs;
    std::vector<std::string> notes;  ///< what a user should know before it runs

    const Search& search_of(const Variant& variant) const { return variant.full ? search_full : search; }
};

/// Throws BadInput with file:line, what was wrong and what is allowed. Laws are looked up here: one the program does
/// not have (any more) is named before anything runs.
Study read_study(const std::string& path);

/// All that decides the answer of a study, for telling whether a store belongs to it.
nlohmann::json fingerprint(const Study& study);

}  // namespace faying::study
