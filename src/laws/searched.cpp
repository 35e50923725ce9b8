#include "faying/laws/searched.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace faying::laws {

std::vector<SearchedPart> searched_parts(const std::string& law, int components) {
    std::vector<SearchedPart> all;
    std::vector<std::vector<std::string>> keys;
    for (auto& part : parts_of(law, components)) {
        SearchedPart s{std::move(part), {}, {}, {}};
        const auto& form = s.part.law->search;
        const auto& table = s.part.law->info.parameters;
        for (std::size_t i = 0; i < table.size(); ++i)
            if (std::find(form.left_out.begin(), form.left_out.end(), table[i].key) == form.left_out.end()) {
                s.kept.push_back(i);
                s.searched.push_back(table[i]);
            }
        s.searched.insert(s.searched.end(), form.instead.begin(), form.instead.end());
        for (const auto& info : s.searched) s.keys.push_back(info.key);
        keys.push_back(s.keys);
        all.push_back(std::move(s));
    }
    const auto named = named_apart(keys);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = 0; k < named[i].size(); ++k) all[i].searched[k].key = named[i][k];
    return all;
}

std::vector<core::ParameterInfo> searchable(const std::string& law, int components) {
    const auto parts = searched_parts(law, components);
    std::vector<core::ParameterInfo> all;
    for (const auto& s : parts) all.insert(all.end(), s.searched.begin(), s.searched.begin() + long(s.kept.size()));
    for (const auto& s : parts) all.insert(all.end(), s.searched.begin() + long(s.kept.size()), s.searched.end());
    return all;
}

template <class T>
typename SearchPoint<T>::Values from_search(const std::string& owner, const std::vector<SearchedPart>& parts,
                                            typename SearchPoint<T>::Values x) {
    for (const auto& s : parts) {
        const auto search_name = [&s](std::string_view key) {
            const auto at = std::find(s.keys.begin(), s.keys.end(), key);
            return at == s.keys.end() ? std::string(key) : s.searched[std::size_t(at - s.keys.begin())].key;
        };
        const auto& table = s.part.law->info.parameters;
        const auto law_name = [&](std::string_view key) {
            for (std::size_t i = 0; i < table.size(); ++i)
                if (table[i].key == key) return s.part.parameters[i].key;
            throw core::BadInput(owner, fmt::format("a search sets '{}', which is none of its parameters", key));
        };
        SearchPoint<T> point(owner, x, search_name, law_name);
        if constexpr (std::is_same_v<T, double>) {
            if (s.part.law->from_search) s.part.law->from_search(point);
        } else {
            if (s.part.law->from_search_with_slopes) s.part.law->from_search_with_slopes(point);
        }
        // What is searched as it is may have another name among the parameters: fs of bouc-wen+jenkins.
        for (const std::size_t i : s.kept)
            for (auto& [key, value] : x)
                if (key == search_name(table[i].key)) key = s.part.parameters[i].key;
    }
    return x;
}

template SearchPoint<double>::Values from_search<double>(const std::string&, const std::vector<SearchedPart>&,
                                                         SearchPoint<double>::Values);
template SearchPoint<SearchDual>::Values from_search<SearchDual>(const std::string&, const std::vector<SearchedPart>&,
                                                                 SearchPoint<SearchDual>::Values);

}  // namespace faying::laws
