/**
 * Messages of a page or a program to an open picker, checked: its values have their types, and
 * nothing else is taken over.
 *
 * @typedef {{type: string, request?: number, item?: string, kind?: string, seconds?: number,
 *   representation?: string, selectionLimit?: number, searchText?: string,
 *   identifiers?: string[], identifier?: string, after?: string | null, items?: string[] | null,
 *   revoke?: boolean}} Message
 */

const mostNames = 10_000;
const longestText = 1_000;
const longestLife = 86_400;
const kinds = ["main", "pairedVideo", "alternate"];
const representations = ["current", "compatible", "automatic"];
const edges = ["top", "leading", "bottom", "trailing"];

const text = (value) => typeof value === "string" && value.length <= longestText;
// `every` would leave out holes.
const texts = (value) => Array.isArray(value) && value.length <= mostNames && Array.from(value, text).every(Boolean);
const whole = (value) => Number.isSafeInteger(value) && value >= 0;
const optional = (check) => (value) => value === undefined || value === null || check(value);
const file = {
  request: whole, item: text, kind: (value) => kinds.includes(value),
  representation: optional((value) => representations.includes(value)),
};

/** The fields of each message, with what they have to be. */
const fields = {
  load: file,
  address: { ...file, seconds: optional((value) => whole(value) && value >= 1 && value <= longestLife) },
  cancel: { request: whole },
  update: {
    selectionLimit: optional(whole), searchText: optional(text),
    edgesWithoutContentMargins: optional((value) => Array.isArray(value) && value.every((edge) => edges.includes(edge))),
  },
  deselect: { identifiers: texts },
  move: { identifier: text, after: optional(text) },
  scrollToInitialPosition: {},
  zoomIn: {},
  zoomOut: {},
  release: { items: optional(texts) },
  close: { revoke: optional((value) => typeof value === "boolean") },
};

/**
 * Returns the checked message, or an error message for its sender. Never throws.
 *
 *     messageOf({ type: "move", identifier: "a", after: null }).type  // "move"
 *
 * @param {unknown} data
 * @returns {Message}
 */
export function messageOf(data) {
  const isObject = typeof data === "object" && data !== null;
  const error = (message) => ({ type: "error", code: "unknown-type", message, ...(isObject && whole(data.request) && { request: data.request }) });
  if (!isObject || typeof data.type !== "string" || !Object.hasOwn(fields, data.type)) return error("there is no such message");
  const message = { type: data.type };
  for (const [name, check] of Object.entries(fields[data.type])) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (!check(value)) return error(`${name}: not as it has to be`);
    if (value !== undefined) message[name] = value;
  }
  return message;
}
