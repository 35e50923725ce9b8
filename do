#!/usr/bin/env bash
# ./do demo | test | sanitize [all|python] | fuzz [SECONDS] | build | docs | workbench | wheel | package [try] | bench | lint | format | setup | clean   (see README.md)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# Every Debian package the project needs, once.
packages=(
  g++ cmake ninja-build ccache                                     # build
  libeigen3-dev libceres-dev libboost-dev libfmt-dev libmuparser-dev libnlopt-cxx-dev  # the library
  libpagmo-dev libtbb-dev libsqlite3-dev                           # fits: genetic algorithm, threads, the evaluation store
  libslepc-real3.18-dev libopenblas-dev openmpi-bin pkgconf           # sparse matrices, on one process or many
  libmatio-dev libhdf5-dev                                         # MATLAB and HDF5 files
  libcli11-dev nlohmann-json3-dev libtomlplusplus-dev                               # the command line
  libgtest-dev librapidcheck-dev libbenchmark-dev                  # tests and benchmarks
  gmsh calculix-ccx chromium python3 python3-meshio python3-scipy python3-h5py python3-jsonschema  # meshes; the oracle; pages are tested in a real browser
  python3-dev python3-pip python3-venv pybind11-dev python3-numpy python3-matplotlib mypy  # the Python module, its pictures and its types
  clang-format clang-tidy                                          # ./do format, ./do lint
)

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

fuzz_packages=(clang-14 libclang-rt-14-dev)                           # ./do fuzz
workbench_packages=(emscripten)                                       # ./do workbench: the laws as WebAssembly
npm_packages=(nodejs npm)                                             # ./do test: playwright-core, which drives Chromium
test_packages=(octave)                                                # ./do test: .mat files in and out as its users write them

setup() {  # setup [package..]: installs what is missing of these, or of the list above
  local missing=() wanted=("$@")
  [ $# -gt 0 ] || wanted=("${packages[@]}")
  for package in "${wanted[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "do: run as root, or install sudo: these packages are missing: ${missing[*]}" >&2; exit 2; }
    root=(sudo)
  fi
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

setup_npm() { command -v npm >/dev/null || setup "${npm_packages[@]}"; }  # whoever has a Node.js of their own keeps it

build() {  # build [preset [target..]]
  setup
  local preset=${1:-release}
  shift || true
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" ${1:+--target "$@"}
}

run_tests() {  # run_tests preset: builds and runs everything, prints the counts
  setup && setup "${test_packages[@]}"
  build "$1"
  setup_npm
  ctest --preset "$1" --timeout 300 -j "$(nproc)"
}

sanitize_python() {  # the tests of the Python module, under the address and undefined-behaviour sanitizers
  setup
  # A tree of its own: Eigen's headers align memory by themselves under a sanitizer, Debian's Ceres, which is not instrumented, leaves that
  # to malloc, and in one module with it both must do the same.
  local tree=$PWD/build/sanitize_python
  cmake --preset sanitize -B "$tree" -DCMAKE_CXX_FLAGS=-DEIGEN_MALLOC_ALREADY_ALIGNED=1 -DFAYING_TESTS=OFF >/dev/null
  cmake --build "$tree" --target faying faying_python
  # Python itself is not instrumented: the sanitizer's library is loaded before it. Its own allocator would hide our mistakes.
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONMALLOC=malloc FAYING_EFFORT=0.2 FAYING_SANITIZED=1 \
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)" \
    PYTHONPATH=$tree/python FAYING=$tree/bin/faying BUILD=$tree MPLBACKEND=Agg OMP_NUM_THREADS=1 \
    /usr/bin/python3 -B tests/python/run_sanitized.py 2>&1 | tee "$tree/python.log"
}

sanitize() {  # sanitize [all|python]: tests under the address and undefined-behaviour sanitizers
  case "${1:-}" in
    '' | all) ;;
    python) sanitize_python; return ;;
    *) echo "./do sanitize: '$1' is unknown; allowed: nothing, all, python" >&2; exit 2 ;;
  esac
  # By default what reads files and holds memory of its own, the laws and the modes: a landing has half an hour. With `all`
  # everything else too: elements and reduction, transients, signals, fits, studies, random histories, published numbers, the command line.
  # Leaks are not looked for: LeakSanitizer needs ptrace, which containers often refuse. A request for too much memory is
  # answered as malloc answers it: matio asks for what a damaged file says.
  local labels=(core laws harmonic solve sparse structure modes io archive files deck) targets=(archive_sample)
  if [ "${1:-}" = all ]; then
    labels+=(fe signal transient modal fit study published properties)
  fi
  for label in "${labels[@]}"; do targets+=("test_$label"); done
  if [ "${1:-}" = all ]; then
    labels+=(cli) targets+=(faying)
    setup_npm
  fi
  build sanitize "${targets[@]}"
  # What takes half a minute and more with sanitizers only with `all`: long forced responses, quadratures, differences of whole backbones.
  local left_out='-NLvib.*:Tmdsimpy.*:PeriodMap.DoesNotDependOnHowThePeriodIsCut:HarmonicQuadrature.*:Response.DerivativesOfAnOutput*'
  left_out+=':*PreloadedModes.DerivativesAreThoseOfDifferences/bouc_wen:*PreloadedModes.DerivativesAreThoseOfDifferences/force_that_jumps'
  left_out+=':HarmonicForce.SlopesAreThoseOfDifferences:HarmonicForce.SamplingConvergesToIt:HarmonicContact.SamplingTendsToIt'
  left_out+=':InSeries.ALawDrivenByForceAnswersDisplacements:ForceDriven.LawStandsInAStructureBehindASpring'
  left_out+=':Routes.StickingLoopsAreTheOnesTraced:Epmc.DerivativesToParametersAreThoseOfDifferences:Response.BothEndsAndIsolasAddNothingThatIsOnTheBranch'
  left_out+=':ContactStability.D*:*ContactCases.*/two_directions:*ContactCases.*/in_the_plane:*ContactCases.*/tears_a_spring:*ContactCases.*/opens'
  left_out+=':*ContactCases.*/closes_a_gap*:*ContactCases.*/pressed*:ContactResponse.OfAGap*:OneLargeContact.ItsFlexibility*:OneLargeContact.AnswersDo*'
  [ "${1:-}" = all ] && left_out='*'
  GTEST_FILTER=$left_out ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 FAYING_EFFORT=0.2 ctest --preset sanitize --timeout 1500 -j "$(nproc)" \
    -L "^($(IFS='|'; echo "${labels[*]}"))\$" -E '^io.page$'
}

fuzz() {  # fuzz [seconds]: every reader on mutated files, each for its share of the time; finds are kept in build/fuzz/corpus
  local seconds=${1:-600} readers=(deck table archive archive_reader toml) reader seeds extra longest status=0
  [[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "do: fuzz takes a whole number of seconds, not '$seconds'" >&2; exit 2; }
  setup && setup "${fuzz_packages[@]}"
  cmake --preset fuzz >/dev/null
  cmake --build build/fuzz --target fuzz_targets
  for reader in "${readers[@]}"; do
    seeds=${reader%_reader} extra=() longest=10
    # Each of the two formats is tried by a child with three seconds of processor time, which a busy machine makes many more.
    [ "$reader" = archive ] && longest=60
    # Without the child that reads an archive first: the libraries crash, and it goes on; what of it is ours is told below.
    [ "$reader" = archive_reader ] && extra=(-fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1)
    [ "$reader" = deck ] && extra=(tests/fe/decks)
    [ "$reader" = toml ] && extra=(examples/brake_reuss examples/sumali examples/three_masses)
    mkdir -p "build/fuzz/corpus/$reader" "build/fuzz/finds/$reader"
    say "fuzz: the $reader reader"
    # matio asks for what a damaged file says: such a request is answered as malloc answers it. Leaks are not looked for:
    # matio leaks what it read of a variable that turns out to be damaged.
    ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 "build/fuzz/bin/${reader}_fuzz" \
      -max_total_time="$(((seconds + ${#readers[@]} - 1) / ${#readers[@]}))" -timeout="$longest" -rss_limit_mb=4096 -malloc_limit_mb=0 \
      -dict="tests/fuzz/$seeds.dict" -artifact_prefix="build/fuzz/finds/$reader/" -print_final_stats=1 \
      "build/fuzz/corpus/$reader" "tests/fuzz/seeds/$seeds" "${extra[@]}" || status=1
  done
  crashes_of_ours archive_reader || status=1
  return "$status"
}

crashes_of_ours() {  # crashes_of_ours reader: runs its finds again; fails where the first function that is not the system's is ours
  local find first ours=0 theirs=0
  for find in "build/fuzz/finds/$1"/crash-*; do
    [ -e "$find" ] || continue
    first=$(ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 "build/fuzz/bin/${1}_fuzz" "$find" 2>&1 |
      grep -m 1 -E '^ +#[0-9]+ .*( in faying::|libhdf5|libmatio|libz\.|libsz)|runtime error:' || true)
    case "$first" in
      *" in faying::"* | *"runtime error:"*) say "fuzz: ours: $find: $first"; ours=$((ours + 1)) ;;
      *) theirs=$((theirs + 1)) ;;
    esac
  done
  say "fuzz: $1: $ours crashes in functions of ours, $theirs in libraries (which a child process takes, in use)"
  [ "$ours" -eq 0 ]
}

lint() {  # clang-format on everything, clang-tidy on every source (and through them the headers)
  setup
  local tree=build/lint status=0 units
  git ls-files '*.hpp' '*.cpp' | xargs clang-format --dry-run -Werror || status=1
  # A tree that is configured and never built. Several sources a compilation, as in the release: headers are read once for all of them.
  cmake --preset release -B "$tree" -DFAYING_TESTS=OFF -DFAYING_BENCH=OFF >/dev/null
  mapfile -t units < <(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$tree/compile_commands.json" | grep -v -e /page_files.cpp -e /version.cpp)  # made by the build
  say "clang-tidy: ${#units[@]} compilations, about eight minutes on two cores"
  # Its stderr counts the warnings of system headers, which are not shown; anything else there is.
  printf '%s\n' "${units[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p "$tree" \
    2> >(grep -v -e ' generated\.$' -e '^Suppressed' -e '^Use -header-filter' -e 'treated as errors\{0,1\}$' >&2) || status=1
  [ "$status" -eq 0 ] && say "lint: clean" || { say "lint: see above"; return 1; }
}

wheel() {  # build/wheel/faying-*.whl: pip install it into an environment of the system's Python
  build release faying faying_python
  /usr/bin/python3 python/make_wheel build build/wheel
}

package() {  # package [try]: build/package/faying_*.deb: the tool, the library, the Python module and the docs; try: in a new Debian
  build
  (cd build && cpack -G DEB -B package >/dev/null)
  ls build/package/*.deb
  [ "${1:-}" != try ] || { setup debootstrap && tests/package/clean_root build/package/*.deb; }
}

workbench() {  # build/workbench/workbench.html: laws in the browser, one page
  setup && setup "${workbench_packages[@]}"
  # emscripten puts its own libraries together when they are first needed.
  [ -w /usr/share/emscripten/cache ] || export EM_CACHE=$PWD/build/workbench/cache
  export NODE_PATH=/usr/share/nodejs  # its scripts need Debian's modules, also with a Node.js of one's own
  cmake -S web/workbench -B build/workbench -G Ninja \
    -DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake >/dev/null
  cmake --build build/workbench
  /usr/bin/python3 web/workbench/make_page build/workbench build/workbench/workbench.html
}

docs() {  # build/docs/index.html: theory with its equations, file formats, APIs, gallery and workbench, as a folder of pages
  setup_npm
  build release faying_python
  workbench
  (cd docs/site && npm ci --no-audit --no-fund >/dev/null)
  PYTHONPATH=build/python /usr/bin/python3 -B docs/site/python_api.py build/python_api.json
  node docs/site/make.js build/docs --python build/python_api.json --workbench build/workbench/workbench.html
}

demo() {
  build release faying
  local faying=$PWD/build/bin/faying
  mkdir -p demo
  cp examples/brake_reuss/*.toml demo
  cd demo
  say "five laws, one history: demo/laws.html"
  "$faying" loop --compare \
    jenkins:kt=1,fs=0.6 iwan4:FS=0.6,KT=1,chi=-0.5,beta=0.1 bouc-wen:A=1,alpha=1.5,beta=-0.2,n=1.5 \
    valanis:E0=1,Et=0.02,lambda=1.6,kappa=0.3 two-state:alpha=0.6667,sigma=0.0625,b1=0.48686,b2=0.65546 \
    --signal "1.2*sin(2*pi*t)-1.1*sin(6*pi*t)" --time 0:1.25:1501 \
    --title "One displacement history, five laws" --plot laws.html
  say "the Brake-Reuss beam, three bolts: mesh, reduction to 43 degrees of freedom, modes"
  "$faying" mesh brake-reuss --out beam.inp
  "$faying" reduce whole_joint.toml --out whole_joint.h5
  "$faying" modes model.toml --count 6
  say "how its first bending mode softens and damps as the joint slips: demo/backbone.html"
  "$faying" backbone model.toml --mode 1 --amplitudes 1e-6:1e-2:40 --title "Brake-Reuss beam, first bending mode" \
    --plot backbone.html --csv backbone.csv
  say "six joint laws fitted to the (virtual) measurement of that mode; the second and third bending modes predicted"
  sed -i 's|../../data/brake_reuss/whole_joint.h5|whole_joint.h5|; s|../../data|../data|' study.toml  # the model reduced above
  "$faying" study study.toml --out study.db
  "$faying" report study.db --out report.html
  say "Done. The report is demo/report.html; demo/backbone.html and demo/laws.html are pages too. Open them in a browser."
}

case "${1:-help}" in
  setup) setup ;;
  build) build "${2:-release}" ;;
  demo) demo ;;
  test) run_tests "${2:-release}" ;;
  sanitize) sanitize "${2:-}" ;;
  bench) build release bench faying_python && for b in build/bin/bench_*; do "$b" "${@:2}"; done && PYTHONPATH=build/python /usr/bin/python3 -B bench/python.py build ;;
  format) setup && git ls-files '*.hpp' '*.cpp' | xargs clang-format -i ;;
  lint) lint ;;
  fuzz) fuzz "${@:2}" ;;
  wheel) wheel ;;
  docs) docs ;;
  workbench) workbench ;;
  package) package "${2:-}" ;;
  clean) rm -rf build demo ;;
  *) sed -n '2s/^# //p' "$0"; [ "${1:-help}" = help ] ;;
esac
