#pragma once
// Private to results/: a merged backbone as a table and as JSON, whatever it was merged from.

#include <nlohmann/json_fwd.hpp>

#include "faying/io/output.hpp"
#include "faying/signal/backbone.hpp"

namespace faying::results {

io::Table merged_table(const signal::MergedBackbone& backbone);
nlohmann::json merged_json(const signal::MergedBackbone& backbone);

}  // namespace faying::results
