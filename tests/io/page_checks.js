// A page of figure_page.cpp, used as a reader would. `expectedTicks` comes from src/io/ticks.cpp.
const pixels = (panel, i, area) => pixelsOf(panel, colourName(i), area);

async function drag(u, from, to) {
  mouse(u, "mousedown", ...from);
  mouse(u, "mousemove", ...to);
  mouse(u, "mouseup", ...to);
  await frames();
}

runChecks(async () => {
  const [loop, decades] = panels;
  equal(performance.getEntriesByType("resource").length, 0, "files fetched");
  equal(document.title, figure.title, "title of the document");
  equal(document.getElementById("title").textContent, figure.title, "title on the page");
  equal(document.querySelectorAll(".panel").length, 2, "panels");
  equal(document.querySelectorAll("canvas").length, 2, "canvases");
  equal(document.querySelectorAll(".legend button").length, 4, "legend entries");
  equal(document.querySelectorAll("img, b, td i").length, 0, "elements made from labels");
  equal(document.querySelectorAll("tbody tr").length, 2, "rows of the table");

  // Drawn: a loop of some 1000 pixels, 2 wide; marks; a gap where y is NaN.
  for (const panel of panels) for (const i of [0, 1]) check(pixels(panel, i) > 300, `curve ${i} drawn: ${pixels(panel, i)} pixels`);
  const softer = figure.panels[0].curves[1];
  const gap = softer.y.indexOf(null) + 5;
  equal(pixels(loop, 1, around(loop.u, softer.x[gap], -0.9, 8)), 0, "pixels in the gap");
  check(pixels(loop, 1, around(loop.u, -2e-6, -0.9, 8)) > 25, "a mark at the reversal");

  // The legend hides and shows.
  const [, second] = loop.root.querySelectorAll(".legend button");
  second.click();
  await frames();
  equal(pixels(loop, 1), 0, "pixels of a hidden curve");
  equal(second.getAttribute("aria-pressed"), "false", "legend entry of a hidden curve");
  second.click();
  await frames();
  check(pixels(loop, 1) > 300, "a curve shown again");

  // Zoom, in values far below 1e-16 too; it outlives the hiding of a curve; double-click ends it.
  for (const { u, root } of panels) {
    const before = limits(u);
    // to a pixel: the mouse has whole ones, the plot begins at a fraction
    const wanted = [[60, "x"], [200, "x"], [220, "y"], [80, "y"]].map(
      ([at, key]) => [u.posToVal(at - 1, key), u.posToVal(at + 1, key)].sort((a, b) => a - b));
    await drag(u, [60, 80], [200, 220]);
    limits(u).split(" ").forEach((limit, k) => check(wanted[k][0] <= limit && limit <= wanted[k][1], `zoom ${limit}, not ${wanted[k]}`));
    const zoomed = limits(u);
    check(!root.querySelector(".reset").hidden, "a button to reset the zoom");
    root.querySelector(".legend button").click();
    await frames();
    equal(limits(u), zoomed, "zoom with a curve hidden");
    root.querySelector(".legend button").click();
    mouse(u, "dblclick", 100, 100);
    await frames();
    equal(limits(u), before, "limits after a double-click");
    check(u.axes.every((axis) => axis._values.filter((label) => label !== "").length >= 3), "labels on both axes");
  }

  // Hover.
  const x = figure.panels[1].curves[1].x[30], y = figure.panels[1].curves[1].y[30];
  mouse(decades.u, "mousemove", decades.u.valToPos(x, "x") + 1, decades.u.valToPos(y, "y") + 1);
  await frames();
  const readout = decades.root.querySelector(".readout").textContent;
  check(readout.startsWith("viscous, A\u00b2: amplitude A [m] = 0.000001, D [J] = 1e-15"), "readout: " + readout);

  // The CSV has every bit.
  const lines = csv().trimEnd().split("\n");
  equal(lines.length, 401, "lines of CSV");
  check(lines[0].startsWith('"Hysteresis loop | f\u209b = 1.4 N <img onerror=alert(1)> | displacement u [m]",'), "header: " + lines[0]);
  figure.panels.flatMap((panel) => panel.curves.flatMap((curve) => [curve.x, curve.y])).forEach((column, c) => {
    const found = lines.slice(1).map((line) => line.split(",")[c]);
    check(column.every((value, k) => (value === null ? found[k] === "" : Object.is(Number(found[k]), value))), `CSV column ${c}`);
  });
  let saved = null;
  HTMLAnchorElement.prototype.click = function () { saved = this; };
  document.getElementById("save").click();
  equal(saved?.download, "Jenkins-element-script-b-amp-quotes.csv", "name of the CSV");
  check(saved?.href.startsWith("blob:"), "the CSV is made here");

  // web/ticks.js and src/io/ticks.cpp agree.
  for (const { low, high, logarithmic, count, ticks } of expectedTicks) {
    const found = Ticks.at(...Ticks.padded(low, high, logarithmic), logarithmic, count).map((t) => [t.value, t.label]);
    equal(JSON.stringify(found), JSON.stringify(ticks), `ticks of ${low} .. ${high}, ${logarithmic}, ${count}`);
  }
});
