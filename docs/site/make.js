// make.js OUT [--python API.json] [--workbench PAGE.html]: the docs as a folder of pages that opens without a server.
//
// Every page of docs/, notebooks with their pictures, the C++ headers, the Python module (API.json of python_api.py), a
// gallery, and the workbench. Equations are rendered here, once; the pages run no script. Links to files of the
// repository lead to copies beside the pages.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { headerPages } = require("./headers.js");
const { markdown } = require("./markdown.js");
const { pythonPages } = require("./python_pages.js");

const root = path.resolve(__dirname, "../..");
const [out, ...words] = process.argv.slice(2);
if (!out) { console.error("make.js OUT [--python API.json] [--workbench PAGE.html]"); process.exit(2); }
const option = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : null);
const inRoot = (...parts) => path.join(root, ...parts);
const read = (file) => fs.readFileSync(inRoot(file), "utf8");
const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

function write(file, content) {
  const to = path.join(out, file);
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.writeFileSync(to, content);
}

const navigation = [["index.html", "Contents"], ["tutorial.html", "Tutorial"], ["gallery.html", "Gallery"], ["workbench.html", "Workbench"],
                    ["files.html", "File formats"], ["json.html", "JSON"], ["python.html", "Python"], ["api/python/index.html", "Python API"],
                    ["library.html", "C++"], ["api/index.html", "C++ API"], ["glossary.html", "Glossary"]];

function page(file, title, body) {
  const up = "../".repeat(file.split("/").length - 1);
  const links = navigation.map(([to, text]) => `<a href="${up}${to}"${to === file ? ' aria-current="page"' : ""}>${text}</a>`).join("\n");
  write(file, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} · Faying</title>
<link rel="stylesheet" href="${up}style/katex.min.css">
<link rel="stylesheet" href="${up}style/site.css">
</head>
<body>
<nav aria-label="site"><a class="name" href="${up}index.html">Faying</a>
${links}
</nav>
<main>
${body}
</main>
</body>
</html>
`);
}

// Where a file of the repository is in the site: pages for Markdown, copies for pictures, pages for everything else.
const places = new Map();
function placeOf(file) {
  if (places.has(file)) return places.get(file);
  let to = null;
  const full = inRoot(file);
  if (!fs.existsSync(full)) throw new Error(`there is no ${file}`);
  if (file === "docs/README.md") to = "index.html";
  else if (file.startsWith("docs/") && file.endsWith(".md")) to = file.slice(5, -3) + ".html";
  else if (/\.(svg|png)$/.test(file)) to = file.startsWith("docs/") ? file.slice(5) : `files/${file}`;
  else if (file.startsWith("include/faying/") && file.endsWith(".hpp")) to = "api/" + file.slice(15, -4) + ".html";
  else if (file.endsWith(".md")) to = `files/${file.slice(0, -3)}.html`;
  else if (fs.statSync(full).isDirectory()) to = `files/${file}/index.html`;
  else to = `files/${file}.html`;
  places.set(file, to);
  waiting.push(file);
  return to;
}

const waiting = [];
const pictures = [];  // { file, page, title, text }, in the order of the pages

// What a link of a page leads to, from where the page is in the site.
function linkFrom(source, target) {
  if (/^(https?:|mailto:|#)/.test(target)) return target;
  const [name, anchor] = target.split("#");
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(source), decodeURIComponent(name))).replace(/\/$/, "");
  if (file.startsWith("..")) throw new Error(`${source}: '${target}' leads out of the repository`);
  const from = path.posix.dirname(placeOf(source));
  return path.posix.relative(from, placeOf(file)) + (anchor ? "#" + anchor : "");
}

function markdownPage(file) {
  const to = placeOf(file), text = read(file);
  const title = /^#\s+(.+)$/m.exec(text)?.[1].replace(/[`$]/g, "") ?? file;
  const body = markdown(text, (target, kind, alt) => {
    const link = linkFrom(file, target);
    if (kind === "image") pictures.push({ file: path.posix.join(path.posix.dirname(to), link), page: to, title, text: alt });
    return link;
  });
  page(to, title, body);
}

function filePage(file) {
  const full = inRoot(file), to = placeOf(file);
  if (fs.statSync(full).isDirectory()) {
    const inside = fs.readdirSync(full).filter((name) => !name.startsWith(".") && !["__pycache__", "results", "node_modules"].includes(name)).sort();
    const rows = inside.map((name) => `<li><a href="${path.posix.relative(path.posix.dirname(to), placeOf(`${file}/${name}`))}">${escape(name)}</a></li>`);
    page(to, file, `<h1>${escape(file)}</h1>\n<ul>\n${rows.join("\n")}\n</ul>`);
    return;
  }
  const bytes = fs.readFileSync(full);
  const isText = !bytes.subarray(0, 8000).includes(0), most = 400000;
  const body = !isText ? `<p>A binary file of ${bytes.length} bytes, in the repository at <code>${escape(file)}</code>.</p>`
    : `<pre>${escape(bytes.subarray(0, most).toString())}</pre>${bytes.length > most ? `<p>The first ${most} of ${bytes.length} bytes.</p>` : ""}`;
  page(to, file, `<h1>${escape(file)}</h1>\n${body}`);
}

function make(file) {
  if (/\.(svg|png)$/.test(file)) return write(placeOf(file), fs.readFileSync(inRoot(file)));
  if (file.endsWith(".md")) return markdownPage(file);
  if (places.get(file).startsWith("api/")) return undefined;  // made with the other headers
  return filePage(file);
}

function gallery() {
  const seen = new Set(), first = (p) => (p.page.startsWith("notebooks/") ? 0 : p.page.startsWith("theory/") ? 2 : 1);
  const shown = pictures.filter((p) => !seen.has(p.file) && seen.add(p.file)).sort((a, b) => first(a) - first(b) || a.page.localeCompare(b.page));
  const figures = shown.map((p) => `<figure><a href="${p.page}"><img src="${p.file}" alt="${escape(p.text || p.title)}" loading="lazy"></a>
<figcaption><a href="${p.page}">${escape(p.title)}</a>${p.text && !["loop", ""].includes(p.text) ? `: ${escape(p.text)}` : ""}</figcaption></figure>`);
  page("gallery.html", "Gallery", `<h1>Gallery</h1>\n<p>Pictures of the examples, the notebooks and the theory pages; each leads to the page that made it.</p>
<div class="gallery">\n${figures.join("\n")}\n</div>`);
  return shown.length;
}

function workbench() {
  const made = option("--workbench");
  if (made) return fs.copyFileSync(made, path.join(out, "workbench.html"));
  return page("workbench.html", "Workbench", `<h1>Workbench</h1>\n<p>The laws in the browser. This copy of the docs was made without it: <code>./do docs</code> has it, <code>./do workbench</code> makes it alone.</p>`);
}

function main() {
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  const katex = path.join(__dirname, "node_modules/katex/dist");
  write("style/katex.min.css", fs.readFileSync(path.join(katex, "katex.min.css"), "utf8").replace(/,url\([^)]*\.(woff|ttf)\) format\("[^"]*"\)/g, ""));
  for (const font of fs.readdirSync(path.join(katex, "fonts")).filter((name) => name.endsWith(".woff2")))
    write(`style/fonts/${font}`, fs.readFileSync(path.join(katex, "fonts", font)));
  write("style/site.css", fs.readFileSync(path.join(__dirname, "site.css")));
  for (const folder of ["docs", "docs/theory", "docs/notebooks"])
    for (const name of fs.readdirSync(inRoot(folder)).sort()) if (name.endsWith(".md")) placeOf(`${folder}/${name}`);
  ["README.md", "CHANGELOG.md"].forEach(placeOf);
  headerPages(root, page, (file) => placeOf(file));
  const api = option("--python");
  pythonPages(api ? JSON.parse(fs.readFileSync(api, "utf8")) : null, page);
  while (waiting.length > 0) make(waiting.shift());
  const shown = gallery();
  workbench();
  const count = fs.readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".html")).length;
  console.log(`${out}: ${count} pages, ${shown} pictures in the gallery`);
}
main();
