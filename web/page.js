// What every page uses: its errors, the colours of its style, elements, buttons, files to save.
"use strict";

function showError(message) {
  document.body.dataset.error = message;
  const note = document.createElement("p");
  note.className = "error";
  note.textContent = "This page could not be drawn: " + message;
  document.body.prepend(note);
}
window.addEventListener("error", (event) => showError(event.message));
window.addEventListener("unhandledrejection", (event) => showError(String(event.reason)));

// Colours of the style, asked once per scheme.
const known = new Map();
const css = (name) => {
  if (!known.has(name)) known.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return known.get(name);
};
const font = (size) => `${size}px system-ui, -apple-system, "Segoe UI", Roboto, Arial, "DejaVu Sans", sans-serif`;
const colours = 7;
const dashes = [[], [8, 4], [2, 4], [10, 4, 2, 4]];  // a second round of colours is dashed
const colourName = (i) => "--curve-" + (i % colours);
const dashOf = (i) => dashes[Math.floor(i / colours) % dashes.length];

function element(parent, tag, className, text) {
  const made = parent.appendChild(document.createElement(tag));
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function makeButton(parent, className, text, act) {
  const made = element(parent, "button", className, text);
  made.type = "button";
  if (act) made.addEventListener("click", act);
  return made;
}

// Six digits are more than the eye can place; the CSV has them all.
const short = (value) => String(Number(value.toPrecision(6)));

function saveFile(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
const fileName = (title, otherwise) => title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || otherwise;
