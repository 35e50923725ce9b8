#include "families.hpp"

namespace faying::laws {

void add_iwan(std::vector<LawEntry>& all) { add_entries(all, IwanFamily{}); }

}  // namespace faying::laws
