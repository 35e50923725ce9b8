#include "faying/laws/pinched.hpp"

#include "entry.hpp"

namespace faying::laws {

void add_pinched(std::vector<LawEntry>& all) {
    all.push_back(entry<Pinched<>>("loop pinched at the origin (frictional microcracks)", "[S3] 6.3"));
    all.push_back(entry<Reid<>>("Reid's pair of triangles", "[S3] 6.3"));
}

}  // namespace faying::laws
