#pragma once
// How the blocks of a deck hang together: parts, instances, steps, and the rest. Private to the reader.

#include <map>
#include <string>
#include <vector>

#include "builder.hpp"

namespace faying::fe::text {

struct PartBlocks {
    const Block* begin = nullptr;
    std::vector<const Block*> blocks;
};

struct Layout {
    std::map<std::string, PartBlocks> parts;  ///< by folded name
    std::vector<PartBlocks> instances;
    std::vector<const Block*> root;
    std::vector<std::vector<const Block*>> steps;  ///< *STEP first, *END STEP last
};

/// Which blocks belong to which part, instance and step.
Layout lay_out(Builder& builder, const std::vector<Block>& blocks);

/// One scope an instance, in the order of the deck, and the assembly's last. Adds the instances to the deck.
std::vector<Scope> scopes_of(Builder& builder, const Layout& layout);

}  // namespace faying::fe::text
