// What the checks of every page share. They call runChecks(async () => { .. }).
const failures = [];
const check = (holds, what) => { if (!holds) failures.push(what); };
const equal = (found, wanted, what) => check(Object.is(found, wanted), `${what}: ${found}, not ${wanted}`);
const frames = async () => { for (let i = 0; i < 4; ++i) await new Promise((done) => setTimeout(done, 50)); };

// Pixels of the plot in a colour of the style; the canvas is transparent elsewhere.
function pixelsOf({ u }, name, area) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = css(name);
  probe.fillRect(0, 0, 1, 1);
  const colour = probe.getImageData(0, 0, 1, 1).data;
  const { left, top, width, height } = area ?? u.bbox;
  const { data } = u.ctx.getImageData(left, top, width, height);
  let count = 0;
  for (let p = 0; p < data.length; p += 4)
    if (data[p + 3] > 200 && [0, 1, 2].every((c) => Math.abs(data[p + c] - colour[c]) < 12)) ++count;
  return count;
}

const around = (u, x, y, half) => ({ left: Math.round(u.valToPos(x, "x", true)) - half,
                                     top: Math.round(u.valToPos(y, "y", true)) - half, width: 2 * half, height: 2 * half });

function mouse(u, type, left, top) {
  const { x, y } = u.over.getBoundingClientRect();
  const at = { clientX: x + left, clientY: y + top, movementX: 5, movementY: 5, button: 0, bubbles: true };
  u.over.dispatchEvent(new MouseEvent(type, at));
}

const limits = (u) => [u.scales.x.min, u.scales.x.max, u.scales.y.min, u.scales.y.max].join(" ");

async function runChecks(checks) {
  try {
    await frames();
    await checks();
  } catch (error) {
    failures.push("exception: " + error.stack);
  }
  document.body.textContent = "";  // only the verdict is of interest in the dump
  failures.forEach((what) => element(document.body, "p", "failure", what));
  document.body.dataset.checks = failures.length === 0 ? "passed" : "failed";
}
