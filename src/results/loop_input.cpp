#include <fmt/format.h>

#include <algorithm>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/io/expression.hpp"
#include "faying/results/loops.hpp"

namespace faying::results {

namespace {

void report_everything(LoopInput& input) {
    input.report.resize(input.contact.empty() ? input.points.size() : input.contact.size());
    for (std::size_t i = 0; i < input.report.size(); ++i) input.report[i] = i;
}

}  // namespace

LoopInput input_from_path(const std::string& text) {
    LoopInput input;
    if (text.find(':') == std::string::npos) {
        input.points = core::parse_numbers(text, "--path");
    } else {
        for (const auto& point : core::split(text, ',')) {
            const auto parts = core::split(point, ':');
            if (parts.size() != 3)
                throw core::BadInput("--path", fmt::format("'{}' must be x:y:n (two tangential displacements and the "
                                                           "normal approach)",
                                                           point));
            laws::Vector3<double> u{};
            for (std::size_t i = 0; i < 3; ++i) u[i] = core::parse_number(parts[i], "--path");
            input.contact.push_back(u);
        }
    }
    report_everything(input);
    return input;
}

LoopInput input_from_signal(const std::string& formula, const std::string& times) {
    const io::Expression signal(formula, "t");
    auto sampled = io::sample_with_turning_points(signal, io::parse_range(times));
    return {std::move(sampled.times), std::move(sampled.values), std::move(sampled.samples), {}};
}

LoopInput input_from_history(const std::string& file) {
    const io::Table table = io::read_csv(file);
    const auto column = [&](const char* name) -> const std::vector<double>& { return io::column(table, name, file); };
    LoopInput input;
    if (io::has_column(table, "x") && io::has_column(table, "y") && io::has_column(table, "n")) {
        for (std::size_t i = 0; i < table.columns[0].size(); ++i)
            input.contact.push_back({column("x")[i], column("y")[i], column("n")[i]});
    } else if (io::has_column(table, "u")) {
        input.points = column("u");
        if (io::has_column(table, "t")) input.times = column("t");
    } else if (table.columns.size() <= 2) {
        input.points = table.columns.back();
        if (table.columns.size() == 2) input.times = table.columns[0];
    } else {
        throw core::BadInput(file,
                             fmt::format("has {} columns; expected one (u), two (t, u), named columns t and u, or "
                                         "x, y, n for a contact law",
                                         table.columns.size()));
    }
    for (std::size_t i = 1; i < input.times.size(); ++i)
        if (!(input.times[i] > input.times[i - 1]))
            throw core::BadInput(file, fmt::format("time must increase, but row {} has t = {:g} after {:g}", i + 1,
                                                   input.times[i], input.times[i - 1]));
    report_everything(input);
    return input;
}

laws::Law parse_law(const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    std::vector<std::string> words;
    if (colon != std::string::npos && colon + 1 < text.size()) words = core::split(text.substr(colon + 1), ',');
    return laws::Law(name, core::parse_parameters(name, words));
}

std::vector<laws::Law> given_laws(const std::string& law, const std::vector<std::string>& parameters,
                                  const std::vector<std::string>& compared) {
    if (law.empty() && compared.empty())
        throw core::BadInput("loop", "name a law, or several with --compare; `faying laws` lists them");
    if (compared.empty()) return {laws::Law(law, core::parse_parameters(law, parameters))};
    if (!law.empty())
        throw core::BadInput(
            "loop", fmt::format("'{}' stands outside --compare; write it as {}:key=value,.. after it", law, law));
    std::vector<laws::Law> chosen;
    for (const auto& text : compared) chosen.push_back(parse_law(text));
    return chosen;
}

std::vector<double> refined(const std::vector<double>& points, int pieces) {
    std::vector<double> fine;
    double from = 0;
    for (const double to : points) {
        for (int k = 1; k <= pieces; ++k) fine.push_back(k == pieces ? to : from + (to - from) * k / pieces);
        from = to;
    }
    return fine;
}

void HistoryWords::check(const std::string& command, bool instead, const std::string& ways) const {
    if (instead + !path.empty() + !signal.empty() + !history.empty() != 1)
        throw core::BadInput(command, "give exactly one of " + ways);
    if (signal.empty() != time.empty())
        throw core::BadInput(command,
                             "--signal and --time go together, such as --signal \"sin(2*pi*t)\" --time 0:3:3001");
}

LoopInput HistoryWords::input() const {
    return !path.empty()     ? input_from_path(path)
           : !signal.empty() ? input_from_signal(signal, time)
                             : input_from_history(history);
}

std::vector<std::string> chosen_laws(const std::string& command, const std::string& law,
                                     const std::vector<std::string>& compared) {
    std::vector<std::string> all = compared;
    if (!law.empty()) all.insert(all.begin(), law);
    if (all.empty()) throw core::BadInput(command, "give a law with --law, or several with --compare");
    for (std::size_t i = 0; i < all.size(); ++i)
        if (std::find(all.begin(), all.begin() + std::ptrdiff_t(i), all[i]) != all.begin() + std::ptrdiff_t(i))
            throw core::BadInput("--compare", "'" + all[i] + "' is there twice");
    return all;
}

}  // namespace faying::results
