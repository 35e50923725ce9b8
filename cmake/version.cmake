# Writes version.cpp: the project's version and the commit it was built from, "0.1.0+1a2b3c4" ("-dirty" with changes).
#   cmake -DSOURCE=.. -DOUT=version.cpp -DVERSION=0.1.0 -P version.cmake        (at every build; only a change is written)
execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=7 --dirty --exclude=* OUTPUT_VARIABLE commit
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(NOT failed)
  string(APPEND VERSION "+${commit}")
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT [[#include "version.hpp"

const char* const faying_version = "@VERSION@";
]] @ONLY)
