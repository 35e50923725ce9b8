#include "faying/laws/two_state.hpp"

#include "entry.hpp"
#include "faying/laws/two_state_increment.hpp"

namespace faying::laws {

void add_two_state(std::vector<LawEntry>& all) {
    all.push_back(entry<TwoState<>>("two hidden states, closed-form sweeping process", "[S3] ch. 3-5"));
    all.push_back(entry<TwoStateIncrement<SlipDirection::eigenproblem>>(
        "two-state by the thesis' increments, 4x4 eigenproblem", "[S3] 3.3.5, App. C"));
    all.push_back(entry<TwoStateIncrement<SlipDirection::patched>>(
        "two-state by the thesis' increments, patched slip direction", "[S3] 5.1"));
}

}  // namespace faying::laws
