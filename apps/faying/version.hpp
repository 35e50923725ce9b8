#pragma once
// What this program is: "0.1.0+1a2b3c4", version and commit. cmake/version.cmake writes it at every build.

extern const char* const faying_version;
