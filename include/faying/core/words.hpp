#pragma once
// Numbers and settings written as words, as a command line or a small file has them.
//
//     parse_numbers("0,1,-0.5", "--path");              // {0, 1, -0.5}
//     log_spaced("0.1:100:4", "--amplitudes");          // {0.1, 1, 10, 100}
//     parse_parameters("jenkins", {"kt=1", "fs=2"});    // {{"kt", 1}, {"fs", 2}}
//     Words load("--sine", "at=2,p=1,omega=3");         // load.number("p"), .., load.finish()
//
// All throw core::BadInput that opens with whose words they are and says what was expected.

#include <Eigen/Dense>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "faying/core/parameter.hpp"

namespace faying::core {

std::vector<std::string> split(const std::string& text, char separator);

/// A finite number, blanks around it and a plus sign allowed.
double parse_number(std::string_view word, const std::string& where);
/// Finite numbers separated by commas.
std::vector<double> parse_numbers(const std::string& text, const std::string& where);
/// LO:HI, two finite numbers. `expected` is said otherwise.
std::pair<double, double> parse_pair(const std::string& text, const std::string& where, const std::string& expected);
/// LO:HI, two whole numbers of [least, most]; one number is both.
std::pair<int, int> parse_whole_pair(const std::string& text, const std::string& where, int least, int most);
/// LO:HI:N, N values from LO to HI at even ratios, or at even distances.
std::vector<double> log_spaced(const std::string& text, const std::string& where);
std::vector<double> evenly_spaced(const std::string& text, const std::string& where);
/// key=value words; also nan and inf, which the table of a law refuses with its range.
ParameterValues parse_parameters(const std::string& owner, const std::vector<std::string>& words);

/// key=value,key=value: every word is used, or complained about.
class Words {
 public:
    Words(const std::string& owner, const std::string& text);

    bool has(const std::string& key) const { return values_.contains(key); }
    std::string take(const std::string& key);
    double number(const std::string& key);
    double number(const std::string& key, double otherwise);
    Eigen::Index index(const std::string& key);
    Eigen::VectorXd vector(const std::string& key);  ///< numbers separated by semicolons
    /// Nothing more is taken: throws for a word that nobody asked for.
    void finish() const;
    const std::string& owner() const { return owner_; }

 private:
    std::string owner_, allowed_;
    std::map<std::string, std::string> values_;

    void allow(const std::string& key) { allowed_ += (allowed_.empty() ? "" : ", ") + key; }
};

}  // namespace faying::core
