#pragma once
// Files that are either whole or not there: every writer of this project ends here.
//
//     write_file("loop.svg", figure_svg(figure));
//     write_files({{"a.csv", one}, {"b.csv", other}});                          // both or none
//     replace_file("run.h5", [](const std::string& temporary) { .. });          // by libraries that need a name
//
// What is written has no name until it is whole and on disk; then it takes the name of its target in one step. A kill
// or a full disk at any moment leaves the old file or the new one. Where a library needs a name, or the file system has
// no nameless files (O_TMPFILE), it is TARGET.part meanwhile; one that a killed process left is removed by the next
// that writes TARGET.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace faying::io {

/// Links are followed; devices and pipes are written directly. Throws core::BadInput naming the path; then nothing is
/// left behind.
void write_file(const std::string& path, std::string_view content);

/// Several files, or none: all are on disk before the first takes its name. An interrupt waits for the end. Two that
/// name the same file are refused.
struct FileContent {
    std::string path, content;
};
void write_files(const std::vector<FileContent>& files);

/// `fill` gets the name of an empty file to write into. Devices and pipes are refused. If `fill` throws, the file at
/// `path` stays as it was.
void replace_file(const std::string& path, const std::function<void(const std::string& temporary)>& fill);

/// What would keep a file from being written there, said before a long run and not after it. Throws core::BadInput:
/// no such folder, not allowed, a folder itself, a protected input.
void check_writable(const std::string& path);

/// The whole path with all links followed, of a file that is there or not yet.
std::string resolved(const std::string& path);

/// Whether two names lead to one file, there already or not.
bool same_file(const std::string& a, const std::string& b);

/// From here on, files passed to `input` are not written over: the command line's protection from --out naming what was
/// read. A program that reads a file to change it does not ask for this.
void protect_inputs();

/// Remembers, where asked to protect inputs, that this file was read for a user's result. Gives the path back.
const std::string& input(const std::string& path);

}  // namespace faying::io
