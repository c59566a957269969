import { predicateOf } from "./picker-filter.js";

/**
 * The checked configuration with which a page opens the picker.
 *
 * @typedef {{predicate: string | null, filter: unknown, selectionLimit: number, isOrdered: boolean,
 *   isContinuous: boolean, preselected: string[], wantsIdentifiers: boolean,
 *   representation: "current" | "compatible" | "automatic", maxPixelSize: number | null,
 *   includesLocation: boolean, includesCaptions: boolean, disabled: Set<string>,
 *   searchText: string, purpose: string,
 *   colorScheme: "light" | "dark" | "light dark"}} Configuration
 */

const capabilities = ["search", "stagingArea", "collectionNavigation", "selectionActions", "sensitivityAnalysisIntervention"];
const edges = ["top", "leading", "bottom", "trailing"];
const longestText = 1_000;
/** A program may see that many assets, and its owner changes which. */
const mostPreselected = 100_000;
const purposeLength = 80;

const oneOf = (...names) => (value, key) => {
  if (!names.includes(value)) throw new TypeError(`${key}: ${JSON.stringify(value)} is not one of ${names.join(", ")}`);
  return value;
};
const boolean = (value, key) => {
  if (typeof value !== "boolean") throw new TypeError(`${key}: not true or false`);
  return value;
};
const text = (value, key) => {
  if (typeof value !== "string" || value.length > longestText) throw new TypeError(`${key}: not a text of at most ${longestText} characters`);
  return value;
};
const whole = (least) => (value, key) => {
  if (!Number.isSafeInteger(value) || value < least) throw new TypeError(`${key}: not a whole number from ${least} on`);
  return value;
};
const listOf = (check, most) => (value, key) => {
  if (!Array.isArray(value) || value.length > most) throw new TypeError(`${key}: not a list of at most ${most}`);
  // `map` would leave out holes.
  return Array.from(value, (element) => check(element, key));
};

const checks = {
  filter: (value) => value,
  selectionLimit: whole(0),
  selection: oneOf("default", "ordered", "continuous", "continuousAndOrdered"),
  preselected: listOf(text, mostPreselected),
  identifiers: boolean,
  representation: oneOf("current", "compatible", "automatic"),
  maxPixelSize: whole(16),
  includeLocation: boolean,
  includeCaptions: boolean,
  disabledCapabilities: listOf(oneOf(...capabilities), capabilities.length),
  mode: oneOf("default", "compact"),
  edgesWithoutContentMargins: listOf(oneOf(...edges), edges.length),
  searchText: text,
  locale: text,
  colorScheme: oneOf("light", "dark", "light dark"),
  purpose: text,
  deliver: oneOf("port", "address"),
};

/**
 * Checks what a page asks for. Throws `TypeError` that names the key, also for an unknown key, so
 * that a typo is not a surprise.
 *
 *     configurationOf({ filter: "images", selectionLimit: 5 }).predicate  // "mediaType == 1"
 *
 * @param {unknown} asked
 * @returns {Configuration}
 */
export function configurationOf(asked) {
  if (!asked || typeof asked !== "object" || Array.isArray(asked)) throw new TypeError("configuration: not an object");
  const known = {};
  for (const [key, value] of Object.entries(asked)) {
    if (!Object.hasOwn(checks, key)) throw new TypeError(`${key}: not a key of the configuration`);
    if (value !== undefined && value !== null) known[key] = checks[key](value, key);
  }
  const selection = known.selection ?? "default";
  if (known.preselected?.length && !known.identifiers) throw new TypeError("preselected: needs identifiers: true");
  return {
    predicate: known.filter === undefined ? null : predicateOf(known.filter),
    filter: known.filter ?? null,
    selectionLimit: known.selectionLimit ?? 1,
    isOrdered: selection === "ordered" || selection === "continuousAndOrdered",
    isContinuous: selection.startsWith("continuous"),
    preselected: [...new Set(known.preselected ?? [])],
    wantsIdentifiers: known.identifiers ?? false,
    representation: known.representation ?? "current",
    maxPixelSize: known.maxPixelSize ?? null,
    includesLocation: known.includeLocation ?? false,
    includesCaptions: known.includeCaptions ?? false,
    disabled: new Set(known.disabledCapabilities ?? []),
    searchText: known.searchText ?? "",
    colorScheme: known.colorScheme ?? "light dark",
    purpose: plain(known.purpose ?? "").slice(0, purposeLength),
  };
}

/** Returns a text without line breaks and marks that change the direction of writing. */
const plain = (text) => text.replace(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, " ").trim();

/**
 * Returns whether a page of an origin may open the picker. Only encrypted pages may, those of this
 * machine, and those of the library's own host.
 * @param {string} origin
 * @param {{protocol: string, hostname: string}} library
 */
export function mayOpen(origin, library) {
  let url;
  try {
    url = new URL(origin);
  } catch {
    return false;
  }
  if (url.origin === "null") return false;
  if (url.protocol === "https:") return true;
  const isLoopback = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  return url.protocol === "http:" && (isLoopback || (library.protocol === "http:" && url.hostname === library.hostname));
}
