import { permission } from "../access-words.js";
import { cancelSelection, changeClient, deleteToken, fetchAccess, fetchHandedOver, fetchSelection, forgetClient, forgetOrigin, makeToken, putSelection, stopHandingOver } from "../helpers/access.js";
import { longDate } from "../helpers/dates.js";
import { make, symbol } from "../helpers/dom.js";
import { reasonOf } from "../helpers/reason.js";
import { viewAs } from "../helpers/view-as.js";
import { choiceOf, identityOf, statusesOf } from "../models/requests.js";
import { words } from "../words.js";
import { ask } from "./ask.js";
import { backButton } from "./selection-bar.js";
import { showToast } from "./toasts.js";

const symbols = { origin: "globe", program: "program", script: "key" };
const moment = (iso) => new Date(iso).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
const choices = ["authorized", "limited", "addOnly", "denied", "restricted"];

/** The page `/access`: the programs that asked, what each may see, and keys for scripts. */
export class AccessPage extends HTMLElement {
  #list = make("div", { className: "clients" });
  /** The clients whose keys are shown. */
  #opened = new Set();
  /** The pages and programs that can still load picked photos, or that recognize them. */
  #handedOver = make("section", { className: "handed-over" });
  /** The latest request, whose answer those of earlier ones do not overwrite. */
  #asking = null;
  /** @type {EventTarget & object} */
  shell;

  connectedCallback() {
    this.className = "page";
    const newKey = make("button", { type: "button", textContent: permission.newToken });
    newKey.addEventListener("click", () => this.#makeKey());
    this.replaceChildren(
      make("header", {}, backButton(this.shell), make("div", {}, make("h1", { textContent: permission.title }), make("p", { className: "faint", textContent: permission.intro })), newKey),
      this.#list, this.#handedOver, this.#pickers(),
    );
    this.ask = () => this.#ask();
    for (const type of ["access", "lock"]) this.shell?.addEventListener(type, this.ask);
    // Events that were sent while the page was hidden or offline are missed.
    this.shell?.live.addEventListener("open", this.ask);
    this.#ask();
  }

  disconnectedCallback() {
    for (const type of ["access", "lock"]) this.shell?.removeEventListener(type, this.ask);
    this.shell?.live.removeEventListener("open", this.ask);
  }

  /** Lets pages that know no address of a library open the picker of this one. */
  #pickers() {
    const register = make("button", { type: "button", textContent: permission.registerPicker });
    // Safari and pages without encryption can't register.
    register.disabled = !navigator.registerProtocolHandler;
    register.addEventListener("click", () => navigator.registerProtocolHandler("web+calotype", `${location.origin}/picker?u=%s`));
    return make("section", { className: "pickers" }, make("h2", { textContent: permission.pickers }), make("p", { className: "faint", textContent: permission.pickersText }), register);
  }

  async #askForHandedOver() {
    const { origins, programs } = await fetchHandedOver();
    const row = (name, facts, actions, attributes) => {
      const text = make("span", {}, make("bdi", { textContent: name }), ` · ${facts.filter(Boolean).join(" · ")}`);
      return make("li", { attributes }, text, make("div", { className: "actions" }, ...actions));
    };
    const button = (label, name, act) => {
      const element = make("button", { type: "button", textContent: label, ariaLabel: `${label}: ${name}` });
      element.addEventListener("click", act);
      return element;
    };
    const copies = (count, until) => permission.handedOverUntil(count, moment(until));
    const stop = (name, whom) => button(permission.stop, name, () => this.#send(() => stopHandingOver(whom), permission.stopped(name)));
    const rows = origins.map(({ origin, count, until, hasIdentifiers }) => {
      const forget = button(permission.forgetOrigin, origin, () => this.#send(() => forgetOrigin(origin), permission.forgottenOrigin(origin)));
      const facts = [count > 0 && copies(count, until), hasIdentifiers && permission.recognizes];
      return row(origin, facts, [...(count > 0 ? [stop(origin, { origin })] : []), forget], { "data-origin": origin });
    });
    for (const { picker, name, address, count, until } of programs) {
      const called = name || permission.unnamedProgram;
      rows.push(row(called, [address, copies(count, until)], [stop(called, { picker })], { "data-picker": picker }));
    }
    this.#handedOver.replaceChildren(...(rows.length > 0 ? [make("h2", { textContent: permission.handedOver }), make("p", { className: "faint", textContent: permission.handedOverText }), make("ul", {}, ...rows)] : []));
  }

  async #ask() {
    const asking = (this.#asking = {});
    this.#askForHandedOver().catch(() => this.#handedOver.replaceChildren());
    try {
      const { clients, selections = [] } = await fetchAccess();
      if (asking !== this.#asking) return;
      const cards = clients.map((client) => this.#card(client, selections.filter((selection) => selection.client === client.id)));
      this.#list.replaceChildren(...(cards.length > 0 ? cards : [this.#nothing()]));
    } catch (error) {
      if (asking !== this.#asking) return;
      this.#list.replaceChildren(make("p", { className: "faint", textContent: reasonOf(error) }));
    }
  }

  #nothing() {
    return make("div", { className: "nothing" }, symbol("key"), make("h2", { textContent: permission.none }), make("p", { className: "faint", textContent: permission.noneText }));
  }

  /**
   * @param {object} client
   * @param {{id: string}[]} selections its requests for another selection
   */
  #card(client, selections) {
    const choice = choiceOf(client);
    const uses = [
      client.lastUsed ? permission.lastUsed(moment(client.lastUsed)) : client.tokens?.length > 0 && permission.neverUsed,
      client.askedOn && permission.askedOn(longDate(client.askedOn)),
      client.requestCount > 0 && permission.requestsMade(client.requestCount),
    ].filter(Boolean);
    const identity = identityOf(client);
    // A client that has told no name is named by its identity.
    const kind = [permission.kinds[client.kind], client.name !== identity && make("bdi", { textContent: identity })].filter(Boolean);
    const names = make("div", { className: "names" },
      make("h2", {}, make("bdi", { textContent: client.name })),
      make("p", { className: "identity" }, ...kind.flatMap((part, index) => (index > 0 ? [" · ", part] : [part]))),
      make("p", { className: "faint", textContent: uses.join(" · ") }));
    const select = make("select", { ariaLabel: `${permission.change}: ${client.name}` });
    if (choice === "notDetermined") select.append(make("option", { value: "", textContent: permission.statuses.notDetermined }));
    for (const value of choices) {
      const textContent = value === "limited" && choice === "limited" ? permission.statuses.limited(client.selectedCount) : permission.choices[value];
      select.append(make("option", { value, textContent }));
    }
    select.value = choice === "notDetermined" ? "" : choice;
    select.addEventListener("change", () => this.#change(client, select.value));
    // With the program's name in the label, `keepFocus` finds the same button in the new list.
    const button = (label, act, className = "") => {
      const element = make("button", { type: "button", className, textContent: label, ariaLabel: `${label}: ${client.name}` });
      element.addEventListener("click", act);
      return element;
    };
    const actions = [];
    if (choice === "limited") actions.push(button(permission.choose, () => this.#choose(client)));
    if (choice === "authorized" || choice === "limited") actions.push(button(permission.viewAs, () => viewAs(client)));
    actions.push(button(permission.forget, () => this.#forget(client), "dangerous"));
    const wishes = selections.map(({ id }) => {
      const leave = button(permission.leaveSelection, () => this.#send(() => cancelSelection(id)));
      return make("div", { className: "client-key wish" }, make("span", { textContent: permission.asksForSelection }), button(permission.selectPhotos, () => this.#choose(client), "primary"), leave);
    });
    const keys = this.#keys(client);
    return make("article", { className: "client", attributes: { "data-client": client.id } }, symbol(symbols[client.kind] ?? "program"), names, select, make("div", { className: "client-actions" }, ...actions), ...wishes, ...keys);
  }

  /** The keys of a client. Those of a program are folded, because owners rarely need them. */
  #keys({ id, kind, tokens = [] }) {
    const keys = tokens.map((token) => this.#key(token));
    if (kind === "script" || keys.length === 0) return keys;
    const details = make("details", { className: "client-keys", open: this.#opened.has(id) }, make("summary", { textContent: permission.tokens }), ...keys);
    details.addEventListener("toggle", () => (details.open ? this.#opened.add(id) : this.#opened.delete(id)));
    return [details];
  }

  #key({ id, start, expires, lastUsed }) {
    const revoke = make("button", { type: "button", className: "plain", textContent: permission.revoke, ariaLabel: `${permission.revoke}: ${start}…` });
    revoke.addEventListener("click", async () => {
      const question = { title: permission.askRevoke(start), text: permission.askRevokeText, confirm: permission.revoke, isDangerous: true };
      if (await ask(question)) await this.#send(() => deleteToken(id), permission.revoked(start));
    });
    const facts = [lastUsed ? permission.lastUsed(moment(lastUsed)) : permission.neverUsed, expires && permission.expires(longDate(expires))];
    const text = make("span", {}, make("code", { textContent: `${start}…` }), ` ${facts.filter(Boolean).join(" · ")}`);
    return make("div", { className: "client-key" }, text, revoke);
  }

  async #change(client, choice) {
    if (choice === "limited") {
      if (!(await this.#choose(client, true))) return this.#ask();
    }
    await this.#send(() => changeClient(client.id, statusesOf(choice)), permission.changed(client.name));
  }

  /** @returns {Promise<boolean>} whether something was chosen and saved */
  async #choose(client, isSilent = false) {
    try {
      const { assets } = await fetchSelection(client.id);
      const { choosePhotos } = await import("./choose-photos.js");
      const chosen = await choosePhotos({ title: permission.maySee(client.name), hint: permission.seesNone, chosen: assets });
      if (chosen === null) return false;
      return await this.#send(() => putSelection(client.id, chosen), isSilent ? null : permission.changed(client.name));
    } catch (error) {
      showToast(reasonOf(error));
      return false;
    }
  }

  async #forget(client) {
    const question = { title: permission.askForget(client.name), text: permission.askForgetText, confirm: permission.forget, isDangerous: true };
    if (await ask(question)) await this.#send(() => forgetClient(client.id), permission.forgotten(client.name));
  }

  async #makeKey() {
    const name = make("input", { type: "text", maxLength: 100, autocomplete: "off", ariaLabel: permission.tokenName, placeholder: permission.tokenName });
    const level = make("select", { ariaLabel: permission.change }, make("option", { value: "readWrite", textContent: permission.choices.authorized }), make("option", { value: "addOnly", textContent: permission.choices.addOnly }));
    const content = make("div", { className: "fields" }, name, level);
    if (!(await ask({ title: permission.newToken, confirm: permission.make, content }))) return;
    if (!name.value.trim()) return showToast(permission.tokenNeedsName);
    await this.#send(async () => {
      const { token } = await makeToken({ name: name.value.trim(), level: level.value });
      const content = shownKey(token);
      await ask({ title: permission.newToken, text: permission.tokenOnce, confirm: words.general.done, cancel: null, content });
    });
  }

  /** @returns {Promise<boolean>} whether it was done */
  async #send(work, text = null) {
    let isDone = false;
    try {
      await work();
      isDone = true;
      if (text) showToast(text);
    } catch (error) {
      const { changing } = words;
      if (error.kind === "recent-authentication-required") {
        showToast(changing.needsSignIn, { action: { label: changing.openSessions, act: () => (location.href = "/sessions") } });
      } else showToast(reasonOf(error));
    }
    await this.#ask();
    return isDone;
  }
}

/** Shows a key with a button that copies it. Browsers have no clipboard without encryption. */
function shownKey(token) {
  const field = make("input", { type: "text", readOnly: true, value: token, className: "token", ariaLabel: permission.tokens });
  field.addEventListener("focus", () => field.select());
  const copy = make("button", { type: "button", hidden: !navigator.clipboard, textContent: words.editing.copy });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(token);
    copy.textContent = words.editing.copied;
  });
  return make("div", { className: "new-key" }, field, copy);
}

customElements.define("access-page", AccessPage);
