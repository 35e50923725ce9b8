// figure_page.js FOLDER: the page of tests/io/figure_page.cpp, used as a reader would.
"use strict";

const fs = require("node:fs");
const { assert, browse, phone, becomes, holds, placeOf, drag, savedBy } = require("./browser.js");

const folder = process.argv[2], file = `${folder}/page.html`;
const pixels = (page, p, i) => page.evaluate(([p, i]) => reader.pixelsOf(panels[p], colourName(i)), [p, i]);
const drawn = (page, p, i) => holds(page, `curve ${i} of panel ${p} is drawn`, ([p, i]) => reader.pixelsOf(panels[p], colourName(i)) > 300, [p, i]);

async function contents(page, figure) {
  assert.equal(await page.title(), figure.title);
  assert.equal(await page.textContent("#title"), figure.title);
  for (const [selector, count] of [[".panel", 2], ["canvas", 2], [".legend button", 4], ["tbody tr", 2], ["img, b, td i", 0]])
    assert.equal(await page.locator(selector).count(), count, selector);
  // Drawn: a loop of some 1000 pixels, 2 wide; marks; a gap where y is NaN.
  for (const p of [0, 1]) for (const i of [0, 1]) await drawn(page, p, i);
  const softer = figure.panels[0].curves[1], gap = softer.x[softer.y.indexOf(null) + 5];
  const near = (x, half) => page.evaluate(([x, half]) => reader.pixelsOf(panels[0], colourName(1), reader.around(panels[0].u, x, -0.9, half)), [x, half]);
  assert.equal(await near(gap, 8), 0, "pixels in the gap");
  assert.ok((await near(-2e-6, 8)) > 25, "a mark at the reversal");
}

async function legend(page) {
  const second = page.locator(".panel").first().locator(".legend button").nth(1);
  await second.click();
  await becomes(page, "pixels of a hidden curve", 0, () => reader.pixelsOf(panels[0], colourName(1)));
  assert.equal(await second.getAttribute("aria-pressed"), "false");
  await second.click();
  await drawn(page, 0, 1);
}

// In values far below 1e-16 too; it outlives the hiding of a curve; double-click ends it.
async function zoom(page, p) {
  const chart = `panels[${p}].u`, limits = () => page.evaluate(`reader.limits(${chart})`);
  const before = await limits();
  // to a pixel: the mouse has whole ones, the plot begins at a fraction
  const wanted = await page.evaluate(`[[60, "x"], [200, "x"], [220, "y"], [80, "y"]].map(([at, key]) =>
    [${chart}.posToVal(at - 1, key), ${chart}.posToVal(at + 1, key)].sort((a, b) => a - b))`);
  await drag(page, chart, [60, 80], [200, 220]);
  const panel = page.locator("#panels > .panel").nth(p), reset = panel.locator(".reset"), first = panel.locator(".legend button").first();
  await reset.waitFor({ state: "visible" });
  const zoomed = await limits();
  zoomed.forEach((limit, k) => assert.ok(wanted[k][0] <= limit && limit <= wanted[k][1], `zoom ${limit}, not ${wanted[k]}`));
  for (const shown of ["false", "true"]) {
    await first.click();
    assert.equal(await first.getAttribute("aria-pressed"), shown);
    assert.deepEqual(await limits(), zoomed, "zoom with a curve hidden");
  }
  await panel.locator(".u-over").dblclick({ position: { x: 100, y: 100 } });
  await reset.waitFor({ state: "hidden" });
  await becomes(page, "limits after a double-click", before, (p) => reader.limits(panels[p].u), p);
  await holds(page, "labels on both axes", (p) => panels[p].u.axes.every((axis) => axis._values.filter((label) => label !== "").length >= 3), p);
}

async function hover(page, { x, y }) {
  const [left, top] = await placeOf(page, "panels[1].u", x[30], y[30]);
  await page.mouse.move(left + 1, top + 1);
  await holds(page, "readout", () => panels[1].root.querySelector(".readout").textContent.startsWith("viscous, A\u00b2: amplitude A [m] = 0.000001, D [J] = 1e-15"));
}

// The CSV has every bit.
async function saves(page, figure) {
  const { name, text } = await savedBy(page, "#save");
  assert.equal(name, "Jenkins-element-script-b-amp-quotes.csv");
  const lines = text.trimEnd().split("\n");
  assert.equal(lines.length, 401);
  assert.ok(lines[0].startsWith('"Hysteresis loop | f\u209b = 1.4 N <img onerror=alert(1)> | displacement u [m]",'), lines[0]);
  figure.panels.flatMap((panel) => panel.curves.flatMap((curve) => [curve.x, curve.y])).forEach((column, c) => {
    const found = lines.slice(1).map((line) => line.split(",")[c]);
    assert.ok(column.every((value, k) => (value === null ? found[k] === "" : Object.is(Number(found[k]), value))), `CSV column ${c}`);
  });
}

// web/ticks.js and src/io/ticks.cpp agree.
async function ticks(page) {
  const cases = JSON.parse(fs.readFileSync(`${folder}/ticks.json`, "utf8"));
  const found = await page.evaluate((all) => all.map(({ low, high, logarithmic, count }) =>
    Ticks.at(...Ticks.padded(low, high, logarithmic), logarithmic, count).map((t) => [t.value, t.label])), cases);
  cases.forEach((wanted, k) => assert.deepEqual(found[k], wanted.ticks, JSON.stringify(wanted)));
}

browse(async (open) => {
  const page = await open(file);
  const figure = JSON.parse(await page.textContent("#data"));
  await contents(page, figure);
  await legend(page);
  await zoom(page, 0);
  await zoom(page, 1);
  await hover(page, figure.panels[1].curves[1]);
  await saves(page, figure);
  await ticks(page);
  const light = await pixels(page, 0, 0);
  await page.emulateMedia({ colorScheme: "dark" });
  await holds(page, "dark when the system is", () => reader.isDark());
  await holds(page, "curves redrawn for it", (light) => Math.abs(reader.pixelsOf(panels[0], colourName(0)) / light - 1) < 0.1, light);
  const small = await open(file, { ...phone, colorScheme: "dark" });
  await becomes(small, "dark at once", true, () => reader.isDark());
  await becomes(small, "wider than the phone", 0, () => reader.tooWide());
  await drawn(small, 0, 0);
});
