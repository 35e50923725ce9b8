#include "families.hpp"

namespace faying::laws {

void add_jenkins(std::vector<LawEntry>& all) { add_entries(all, JenkinsFamily{}); }

}  // namespace faying::laws
