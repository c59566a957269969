/**
 * The values whose change neither adds an asset to a view, nor removes or moves it there, except in
 * Favorites and in searches.
 */
const unmoving = new Set(["isFavorite", "title", "caption", "addKeywords", "removeKeywords", "location"]);

/** The transactions of this page that have moved no asset. */
export class OwnChanges {
  #transactions = new Set();

  /**
   * Takes note of the changes of a transaction.
   * @param {{type: string}[]} changes
   * @param {{transaction: number | null} | null} answer
   */
  note(changes, answer) {
    const isUnmoving = ({ type, assets, ...values }) => type === "setAssets" && Object.keys(values).every((key) => unmoving.has(key));
    if (answer?.transaction != null && changes.every(isUnmoving)) this.#transactions.add(answer.transaction);
  }

  /**
   * Returns whether only noted transactions are between two revisions. A revision ends
   * with the number of its transaction.
   *
   *     own.leads("…-17", "…-19")  // whether 18 and 19 are transactions that were noted
   *
   * @param {string} before
   * @param {string} after
   */
  leads(before, after) {
    const [first, last] = [numberOf(before), numberOf(after)];
    if (!(first < last) || last - first > this.#transactions.size) return false;
    for (let number = first + 1; number <= last; number++) if (!this.#transactions.has(number)) return false;
    return true;
  }
}

const numberOf = (revision) => Number(/-(\d+)$/.exec(revision)?.[1]);
