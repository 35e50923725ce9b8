// backbone_page.js PAGE MAPS: a page of `faying backbone --plot`. A click on a point of a curve shows that point's loops,
// and maps of MAPS joints, of their slip and, where they are known, pressure and gap; the dot on both curves goes with it.
"use strict";

const { assert, browse, phone, becomes, holds, clickValue, tapValue } = require("./browser.js");

const [file, maps] = [process.argv[2], Number(process.argv[3])];

// What the page shows of a point.
const shown = () => {
  const root = document.getElementById("detail");
  return { point: Number(root.dataset.point), title: root.querySelector("h2").textContent, canvases: root.querySelectorAll("canvas").length,
           charts: detailCharts.length, maps: root.querySelectorAll("svg").length, sites: root.querySelectorAll("svg rect").length,
           dotted: figure.panels.map((panel) => panel.curves[0].marks) };
};

async function isShown(page, { details, panels }, k) {
  const loops = details[k].panels.length;
  assert.equal(details[k].maps.length, maps, "joints with maps");
  const kinds = (map) => 1 + (map.pressure.length > 0) + map.gap.some((gap) => gap > 0);
  const sum = (of) => details[k].maps.reduce((all, map) => all + of(map), 0);
  await becomes(page, "the clicked point", { point: k, title: details[k].title, canvases: loops, charts: loops, maps: sum(kinds),
                                             sites: sum((map) => kinds(map) * map.x.length), dotted: panels.map(() => [k]) }, shown);
  await holds(page, "loops drawn", () => Math.max(...detailCharts[0].u.data.slice(1).map((_, i) => reader.pixelsOf(detailCharts[0], colourName(i)))) > 100);
}

browse(async (open) => {
  const page = await open(file);
  const figure = JSON.parse(await page.textContent("#data"));
  const at = (p, k) => [`panels[${p}].u`, figure.panels[p].curves[0].x[k], figure.panels[p].curves[0].y[k]];
  await isShown(page, figure, figure.details.length - 1);
  for (const [p, k] of [[0, 2], [1, 5]]) {
    await clickValue(page, ...at(p, k));
    await isShown(page, figure, k);
  }
  const greatest = (k) => Math.max(...figure.details[k].panels[0].curves[0].x);
  assert.ok(greatest(5) > 2 * greatest(2), "loops grow with amplitude");
  const small = await open(file, phone);
  await becomes(small, "wider than the phone", 0, () => reader.tooWide());
  await tapValue(small, ...at(0, 3));
  await isShown(small, figure, 3);
});
