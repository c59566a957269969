import { send } from "../helpers/send.js";
import { make, symbol } from "../helpers/dom.js";
import { reasonOf } from "../helpers/reason.js";
import { dayHeading, localDay } from "../helpers/dates.js";
import { hourAndMinute, localISO } from "../helpers/times.js";
import { lineOf, namesBeside } from "../models/history.js";
import { listed, words } from "../words.js";
import { backButton } from "./selection-bar.js";

/** The number of transactions that are shown at first, and the largest number of one answer. */
const pageSize = 50;
const largestPage = 200;
const mostNames = 3;

/** The page `/history`: each change with its amount, its author and its date, and Undo. */
export class HistoryPage extends HTMLElement {
  #list = make("div", { className: "days" });
  #older = make("button", { type: "button", className: "older", textContent: words.history.older, hidden: true });
  #transactions = [];
  #timer;
  /** The latest load, which the answers of earlier ones do not overwrite. */
  #loading = null;
  /** @type {EventTarget & object} */
  shell;

  connectedCallback() {
    this.className = "page";
    this.replaceChildren(
      make("header", {}, backButton(this.shell), make("div", {}, make("h1", { textContent: words.history.title }), make("p", { className: "faint", textContent: words.history.intro }))),
      this.#list, this.#older,
    );
    this.#older.addEventListener("click", () => this.#load(this.#transactions.length + pageSize, this.#transactions));
    this.changed = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#again(), 150);
    };
    for (const type of ["change", "lock"]) this.shell?.addEventListener(type, this.changed);
    // Events that were sent while the page was hidden or offline are missed.
    this.shell?.live.addEventListener("open", this.changed);
    this.#load(pageSize);
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    for (const type of ["change", "lock"]) this.shell?.removeEventListener(type, this.changed);
    this.shell?.live.removeEventListener("open", this.changed);
  }

  /** Loads as much as is shown. */
  async #again() {
    await this.#load(Math.max(pageSize, this.#transactions.length));
  }

  /**
   * Loads transactions until so many are shown.
   * @param {number} wanted
   * @param {object[]} [known] the newest ones
   */
  async #load(wanted, known = []) {
    const loading = (this.#loading = {});
    try {
      const loaded = [...known];
      let hasMore = true;
      while (hasMore && loaded.length < wanted) {
        const limit = Math.min(wanted - loaded.length, largestPage);
        const query = new URLSearchParams({ limit: String(limit), ...(loaded.length > 0 && { before: loaded.at(-1).transaction }) });
        const { transactions } = await send("GET", `/api/v1/changes?${query}`);
        loaded.push(...transactions);
        hasMore = transactions.length === limit;
      }
      if (loading !== this.#loading) return;
      this.#transactions = loaded;
      this.#older.hidden = !hasMore;
      this.#show();
    } catch (error) {
      if (loading !== this.#loading) return;
      this.#list.replaceChildren(make("p", { className: "faint", textContent: reasonOf(error) }));
    }
  }

  #show() {
    if (this.#transactions.length === 0) {
      return this.#list.replaceChildren(make("div", { className: "nothing" }, symbol("clock"), make("h2", { textContent: words.history.none })));
    }
    const sections = [];
    let shown;
    for (const transaction of this.#transactions) {
      const date = new Date(transaction.date);
      const day = localDay(date);
      if (day !== shown) sections.push(make("section", {}, make("h2", { textContent: dayHeading(day, new Date()) }), make("ul")));
      shown = day;
      sections.at(-1).lastChild.append(this.#row(transaction, date));
    }
    this.#list.replaceChildren(...sections);
  }

  #row(told, date) {
    const { transaction, client, isUndoable, isUndone } = told;
    const what = make("span", { className: "what", textContent: lineOf(told) });
    const names = namesBeside(told);
    const some = names.slice(0, mostNames);
    const which = names.length > 0 && make("bdi", { className: "which faint", textContent: `${listed(some)}${names.length > mostNames ? "…" : ""}` });
    const who = make("span", { className: "who faint" }, hourAndMinute(localISO(date)), " · ", make("bdi", { textContent: client?.name ?? words.history.you }));
    const row = make("li", { attributes: { "data-transaction": String(transaction) } }, make("div", { className: "text" }, what, which || "", who));
    if (isUndone) row.append(make("span", { className: "faint undone", textContent: words.history.undone }));
    else if (isUndoable) {
      const undo = make("button", { type: "button", textContent: words.history.undo });
      undo.addEventListener("click", async () => {
        undo.disabled = true;
        await this.shell.commands.undo(transaction);
        await this.#again();
      });
      row.append(undo);
    }
    return row;
  }
}

customElements.define("history-page", HistoryPage);
