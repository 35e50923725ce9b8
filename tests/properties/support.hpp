#pragma once
// Properties with a fixed seed: the same cases on every machine and every run, shrunk to a small one when they fail.
// RapidCheck's own RC_PARAMS is left alone; its parameters are given explicitly.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace faying::tests {

/// How many times the usual number of cases to run: FAYING_EFFORT=100 digs deeper by hand, 0.2 is for sanitizers.
inline double effort() {
    const char* text = std::getenv("FAYING_EFFORT");
    const double share = text ? std::atof(text) : 1.0;
    return share > 0.0 ? share : 1.0;
}

/// Runs `body` on `cases` random cases and fails the current test with the smallest counterexample found.
template <class Body>
void property(int cases, Body&& body, std::uint64_t seed = 20240607) {
    rc::detail::TestParams params;
    params.seed = seed;
    params.maxSuccess = std::max(1, static_cast<int>(cases * effort()));
    const auto result = rc::detail::checkTestable(std::forward<Body>(body), rc::detail::TestMetadata{}, params);
    if (result.template is<rc::detail::SuccessResult>()) return;
    std::ostringstream message;
    rc::detail::printResultMessage(result, message);
    ADD_FAILURE() << message.str();
}

// Draws. Whole numbers underneath, so that RapidCheck can shrink towards the lower end.

inline int pick(int low, int high) {  ///< low .. high, both included
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
}
inline double uniform(double low, double high) { return low + (high - low) * (pick(0, 1000000) * 1e-6); }
inline double log_uniform(double low, double high) { return low * std::pow(high / low, uniform(0.0, 1.0)); }
inline double sign_of_chance() { return pick(0, 1) == 0 ? 1.0 : -1.0; }

/// Fails the case unless |got - want| <= tolerance; `where` is only asked for on failure.
template <class Where>
void expect_close(const char* what, double got, double want, double tolerance, Where&& where) {
    if (std::abs(got - want) <= tolerance) return;  // false for NaN
    std::ostringstream message;
    message.precision(17);
    message << what << ": got " << got << ", want " << want << ", off by " << got - want << ", allowed " << tolerance
            << "\n"
            << where();
    RC_FAIL(message.str());
}

template <class Where>
void expect_true(bool held, const char* what, Where&& where) {
    if (!held) RC_FAIL(std::string(what) + "\n" + where());
}

}  // namespace faying::tests
