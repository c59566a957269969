/** @import { Target } from "../models/target.js" */
import { make } from "../helpers/dom.js";
import "./info-panel.js";

/** The time in milliseconds after which the panel shows another selection. */
const rest = 150;

/** The information about what is selected, beside the grid. */
export class PanelBeside {
  #panel = null;
  #timer;

  /**
   * @param {import("./photo-grid.js").PhotoGrid} grid
   * @param {import("./commands.js").Commands} commands
   */
  constructor(grid, commands) {
    this.grid = grid;
    this.commands = commands;
  }

  /** @param {Target} target */
  show(target) {
    if (!this.#panel) {
      this.#panel = make("info-panel", { className: "beside", commands: this.commands });
      this.#panel.addEventListener("close", () => this.hide());
      this.grid.parentElement.append(this.#panel);
      document.body.classList.add("with-panel");
    }
    this.#panel.show(target);
  }

  /**
   * Shows another selection soon, if the panel is open.
   * @param {() => Target} selected returns what is selected then
   */
  showSoon(selected) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#panel && selected().count > 0) this.#panel.show(selected());
    }, rest);
  }

  /**
   * Replaces the target of the shown assets by their target in a later snapshot.
   * @param {import("../models/ranges.js").Ranges} before the selected places in the snapshot before
   * @param {Target} target
   */
  follow(before, target) {
    this.#panel?.follow(before, target);
  }

  /** Shows the values again after a change of the library. @param {object} change */
  changed(change) {
    this.#panel?.changed(change);
  }

  /** Closes the panel, and puts the focus on the grid. @returns {boolean} whether it was shown */
  hide() {
    if (!this.#panel) return false;
    this.close();
    this.grid.focusAsset(this.grid.focusedIndex);
    return true;
  }

  close() {
    clearTimeout(this.#timer);
    this.#panel?.remove();
    this.#panel = null;
    document.body.classList.remove("with-panel");
  }
}
