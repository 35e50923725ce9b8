// The catalogue: the library's laws and those a program adds.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>
#include <mutex>
#include <shared_mutex>

#include "families.hpp"
#include "faying/laws/catalogue.hpp"

namespace faying::laws {

namespace {

/// Entries stay where they are while others are added, so that references to them hold.
struct Registry {
    std::shared_mutex mutex;
    std::deque<LawEntry> entries;

    Registry() {
        std::vector<LawEntry> all;
        add_jenkins(all);
        add_contact(all);
        add_iwan(all);
        add_sliders(all);
        add_bouc_wen(all);
        add_valanis(all);
        add_two_state(all);
        add_six_state(all);
        add_pinched(all);
        entries.assign(all.begin(), all.end());
    }
    const LawEntry* find(std::string_view key, int components) const {
        for (const auto& e : entries)
            if (e.info.components == components && e.info.key == key) return &e;
        return nullptr;
    }
};

Registry& registry() {
    static Registry all;
    return all;
}

}  // namespace

std::vector<LawEntry> catalogue() {
    Registry& all = registry();
    const std::shared_lock lock(all.mutex);
    return {all.entries.begin(), all.entries.end()};
}

const LawEntry& find_law(std::string_view key, int components) {
    Registry& all = registry();
    const std::shared_lock lock(all.mutex);
    if (const LawEntry* found = all.find(key, components)) return *found;
    std::vector<std::string> keys;
    for (const auto& e : all.entries)
        if (e.info.components == components) keys.push_back(e.info.key);
    if (components == 1)
        throw core::BadInput(
            fmt::format("unknown law '{}'; allowed are: {}, and any of them +kp", key, fmt::join(keys, ", ")));
    throw core::BadInput(fmt::format("unknown contact law '{}'; allowed are: {}", key, fmt::join(keys, ", ")));
}

bool is_contact_law(std::string_view key) {
    Registry& all = registry();
    const std::shared_lock lock(all.mutex);
    const LawEntry* found = all.find(key, 3);
    return found && found->info.normal == 2;
}

int width_of_law(std::string_view key) {
    Registry& all = registry();
    const std::shared_lock lock(all.mutex);
    int widest = 1;
    for (const auto& e : all.entries)
        if (e.info.key == key) widest = std::max(widest, e.info.components);
    return widest;
}

void add_entry(LawEntry entry) {
    const std::string key = entry.info.key;
    if (key.empty() || key == "kp" || key.find_first_of("+.:, \t\n") != std::string::npos)
        throw core::BadInput(
            fmt::format("a law cannot be called '{}': a key is one word without + . : or comma, and "
                        "not kp, which is the spring beside a law",
                        key));
    Registry& all = registry();
    const std::unique_lock lock(all.mutex);
    if (const LawEntry* there = all.find(key, entry.info.components)) {
        if (there->make == entry.make) return;
        throw core::BadInput(fmt::format("there is a law '{}' already ({})", key, there->info.title));
    }
    all.entries.push_back(std::move(entry));
}

}  // namespace faying::laws
