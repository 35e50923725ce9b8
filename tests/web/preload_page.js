// preload_page.js PAGE: a page of `faying preload --plot`. Pressure along x, and maps of slip, pressure and gap.
"use strict";

const { assert, browse, phone, becomes } = require("./browser.js");

browse(async (open) => {
  const page = await open(process.argv[2]);
  const figure = JSON.parse(await page.textContent("#data")), [map] = figure.details[0].maps;
  assert.deepEqual(figure.panels.map((panel) => panel.y.label), ["pressure / Pa", "gap / m", "slip / m"], "panels");
  const kinds = ["slip map", "pressure map", ...(map.gap.some((gap) => gap > 0) ? ["gap map"] : [])];
  assert.deepEqual(await page.$$eval("#detail svg", (all) => all.map((svg) => svg.getAttribute("aria-label"))), kinds, "maps");
  assert.equal(await page.locator("#detail svg rect").count(), kinds.length * map.x.length, "sites");
  const strongest = map.pressure.indexOf(Math.max(...map.pressure));
  const square = page.locator('svg[aria-label="pressure map"] rect').nth(strongest);
  assert.equal(await square.evaluate((rect) => rect.style.getPropertyValue("--share")), "1.000", "the strongest is the darkest");
  assert.ok((await square.locator("title").textContent()).includes("Pa"), "and says its pressure");
  const colours = await page.$$eval("#detail svg", (all) => all.map((svg) => Math.max(...[...svg.children].map((r) => Number(r.style.getPropertyValue("--share"))))));
  assert.deepEqual(colours, kinds.map(() => 1), "every map reaches its greatest");
  assert.ok(await page.locator("#pick-hint").isHidden(), "nothing to click");
  const small = await open(process.argv[2], phone);
  await becomes(small, "wider than the phone", 0, () => reader.tooWide());
});
