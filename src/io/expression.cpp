#include "faying/io/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <boost/math/tools/minima.hpp>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>

#include "faying/core/error.hpp"

namespace faying::io {

struct Expression::Parser {
    mu::Parser parser;
    double x = 0;
};

namespace {

/// Where muParser would assign: an = that is not part of ==, !=, <= or >=.
std::size_t assignment_in(const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '=') continue;
        const bool compares = i > 0 && std::string_view("!<>").find(text[i - 1]) != std::string_view::npos;
        if (compares) continue;
        if (i + 1 == text.size() || text[i + 1] != '=') return i;
        ++i;
    }
    return std::string::npos;
}

}  // namespace

Expression::Expression(const std::string& text, const std::string& variable)
    : text_(text), parser_(std::make_unique<Parser>()) {
    const auto refuse = [&](std::size_t character, const std::string& what) {
        throw core::BadInput(
            fmt::format("formula '{}', character {}: {}; allowed are numbers, {}, pi, + - * / ^ and "
                        "sin cos tan exp log sqrt abs ..",
                        text.size() > 200 ? text.substr(0, 200) + ".." : text, character, what, variable));
    };
    constexpr std::size_t longest = 10000;
    if (text.size() > longest) refuse(longest, fmt::format("more than {} characters", longest));
    if (const auto at = assignment_in(text); at != std::string::npos)
        refuse(at + 1, "'=' would give a value; a formula has one and gives none");
    try {
        parser_->parser.DefineConst("pi", std::numbers::pi);
        parser_->parser.DefineVar(variable, &parser_->x);
        parser_->parser.SetExpr(text);
        parser_->parser.Eval();
    } catch (const mu::Parser::exception_type& error) {
        refuse(std::size_t(error.GetPos()) + 1, error.GetMsg());
    }
    if (const int values = parser_->parser.GetNumResults(); values != 1)
        refuse(1, fmt::format("it has {} values, separated by commas, and must have one", values));
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::operator()(double x) const {
    parser_->x = x;
    const double y = parser_->parser.Eval();
    if (!std::isfinite(y)) throw core::BadInput(fmt::format("formula '{}' is not finite at {:g}", text_, x));
    return y;
}

SampledSignal sample_with_turning_points(const Expression& signal, const std::vector<double>& times) {
    SampledSignal out;
    std::vector<double> given;
    given.reserve(times.size());
    for (const double t : times) given.push_back(signal(t));
    // A turning point shows in three samples as one not below (above) both neighbours; it lies between the outer two,
    // on one side of the middle sample.
    const auto extremum = [&](std::size_t middle) {
        const double sense = given[middle] >= given[middle - 1] ? -1.0 : 1.0;
        return boost::math::tools::brent_find_minima([&](double t) { return sense * signal(t); }, times[middle - 1],
                                                     times[middle + 1], 52);
    };
    for (std::size_t i = 0; i < times.size(); ++i) {
        const bool inside = i > 0 && i + 1 < times.size();
        const bool turns = inside && (given[i] - given[i - 1]) * (given[i + 1] - given[i]) < 0;
        const auto put = [&](double t, double u) {
            out.times.push_back(t);
            out.values.push_back(u);
        };
        double at = 0, peak = 0;
        if (turns) {
            at = extremum(i).first;
            peak = signal(at);
            const bool beyond = std::abs(peak - given[i - 1]) > std::abs(given[i] - given[i - 1]);
            if (beyond && at < times[i]) put(at, peak);
        }
        out.samples.push_back(out.values.size());
        put(times[i], given[i]);
        if (turns && at > times[i] && std::abs(peak - given[i + 1]) > std::abs(given[i] - given[i + 1])) put(at, peak);
    }
    return out;
}

std::vector<double> parse_range(const std::string& text) {
    const auto reject = [&](const std::string& what) {
        throw core::BadInput(fmt::format("range '{}': {}; expected START:STOP:COUNT, such as 0:3:3001", text, what));
    };
    std::vector<double> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t colon = std::min(text.find(':', from), text.size());
        double x = 0;
        const auto [end, error] = std::from_chars(text.data() + from, text.data() + colon, x);
        if (error != std::errc() || end != text.data() + colon || !std::isfinite(x)) reject("not a number");
        parts.push_back(x);
        from = colon + 1;
    }
    if (parts.size() != 3) reject("needs three numbers");
    const double count = parts[2];
    if (count != std::floor(count) || count < 2 || count > 1e7)
        reject("the count must be a whole number from 2 to 1e7");
    if (!(parts[1] > parts[0])) reject("the stop must be above the start");
    std::vector<double> range(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < range.size(); ++i)
        range[i] = parts[0] + (parts[1] - parts[0]) * double(i) / (count - 1);
    return range;
}

}  // namespace faying::io
