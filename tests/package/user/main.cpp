// A stranger's program against the installed library.

#include <cmath>
#include <faying/laws/catalogue.hpp>
#include <faying/laws/jenkins.hpp>

int main() {
    const faying::laws::Law law("jenkins+kp", {{"kt", 1}, {"fs", 2}, {"kp", 0.5}});
    const double f = law.follow({0, 3, 1}).f.back();
    const auto c = faying::laws::steady_cycle(faying::laws::Jenkins<>({1, 2}), 4.0);
    return std::abs(f - 0.5) < 1e-15 && std::abs(c.dissipation - 16) < 1e-14 ? 0 : 1;
}
