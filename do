#!/usr/bin/env bash
# ./do demo | test | sanitize | build | bench | lint | format | setup | clean      (see README.md)
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
  gmsh calculix-ccx chromium python3 python3-meshio python3-scipy python3-h5py  # meshes; the oracle; pages are tested in a real browser
  clang-format clang-tidy                                          # ./do format, ./do lint
)

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

setup() {
  local missing=()
  for package in "${packages[@]}"; do
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

build() {  # build [preset [target..]]
  setup
  local preset=${1:-release}
  shift || true
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" ${1:+--target "$@"}
}

run_tests() {  # run_tests preset: builds and runs everything, prints the counts
  build "$1"
  ctest --preset "$1" --timeout 300 -j "$(nproc)"
}

sanitize() {  # the library's own tests under the address and undefined-behaviour sanitizers
  build sanitize test_core test_laws test_modes test_io test_fe test_signal test_fit test_study
  ASAN_OPTIONS=detect_leaks=0 ctest --preset sanitize --timeout 300 -j "$(nproc)" -L '^(core|laws|modes|io|fe|signal|fit|study)$' -E '^io.page$'
}

demo() {
  build release faying
  mkdir -p demo
  say "five laws, one history: demo/laws.html"
  build/bin/faying loop --compare \
    jenkins:kt=1,fs=0.6 iwan4:FS=0.6,KT=1,chi=-0.5,beta=0.1 bouc-wen:A=1,alpha=1.5,beta=-0.2,n=1.5 \
    valanis:E0=1,Et=0.02,lambda=1.6,kappa=0.3 two-state:alpha=0.6667,sigma=0.0625,b1=0.48686,b2=0.65546 \
    --signal "1.2*sin(2*pi*t)-1.1*sin(6*pi*t)" --time 0:1.25:1501 \
    --title "One displacement history, five laws" --plot demo/laws.html
  say "how an Iwan joint softens and dissipates: demo/iwan.html"
  build/bin/faying loop iwan4 FS=10 KT=1 chi=-0.5 beta=5 --cycle 0.01,0.03,0.1,0.3,1,3,10,15,20 --plot demo/iwan.html
  say "Done. Open demo/laws.html and demo/iwan.html in a browser."
}

case "${1:-help}" in
  setup) setup ;;
  build) build "${2:-release}" ;;
  demo) demo ;;
  test) run_tests "${2:-release}" ;;
  sanitize) sanitize ;;
  bench) build release && for b in build/bin/bench_*; do "$b" "${@:2}"; done ;;
  format) setup && git ls-files '*.hpp' '*.cpp' | xargs clang-format -i ;;
  lint)
    build release
    git ls-files '*.hpp' '*.cpp' | xargs clang-format --dry-run -Werror
    git ls-files 'src/*.cpp' 'apps/*.cpp' | xargs -P "$(nproc)" -n 1 clang-tidy --quiet -p build
    ;;
  clean) rm -rf build demo ;;
  *) sed -n '2s/^# //p' "$0"; [ "${1:-help}" = help ] ;;
esac
