// A page in Chromium, used as a reader would: real clicks, drags, taps and keys; light and dark; screen, phone and paper.
//
//     browse(async (open) => {
//       const page = await open(process.argv[2], { colorScheme: "dark" });     // and whatever else playwright's newPage takes
//       await clickValue(page, "panels[0].u", 1e-6, 0.9);                       // values of a chart, not pixels
//       await becomes(page, "point shown", 3, () => choice.point);              // waits until it is so
//     });
//
// A page must get ready, write nothing to the console, throw nothing and fetch nothing, or the checks fail.
"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const { isDeepStrictEqual } = require("node:util");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const desk = { viewport: { width: 1280, height: 900 }, colorScheme: "light" };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
const patience = 20000;  // ms: a busy machine is slow, and nothing is waited for longer than it takes

// What a page says besides what it shows. Reading canvases back is what checks do; the browser would rather be told before.
function listen(page, said) {
  page.on("console", (message) => { if (!message.text().includes("willReadFrequently")) said.push(`console: ${message.text()}`); });
  page.on("pageerror", (error) => said.push(`error: ${error.stack}`));
  page.on("request", (request) => { if (!request.isNavigationRequest() && !request.url().startsWith("blob:")) said.push(`fetched: ${request.url()}`); });
}

function browse(checks) {
  run(checks).catch((error) => {
    console.error(error.stack);
    process.exitCode = 1;
  });
}

async function run(checks) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const said = [];
    await checks(async (file, { hash = "", ...options } = {}) => {
      const page = await browser.newPage({ ...desk, ...options });
      page.setDefaultTimeout(patience);
      listen(page, said);
      await page.addInitScript({ path: path.join(__dirname, "in_page.js") });
      await page.goto(pathToFileURL(path.resolve(file)).href + hash);
      await becomes(page, "ready", { ready: "1" }, () => ({ ...document.body.dataset }));
      return page;
    });
    assert.deepEqual(said, [], "what pages said, threw or fetched");
  } finally {
    await browser.close();
  }
}

const frame = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));

// Waits until `probe`, run in the page, gives what is wanted.
async function becomes(page, what, wanted, probe, value) {
  for (const end = Date.now() + patience; ; await frame(page)) {
    const found = await page.evaluate(probe, value);
    if (isDeepStrictEqual(found, wanted)) return;
    if (Date.now() > end) assert.deepEqual(found, wanted, what + ": " + JSON.stringify(found));
  }
}
const holds = (page, what, probe, value) => becomes(page, what, true, probe, value);

// The pixel of a chart's values, scrolled to. `chart`: an expression for a uPlot of the page.
const placeOf = (page, chart, x, y) => page.evaluate(`reader.place(${chart}, ${x}, ${y})`);

async function clickValue(page, chart, x, y) {  // with a hand that trembles
  const [left, top] = await placeOf(page, chart, x, y);
  await page.mouse.move(left + 2, top);
  await page.mouse.down();
  await page.mouse.move(left, top);
  await page.mouse.up();
}

async function tapValue(page, chart, x, y) {
  await page.touchscreen.tap(...(await placeOf(page, chart, x, y)));
}

// In pixels of the plot.
async function drag(page, chart, from, to) {
  const [left, top] = await page.evaluate(`reader.corner(${chart})`);
  await page.mouse.move(left + from[0], top + from[1]);
  await page.mouse.down();
  await page.mouse.move((2 * left + from[0] + to[0]) / 2, (2 * top + from[1] + to[1]) / 2);
  await page.mouse.move(left + to[0], top + to[1]);
  await page.mouse.up();
}

// The text of the file that a click saves, and its name.
async function savedBy(page, selector) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString() };
}

module.exports = { assert, browse, phone, frame, becomes, holds, placeOf, clickValue, tapValue, drag, savedBy };
