// The catalogue: the library's laws and those a program adds.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>
#include <mutex>
#include <shared_mutex>

#include "families.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/laws/law_file.hpp"

namespace faying::laws {

namespace {

/// Entries stay where they are while others are added, so that references to them hold.
struct Registry {
    std::shared_mutex mutex;
    std::deque<LawEntry> entries;
    std::deque<LawEntry> files;  ///< laws read from files, by path; not part of the catalogue
    std::function<LawEntry(const std::string&)> reader;

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

/// Entries of one type are made by one function.
bool same_maker(const LawEntry& a, const LawEntry& b) {
    using Function = std::shared_ptr<const LawModel> (*)(const std::vector<double>&);
    const auto* of_a = a.make.target<Function>();
    const auto* of_b = b.make.target<Function>();
    return of_a && of_b && *of_a == *of_b;
}

}  // namespace

std::vector<LawEntry> catalogue() {
    Registry& all = registry();
    const std::shared_lock lock(all.mutex);
    return {all.entries.begin(), all.entries.end()};
}

bool is_law_file(std::string_view name) { return name.ends_with(".toml"); }

void read_law_files_with(std::function<LawEntry(const std::string& path)> reader) {
    Registry& all = registry();
    const std::unique_lock lock(all.mutex);
    all.reader = std::move(reader);
}

namespace {

const LawEntry& law_in_file(const std::string& path) {
    Registry& all = registry();
    const auto known = [&]() -> const LawEntry* {
        for (const auto& e : all.files)
            if (e.info.key == path) return &e;
        return nullptr;
    };
    std::function<LawEntry(const std::string&)> reader;
    {
        const std::shared_lock lock(all.mutex);
        if (const auto* found = known()) return *found;
        reader = all.reader;
    }
    if (!reader) throw core::BadInput(path, "this program reads no laws from files");
    LawEntry made = reader(path);  // without the lock: a network of a model's joints looks up the laws of those
    made.info.key = path;
    const std::unique_lock lock(all.mutex);
    if (const auto* found = known()) return *found;
    all.files.push_back(std::move(made));
    return all.files.back();
}

}  // namespace

const LawEntry& find_law(std::string_view key, int components) {
    if (components == 1 && is_law_file(key)) return law_in_file(std::string(key));
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
        if (same_maker(*there, entry)) return;
        throw core::BadInput(fmt::format("there is a law '{}' already ({})", key, there->info.title));
    }
    all.entries.push_back(std::move(entry));
}

void replace_entry(LawEntry entry) {
    Registry& all = registry();
    const std::unique_lock lock(all.mutex);
    for (auto& there : all.entries)
        if (there.info.components == entry.info.components && there.info.key == entry.info.key) {
            there = std::move(entry);
            return;
        }
    throw core::BadInput(fmt::format("there is no law '{}' to be replaced", entry.info.key));
}

}  // namespace faying::laws
