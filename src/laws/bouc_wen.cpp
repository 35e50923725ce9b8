#include "faying/laws/bouc_wen.hpp"

#include "entry.hpp"

namespace faying::laws {

void add_bouc_wen(std::vector<LawEntry>& all) {
    all.push_back(entry<BoucWen<>>("Bouc-Wen, exact for any n", "[S0] 2.2.3-2.2.5, [S3] 2.1"));
    all.push_back(entry<BoucWenMasing<>>("Bouc-Wen virgin curve by Masing's rules", "[S0] 2.2.3"));
}

}  // namespace faying::laws
