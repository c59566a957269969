import { words } from "../words.js";

/**
 * @typedef {{kind: string, count: number, name?: string, former?: string}} Action
 * @typedef {{assets?: Record<string, number>, collections?: Record<string, number>}} Counts
 */

const uncapitalized = (sentence) => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/**
 * Returns what a transaction has done, in words.
 *
 *     sentencesOf({ actions: [{ kind: "favorited", count: 3 }] })  // ["Favorited 3 items"]
 *
 * Without actions, the counts tell less.
 *
 * @param {{actions?: Action[], counts?: Counts}} transaction
 * @returns {string[]}
 */
export function sentencesOf({ actions = [], counts = {} }) {
  const { history } = words;
  const told = gathered(actions).map((action) => history.actions[action.kind]?.(action)).filter(Boolean);
  const known = told.length > 0 ? told : countsOf(counts);
  return known.length > 0 ? [known[0], ...known.slice(1).map(uncapitalized)] : [history.nothing];
}

/**
 * Returns the line of a transaction. An undo and a redo say so before what they did themselves.
 *
 * @param {{actions?: Action[], counts?: Counts, undoes?: number, isUndo?: boolean}} transaction
 * @returns {string}
 */
export function lineOf(transaction) {
  const line = sentencesOf(transaction).join(", ");
  if (transaction.undoes == null) return line;
  return words.history[transaction.isUndo ? "undid" : "redid"](uncapitalized(line));
}

/**
 * Returns the names that the line of a transaction does not say already.
 *
 * @param {{actions?: Action[], names?: string[]}} transaction
 * @returns {string[]}
 */
export function namesBeside({ actions = [], names = [] }) {
  const said = new Set(actions.flatMap(({ name, former }) => [name, former]));
  return names.filter((name) => !said.has(name));
}

/** Tells a new album and the photos that it got in one sentence. @param {Action[]} actions */
function gathered(actions) {
  const isOf = (album) => ({ kind, name }) => kind === "addedToAlbum" && name !== undefined && name === album.name;
  const made = actions.filter(({ kind }) => kind === "albumMade");
  const rest = actions.filter((action) => !made.some((album) => isOf(album)(action)));
  return rest.map((action) => (action.kind === "albumMade" ? { ...action, items: actions.find(isOf(action))?.count } : action));
}

function countsOf({ assets = {}, collections = {} }) {
  const { history } = words;
  const sentences = [];
  for (const [kind, count] of Object.entries(assets)) if (count > 0) sentences.push(history[kind]?.(count));
  for (const [kind, count] of Object.entries(collections)) if (count > 0) sentences.push(history[`${kind}Albums`]?.(count));
  return sentences.filter(Boolean);
}
