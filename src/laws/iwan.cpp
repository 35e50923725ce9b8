#include "faying/laws/iwan.hpp"

#include "entry.hpp"
#include "faying/laws/iwan5_stiction.hpp"

namespace faying::laws {

void add_iwan(std::vector<LawEntry>& all) {
    all.push_back(entry<Iwan4<>>("four-parameter Iwan, exact continuum", "[S0] 2.2.1, [S2] 2.1"));
    all.push_back(entry<Iwan5<>>("five-parameter Iwan by Masing's rules", "[S0] 2.2.2"));
    all.push_back(entry<Iwan5Stiction<>>("five-parameter Iwan, slider by slider (not Masing)", "[S0] 2.2.2"));
}

}  // namespace faying::laws
