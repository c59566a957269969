// Writes into Web/index.html which modules the page needs at once, so that a browser requests them
// side by side.
//
//   node scripts/preloads.mjs           writes the lines
//   node scripts/preloads.mjs --check   fails if the lines are not those
import { readFileSync, writeFileSync } from "node:fs";

const web = new URL("../Web/", import.meta.url);
const page = new URL("index.html", web);

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

const before = readFileSync(page, "utf8");
const lines = [...graph("/app.js")].sort().map((path) => `    <link rel="modulepreload" href="${path}">\n`);
const script = '    <script type="module" src="/app.js"></script>\n';
const after = before.replace(/^ *<link rel="modulepreload".*\n/gm, "").replace(script, lines.join("") + script);
if (process.argv.includes("--check")) {
  if (before !== after) {
    console.error("Web/index.html preloads other modules than the page needs. Run `node scripts/preloads.mjs`.");
    process.exit(1);
  }
} else writeFileSync(page, after);
