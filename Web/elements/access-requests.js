import { permission } from "../access-words.js";
import { renditionURL } from "../helpers/api.js";
import { answerConfirmation, answerRequest, cancelSelection, fetchAccess, fetchConfirmations, fetchSelection, putSelection } from "../helpers/access.js";
import { make, symbol } from "../helpers/dom.js";
import { reasonOf } from "../helpers/reason.js";
import { Guard } from "../models/guard.js";
import { answersTo, identityOf, shownDescription } from "../models/requests.js";
import { words } from "../words.js";
import { showToast } from "./toasts.js";

/** The milliseconds after which the page asks again for the requests that it shows. */
const askAgain = 30_000;
const access = { kind: "access", id: "access" };
/** The key of the requests that were put aside. They stay aside after a reload. */
const asideKey = "requests-aside";

/**
 * Shows what programs ask for, over any view: access to the library, and deletions. A card stays
 * until it is answered here or in another page; put aside, it leaves a button.
 */
export class AccessRequests extends HTMLElement {
  #cards = new Map();
  #aside = new Set((sessionStorage.getItem(asideKey) ?? "").split("\n").filter(Boolean));
  /** The cards that are hidden while their photos are chosen, since they would cover the photos. */
  #chosenFor = new Set();
  #waiting = make("button", { type: "button", className: "waiting", hidden: true });
  #list = make("div", { className: "requests" });
  #spoken = make("span", { className: "spoken", attributes: { role: "status" } });
  #guard = new Guard(performance.now());
  #needs = { access: true, confirm: true };
  #isAsking = false;
  #isSetUp = false;
  #timer;
  /** @type {EventTarget & object} */
  shell;

  connectedCallback() {
    // Each move into a dialog or back connects the element again.
    if (this.#isSetUp) return;
    this.#isSetUp = true;
    this.append(this.#list, this.#waiting, this.#spoken);
    this.#waiting.addEventListener("click", () => this.#bringBack());
    this.shell.addEventListener("access", () => this.#ask("access"));
    this.shell.addEventListener("confirm", () => this.#ask("confirm"));
    this.shell.addEventListener("reset", () => this.#ask("access", "confirm"));
    // A new stream doesn't repeat these events.
    this.shell.live.addEventListener("open", () => this.#ask("access", "confirm"));
    this.#guard.watch(window);
    new MutationObserver(() => this.#stayOnTop()).observe(document.body, { childList: true });
    addEventListener("keydown", (event) => {
      // The page's other keys don't act in a dialog.
      if (event.key === "F6" && this.closest("dialog") && this.focusCard()) return event.preventDefault();
      if (event.key !== "Escape" || !this.contains(event.target)) return;
      event.stopPropagation();
      // Escape must not close the dialog that contains the card.
      event.preventDefault();
      this.#putAside(event.target.closest(".access-card"));
    }, true);
    this.#ask("access", "confirm");
  }

  /** Moves into the dialog that is open, since nothing outside of it can be seen or pressed. */
  #stayOnTop() {
    const parent = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    if (this.parentElement === parent) return;
    parent.append(this);
    this.#guard.appeared(performance.now());
  }

  /** Puts the focus on the first card that is shown. @returns {boolean} whether there is one */
  focusCard() {
    const card = this.#list.querySelector(".access-card:not([hidden])") ?? (this.#waiting.hidden ? null : this.#waiting);
    card?.focus();
    return card !== null;
  }

  async #ask(...what) {
    for (const one of what) this.#needs[one] = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#needs.access || this.#needs.confirm) {
      const needs = this.#needs;
      this.#needs = { access: false, confirm: false };
      try {
        if (needs.access) {
          const { requests, selections = [] } = await fetchAccess();
          this.#take("request", requests, (request) => this.#requestCard(request));
          this.#take("selection", selections, (selection) => this.#selectionCard(selection));
        }
        if (needs.confirm) this.#take("confirmation", (await fetchConfirmations()).confirmations, (one) => this.#confirmationCard(one));
      } catch {
        // The next event asks again, and so does the next stream.
      }
    }
    this.#isAsking = false;
  }

  #take(kind, entries, cardOf) {
    const keys = new Set(entries.map(({ id }) => `${kind} ${id}`));
    for (const [key, card] of this.#cards) {
      if (!key.startsWith(kind) || keys.has(key)) continue;
      card.remove();
      card.ending.abort();
      if (this.#chosenFor.has(key)) showToast(permission.ended);
      this.#cards.delete(key);
      this.#aside.delete(key);
      this.#guardMovedCards();
    }
    for (const entry of entries) {
      const key = `${kind} ${entry.id}`;
      if (this.#cards.has(key)) continue;
      const card = cardOf(entry);
      card.dataset.key = key;
      this.#cards.set(key, card);
      this.#list.append(card);
      this.#spoken.textContent = permission.asked(card.ariaLabel);
      this.#guard.appeared(performance.now());
    }
    this.#count();
    // The server notices only then that a program has gone away.
    clearTimeout(this.#timer);
    if (this.#cards.size > 0) this.#timer = setTimeout(() => this.#ask("access"), askAgain);
  }

  #requestCard({ id, name, newName, origin, path, address, level, usageDescription, code }) {
    const identity = make("bdi", { className: "identity", textContent: identityOf({ origin, path, identifier: address }) });
    const reason = make("blockquote", {}, make("bdi", { textContent: shownDescription(usageDescription) }));
    const details = [identity, make("p", { className: "level", textContent: permission.levels[level] })];
    if (newName) details.push(make("p", { className: "level", textContent: permission.namesake(name, newName) }));
    if (code) details.push(make("p", { className: "code", textContent: permission.code(code) }));
    const answers = answersTo(level).map(({ name: label, answer }) => ({
      label: permission[label], act: (card) => this.#answer(id, answer, newName ?? name, card),
    }));
    return this.#card("key", name, permission.wants[level], [...details, reason], answers);
  }

  /** A limited client asks that the owner may change what it sees. */
  #selectionCard({ id, client, name }) {
    const answers = [
      { label: permission.selectPhotos, act: (card) => this.#changeSelection(client, name, card) },
      { label: permission.leaveSelection, act: () => this.#send(() => cancelSelection(id)) },
    ];
    return this.#card("key", name, permission.wantsSelection, [], answers);
  }

  async #choose(name, card, chosen = []) {
    const { key } = card.dataset;
    this.#chosenFor.add(key);
    this.#count();
    this.#guardMovedCards();
    try {
      const { choosePhotos } = await import("./choose-photos.js");
      return await choosePhotos({ title: permission.maySee(name), hint: permission.seesNone, chosen, signal: card.ending.signal });
    } finally {
      this.#chosenFor.delete(key);
      this.#guardMovedCards();
      this.#count();
    }
  }

  async #changeSelection(client, name, card) {
    await this.#send(async () => {
      const { assets } = await fetchSelection(client);
      const chosen = await this.#choose(name, card, assets);
      if (chosen === null) return;
      await putSelection(client, chosen);
      this.#confirmAnswer(permission.answered.limited(name, chosen.length));
    });
  }

  #confirmationCard({ id, client, assets, collections, count, isPermanent }) {
    const pictures = make("div", { className: "thumbnails" }, ...assets.map((asset) => make("img", { alt: "", loading: "lazy", src: renditionURL(asset, "grid") })));
    const answers = [
      { label: permission.confirmDelete(count), isDangerous: true, act: () => this.#confirm(id, true) },
      { label: permission.confirmNo, act: () => this.#confirm(id, false) },
    ];
    const titles = make("bdi", { className: "faint", textContent: collections.map(({ title }) => title).join(", ") });
    const text = make("p", { textContent: isPermanent ? words.changing.askDeleteForGoodText : assets.length > 0 ? permission.confirmText(count) : "" });
    return this.#card("trash", permission.confirmTitle(client.name, count), "", [pictures, titles, text], answers);
  }

  #card(symbolName, name, rest, details, answers) {
    const title = make("h2", {}, make("bdi", { textContent: name }), rest ? ` ${rest}` : "");
    const later = make("button", { type: "button", className: "icon later", ariaLabel: permission.later, title: permission.later }, symbol("close"));
    later.addEventListener("click", () => this.#putAside(card));
    // No button stands out, since the page must not suggest an answer.
    const buttons = answers.map(({ label, act, isDangerous }) => {
      const button = make("button", { type: "button", className: isDangerous ? "dangerous" : "", textContent: label });
      button.addEventListener("click", async (event) => {
        if (!this.#guard.isOpen(event.timeStamp) || card.ariaBusy) return;
        card.ariaBusy = "true";
        await act(card);
        card.ariaBusy = null;
      });
      return button;
    });
    // A card takes no focus by itself, since the next key would be pressed in it.
    const card = make("section", { className: "access-card", tabIndex: -1 }, symbol(symbolName), make("div", { className: "text" }, title, ...details), later, make("div", { className: "answers" }, ...buttons));
    card.setAttribute("aria-label", title.textContent);
    return Object.assign(card, { ending: new AbortController() });
  }

  async #answer(id, answer, name, card) {
    await this.#send(async () => {
      const assets = answer === "limited" ? await this.#choose(name, card) : undefined;
      if (assets === null) return;
      await answerRequest(id, { answer, ...(assets && { assets }) });
      this.#confirmAnswer(permission.answered[answer](name, assets?.length));
    });
  }

  /** Says what was answered, with a way to the access page. @param {string} text */
  #confirmAnswer(text) {
    const action = { label: permission.change, act: () => this.shell.go(access) };
    showToast(text, this.shell.place.kind === "access" ? {} : { action });
  }

  #confirm(id, answer) {
    return this.#send(() => answerConfirmation(id, answer));
  }

  async #send(work) {
    try {
      await work();
    } catch (error) {
      const { changing } = words;
      if (error.kind === "recent-authentication-required") {
        showToast(changing.needsSignIn, { action: { label: changing.openSessions, act: () => (location.href = "/sessions") } });
      } else showToast({ 404: permission.asksNoMore, 409: permission.answeredElsewhere }[error.status] ?? reasonOf(error));
    }
    this.#ask("access", "confirm");
  }

  #putAside(card) {
    if (card) this.#aside.add(card.dataset.key);
    this.#guardMovedCards();
    this.#count();
  }

  /** The next card comes under the pointer. A press meant for the last one must not answer it. */
  #guardMovedCards() {
    this.#guard.appeared(performance.now());
  }

  #bringBack() {
    this.#aside.clear();
    this.#guard.appeared(performance.now());
    this.#count();
  }

  #count() {
    for (const [key, card] of this.#cards) card.hidden = this.#aside.has(key) || this.#chosenFor.has(key);
    // Keys from before a reload may belong to requests that are answered.
    const waiting = [...this.#aside].filter((key) => this.#cards.has(key));
    this.#waiting.hidden = waiting.length === 0;
    this.#waiting.textContent = permission.waiting(waiting.length);
    sessionStorage.setItem(asideKey, waiting.join("\n"));
  }
}

customElements.define("access-requests", AccessRequests);
