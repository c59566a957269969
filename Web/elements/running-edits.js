import { make } from "../helpers/dom.js";
import { cancelEdit, fetchEdits } from "../helpers/edits.js";
import { words } from "../words.js";

/**
 * Shows the progress of long edits in all pages of the owner, and lets a person cancel them.
 * Most edits end before the line appears: its style delays it.
 */
export class RunningEdits {
  #lines = new Map();
  #region = make("div", { className: "running-edits" });
  #isAsking = false;
  #isOutdated = false;

  /** @param {EventTarget & {live: EventTarget}} shell */
  constructor(shell) {
    document.body.append(this.#region);
    shell.addEventListener("edit", () => this.#ask());
    // The end of an edit is missed while the stream is broken, and its line would stay.
    shell.live.addEventListener("open", () => this.#lines.size > 0 && this.#ask());
  }

  /** Asks for the edits. An event during a request leads to one more request. */
  async #ask() {
    this.#isOutdated = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isOutdated) {
      this.#isOutdated = false;
      const edits = await fetchEdits().catch(() => null);
      if (edits) this.#show(edits);
    }
    this.#isAsking = false;
  }

  #show(edits) {
    const shown = new Map(edits.map((edit) => [edit.id, this.#lines.get(edit.id) ?? line(edit.id)]));
    for (const [id, element] of this.#lines) if (!shown.has(id)) element.remove();
    for (const { id, progress } of edits) {
      const element = shown.get(id);
      element.querySelector("progress").value = progress;
      element.querySelector(".percent").textContent = words.editing.percent(Math.floor(100 * progress));
      if (!element.isConnected) this.#region.append(element);
    }
    this.#lines = shown;
  }
}

function line(id) {
  const cancel = make("button", { type: "button", textContent: words.general.cancel, ariaLabel: words.editing.cancelEdit });
  cancel.addEventListener("click", () => {
    cancel.disabled = true;
    // The edit may have ended meanwhile.
    cancelEdit(id).catch(() => {});
  });
  const text = make("span", { textContent: words.editing.rendering });
  const bar = make("progress", { max: 1, value: 0, ariaLabel: words.editing.rendering });
  return make("div", { className: "running-edit" }, text, bar, make("span", { className: "percent" }), cancel);
}
