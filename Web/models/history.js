import { words } from "../words.js";

/**
 * Returns what a transaction has done, in words.
 *
 *     sentencesOf({ assets: { inserted: 3 }, collections: {} })  // ["Added 3 items"]
 *
 * @param {{assets?: Record<string, number>, collections?: Record<string, number>}} counts
 * @returns {string[]}
 */
export function sentencesOf({ assets = {}, collections = {} }) {
  const { history } = words;
  const sentences = [];
  for (const [kind, count] of Object.entries(assets)) if (count > 0) sentences.push(history[kind]?.(count));
  for (const [kind, count] of Object.entries(collections)) if (count > 0) sentences.push(history[`${kind}Albums`]?.(count));
  const known = sentences.filter(Boolean);
  const rest = known.slice(1).map((sentence) => sentence.charAt(0).toLowerCase() + sentence.slice(1));
  return known.length > 0 ? [known[0], ...rest] : [history.nothing];
}
