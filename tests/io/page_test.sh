#!/bin/sh
# page_test.sh FIGURE_PAGE: opens the page that the program FIGURE_PAGE writes in headless Chromium and uses it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
browser=${CHROMIUM:-chromium}
if ! command -v "$browser" >/dev/null; then
    echo "page_test: no $browser here; install it: apt-get install chromium" >&2
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

"$1" "$folder"
grep -v '^</\(body\|html\)>$' "$folder/page.html" >"$folder/checked.html"
{
    printf '<script>const expectedTicks = '
    cat "$folder/ticks.json"
    printf ';\n'
    cat "$here/page_checks.js"
    printf '</script></body></html>\n'
} >>"$folder/checked.html"

# --virtual-time-budget: the dump waits for the timers of the checks.
show() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$folder/profile" \
        --window-size=1280,900 --virtual-time-budget=20000 --dump-dom "file://$folder/$1" 2>"$folder/log" >"$folder/dom" ||
        { echo "page_test: $browser failed on $1:" >&2; tail -5 "$folder/log" >&2; exit 1; }
}
fail() {
    echo "page_test: $1" >&2
    grep -o '<p class="failure">[^<]*\|data-error="[^"]*"' "$folder/dom" >&2 || tail -c 600 "$folder/dom" >&2
    exit 1
}

show page.html
grep -q '<body data-ready="1">' "$folder/dom" || fail "the page did not get ready, or reported an error"
[ "$(grep -o '<canvas' "$folder/dom" | wc -l)" = 2 ] || fail "two canvases are expected"
show checked.html
grep -q '<body data-ready="1" data-checks="passed">' "$folder/dom" || fail "the page does not work as it should"
echo "page_test: passed"
