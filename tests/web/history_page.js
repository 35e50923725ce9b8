// history_page.js PAGE: a page of `faying quasistatic --plot`. Its maps are played one after the other, on one scale.
"use strict";

const { assert, browse, becomes } = require("./browser.js");

browse(async (open) => {
  const page = await open(process.argv[2]);
  const figure = JSON.parse(await page.textContent("#data")), last = figure.details.length - 1;
  assert.ok(figure.plays && last >= 2, "a history with points to play");
  const shown = () => Number(document.getElementById("detail").dataset.point);
  await becomes(page, "the last point is shown", last, shown);
  await page.locator("#frame").fill("0");
  await becomes(page, "the slider shows the first", 0, shown);
  await page.locator("#play").click();
  await becomes(page, "playing passes the second", true, () => Number(document.getElementById("detail").dataset.point) >= 1);
  assert.equal(await page.textContent("#play"), "Pause");
  await page.locator("#play").click();
  assert.equal(await page.textContent("#play"), "Play");
  // One scale for all: only where a quantity is greatest of all points does a square have its full colour.
  const greatest = figure.details.map((detail) => Math.max(...detail.maps[0].slip));
  const strongest = greatest.indexOf(Math.max(...greatest)), weakest = greatest.indexOf(Math.min(...greatest));
  const colour = () => Math.max(...[...document.querySelector('#detail svg[aria-label="slip map"]').children].map((r) => Number(r.style.getPropertyValue("--share"))));
  await page.locator("#frame").fill(String(strongest));
  assert.equal(await page.evaluate(colour), 1, "the strongest point");
  await page.locator("#frame").fill(String(weakest));
  assert.ok(Math.abs((await page.evaluate(colour)) - greatest[weakest] / greatest[strongest]) < 1e-3, "the weakest on the same scale");
});
