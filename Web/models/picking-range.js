/** @import { Picking } from "./picking.js" */
/** @import { Selection } from "./selection.js" */
import { Ranges } from "./ranges.js";
import { next, nothingSelected } from "./selection.js";

/**
 * A range or a gesture in the grid of the picker, decided by the state machine of all grids
 * (`next`). Photos outside of it stay chosen, in this view and in others.
 *
 *     const range = new PickingRange(new Picking(["a"], 0), { anchor: 2 });
 *     range.apply({ type: "click", place: 4, shift: true });
 *     range.added                                    // [[2, 5]]
 *     range.picking(["c", "d", "e"]).ids             // ["a", "c", "d", "e"]
 */
export class PickingRange {
  #before;
  /** The places that count as chosen at the beginning. */
  #origin;
  /** @type {Selection} */
  state;

  /**
   * @param {Picking} before
   * @param {{anchor?: number, origin?: Ranges}} [options]
   */
  constructor(before, { anchor = -1, origin = Ranges.none } = {}) {
    this.#before = before;
    this.#origin = origin;
    this.state = { ...nothingSelected, isSelectMode: true, mode: "selecting", chosen: origin, base: origin, anchor, lead: anchor };
  }

  /**
   * Applies an event of the state machine. Returns whether the selection may have changed.
   * @param {{type: string}} event
   */
  apply(event) {
    const { chosen } = this.state;
    this.state = next(this.state, event).state;
    return this.state.chosen !== chosen;
  }

  /** Whether a pointer is drawing a band, or a finger is sweeping. */
  get isGesture() {
    return this.state.mode !== "selecting";
  }

  /** The places that are chosen now, in the order of choosing. @returns {[number, number][]} */
  get added() {
    return this.state.picked.flatMap((range) => Ranges.of(range).minus(this.#origin).list);
  }

  /** The places that were chosen and are not any more. @returns {[number, number][]} */
  get removed() {
    return this.#origin.minus(this.state.chosen).list;
  }

  /**
   * Returns the selection of the picker.
   * @param {string[]} added the assets at `added`
   * @param {string[]} [removed] the assets at `removed`
   * @returns {Picking}
   */
  picking(added, removed = []) {
    return this.#before.without(removed).adding(added);
  }
}
