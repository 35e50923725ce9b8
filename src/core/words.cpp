#include "faying/core/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "faying/core/error.hpp"

namespace faying::core {

namespace {

double parse_any_number(std::string_view word, const std::string& where) {
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    double x = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
    if (error != std::errc() || end != word.data() + word.size())
        throw BadInput(where, fmt::format("'{}' is not a number", word));
    return x;
}

/// Where the '=' of key=value is.
std::size_t equals_in(const std::string& owner, const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) throw BadInput(owner, fmt::format("'{}' must be key=value", word));
    return equals;
}

}  // namespace

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(separator, from), text.size());
        words.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return words;
}

double parse_number(std::string_view word, const std::string& where) {
    const double x = parse_any_number(word, where);
    if (!std::isfinite(x)) throw BadInput(where, fmt::format("'{}' is not a finite number", word));
    return x;
}

std::vector<double> parse_numbers(const std::string& text, const std::string& where) {
    std::vector<double> numbers;
    for (const auto& word : split(text, ',')) numbers.push_back(parse_number(word, where));
    return numbers;
}

namespace {

/// Finite numbers between colons; none of them where any is something else.
std::vector<double> between_colons(const std::string& text) try {
    std::vector<double> numbers;
    for (const auto& word : split(text, ':')) numbers.push_back(parse_number(word, ""));
    return numbers;
} catch (const BadInput&) {
    return {};
}

}  // namespace

std::pair<double, double> parse_pair(const std::string& text, const std::string& where, const std::string& expected) {
    const auto numbers = between_colons(text);
    if (numbers.size() != 2) throw BadInput(where, fmt::format("'{}' must be {}", text, expected));
    return {numbers[0], numbers[1]};
}

std::pair<int, int> parse_whole_pair(const std::string& text, const std::string& where, int least, int most) {
    auto numbers = between_colons(text);
    if (numbers.size() == 1) numbers.push_back(numbers[0]);
    const auto whole = [](double x) { return x == std::floor(x); };
    if (numbers.size() != 2 || !whole(numbers[0]) || !whole(numbers[1]) || numbers[0] < least ||
        numbers[1] < numbers[0] || numbers[1] > most)
        throw BadInput(where,
                       fmt::format("'{}' must be LO:HI, whole numbers with {} <= LO <= HI <= {}", text, least, most));
    return {int(numbers[0]), int(numbers[1])};
}

namespace {

/// How many values LO:HI:N asks for.
constexpr double fewest_spaced = 2, most_spaced = 1e5;

bool is_count(double n) { return n == std::floor(n) && n >= fewest_spaced && n <= most_spaced; }

}  // namespace

std::vector<double> log_spaced(const std::string& text, const std::string& where) {
    const auto n = between_colons(text);
    if (n.size() != 3 || !(n[0] > 0) || !(n[1] > n[0]) || !std::isfinite(n[1] / n[0]) || !is_count(n[2]))
        throw BadInput(where,
                       fmt::format("'{}' must be LO:HI:N with 0 < LO < HI, HI/LO finite and N from 2 to 1e5", text));
    std::vector<double> values;
    for (int i = 0; i < int(n[2]); ++i) values.push_back(n[0] * std::pow(n[1] / n[0], i / (n[2] - 1)));
    values.back() = n[1];
    return values;
}

std::vector<double> evenly_spaced(const std::string& text, const std::string& where) {
    const auto n = between_colons(text);
    if (n.size() != 3 || !(n[1] > n[0]) || !std::isfinite(n[1] - n[0]) || !is_count(n[2]))
        throw BadInput(where, fmt::format("'{}' must be LO:HI:N with LO < HI and N from 2 to 1e5", text));
    std::vector<double> values;
    for (int i = 0; i < int(n[2]); ++i) values.push_back(n[0] + (n[1] - n[0]) * i / (n[2] - 1));
    values.back() = n[1];
    return values;
}

ParameterValues parse_parameters(const std::string& owner, const std::vector<std::string>& words) {
    ParameterValues values;
    for (const auto& word : words) {
        const std::size_t equals = equals_in(owner, word);
        const std::string key = word.substr(0, equals);
        const double x = parse_any_number(word.substr(equals + 1), fmt::format("{}: parameter '{}'", owner, key));
        if (!values.emplace(key, x).second) throw BadInput(owner, fmt::format("parameter '{}' is given twice", key));
    }
    return values;
}

Words::Words(const std::string& owner, const std::string& text) : owner_(owner) {
    for (const auto& word : split(text, ',')) {
        const std::size_t equals = equals_in(owner, word);
        if (!values_.emplace(word.substr(0, equals), word.substr(equals + 1)).second)
            throw BadInput(owner, fmt::format("'{}' is given twice", word.substr(0, equals)));
    }
}

std::string Words::take(const std::string& key) {
    allow(key);
    const auto found = values_.find(key);
    if (found == values_.end()) throw BadInput(owner_, fmt::format("'{}' is missing", key));
    std::string value = found->second;
    values_.erase(found);
    return value;
}

double Words::number(const std::string& key) {
    return parse_numbers(take(key), fmt::format("{}: {}", owner_, key)).front();
}

double Words::number(const std::string& key, double otherwise) {
    if (has(key)) return number(key);
    allow(key);
    return otherwise;
}

Eigen::VectorXd Words::vector(const std::string& key) {
    std::string list = take(key);
    std::replace(list.begin(), list.end(), ';', ',');
    const auto numbers = parse_numbers(list, fmt::format("{}: {}", owner_, key));
    return Eigen::Map<const Eigen::VectorXd>(numbers.data(), Eigen::Index(numbers.size()));
}

Eigen::Index Words::index(const std::string& key) {
    const double x = number(key);
    if (x != std::floor(x) || std::abs(x) > 1e9)
        throw BadInput(owner_, fmt::format("'{}' must be a whole number", key));
    return Eigen::Index(x);
}

void Words::finish() const {
    if (!values_.empty())
        throw BadInput(owner_, fmt::format("unknown key '{}'; allowed are: {}", values_.begin()->first, allowed_));
}

}  // namespace faying::core
