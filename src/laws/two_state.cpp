#include "families.hpp"

namespace faying::laws {

void add_two_state(std::vector<LawEntry>& all) { add_entries(all, TwoStateFamily{}); }

}  // namespace faying::laws
