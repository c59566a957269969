// Writes into the pages of Web/ which modules their scripts need at once, so that a browser
// requests them side by side.
//
//   node scripts/preloads.mjs           writes the lines
//   node scripts/preloads.mjs --check   fails if the lines are not those
import { readFileSync, writeFileSync } from "node:fs";

const web = new URL("../Web/", import.meta.url);
const pages = ["index.html", "picker/picker.html"];
const preload = /^ *<link rel="modulepreload".*\n/gm;

/** Returns the modules that a module imports when it is loaded, directly or not. */
function graph(path, found = new Set()) {
  const text = readFileSync(new URL(`.${path}`, web), "utf8");
  for (const [, imported] of text.matchAll(/^(?:import|export)\s(?:[^;"]*?\sfrom\s)?"([^"]+)"/gm)) {
    const next = new URL(imported, `http://web${path}`).pathname;
    if (found.has(next)) continue;
    found.add(next);
    graph(next, found);
  }
  return found;
}

/** Returns the text of a page with the preloads of each script before it, each module once. */
function preloading(text) {
  const written = new Set();
  return text.replace(preload, "").replace(/^( *)<script type="module".*? src="(.+?)".*\n/gm, (script, indentation, path) => {
    const missing = [...graph(path)].sort().filter((module) => !written.has(module));
    for (const module of [...missing, path]) written.add(module);
    return missing.map((module) => `${indentation}<link rel="modulepreload" href="${module}">\n`).join("") + script;
  });
}

for (const name of pages) {
  const page = new URL(name, web);
  const before = readFileSync(page, "utf8");
  const after = preloading(before);
  if (before === after) continue;
  if (process.argv.includes("--check")) {
    console.error(`Web/${name} preloads other modules than the page needs. Run \`node scripts/preloads.mjs\`.`);
    process.exitCode = 1;
  } else writeFileSync(page, after);
}
