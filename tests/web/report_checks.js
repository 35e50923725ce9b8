// The page of report_sample.py, used as a reader would. `dark`: the reader's system asks for a dark page.
// With a hand that trembles.
function click(u, x, y) {
  const at = [u.valToPos(x, "x"), u.valToPos(y, "y")];
  mouse(u, "mousedown", at[0] + 2, at[1]);
  for (const type of ["mousemove", "mouseup", "click"]) mouse(u, type, ...at);
}
const order = () => [...document.querySelectorAll(".ranking tbody tr")].map((row) => row.dataset.variant).join(" ");
const chartOf = (root) => [...charts].find((chart) => chart.root === root);
const backboneCharts = () => [...byId("backbones").children].map(chartOf);
const variantOf = (name) => study.variants.find((v) => v.name === name);
const background = (node) => getComputedStyle(node).backgroundColor;
const brightness = (colour) => colour.match(/[\d.]+/g).slice(0, 3).reduce((sum, c) => sum + Number(c), 0) / 3;
async function heading(index) {
  document.querySelectorAll(".ranking button.sort")[index].click();
  await frames();
  return order();
}

runChecks(async () => {
  equal(performance.getEntriesByType("resource").length, 0, "files fetched");
  equal(byId("title").textContent, study.title, "title on the page");
  equal(document.querySelectorAll("h1 b, .model i, h2 i, h3 i, pre b").length, 0, "elements made from the data");
  check(byId("notes").textContent.startsWith("Virtual experiment"), "the experiment is called virtual");
  check(document.documentElement.scrollWidth <= innerWidth, `nothing is wider than the page: ${document.documentElement.scrollWidth} in ${innerWidth}`);

  // The ranking: best first, sorted by any column both ways, what has no value last.
  const [iwan, jenkins] = [variantOf("iwan4"), variantOf("jenkins")];
  equal(order(), "iwan4 jenkins broken", "ranking");
  const names = [...document.querySelectorAll(".ranking button.sort")].map((b) => b.textContent);
  const fitted = names.findIndex((name) => name.startsWith("Mode 1"));
  equal(await heading(fitted), "iwan4 jenkins broken", "by mode 1");
  equal(await heading(fitted), "jenkins iwan4 broken", "by mode 1, downwards");
  equal(await heading(names.indexOf("Model")), "broken iwan4 jenkins", "by name");
  equal(document.querySelectorAll("[aria-sort]").length, 1, "columns that say they are sorted");
  // One colour scale for all columns.
  const cells = [...document.querySelectorAll(".ranking td.area")].filter((cell) => isFinite(Number(cell.firstChild.textContent)));
  cells.forEach((a) => cells.forEach((b) => {
    if (a.firstChild.textContent === b.firstChild.textContent) equal(background(a), background(b), "colours of equal areas");
  }));
  check(new Set(cells.map(background)).size > 1, "colours of different areas");

  // Fronts: a chart a mode, logarithmic; a click chooses the point and shows its backbone.
  equal(frontPanels.length, 2, "charts of fronts");
  for (const { chart: { u } } of frontPanels) check(u.scales.x.distr === 3 && u.scales.y.distr === 3, "logarithmic axes of errors");
  equal(choice.variant.name, "iwan4", "chosen at first: the best");
  equal(iwan.front[choice.point].kind, "knee", "chosen at first: its knee");
  const shownBefore = JSON.stringify(backboneCharts()[0].u.data);
  const wanted = jenkins.front.length - 1;
  click(frontPanels[0].chart.u, ...jenkins.front[wanted].errors[0]);
  await frames();
  equal(choice.variant.name, "jenkins", "chosen by a click");
  equal(choice.point, wanted, "point chosen by a click");
  check(byId("chosen").textContent.includes(jenkins.title), "the chosen law is named");
  check(JSON.stringify(backboneCharts()[0].u.data) !== shownBefore, "another backbone is shown");
  equal(location.hash, `#jenkins/${wanted + 1}`, "address of the point");

  // Backbones: frequency and damping a mode, against log amplitude, data with bounds.
  equal(backboneCharts().length, 4, "backbone charts");
  backboneCharts().forEach(({ u }, i) => {
    const [j, key] = [Math.floor(i / 2), i % 2 ? "damping" : "frequency"];
    equal(u.scales.x.distr, 3, "logarithmic amplitude");
    equal(u.scales.y.distr, i % 2 ? 3 : 1, "damping is logarithmic, frequency is not");
    const data = study.modes[j].measured;
    check(JSON.stringify(u.data[1]) === JSON.stringify([data.amplitude, data[key]]), `measured ${key} of mode ${j + 1} drawn`);
    const model = jenkins.front[wanted].backbones[j];
    check(JSON.stringify(u.data[2]) === JSON.stringify([model.amplitude, model[key]]), `${key} of mode ${j + 1} drawn`);
    check(pixelsOf({ u }, jenkins.colour) > 300, "backbone in the law's colour");
    check(u.axes.every((axis) => axis.label && axis._values.filter((label) => label !== "").length >= 2), "axes are named and labelled");
    // Between the measured value and its upper bound every pixel is shaded; a grid line would fill a row at most.
    const k = 5, area = around(u, data.amplitude[k], (data[key][k] + 3 * data[key + "_high"][k]) / 4, 3);
    const shades = u.ctx.getImageData(area.left, area.top, area.width, area.height).data.filter((_, p) => p % 4 === 3);
    check(shades.every((alpha) => alpha > 15), `bounds of the ${key} of mode ${j + 1} are shaded`);
  });
  const parameters = [...document.querySelectorAll("#point-parameters tbody tr")].map((row) => row.textContent);
  equal(parameters.length, 2, "parameters");
  check(parameters[0].startsWith("fs fs" + figures(jenkins.front[wanted].x[0], 5) + "N"), "value and unit: " + parameters[0]);
  check(pixelsOf(chartOf(document.querySelector("#point-loops .panel")), "--curve-0") > 300, "a loop is drawn");
  equal(document.querySelectorAll(".slip rect").length, 2, "sites of the slip map");
  check(document.querySelector(".slip-key").textContent.includes("1 with loops that do not close"), "loops that do not close are counted");
  check(document.querySelectorAll(".slip title")[1].textContent.endsWith("by 0.002 of its swing"), "and named");

  // Keys walk along the front; a point can be held to compare.
  document.querySelector("#chosen .toggle").click();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  await frames();
  equal(choice.point, wanted - 1, "point after an arrow key");
  equal(backboneCharts()[0].u.data.length, 4, "data, held and chosen curve");
  document.querySelector("#chosen .toggle").click();
  await frames();
  equal(backboneCharts()[0].u.data.length, 3, "data and chosen curve");

  // A zoom outlives another choice.
  frontPanels[0].chart.u.setSelect({ left: 20, top: 20, width: 60, height: 60 });
  await frames();
  const zoomed = limits(frontPanels[0].chart.u);
  choose(iwan, 0);
  await frames();
  equal(limits(frontPanels[0].chart.u), zoomed, "limits of the zoomed front");

  byId("linear").click();
  await frames();
  for (const { chart: { u } } of frontPanels) check(u.scales.x.distr === 1 && u.scales.y.distr === 1, "linear axes of errors");

  // Light and dark: the system's, then the other; curves follow; on paper light.
  const isDark = () => brightness(background(document.body)) < 80;
  equal(isDark(), dark, "as the system says");
  const curve = css(iwan.colour);
  byId("scheme").click();
  await frames();
  equal(isDark(), !dark, "the other at a click");
  check(css(iwan.colour) !== curve, "colours for it");
  check(pixelsOf(backboneCharts()[0], iwan.colour) > 300, "curves redrawn in them");
  if (dark) byId("scheme").click();
  window.dispatchEvent(new Event("beforeprint"));
  await frames();
  equal(isDark(), false, "light on paper");
  check([...charts].every(({ u }) => u.width <= 960), "charts fit the paper");
  check([...document.querySelectorAll("details")].every((d) => d.open), "inputs are open on paper");
  window.dispatchEvent(new Event("afterprint"));
  await frames();
  equal(isDark(), true, "dark again");

  // What can be taken away.
  const lines = csv().trimEnd().split("\n");
  equal(lines.length, 1 + iwan.front.length + jenkins.front.length, "lines of CSV");
  const first = lines[1].split(",");
  iwan.front[0].errors.flat().forEach((error, c) => check(Object.is(Number(first[3 + c]), error), `error ${c} in CSV`));
  let saved = null;
  URL.createObjectURL = (blob) => { saved = blob; return "blob:saved"; };
  HTMLAnchorElement.prototype.click = () => {};
  byId("save-json").click();
  equal(await saved.text(), byId("data").textContent, "JSON that is saved");
  check(byId("inputs-list").textContent.includes(study.inputs[0].text), "inputs are there as they were");
  check(byId("effort-table").textContent.includes("nothing converged"), "failures are told");
});
