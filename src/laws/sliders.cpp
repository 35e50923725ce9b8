#include "families.hpp"

namespace faying::laws {

void add_sliders(std::vector<LawEntry>& all) { add_entries(all, SliderFamily{}); }

}  // namespace faying::laws
