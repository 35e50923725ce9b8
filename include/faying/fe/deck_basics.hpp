#pragma once
// What a deck is made of: places in files, names, labels, degrees of freedom, keywords.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace faying::fe {

using Index = std::int32_t;
inline constexpr Index none = -1;

/// A line of one of the deck's files.
struct Place {
    Index file = 0;  ///< in Deck::files
    Index line = 0;  ///< from 1
    friend bool operator==(const Place&, const Place&) = default;
};

/// Names are compared without regard to case, as the solvers do.
std::string folded(std::string_view name);

/// Things with names, in the order they came.
template <class T>
class Named {
 public:
    /// `none` when there is no such name.
    Index find(std::string_view name) const {
        const auto found = by_name_.find(folded(name));
        return found == by_name_.end() ? none : found->second;
    }
    Index add(T item) {
        const auto index = static_cast<Index>(items_.size());
        by_name_.emplace(folded(item.name), index);
        items_.push_back(std::move(item));
        return index;
    }
    T& operator[](Index i) { return items_[static_cast<std::size_t>(i)]; }
    const T& operator[](Index i) const { return items_[static_cast<std::size_t>(i)]; }
    Index size() const { return static_cast<Index>(items_.size()); }
    bool empty() const { return items_.empty(); }
    auto begin() const { return items_.begin(); }
    auto end() const { return items_.end(); }
    auto begin() { return items_.begin(); }
    auto end() { return items_.end(); }

 private:
    std::vector<T> items_;
    std::unordered_map<std::string, Index> by_name_;
};

/// From labels to indices: an array where labels are dense, a hash table for stray ones.
class LabelMap {
 public:
    Index find(Index label) const;
    void add(Index label, Index index);

 private:
    std::vector<Index> dense_;
    std::unordered_map<Index, Index> sparse_;
    std::size_t count_ = 0;
};

/// One degree of freedom 1..6 a bit: 1-3 translations, 4-6 rotations.
struct Dofs {
    std::uint8_t bits = 0;
    bool has(int dof) const { return (bits >> (dof - 1) & 1) != 0; }
    void add(int dof) { bits = static_cast<std::uint8_t>(bits | 1 << (dof - 1)); }
    void add(int first, int last) {
        for (int dof = first; dof <= last; ++dof) add(dof);
    }
    friend bool operator==(const Dofs&, const Dofs&) = default;
};

/// A keyword with its parameters and data lines, word for word.
struct Keyword {
    struct Parameter {
        std::string name;   ///< upper case, without blanks: "POSITIONTOLERANCE"
        std::string value;  ///< without quotes; empty when there is none
    };
    std::string name;     ///< upper case, without blanks: "SOLIDSECTION"
    std::string written;  ///< "*Solid Section"
    std::vector<Parameter> parameters;
    std::vector<std::string> lines;
    Place at;
    /// nullptr when the parameter is absent.
    const std::string* find(std::string_view parameter) const;
    std::string text() const;
};

/// Abaqus takes a parameter by its beginning: "ref nod" is REF NODE. Three letters at least.
bool stands_for(std::string_view given, std::string_view parameter);
/// The value of the parameter, written out or shortened; nullptr when it is absent.
const std::string* find_parameter(const std::vector<Keyword::Parameter>& all, std::string_view parameter);

}  // namespace faying::fe
