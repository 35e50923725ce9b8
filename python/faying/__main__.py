"""`python3 -m faying ..` is the command line `faying ..`."""

import os
import shutil
import sys
from pathlib import Path


def tool() -> str:
    """The program: inside the package, or in the bin folder of the prefix the package is installed in, or on PATH."""
    package = Path(__file__).absolute().parent
    inside = package / "bin" / "faying"
    candidates = [inside, *(parent / "bin" / "faying" for parent in package.parents)]
    for candidate in candidates:
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    found = shutil.which("faying")
    if not found:
        sys.exit("faying: the program is not installed beside the module, nor on PATH")
    return found


def main() -> None:
    """Becomes the program."""
    program = tool()
    sys.stdout.flush()
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
