#pragma once
// The suite that each group of laws instantiates.

#include "properties/derivatives.hpp"

namespace faying::tests {

template <class Case>
class EveryLaw : public testing::Test {};
TYPED_TEST_SUITE_P(EveryLaw);

TYPED_TEST_P(EveryLaw, PathCutsAndPausesChangeNothing) { check_path_cuts<TypeParam>(); }
TYPED_TEST_P(EveryLaw, WorkIsTheIntegralOfTheForce) { check_work<TypeParam>(); }
TYPED_TEST_P(EveryLaw, DissipationNeverDecreases) { check_dissipation<TypeParam>(); }
TYPED_TEST_P(EveryLaw, TangentIsTheSlopeOfTheForce) { check_tangent<TypeParam>(); }
TYPED_TEST_P(EveryLaw, MirroredHistoryMirroredForce) { check_odd<TypeParam>(); }
TYPED_TEST_P(EveryLaw, ReturnPointMemory) { check_return_point<TypeParam>(); }
TYPED_TEST_P(EveryLaw, MasingsRule) { check_masing<TypeParam>(); }
TYPED_TEST_P(EveryLaw, SteadyCycle) { check_steady_cycle<TypeParam>(); }
TYPED_TEST_P(EveryLaw, ParameterDerivativesAlongPaths) { check_path_derivatives<TypeParam>(); }
TYPED_TEST_P(EveryLaw, ParameterDerivativesOfCycles) { check_cycle_derivatives<TypeParam>(); }

REGISTER_TYPED_TEST_SUITE_P(EveryLaw, PathCutsAndPausesChangeNothing, WorkIsTheIntegralOfTheForce,
                            DissipationNeverDecreases, TangentIsTheSlopeOfTheForce, MirroredHistoryMirroredForce,
                            ReturnPointMemory, MasingsRule, SteadyCycle, ParameterDerivativesAlongPaths,
                            ParameterDerivativesOfCycles);

/// Names the instances after the rows of the table.
struct CaseName {
    template <class Case>
    static std::string GetName(int) {
        std::string name = testing::internal::GetTypeName<Case>();
        return name.substr(name.rfind("tests::") + 7);
    }
};

}  // namespace faying::tests
