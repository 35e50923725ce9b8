#pragma once
// Entries of the library's laws, one function per family, defined beside its instantiation.

#include "faying/laws/catalogue.hpp"
#include "faying/laws/library.hpp"

namespace faying::laws {

template <class... L>
void add_entries(std::vector<LawEntry>& all, LawList<L...>) {
    const auto add = [&all]<class One>(LawList<One>) {
        if constexpr (ContactLaw<One>)
            if constexpr (moves_along_line<One>()) all.push_back(entry_of<AlongLine<One>>());
        all.push_back(entry_of<One>());
    };
    (add(LawList<L>{}), ...);
}

void add_jenkins(std::vector<LawEntry>& all);
void add_contact(std::vector<LawEntry>& all);
void add_iwan(std::vector<LawEntry>& all);
void add_sliders(std::vector<LawEntry>& all);
void add_bouc_wen(std::vector<LawEntry>& all);
void add_valanis(std::vector<LawEntry>& all);
void add_two_state(std::vector<LawEntry>& all);
void add_six_state(std::vector<LawEntry>& all);
void add_pinched(std::vector<LawEntry>& all);

}  // namespace faying::laws
