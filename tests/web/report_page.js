// report_page.js PAGE: the report of report_sample.py, used as a reader would: at a desk, at night, on a phone, on paper.
"use strict";

const { assert, browse, phone, frame, becomes, holds, clickValue, tapValue, drag, savedBy } = require("./browser.js");

const file = process.argv[2];
const order = () => [...document.querySelectorAll(".ranking tbody tr")].map((row) => row.dataset.variant).join(" ");
const chosen = () => `${choice.variant.name} ${choice.point}`;
const variantOf = (study, name) => study.variants.find((v) => v.name === name);

async function contents(page, study) {
  assert.equal(await page.textContent("#title"), study.title);
  assert.equal(await page.locator("h1 b, .model i, h2 i, h3 i, pre b").count(), 0, "elements made from the data");
  assert.ok((await page.textContent("#notes")).startsWith("Virtual experiment"), "the experiment is called virtual");
  assert.ok((await page.textContent("#inputs-list")).includes(study.inputs[0].text), "inputs are there as they were");
  assert.ok((await page.textContent("#effort-table")).includes("nothing converged"), "failures are told");
  await becomes(page, "wider than the page", 0, () => reader.tooWide());
}

// Best first, sorted by any column both ways, what has no value last.
async function ranking(page) {
  assert.equal(await page.evaluate(order), "iwan4 jenkins broken");
  const heading = (text) => page.locator(".ranking button.sort", { hasText: text }).first();
  for (const [column, wanted] of [["Mode 1", "iwan4 jenkins broken"], ["Mode 1", "jenkins iwan4 broken"], ["Model", "broken iwan4 jenkins"]]) {
    await heading(column).click();
    await becomes(page, `by ${column}`, wanted, order);
  }
  assert.equal(await page.locator("[aria-sort]").count(), 1, "columns that say they are sorted");
  // One colour scale for all columns.
  const cells = await page.evaluate(() => [...document.querySelectorAll(".ranking td.area")].map((cell) =>
    ({ area: cell.firstChild.textContent, colour: getComputedStyle(cell).backgroundColor })).filter(({ area }) => isFinite(Number(area))));
  for (const a of cells) for (const b of cells) if (a.area === b.area) assert.equal(a.colour, b.colour, "colours of equal areas");
  assert.ok(new Set(cells.map((cell) => cell.colour)).size > 1, "colours of different areas");
}

const chartsOf = (id) => `[...byId("${id}").children].map((root) => [...charts].find((chart) => chart.root === root))`;

// A chart a mode, logarithmic; a click chooses the point and shows all of it.
async function fronts(page, study) {
  const jenkins = variantOf(study, "jenkins"), last = jenkins.front.length - 1, knee = variantOf(study, "iwan4").front.findIndex((p) => p.kind === "knee");
  const axes = () => frontPanels.map(({ chart: { u } }) => [u.scales.x.distr, u.scales.y.distr]);
  assert.deepEqual(await page.evaluate(axes), [[3, 3], [3, 3]], "logarithmic errors");
  assert.equal(await page.evaluate(chosen), `iwan4 ${knee}`, "chosen at first: the knee of the best");
  const before = await page.evaluate(`${chartsOf("backbones")}[0].u.data`);
  await clickValue(page, "frontPanels[0].chart.u", ...jenkins.front[last].errors[0]);
  await becomes(page, "chosen by a click", `jenkins ${last}`, chosen);
  assert.ok((await page.textContent("#chosen")).includes(jenkins.title), "the chosen law is named");
  assert.notDeepEqual(await page.evaluate(`${chartsOf("backbones")}[0].u.data`), before, "another backbone is shown");
  assert.equal(new URL(page.url()).hash, `#jenkins/${last + 1}`, "address of the point");
  await page.click("#linear");
  await becomes(page, "linear errors", [[1, 1], [1, 1]], axes);
  await page.click("#linear");
  await becomes(page, "logarithmic again", [[3, 3], [3, 3]], axes);
}

// Frequency and damping a mode, against log amplitude, the data with bounds.
async function backbones(page, study, point) {
  const found = await page.evaluate(`${chartsOf("backbones")}.map(({ u }) => ({ data: u.data, scales: [u.scales.x.distr, u.scales.y.distr],
    axes: u.axes.map((axis) => [axis.label, axis._values.filter((label) => label !== "").length]) }))`);
  assert.equal(found.length, 4);
  for (const [i, { data, scales, axes }] of found.entries()) {
    const key = i % 2 ? "damping" : "frequency", j = Math.floor(i / 2), { measured } = study.modes[j], model = point.backbones[j];
    assert.deepEqual(scales, [3, i % 2 ? 3 : 1], "log amplitude; log damping, linear frequency");
    assert.deepEqual(data.slice(1), [[measured.amplitude, measured[key]], [model.amplitude, model[key]]], `${key} of mode ${j + 1}`);
    axes.forEach(([label, count]) => assert.ok(label && count >= 2, "axes are named and labelled"));
    await holds(page, "backbone in the law's colour", `reader.pixelsOf(${chartsOf("backbones")}[${i}], choice.variant.colour) > 300`);
    // Between the measured value and its upper bound every pixel is shaded; a grid line would fill a row at most.
    const k = 5, inside = (measured[key][k] + 3 * measured[key + "_high"][k]) / 4;
    await holds(page, `bounds of the ${key} of mode ${j + 1} are shaded`, `(() => {
      const { u } = ${chartsOf("backbones")}[${i}], { left, top, width, height } = reader.around(u, ${measured.amplitude[k]}, ${inside}, 3);
      return u.ctx.getImageData(left, top, width, height).data.filter((_, p) => p % 4 === 3).every((alpha) => alpha > 15);
    })()`);
  }
}

// Measured points are dots, not a line; interpolated ones are drawn beside them and called so.
async function measuredPoints(page) {
  const curves = await page.evaluate(() => measuredCurves({ ...study.modes[0], compared: { points: 2, amplitude: [1, 2], frequency: [3, 4], damping: [0.1, 0.2] } }, "frequency"));
  assert.deepEqual(curves[0].x, await page.evaluate(() => study.modes[0].measured.amplitude), "all measured points");
  assert.ok(curves[0].width === 0 && curves[0].radius > 0, "as dots");
  assert.deepEqual([curves.length, curves[1].label, curves[1].y], [2, "compared: 2 interpolated points", [3, 4]]);
  assert.ok((await page.textContent("#notes")).includes("Errors at the measured amplitudes"), "the choice is said");
}

// Hz, and rad/s at a click.
async function units(page, study) {
  const shown = () => page.evaluate(`(({ u }) => [u.axes[1].label, u.data[1][1][0]])(${chartsOf("backbones")}[0])`);
  const hertz = study.modes[0].measured.frequency[0];
  assert.deepEqual(await shown(), ["frequency / Hz", hertz]);
  await page.click("#radians");
  assert.deepEqual(await shown(), ["\u03c9 / (rad/s)", 2 * Math.PI * hertz]);
  await page.click("#radians");
  assert.deepEqual(await shown(), ["frequency / Hz", hertz]);
}

async function details(page, point) {
  const rows = await page.locator("#point-parameters tbody tr").allTextContents();
  assert.equal(rows.length, 2, "parameters");
  assert.ok(rows[0].startsWith("fs fs" + (await page.evaluate((x) => figures(x, 5), point.x[0])) + "N"), "value and unit: " + rows[0]);
  await holds(page, "a loop is drawn", `reader.pixelsOf([...charts].find(({ root }) => byId("point-loops").contains(root)), "--curve-0") > 300`);
  assert.equal(await page.locator(".slip rect").count(), 2, "sites of the slip map");
  assert.ok((await page.textContent(".slip-key")).includes("1 with loops that do not close"), "loops that do not close are counted");
  assert.ok((await page.locator(".slip title").nth(1).textContent()).endsWith("by 0.002 of its swing"), "and named");
}

// Keys walk along the front; a point can be held to compare.
async function walk(page, last) {
  const curves = `${chartsOf("backbones")}[0].u.data.length - 1`;
  await page.click("#chosen .toggle");
  await page.locator("#chosen .toggle[aria-pressed=true]").waitFor();
  await page.keyboard.press("ArrowLeft");
  await becomes(page, "point after an arrow key", `jenkins ${last - 1}`, chosen);
  await becomes(page, "data, held and chosen curve", 3, curves);
  await page.click("#chosen .toggle");
  await becomes(page, "data and chosen curve", 2, curves);
}

async function zoomOutlivesAChoice(page, study) {
  const limits = () => page.evaluate(() => reader.limits(frontPanels[0].chart.u));
  const before = await limits();
  await drag(page, "frontPanels[0].chart.u", [20, 20], [80, 80]);
  await holds(page, "zoomed", (before) => reader.limits(frontPanels[0].chart.u)[1] < before[1], before);
  const zoomed = await limits();
  await page.locator(`.ranking tr[data-variant=iwan4] .model button`).first().click();
  await holds(page, "chosen in the ranking", () => choice.variant.name === "iwan4");
  await frame(page);
  assert.deepEqual(await limits(), zoomed, "limits of the zoomed front");
}

// As the system says, then the other at a click; curves are redrawn in its colours.
async function scheme(page, wasDark) {
  await becomes(page, "as the system says", wasDark, () => reader.isDark());
  const curve = () => css(study.variants[1].colour), before = await page.evaluate(curve);
  await page.click("#scheme");
  await becomes(page, "the other at a click", !wasDark, () => reader.isDark());
  assert.notEqual(await page.evaluate(curve), before, "colours for it");
  await holds(page, "curves redrawn in them", `reader.pixelsOf(${chartsOf("backbones")}[0], choice.variant.colour) > 300`);
}

// Printed from a dark page: light, charts no wider than the paper, all inputs open; afterwards as before.
async function paper(page) {
  await page.evaluate(() => window.addEventListener("beforeprint", () => {
    globalThis.printed = { dark: reader.isDark(), wide: [...charts].filter(({ u }) => u.width > 960).length,
                           closed: [...document.querySelectorAll("details")].filter((d) => !d.open).length };
  }));
  const pdf = await page.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  assert.deepEqual(await page.evaluate(() => printed), { dark: false, wide: 0, closed: 0 }, "on paper");
  await becomes(page, "dark again", true, () => reader.isDark());
  await page.emulateMedia({ media: "print" });
  for (const selector of ["nav", "#scheme", "#fronts-tools"]) assert.ok(!(await page.isVisible(selector)), `${selector} on paper`);
  assert.ok(await page.isVisible("#ranking-table"));
  await page.emulateMedia({ media: "screen" });
}

async function saves(page, study) {
  const lines = (await savedBy(page, "#save-csv")).text.trimEnd().split("\n"), best = variantOf(study, "iwan4");
  assert.equal(lines.length, 1 + study.variants.reduce((sum, v) => sum + v.front.length, 0), "lines of CSV");
  const first = lines[1].split(",");
  best.front[0].errors.flat().forEach((error, c) => assert.ok(Object.is(Number(first[3 + c]), error), `error ${c} in CSV`));
  assert.equal((await savedBy(page, "#save-json")).text, await page.textContent("#data"), "JSON that is saved");
}

browse(async (open) => {
  const page = await open(file);
  const study = JSON.parse(await page.textContent("#data")), jenkins = variantOf(study, "jenkins"), last = jenkins.front.length - 1;
  await contents(page, study);
  await ranking(page);
  await fronts(page, study);
  await backbones(page, study, jenkins.front[last]);
  await measuredPoints(page);
  await units(page, study);
  await details(page, jenkins.front[last]);
  await walk(page, last);
  await zoomOutlivesAChoice(page, study);
  await saves(page, study);
  await scheme(page, false);
  await paper(page);

  const small = await open(file, { ...phone, colorScheme: "dark" });
  await contents(small, study);
  await tapValue(small, "frontPanels[0].chart.u", ...jenkins.front[last].errors[0]);
  await becomes(small, "chosen by a tap", `jenkins ${last}`, chosen);
  await backbones(small, study, jenkins.front[last]);
  await details(small, jenkins.front[last]);
  await scheme(small, true);
});
