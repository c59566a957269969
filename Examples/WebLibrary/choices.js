import { make } from "./dom.js";

/** A dialog that asks a person for one of several choices. */
export class Choices {
  #form = make("form", { method: "dialog" });
  dialog = make("dialog", { className: "choices" }, this.#form);

  constructor() {
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close(""));
  }

  /**
   * Returns the value of the person's choice, or an empty text.
   * @param {string} title
   * @param {[value: string, text: string, className?: string][]} options
   * @param {...HTMLElement} fields
   */
  async ask(title, options, ...fields) {
    const buttons = options.map(([value, text, className = ""]) => make("button", { value, className }, text));
    this.#form.replaceChildren(make("p", {}, title), ...fields, ...buttons, make("button", { value: "", formNoValidate: true }, "Cancel"));
    this.dialog.ariaLabel = title;
    this.dialog.returnValue = "";
    this.dialog.showModal();
    await new Promise((resolve) => this.dialog.addEventListener("close", resolve, { once: true }));
    return this.dialog.returnValue;
  }

  /** Ends the question without a choice. */
  close() {
    this.dialog.close("");
  }
}
