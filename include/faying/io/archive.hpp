#pragma once
// Moved to faying/archive/archive.hpp. Kept for code on its way; new code includes that.

#include "faying/archive/archive.hpp"

namespace faying::io {
using archive::Archive;
using archive::ArchiveEntry;
using archive::is_archive;
using archive::MatlabVersion;
using archive::read_archive;
using archive::Unreadable;
using archive::write_archive;
}  // namespace faying::io
