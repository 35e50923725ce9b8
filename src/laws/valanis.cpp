#include "families.hpp"

namespace faying::laws {

void add_valanis(std::vector<LawEntry>& all) { add_entries(all, ValanisFamily{}); }

}  // namespace faying::laws
