#pragma once
// Areas within the box of each mode, and the ranks that follow ([S0] 3.7 and Table 9).

#include "faying/study/result.hpp"
#include "faying/study/study.hpp"

namespace faying::study {

/// Fills in boxes, areas, scores and ranks.
void rank(StudyResult& result, const Boxes& boxes);

}  // namespace faying::study
