#include "families.hpp"

namespace faying::laws {

void add_pinched(std::vector<LawEntry>& all) { add_entries(all, PinchedFamily{}); }

}  // namespace faying::laws
