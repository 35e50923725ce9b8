#include "families.hpp"

namespace faying::laws {

void add_six_state(std::vector<LawEntry>& all) { add_entries(all, SixStateFamily{}); }

}  // namespace faying::laws
