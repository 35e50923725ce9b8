#include "faying/laws/valanis.hpp"

#include "entry.hpp"
#include "faying/laws/generalized_valanis.hpp"

namespace faying::laws {

void add_valanis(std::vector<LawEntry>& all) {
    all.push_back(entry<Valanis<>>("Valanis, exact implicit form", "[S0] 2.2.6, [S4] 2.1"));
    all.push_back(entry<ValanisMasing<>>("Valanis virgin curve by Masing's rules", "[S0] 2.2.6"));
    all.push_back(entry<GeneralizedValanis<>>("generalized Valanis with a polynomial P(x, v)", "[S4] 2.2"));
}

}  // namespace faying::laws
