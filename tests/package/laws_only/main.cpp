#include <cstdio>
#include <faying/laws/catalogue.hpp>

int main() {
    const faying::laws::Law law("jenkins", {{"kt", 2}, {"fs", 1}});
    const double force = law.follow({3}).f.front();
    std::printf("%g\n", force);
    return force == 1 ? 0 : 1;
}
