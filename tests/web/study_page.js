// study_page.js PAGE: the report of any study. Every point of every front can be chosen.
"use strict";

const { assert, browse, becomes } = require("./browser.js");

browse(async (open) => {
  const page = await open(process.argv[2]);
  const study = JSON.parse(await page.textContent("#data"));
  for (const { name, front } of study.variants) {
    assert.ok(front.length > 0, `points of ${name}`);
    for (const k of front.keys()) await page.evaluate(([name, k]) => choose(study.variants.find((v) => v.name === name), k), [name, k]);
  }
  const modes = study.modes.length;
  await becomes(page, "charts of fronts, of backbones, inputs", [modes, 2 * modes, study.inputs.length], () =>
    [frontPanels.length, byId("backbones").children.length, byId("inputs-list").querySelectorAll("details").length]);
});
