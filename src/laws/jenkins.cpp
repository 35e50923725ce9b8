#include "faying/laws/jenkins.hpp"

#include "entry.hpp"
#include "faying/laws/polynomial.hpp"

namespace faying::laws {

void add_jenkins(std::vector<LawEntry>& all) {
    all.push_back(entry<Jenkins<>>("spring in series with a Coulomb slider", "[S0] 2.2.7"));
    all.push_back(entry<JenkinsPrager<>>("Jenkins beside a post-slip spring", "[S0] 2.2.10"));
    all.push_back(entry<Prager<>>("rigid until slip, then a spring", "[S0] 2.2.9"));
    all.push_back(entry<Polynomial<>>("elastic polynomial spring, no hysteresis", "[S1] 2"));
}

}  // namespace faying::laws
