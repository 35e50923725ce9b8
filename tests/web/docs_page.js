// docs_page.js SITE: pages of the docs in Chromium, from the folder: style and fonts are there, equations are set, a phone suffices.
"use strict";

const { pathToFileURL } = require("node:url");
const path = require("node:path");
const assert = require("node:assert/strict");
const { chromium } = require("playwright-core");
const { phone } = require("./browser.js");

const site = path.resolve(process.argv[2]);

async function main() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    for (const options of [{ viewport: { width: 1280, height: 900 }, colorScheme: "light" }, { ...phone, colorScheme: "dark" }]) {
      const page = await browser.newPage(options), failed = [];
      // Leaving a page ends what it still loads; a file that is not there is another thing.
      page.on("requestfailed", (request) => { if (request.failure()?.errorText !== "net::ERR_ABORTED") failed.push(request.url()); });
      page.on("request", (request) => { if (!request.url().startsWith("file:")) failed.push(`fetched: ${request.url()}`); });
      page.on("console", (message) => failed.push(message.text()));
      for (const name of ["index.html", "theory/iwan4.html", "theory/harmonic.html", "gallery.html", "api/laws/catalogue.html", "api/python/index.html", "files.html", "notebooks/1_laws_and_loops.html"]) {
        await page.goto(pathToFileURL(path.join(site, name)).href);
        const seen = await page.evaluate(async () => {
          await document.fonts.ready;
          const edge = document.documentElement.clientWidth;
          const over = [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > edge + 1 && !e.closest("pre, .wide, .katex-display"));
          return { widest: over.slice(0, 3).map((e) => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 60)).join("; "), tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
                   fonts: [...document.fonts].filter((font) => font.status === "loaded").length,
                   equations: document.querySelectorAll(".katex-display .katex-html").length,
                   pictures: [...document.images].filter((image) => image.loading !== "lazy" && !(image.complete && image.naturalWidth > 0)).length,
                   ground: getComputedStyle(document.body).backgroundColor };
        });
        assert.ok(seen.tooWide <= 0, `${name} is ${seen.tooWide} pixels too wide: ${seen.widest}`);
        assert.equal(seen.pictures, 0, `${name}: pictures that are not there`);
        if (name.startsWith("theory/")) assert.ok(seen.fonts >= 2 && seen.equations >= 3, `${name}: ${seen.fonts} fonts, ${seen.equations} equations`);
        assert.equal(seen.ground, options.colorScheme === "dark" ? "rgb(21, 24, 28)" : "rgb(255, 255, 255)", `${name}: the scheme`);
      }
      assert.deepEqual(failed, [], "what pages missed, fetched or said");
    }
  } finally {
    await browser.close();
  }
}
main().catch((error) => {
  console.error(error.stack);
  process.exitCode = 1;
});
