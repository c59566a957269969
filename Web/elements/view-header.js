/** @import { Order } from "../models/places.js" */
import { make, symbol } from "../helpers/dom.js";
import { words } from "../words.js";

/**
 * The head of a view, which scrolls with it: the title, a summary, the order, and tools. A folder's
 * cards stand below.
 *
 * Fires `order` with the chosen order as `detail`.
 */
export class ViewHeader extends EventTarget {
  #title = make("h1");
  #summary = make("p");
  #select = make("select", { ariaLabel: words.order.label });
  #order = make("label", { className: "order", hidden: true }, symbol("sort"), this.#select);
  /** A row at the right for buttons. */
  tools = make("div", { className: "tools" }, this.#order);
  /** The place below the title for a folder's cards. */
  below = make("div", { className: "below" });
  element = make(
    "header", { className: "view-header" },
    make("div", { className: "line" }, make("div", { className: "names" }, this.#title, this.#summary), this.tools),
    this.below);

  constructor() {
    super();
    this.#select.addEventListener("change", () => {
      this.dispatchEvent(new CustomEvent("order", { detail: this.#select.value }));
    });
  }

  set title(title) {
    if (this.#title.textContent !== title) this.#title.textContent = title;
  }

  set summary(summary) {
    if (this.#summary.textContent !== summary) this.#summary.textContent = summary;
  }

  /** @param {Order[]} orders @param {Order} order */
  showOrders(orders, order) {
    this.#order.hidden = orders.length < 2;
    const options = [...orders].map((value) => make("option", { value, textContent: words.order[value] }));
    if (options.map(({ value }) => value).join() !== [...this.#select.options].map(({ value }) => value).join()) {
      this.#select.replaceChildren(...options);
    }
    this.#select.value = order;
  }
}
