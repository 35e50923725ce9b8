"""deb.py BUILD: the Debian package is made, says what it needs, and what is in it works from a root of its own.

The files are installed below an empty root by dpkg and run with this system's libraries; `tests/package/clean_root` installs it,
with everything it depends on, into a new Debian (./do package try).
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(sys.argv[1]).resolve()
if not shutil.which("dpkg-deb"):
    print("SKIPPED: no dpkg-deb here: this is no Debian")
    sys.exit(77)


def run(*words, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{words}:\n{done.stdout}{done.stderr}"
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    run("cpack", "-G", "DEB", "-B", folder / "made", cwd=BUILD)
    package = next((folder / "made").glob("*.deb"))
    fields = run("dpkg-deb", "-f", package)
    needs = next(line for line in fields.splitlines() if line.startswith("Depends: "))
    for name in ("python3-numpy", "libslepc", "libhdf5", "libfmt", "libsqlite3"):
        assert name in needs, f"{name} is not in '{needs}'"
    if os.geteuid() == 0 and shutil.which("apt-get"):
        told = run("apt-get", "install", "--simulate", "--no-install-recommends", package)  # every dependency is in the archive
        assert "faying" in told, told
    root = folder / "root"
    if os.geteuid() == 0:
        for name in ("var/lib/dpkg/info", "var/lib/dpkg/updates"):
            (root / name).mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        run("dpkg", f"--root={root}", "--force-depends", "--install", package)
        assert "install ok installed" in run("dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f=${Status}", "faying")
    else:
        run("dpkg-deb", "-x", package, root)
    assert "iwan4" in run(root / "usr/bin/faying", "laws", cwd=folder)
    program = ("import faying; print(faying.__file__); m = faying.Model([[1.0]], [[1.0]]).add_joint(faying.law('jenkins', kt=1, fs=1), dofs=0); "
               "print(m.backbone(1, [0.1]).omega[0])")
    told = run("/usr/bin/python3", "-c", program, cwd=folder, env={**os.environ, "PYTHONPATH": str(root / "usr/lib/python3/dist-packages")}).split()
    assert told[0].startswith(str(root)) and abs(float(told[1]) - 2**0.5) < 1e-9, told
    for name in ("usr/include/faying/laws/catalogue.hpp", "usr/share/doc/faying/README.md", "usr/share/doc/faying/docs/theory/iwan4.md",
                 "usr/share/doc/faying/examples/three_masses/model.toml"):
        assert (root / name).is_file(), name
    assert list(root.glob("usr/lib/**/faying-config.cmake")) and list(root.glob("usr/lib/**/libfaying_laws.a"))
    print(f"{package.name}: {package.stat().st_size / 1e6:.0f} MB")
