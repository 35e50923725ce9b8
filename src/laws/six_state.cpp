#include "faying/laws/six_state.hpp"

#include "entry.hpp"

namespace faying::laws {

void add_six_state(std::vector<LawEntry>& all) {
    all.push_back(entry<SixState<>>("six hidden states, driven by force", "[S3] ch. 2"));
}

}  // namespace faying::laws
