#include "faying/archive/archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "archive_formats.hpp"
#include "faying/core/error.hpp"

namespace faying::archive {

namespace {

using Value = ArchiveEntry::Value;

struct Describe {
    std::string operator()(double) const { return "is a number"; }
    std::string operator()(const Eigen::VectorXd& v) const { return fmt::format("is a vector of {}", v.size()); }
    std::string operator()(const Eigen::MatrixXd& m) const {
        return fmt::format("is a {} x {} matrix", m.rows(), m.cols());
    }
    std::string operator()(const Eigen::SparseMatrix<double>& m) const {
        return fmt::format("is a {} x {} sparse matrix", m.rows(), m.cols());
    }
    std::string operator()(const std::string&) const { return "is text"; }
    std::string operator()(const std::vector<std::string>&) const { return "is a list of texts"; }
    std::string operator()(const Archive& group) const {
        return fmt::format("is a group of {}", fmt::join(group.names(), ", "));
    }
    std::string operator()(const Unreadable& u) const { return u.why; }
};

/// A list for a message: all of a short one, the beginning of a long one.
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 20;
    if (names.empty()) return "nothing";
    if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + most, ", "), names.size() - most);
}

[[noreturn]] void wrong_kind(const std::string& source, std::string_view name, const ArchiveEntry& entry,
                             const char* needed) {
    throw core::BadInput(source,
                         fmt::format("'{}' {}; {} is needed", name, std::visit(Describe{}, entry.value), needed));
}

bool is_name(const std::string& name) {
    const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    return !name.empty() && name.size() <= 63 && std::isalpha(static_cast<unsigned char>(name[0])) &&
           std::all_of(name.begin(), name.end(), part);
}

/// Variables may come from a file of a user's, under names of theirs.
void check_names(const std::string& path, const Archive& archive) {
    bool units = false;
    for (const auto& entry : archive.entries()) {
        if (!is_name(entry.name))
            throw core::BadInput(path,
                                 fmt::format("'{}' cannot be the name of a variable: that is a letter, then up to "
                                             "62 letters, digits and underscores",
                                             entry.name));
        if (std::holds_alternative<Unreadable>(entry.value))
            throw core::BadInput(
                path, fmt::format("'{}' {}, which is not written", entry.name, std::visit(Describe{}, entry.value)));
        if (const auto* group = std::get_if<Archive>(&entry.value)) check_names(path, *group);
        units = units || !entry.unit.empty();
    }
    if (units && archive.has("units"))
        throw core::BadInput(path, "'units' cannot be the name of a variable: the units are kept under it");
}

enum class Format { matlab, hdf5 };

std::optional<Format> known_format(const std::string& path) {
    const auto extension = std::filesystem::path(path).extension();
    if (extension == ".mat") return Format::matlab;
    if (extension == ".h5" || extension == ".hdf5") return Format::hdf5;
    return {};
}

Format format_of(const std::string& path) {
    if (const auto format = known_format(path)) return *format;
    throw core::BadInput(path, "has an unknown extension; allowed are .mat (MATLAB) and .h5 (HDF5)");
}

}  // namespace

std::mutex& one_at_a_time() {
    static std::mutex mutex;
    return mutex;
}

Archive::Archive() = default;
Archive::Archive(std::string source) : source_(std::move(source)) {}
Archive::Archive(const Archive&) = default;
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(const Archive&) = default;
Archive& Archive::operator=(Archive&&) noexcept = default;
Archive::~Archive() = default;

void Archive::set(ArchiveEntry entry) {
    const auto same = [&](const ArchiveEntry& e) { return e.name == entry.name; };
    const auto found = std::find_if(entries_.begin(), entries_.end(), same);
    if (found != entries_.end())
        *found = std::move(entry);
    else
        entries_.push_back(std::move(entry));
}

void Archive::set(const std::string& name, double value, const std::string& unit) { set({name, value, unit}); }
void Archive::set(const std::string& name, const Eigen::VectorXd& value, const std::string& unit) {
    set({name, value, unit});
}
void Archive::set(const std::string& name, const Eigen::MatrixXd& value, const std::string& unit) {
    set({name, value, unit});
}
void Archive::set(const std::string& name, const Eigen::SparseMatrix<double>& value, const std::string& unit) {
    set({name, value, unit});
}
void Archive::set(const std::string& name, const std::string& text) { set({name, text}); }
void Archive::set(const std::string& name, const char* text) { set({name, std::string(text)}); }
void Archive::set(const std::string& name, const std::vector<std::string>& texts) { set({name, texts}); }
void Archive::set(const std::string& name, Archive group) { set({name, std::move(group)}); }

std::vector<std::string> Archive::names() const {
    std::vector<std::string> all;
    for (const auto& entry : entries_) all.push_back(entry.name);
    return all;
}

const ArchiveEntry* Archive::find(std::string_view name) const {
    const auto dot = name.find('.');
    auto first = name.substr(0, dot);
    if (const auto open = first.find('('); open != std::string_view::npos && first.ends_with(')')) {  // MATLAB's words
        const std::string item =
            fmt::format("{}.item{}{}", first.substr(0, open), first.substr(open + 1, first.size() - open - 2),
                        dot == std::string_view::npos ? "" : name.substr(dot));
        return find(item);
    }
    for (const auto& entry : entries_) {
        if (entry.name != first) continue;
        if (dot == std::string_view::npos) return &entry;
        const auto* group = std::get_if<Archive>(&entry.value);
        return group ? group->find(name.substr(dot + 1)) : nullptr;
    }
    return nullptr;
}

const ArchiveEntry& Archive::at(std::string_view name) const {
    if (const auto* found = find(name)) return *found;
    const auto dot = name.rfind('.');
    const ArchiveEntry* parent = dot == std::string_view::npos ? nullptr : find(name.substr(0, dot));
    const auto* group = parent ? std::get_if<Archive>(&parent->value) : nullptr;
    if (group)
        throw core::BadInput(
            source_, fmt::format("there is no '{}'; in {} there are: {}", name, parent->name, listed(group->names())));
    throw core::BadInput(source_, fmt::format("there is no '{}'; there are: {}", name, listed(names())));
}

bool Archive::has(std::string_view name) const { return find(name) != nullptr; }
std::string Archive::unit(std::string_view name) const { return at(name).unit; }

Eigen::MatrixXd Archive::matrix(std::string_view name) const {
    const auto& entry = at(name);
    if (const auto* m = std::get_if<Eigen::MatrixXd>(&entry.value)) return *m;
    if (const auto* v = std::get_if<Eigen::VectorXd>(&entry.value)) return *v;
    if (const auto* s = std::get_if<Eigen::SparseMatrix<double>>(&entry.value)) return *s;
    if (const auto* x = std::get_if<double>(&entry.value)) return Eigen::MatrixXd::Constant(1, 1, *x);
    wrong_kind(source_, name, entry, "a matrix");
}

Eigen::SparseMatrix<double> Archive::sparse(std::string_view name) const {
    const auto& entry = at(name);
    if (const auto* s = std::get_if<Eigen::SparseMatrix<double>>(&entry.value)) return *s;
    const Eigen::MatrixXd dense = matrix(name);
    std::vector<Eigen::Triplet<double>> triplets;  // sparseView would drop NaN, which must be seen and refused
    for (Eigen::Index j = 0; j < dense.cols(); ++j)
        for (Eigen::Index i = 0; i < dense.rows(); ++i)
            if (!(dense(i, j) == 0)) triplets.emplace_back(i, j, dense(i, j));
    Eigen::SparseMatrix<double> made(dense.rows(), dense.cols());
    made.setFromTriplets(triplets.begin(), triplets.end());
    return made;
}

Eigen::VectorXd Archive::vector(std::string_view name) const {
    const auto& entry = at(name);
    if (const auto* v = std::get_if<Eigen::VectorXd>(&entry.value)) return *v;
    if (entry.value.index() > 3) wrong_kind(source_, name, entry, "a vector");
    const Eigen::MatrixXd m = matrix(name);
    if (m.size() == 0) return {};
    if (m.cols() == 1) return m.col(0);
    if (m.rows() == 1) return m.row(0).transpose();
    wrong_kind(source_, name, entry, "a vector");
}

double Archive::number(std::string_view name) const {
    const auto& entry = at(name);
    if (entry.value.index() > 3) wrong_kind(source_, name, entry, "a number");
    const Eigen::MatrixXd m = matrix(name);
    if (m.size() != 1) wrong_kind(source_, name, entry, "a number");
    return m(0, 0);
}

std::string Archive::text(std::string_view name) const {
    const auto& entry = at(name);
    if (const auto* t = std::get_if<std::string>(&entry.value)) return *t;
    wrong_kind(source_, name, entry, "a text");
}

std::vector<std::string> Archive::texts(std::string_view name) const {
    const auto& entry = at(name);
    if (const auto* list = std::get_if<std::vector<std::string>>(&entry.value)) return *list;
    if (const auto* t = std::get_if<std::string>(&entry.value)) return {*t};
    if (const auto* m = std::get_if<Eigen::MatrixXd>(&entry.value); m && m->size() == 0) return {};  // MATLAB's []
    wrong_kind(source_, name, entry, "a list of texts");
}

const Archive& Archive::group(std::string_view name) const {
    const auto& entry = at(name);
    if (const auto* g = std::get_if<Archive>(&entry.value)) return *g;
    wrong_kind(source_, name, entry, "a group");
}

Eigen::SparseMatrix<double> sparse_of(const std::vector<double>& data, const std::vector<std::int64_t>& row,
                                      const std::vector<std::int64_t>& column_start, std::int64_t rows,
                                      const std::string& where) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    const auto used = column_start.empty() ? 0 : column_start.back();
    bool sound = !column_start.empty() && column_start.front() == 0 && rows >= 0 && rows <= most &&
                 std::is_sorted(column_start.begin(), column_start.end()) && used <= most &&
                 used <= std::int64_t(data.size()) && used <= std::int64_t(row.size());
    for (std::int64_t k = 0; sound && k < used; ++k) sound = row[std::size_t(k)] >= 0 && row[std::size_t(k)] < rows;
    if (!sound) throw core::BadInput(where, "is damaged: its sparse columns do not fit together");
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(std::size_t(used));
    for (std::size_t column = 0; column + 1 < column_start.size(); ++column)
        for (auto k = std::size_t(column_start[column]); k < std::size_t(column_start[column + 1]); ++k)
            triplets.emplace_back(int(row[k]), int(column), data[k]);
    Eigen::SparseMatrix<double> made(rows, std::int64_t(column_start.size()) - 1);
    made.setFromTriplets(triplets.begin(), triplets.end());
    return made;
}

std::uint64_t most_numbers(const std::string& path) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    constexpr std::uint64_t always = 1u << 28;  // 2 GiB
    return std::max(always, unknown ? 0 : 12 * std::uint64_t(size));
}

namespace {

Archive read_as(Format format, const std::string& path) {
    return format == Format::matlab ? read_matlab(path) : read_hdf5(path);
}

/// In bytes, of this process; 0: not known.
std::uint64_t address_space() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * std::uint64_t(::sysconf(_SC_PAGESIZE));
}

/// What the child of a rehearsal does: reads, and writes to the pipe why the file is refused, if it is.
[[noreturn]] void rehearse_in_child(Format format, const std::string& path, unsigned seconds, int pipe) {
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM, SIGXCPU}) std::signal(number, SIG_DFL);
    const rlimit no_core{0, 0}, of_time{seconds, seconds + 1};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::setrlimit(RLIMIT_CPU, &of_time);
    // More than the arrays that are read at most: the libraries take what a damaged length says, and fill it.
    if (const auto now = address_space(); now > 0) {
        const std::uint64_t most = now + (3u << 29) + sizeof(double) * most_numbers(path);
        const rlimit of_memory{most, most};
        ::setrlimit(RLIMIT_AS, &of_memory);
    }
    ::alarm(30 * seconds);  // one that waits for what never comes
    try {
        read_as(format, path);
    } catch (const core::BadInput& refused) {
        const std::string_view why(refused.what());
        [[maybe_unused]] const auto told = ::write(pipe, why.data(), std::min<std::size_t>(why.size(), PIPE_BUF));
    } catch (const std::exception&) {}  // said again, and better, by the one who asked
    ::_exit(0);
}

/// HDF5 1.10 and matio crash on some damaged files, or never end (tests/fuzz/archive_fuzz.cpp finds one in a minute),
/// and nothing that can be checked before tells which. So a child reads the file first; what it refuses, or what kills
/// it, is refused.
void rehearse(Format format, const std::string& path) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    const auto seconds = unsigned(3 + (unknown ? 0 : size / 10'000'000));
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "making a pipe");
    const pid_t parent = ::getpid(), child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);
        rehearse_in_child(format, path, seconds, ends[1]);
    }
    const int failed = errno;
    ::close(ends[1]);
    std::string why(PIPE_BUF, '\0');
    ssize_t told = 0;
    while (child > 0 && (told = ::read(ends[0], why.data(), why.size())) < 0 && errno == EINTR) {}
    ::close(ends[0]);
    if (child < 0) throw std::system_error(failed, std::generic_category(), "starting a process");
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (told > 0) throw core::BadInput(why.substr(0, std::size_t(told)));
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM))
        throw core::BadInput(
            path, fmt::format("is damaged: the library that reads such files did not end in {} s of processor time",
                              seconds));
    if (status != 0) throw core::BadInput(path, "is damaged: the library that reads such files fails on it");
}

}  // namespace

bool is_archive(const std::string& path) { return known_format(path).has_value(); }

Archive read_archive(const std::string& path) {
    const auto format = format_of(path);
    if (!std::filesystem::exists(path)) throw core::BadInput(path, "there is no such file");
    if (!std::filesystem::is_regular_file(path)) throw core::BadInput(path, "is not a file");
    const std::lock_guard lock(one_at_a_time());
    rehearse(format, path);
    return read_as(format, path);
}

void write_archive(const std::string& path, const Archive& archive, MatlabVersion version) {
    const auto format = format_of(path);
    check_names(path, archive);
    const std::lock_guard lock(one_at_a_time());
    format == Format::matlab ? write_matlab(path, archive, version) : write_hdf5(path, archive);
}

}  // namespace faying::archive
