/**
 * A change of the stream of changes.
 * @typedef {{assets?: {updated: string[], deleted: string[]}, collections?: {updated: string[]},
 *            transactions?: {transaction: number, client: object | null, isUndoable: boolean}[]}} Change
 */

/**
 * Returns the number of the transaction that made a change, if it is the owner's and can be undone.
 * A change may be of several transactions. Then it is not known which of them did what.
 *
 * @param {Change} change
 * @returns {number | undefined}
 */
export function undoableOf({ transactions = [] }) {
  const [only, ...others] = transactions;
  return only && others.length === 0 && only.isUndoable && !only.client ? only.transaction : undefined;
}

/**
 * Returns the transaction after which an asset left a view, or null if that is not known: the only
 * one of the latest change that touches the asset, or the collection that is shown.
 *
 * @param {Change[]} changes the oldest first
 * @param {string} asset
 * @param {string} collection
 */
export function departureOf(changes, asset, collection) {
  const change = changes.findLast(({ assets, collections }) =>
    assets?.updated.includes(asset) || assets?.deleted.includes(asset) || collections?.updated.includes(collection));
  return change?.transactions?.length === 1 ? change.transactions[0] : null;
}
