// A law fitted to the measured loop, as \`faying identify\` does it, in a worker: the page stays alive meanwhile.
"use strict";

function fitInWorker(wasmBinary, name, measured, onShare) {
  const heard = `
    let laws = null;
    onmessage = async ({ data }) => {
      try {
        laws ??= await openLaws(data.wasmBinary, (share) => postMessage({ share }));
        postMessage({ found: laws.identify(data.name, data.u, data.f) });
      } catch (error) { postMessage({ refused: error.message }); }
    };`;
  const source = [document.getElementById("module").textContent, document.getElementById("calls").textContent, heard].join("\n;\n");
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(address);
  let told = 0;
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if ("share" in data) {
        if (data.share - told < 0.01) return;
        told = data.share;
        onShare(data.share);
      } else if (data.refused) reject(new Error(data.refused));
      else resolve(data.found);
    };
    worker.postMessage({ wasmBinary, name, u: measured.u, f: measured.f });
  }).finally(() => {
    worker.terminate();
    URL.revokeObjectURL(address);
  });
}

// Parameters with their standard errors, for people.
function foundText(name, found) {
  const values = Object.entries(found.parameters).map(([key, value]) =>
    `${key} = ${figures(value)}${found.standard_errors[key] != null ? ` ± ${figures(found.standard_errors[key], 2)}` : ""}`);
  const tangled = found.entangled.length ? ` The loop does not tell ${found.entangled.join(" and ")} apart.` : "";
  return `${found.converged ? "Fitted" : "Not converged"} (${found.memory}), misfit ${figures(100 * found.relative_rms, 3)} % of the force: ${values.join(", ")}.${tangled}`;
}
