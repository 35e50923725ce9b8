#pragma once
// EXPECT_RELATIVE(got, want, 1e-12): equal to twelve digits.

#include <gtest/gtest.h>

#include <cmath>

#define EXPECT_RELATIVE(got, want, tolerance) EXPECT_NEAR(got, want, (tolerance)*std::abs(want))
