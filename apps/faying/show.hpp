#pragma once
// The end of every command that analyses something: files, then JSON or text.

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/progress.hpp"

namespace faying::app {

/// What `work` gives, which is handed a function to say how far it is; the line is gone afterwards.
template <class Work>
auto with_progress(const std::string& label, std::size_t total, const Work& work) {
    core::Progress progress(label, total);
    return work([&](std::size_t done) { progress.at(done); });
}

/// Writes the run's table and figure where they are asked for, and prints its JSON or its text.
template <class Run>
void show(const Common& common, const io::OutputFiles& files, const char* command, const Run& run) {
    files.write(files.csv.empty() ? io::Table() : table(run), [&](bool picture) {
        if constexpr (requires { figure(run, picture); })
            return figure(run, picture);
        else
            return figure(run);
    });
    common.report(command, common.json ? json(run) : nlohmann::json(), [&] { return text(run); });
}

}  // namespace faying::app
