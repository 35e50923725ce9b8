#include "loop_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/expression.hpp"

namespace faying::app {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(separator, from), text.size());
        words.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return words;
}

/// nan and inf among them: a law's table refuses those with its range.
double parse_any_number(std::string_view word, const std::string& where) {
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    double x = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
    if (error != std::errc() || end != word.data() + word.size())
        throw core::BadInput(where, fmt::format("'{}' is not a number", word));
    return x;
}

double parse_number(std::string_view word, const std::string& where) {
    const double x = parse_any_number(word, where);
    if (!std::isfinite(x)) throw core::BadInput(where, fmt::format("'{}' is not a finite number", word));
    return x;
}

void report_everything(LoopInput& input) {
    input.report.resize(input.contact.empty() ? input.points.size() : input.contact.size());
    for (std::size_t i = 0; i < input.report.size(); ++i) input.report[i] = i;
}

}  // namespace

std::vector<double> parse_numbers(const std::string& text, const std::string& option) {
    std::vector<double> numbers;
    for (const auto& word : split(text, ',')) numbers.push_back(parse_number(word, option));
    return numbers;
}

LoopInput input_from_path(const std::string& text) {
    LoopInput input;
    if (text.find(':') == std::string::npos) {
        input.points = parse_numbers(text, "--path");
    } else {
        for (const auto& point : split(text, ',')) {
            const auto parts = split(point, ':');
            if (parts.size() != 3)
                throw core::BadInput("--path", fmt::format("'{}' must be x:y:n (two tangential displacements and the "
                                                           "normal approach)",
                                                           point));
            laws::Vector3<double> u{};
            for (std::size_t i = 0; i < 3; ++i) u[i] = parse_number(parts[i], "--path");
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
    const auto column = [&](const char* name) -> const std::vector<double>* {
        for (std::size_t i = 0; i < table.names.size(); ++i)
            if (table.names[i] == name) return &table.columns[i];
        return nullptr;
    };
    LoopInput input;
    if (column("x") && column("y") && column("n")) {
        for (std::size_t i = 0; i < table.columns[0].size(); ++i)
            input.contact.push_back({(*column("x"))[i], (*column("y"))[i], (*column("n"))[i]});
    } else if (column("u")) {
        input.points = *column("u");
        if (column("t")) input.times = *column("t");
    } else if (table.columns.size() == 1) {
        input.points = table.columns[0];
    } else if (table.columns.size() == 2) {
        input.times = table.columns[0];
        input.points = table.columns[1];
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

core::ParameterValues parse_parameters(const std::string& law, const std::vector<std::string>& words) {
    core::ParameterValues values;
    for (const auto& word : words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos || equals == 0)
            throw core::BadInput(law, fmt::format("'{}' must be key=value", word));
        const std::string key = word.substr(0, equals);
        const double x = parse_any_number(word.substr(equals + 1), fmt::format("{}: parameter '{}'", law, key));
        if (!values.emplace(key, x).second)
            throw core::BadInput(law, fmt::format("parameter '{}' is given twice", key));
    }
    return values;
}

laws::Law parse_law(const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    std::vector<std::string> words;
    if (colon != std::string::npos && colon + 1 < text.size()) words = split(text.substr(colon + 1), ',');
    return laws::Law(name, parse_parameters(name, words));
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

}  // namespace faying::app
