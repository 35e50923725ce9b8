#pragma once
// The report of a study as one page that needs nothing beside itself: ranking, fronts, backbones, loops, parameters,
// convergence, timing, inputs. It works offline, on a phone and on paper, dark and light.
//
//     write_file("report.html", report_html("Brake-Reuss beam", data.dump()));
//
// What the data hold: docs/report.md. Web sources: web/report*.

#include <string>
#include <string_view>

namespace faying::io {

/// `json`: the data as valid JSON text. The same data give the same bytes.
std::string report_html(std::string_view title, std::string_view json);

}  // namespace faying::io
