#include "families.hpp"

namespace faying::laws {

void add_bouc_wen(std::vector<LawEntry>& all) { add_entries(all, BoucWenFamily{}); }

}  // namespace faying::laws
