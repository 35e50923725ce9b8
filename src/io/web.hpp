#pragma once
// The pages of web/, which cmake/embed.cmake puts into the library, so that the tool is one file.

#include <string>
#include <string_view>

namespace faying::io {

namespace files {
std::string_view figure_html();
std::string_view report_html();
}  // namespace files

/// A page with every {{name}} in it replaced: {{title}} and {{data}} by these, the others by the file of web/ of that
/// name. What is put in is not searched again. The title is escaped here; `json` may contain anything JSON may.
std::string page_of(std::string_view page, std::string_view title, std::string_view json);

}  // namespace faying::io
