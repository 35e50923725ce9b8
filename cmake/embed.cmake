# Files as bytes in a C++ source, so that the library needs nothing beside itself at run time. A byte list rather than
# string literals: no delimiter to collide with, no length limit.
#
#   cmake -DOUTPUT=page_files.cpp -DFILES="web/figure.js|web/figure.css" -P embed.cmake
#
# web/figure.js becomes  std::string_view faying::io::files::figure_js();
string(REPLACE "|" ";" FILES "${FILES}")
set(source "// Made by cmake/embed.cmake.\n#include <string_view>\n\nnamespace faying::io::files {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND source "\nstatic const unsigned char ${name}_bytes[] = {\n${bytes}};\n"
                       "std::string_view ${name}();\n"
                       "std::string_view ${name}() {\n"
                       "    return {reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes};\n}\n")
endforeach()
file(WRITE ${OUTPUT} "${source}\n}  // namespace faying::io::files\n")
