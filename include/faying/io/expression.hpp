#pragma once
// A formula the user typed, as a function of one variable:  Expression u("2*sin(2*pi*t)+sin(8*pi*t)", "t"); u(0.1)

#include <memory>
#include <string>
#include <vector>

namespace faying::io {

class Expression {
 public:
    /// Throws core::BadInput with what the parser did not understand, and where.
    Expression(const std::string& text, const std::string& variable);
    ~Expression();
    Expression(Expression&&) noexcept;
    Expression& operator=(Expression&&) noexcept;

    double operator()(double x) const;
    const std::string& text() const { return text_; }

 private:
    struct Parser;
    std::string text_;
    std::unique_ptr<Parser> parser_;
};

/// A signal sampled at given times, with the turning points that fall between samples put in: a rate-independent law
/// sees nothing else of a signal, so its answer at the samples is then exact, however coarse they are (as long as they
/// separate the turning points).
struct SampledSignal {
    std::vector<double> times, values;
    std::vector<std::size_t> samples;  ///< indices of the given times in the two above
};

SampledSignal sample_with_turning_points(const Expression& signal, const std::vector<double>& times);

/// "0:3:3001": 3001 equally spaced times from 0 to 3.
std::vector<double> parse_range(const std::string& text);

}  // namespace faying::io
