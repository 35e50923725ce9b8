#include "entry.hpp"
#include "faying/laws/iwan_sliders.hpp"

namespace faying::laws {

void add_sliders(std::vector<LawEntry>& all) {
    all.push_back(entry<Iwan4Sliders<>>("four-parameter Iwan in bins, for comparison with iwan4", "[S2] 2.1"));
    all.push_back(entry<EqualSliders<>>("parallel sliders of equal stiffness", "[S3] 3.2"));
}

}  // namespace faying::laws
