#include "families.hpp"

namespace faying::laws {

void add_contact(std::vector<LawEntry>& all) { add_entries(all, ContactFamily{}); }

}  // namespace faying::laws
