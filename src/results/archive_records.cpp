#include "archive_records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "faying/archive/archive.hpp"
#include "faying/archive/attributes.hpp"
#include "faying/core/error.hpp"
#include "faying/io/file.hpp"

namespace faying::results {

namespace {

constexpr Eigen::Index fewest = 3;        ///< samples
constexpr Eigen::Index least_clock = 64;  ///< samples that a time without a telling name must have

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

/// Letters only, small: "Sampling_Rate (Hz)" is samplingrate.
std::string letters(const std::string& name) {
    std::string word;
    for (const unsigned char c : name.substr(0, name.find_first_of("([/")))
        if (std::isalpha(c)) word += char(std::tolower(c));
    return word;
}

std::string last_of(const std::string& name) { return name.substr(name.rfind('.') + 1); }
std::string group_of(const std::string& name) {
    const auto dot = name.rfind('.');
    return dot == std::string::npos ? "" : name.substr(0, dot);
}

/// A vector (a matrix of one column) or a matrix of the file, with what its group says of it.
struct Variable {
    std::string name;
    Eigen::MatrixXd values;
    std::string unit = {};
    double step = 0;  ///< s between samples, where an attribute says so

    bool is_vector() const { return values.cols() == 1 && values.rows() >= fewest; }
    std::vector<double> all() const { return {values.data(), values.data() + values.size()}; }
};

struct Content {
    std::vector<Variable> variables;
    std::map<std::string, double> steps;                     ///< s between samples, by group: from a scalar fs, dt, ..
    std::map<std::string, std::vector<std::string>> listed;  ///< units in words, by group
};

/// A scalar that says the sampling: seconds between samples.
std::optional<double> step_called(const std::string& name, double value) {
    static const std::set<std::string> rates{"fs",        "samplerate",        "samplingrate", "samplefrequency",
                                             "rate",      "samplingfrequency", "sf",           "fsample",
                                             "fsampling", "samplespersecond",  "srate",        "samplinghz"};
    static const std::set<std::string> steps{"dt",
                                             "ts",
                                             "deltat",
                                             "timestep",
                                             "tstep",
                                             "samplingtime",
                                             "sampleinterval",
                                             "samplinginterval",
                                             "sampletime",
                                             "samplingperiod",
                                             "tsample",
                                             "increment",
                                             "wfincrement"};
    if (!(value > 0) || !std::isfinite(value)) return {};
    const auto word = letters(name);
    if (rates.contains(word)) return 1 / value;
    if (steps.contains(word)) return value;
    return {};
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find_first_of(",;", at), text.size());
        const auto word = text.substr(at, end - at);
        const auto first = word.find_first_not_of(' ');
        words.push_back(first == std::string::npos ? "" : word.substr(first, word.find_last_not_of(' ') - first + 1));
        at = end + 1;
    }
    return words;
}

bool called_units(const std::string& name) {
    const auto word = lower(name);
    return word == "units" || word == "unit";
}

/// Every vector and matrix of a file, those in groups under dotted names.
void collect(const archive::Archive& archive, const std::string& prefix, Content& found) {
    const archive::Archive* units = nullptr;
    const auto first = found.variables.size();
    const std::string group = prefix.empty() ? "" : prefix.substr(0, prefix.size() - 1);
    for (const auto& entry : archive.entries()) {
        const std::string name = prefix + entry.name;
        const auto add = [&](Eigen::MatrixXd values) {
            if (values.size() == 1) {
                if (const auto step = step_called(entry.name, values(0))) found.steps.try_emplace(group, *step);
                return;
            }
            if (values.rows() == 1) values.transposeInPlace();
            found.variables.push_back({name, std::move(values), entry.unit});
        };
        if (const auto* number = std::get_if<double>(&entry.value))
            add(Eigen::MatrixXd::Constant(1, 1, *number));
        else if (const auto* vector = std::get_if<Eigen::VectorXd>(&entry.value))
            add(*vector);
        else if (const auto* matrix = std::get_if<Eigen::MatrixXd>(&entry.value))
            add(*matrix);
        else if (const auto* text = std::get_if<std::string>(&entry.value); text && called_units(entry.name))
            found.listed[group] = words_of(*text);
        else if (const auto* texts = std::get_if<std::vector<std::string>>(&entry.value);
                 texts && called_units(entry.name))
            found.listed[group] = *texts;
        else if (const auto* inner = std::get_if<archive::Archive>(&entry.value)) {
            if (called_units(entry.name)) units = inner;
            collect(*inner, name + ".", found);
        }
    }
    if (!units) return;
    for (auto i = first; i < found.variables.size(); ++i) {
        auto& v = found.variables[i];
        if (!v.unit.empty() || group_of(v.name) != group) continue;
        for (const auto& entry : units->entries())
            if (const auto* text = std::get_if<std::string>(&entry.value); text && entry.name == last_of(v.name))
                v.unit = *text;
    }
}

/// Sampling as attributes of data sets and groups.
void collect_steps(const std::string& file, Content& found) {
    std::set<std::string> objects{""};
    for (const auto& v : found.variables)
        for (auto name = v.name; !name.empty(); name = group_of(name)) objects.insert(name);
    for (const auto& a : archive::number_attributes(file, {objects.begin(), objects.end()})) {
        const auto step = step_called(a.name, a.value);
        if (!step) continue;
        found.steps.try_emplace(a.object, *step);
        for (auto& v : found.variables)
            if (v.name == a.object) v.step = *step;
    }
}

/// Times of a record: a variable of the file, a column or row of one, or even steps.
struct Axis {
    std::string name, group;
    std::vector<double> times;  ///< s; empty: even steps
    double step = 0;            ///< of these
    std::string inside = {};    ///< variable that it is a part of,
    Eigen::Index place = 0;     ///< its column there,
    bool rows = false;          ///< or row
};

std::vector<double> times_of(const Variable& v, const Content& content) {
    const auto& listed = content.listed;
    const auto words = listed.find(group_of(v.name));
    const double second = !v.unit.empty()                                   ? seconds_of(v.unit)
                          : words != listed.end() && !words->second.empty() ? seconds_of(words->second[0])
                                                                            : seconds_of(last_of(v.name));
    auto times = v.all();
    for (double& t : times) t *= second;
    return times;
}

/// Whether a variable of the group, other than clocks, has as many samples.
bool has_channels(const Content& content, const std::string& group, const std::string& but, Eigen::Index length) {
    return std::any_of(content.variables.begin(), content.variables.end(), [&](const Variable& v) {
        return v.name != but && group_of(v.name) == group && (v.values.rows() == length || v.values.cols() == length) &&
               !(v.is_vector() && is_clock(v.all()));
    });
}

/// Variables that are called as time is, exactly or nearly. Two of one group that are as long are one.
std::vector<Axis> named_axes(const Content& content) {
    std::vector<Axis> axes;
    for (const bool exactly : {true, false}) {
        for (const auto& v : content.variables) {
            const auto own = last_of(v.name);
            if (!v.is_vector() || !(exactly ? called_time(own) : may_be_time(own) && is_clock(v.all()))) continue;
            const auto group = group_of(v.name);
            const bool known = std::any_of(axes.begin(), axes.end(), [&](const Axis& a) {
                return a.group == group && a.times.size() == std::size_t(v.values.rows());
            });
            if (!known) axes.push_back({v.name, group, times_of(v, content)});
        }
    }
    return axes;
}

/// What rises evenly has the look of time, whatever it is called: a vector, or the first column or row of a matrix.
std::vector<Axis> looking_axes(const Content& content) {
    for (const auto& v : content.variables)
        if (v.is_vector() && v.values.rows() >= least_clock && is_clock(v.all()) &&
            has_channels(content, group_of(v.name), v.name, v.values.rows()))
            return {{v.name, group_of(v.name), times_of(v, content)}};
    for (const auto& v : content.variables)
        for (const bool rows : {false, true}) {
            const auto count = rows ? v.values.rows() : v.values.cols();
            const auto length = rows ? v.values.cols() : v.values.rows();
            if (count < 2 || length < least_clock) continue;
            for (const Eigen::Index k : {Eigen::Index(0), count - 1}) {
                const Eigen::VectorXd part = rows ? Eigen::VectorXd(v.values.row(k)) : Eigen::VectorXd(v.values.col(k));
                const std::vector<double> times(part.begin(), part.end());
                if (is_clock(times)) return {{v.name, group_of(v.name), times, 0, v.name, k, rows}};
            }
        }
    return {};
}

/// Sampling that is said by a number: an attribute of the data or its group, or a scalar of the group or one around it.
std::vector<Axis> stepped_axes(const Content& content) {
    std::vector<Axis> axes;
    for (const auto& v : content.variables) {
        const auto length = std::max(v.values.rows(), v.values.cols());
        if (length < least_clock) continue;
        double step = v.step;
        for (auto group = group_of(v.name); step == 0; group = group_of(group)) {
            if (const auto known = content.steps.find(group); known != content.steps.end()) step = known->second;
            if (group.empty()) break;
        }
        const auto group = group_of(v.name);
        if (step > 0 && std::none_of(axes.begin(), axes.end(), [&](const Axis& a) { return a.group == group; }))
            axes.push_back({"", group, {}, step});
    }
    return axes;
}

struct Reader {
    const std::string& file;
    const Content& content;

    void add(Channels& to, const Axis& axis, const Variable& v, const std::string& name,
             const Eigen::VectorXd& x) const {
        std::vector<double> times = axis.times;
        if (times.empty())
            for (Eigen::Index i = 0; i < x.size(); ++i) times.push_back(double(i) * axis.step);
        to.names.push_back(name);
        to.units.push_back(v.unit);
        to.records.push_back(
            signal::even_record(times, {x.data(), std::size_t(x.size())}, fmt::format("{}: {}", file, name)));
    }

    /// A channel per vector, and a channel per column (or row, whichever is as long as time, or longer) of a matrix.
    Channels of(const Axis& axis, const std::vector<Axis>& axes, bool only_its_group) const {
        Channels made;
        for (const auto& v : content.variables) {
            if ((only_its_group && group_of(v.name) != axis.group) ||
                (v.name != axis.inside &&
                 std::any_of(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == v.name; })))
                continue;
            const auto length =
                axis.times.empty() ? std::max(v.values.rows(), v.values.cols()) : Eigen::Index(axis.times.size());
            const bool columns = v.values.rows() == length;
            if ((!columns && v.values.cols() != length) || length < fewest) continue;
            if (axis.times.empty() && length < least_clock) continue;
            if (!made.records.empty() && made.records[0].values.size() != std::size_t(length)) continue;
            const auto count = columns ? v.values.cols() : v.values.rows();
            for (Eigen::Index c = 0; c < count; ++c) {
                if (v.name == axis.inside && c == axis.place) continue;
                const Eigen::VectorXd x =
                    columns ? Eigen::VectorXd(v.values.col(c)) : Eigen::VectorXd(v.values.row(c).transpose());
                if (is_clock({x.begin(), x.end()})) continue;
                add(made, axis, v, count == 1 ? v.name : fmt::format("{}{}", v.name, c + 1), x);
            }
        }
        const auto words = content.listed.find(axis.group);
        if (words == content.listed.end()) return made;
        const auto& units = words->second;
        for (std::size_t c = 0; c < made.names.size(); ++c) {
            if (!made.units[c].empty()) continue;
            if (units.size() == 2 || units.size() == 1) made.units[c] = units.back();
            if (units.size() == made.names.size() + 1) made.units[c] = units[c + 1];
        }
        return made;
    }
};

/// Taken alike: the same channels (but for their groups) at the same rate.
bool alike(const Channels& a, const Channels& b) {
    if (a.names.size() != b.names.size() || std::abs(a.records[0].step / b.records[0].step - 1) > 1e-6) return false;
    for (std::size_t c = 0; c < a.names.size(); ++c)
        if (last_of(a.names[c]) != last_of(b.names[c])) return false;
    return true;
}

/// Groups of one channel each over the same times are sensors of one record, unless they are called hits or runs.
bool are_sensors(const std::vector<Channels>& all, const std::vector<Axis>& axes) {
    static const char* const tests[] = {"hit", "run", "test", "trial", "impact", "shot", "meas"};
    for (std::size_t k = 0; k < all.size(); ++k) {
        const auto &a = all[0].records[0], &b = all[k].records[0];
        if (all[k].names.size() != 1 || a.values.size() != b.values.size() || a.start != b.start || a.step != b.step)
            return false;
        for (const auto* word : tests)
            if (lower(axes[k].group).find(word) != std::string::npos) return false;
    }
    return all.size() > 1;
}

}  // namespace

bool called_time(const std::string& name) {
    const auto word = letters(name);
    return word == "t" || word == "time";
}

bool may_be_time(const std::string& name) {
    const auto word = letters(name);
    return called_time(name) || word.starts_with("time") || word.ends_with("time") || word == "tvec" || word == "tt" ||
           word == "ts" || word == "tvector" || lower(name).starts_with("t_") || lower(name).ends_with("_t");
}

double seconds_of(const std::string& text) {
    std::string unit = text.substr(std::min(text.size(), text.find_last_of("([/_") + 1));  // npos + 1 is the beginning
    std::erase_if(unit, [](char c) { return c == ' ' || c == ')' || c == ']'; });
    if (unit == "ms") return 1e-3;
    if (unit == "us" || unit == "\u00b5s" || unit == "\u03bcs") return 1e-6;
    return unit == "ns" ? 1e-9 : 1;
}

bool is_clock(const std::vector<double>& values) {
    if (values.size() < std::size_t(fewest)) return false;
    const double step = (values.back() - values.front()) / double(values.size() - 1);
    if (!(step > 0) || !std::isfinite(step)) return false;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!(std::abs(values[i] - values.front() - step * double(i)) <= 0.01 * step)) return false;
    return true;
}

RecordsRead archive_records(const std::string& file, const TimeAxis& time) {
    Content content;
    collect(archive::read_archive(io::input(file)), "", content);
    std::vector<std::string> names;
    for (const auto& v : content.variables) names.push_back(v.name);
    std::vector<Axis> axes;
    if (!time.name.empty()) {
        const auto found = std::find(names.begin(), names.end(), time.name);
        if (found == names.end())
            throw core::BadInput(file,
                                 fmt::format("has no variable '{}'; there are: {}", time.name, fmt::join(names, ", ")));
        const auto& v = content.variables[std::size_t(found - names.begin())];
        if (!v.is_vector())
            throw core::BadInput(file, fmt::format("'{}' is a {} x {} matrix; time is a vector", v.name,
                                                   v.values.rows(), v.values.cols()));
        axes = {{v.name, group_of(v.name), times_of(v, content)}};
    } else if (axes = named_axes(content); axes.empty() && time.rate == 0) {
        axes = looking_axes(content);
        if (axes.empty()) {
            collect_steps(io::input(file), content);
            axes = stepped_axes(content);
        }
    }
    if (time.rate > 0) {
        for (auto& axis : axes) axis.times.clear(), axis.step = 1 / time.rate;
        if (axes.empty()) axes = {{"", "", {}, 1 / time.rate}};
    }
    if (axes.empty())
        throw core::BadInput(file,
                             fmt::format("has no variable t or time; name it with --time, one of: {}, or give --rate, "
                                         "samples per second",
                                         fmt::join(names, ", ")));
    const Reader reader{file, content};
    // One time is that of the whole file; several are of their own groups, and --time chooses among them.
    const auto others = named_axes(content);
    const bool several = axes.size() > 1 || (!time.name.empty() && others.size() > 1);
    std::vector<Channels> all;
    std::vector<Axis> used;
    for (const auto& axis : axes) {
        auto made = reader.of(axis, several && !time.name.empty() ? others : axes, several);
        if (made.names.empty()) continue;
        all.push_back(std::move(made));
        used.push_back(axis);
    }
    if (all.empty())
        throw core::BadInput(file, time.rate > 0 ? std::string("has no variable with at least three samples")
                                                 : fmt::format("has no variable as long as '{}' ({})", axes[0].name,
                                                               axes[0].times.size()));
    RecordsRead read;
    if (are_sensors(all, used)) {
        Channels one;
        for (auto& c : all) {
            one.names.push_back(c.names[0]);
            one.units.push_back(c.units[0]);
            one.records.push_back(std::move(c.records[0]));
        }
        read.records.push_back(std::move(one));
        return read;
    }
    // The longest record and all that were taken as it was.
    std::size_t longest = 0;
    for (std::size_t k = 1; k < all.size(); ++k)
        if (all[k].records[0].values.size() > all[longest].records[0].values.size()) longest = k;
    std::vector<bool> chosen(all.size());
    for (std::size_t k = 0; k < all.size(); ++k) chosen[k] = k == longest || alike(all[k], all[longest]);
    for (std::size_t k = 0; k < all.size(); ++k)
        if (chosen[k])
            read.records.push_back(std::move(all[k]));
        else
            read.left_out.push_back(used[k].name.empty() ? used[k].group : used[k].name);
    return read;
}

}  // namespace faying::results
