import { fetchLibrary } from "../helpers/api.js";
import { setColorScheme } from "../helpers/color-scheme.js";
import { make } from "../helpers/dom.js";
// The grid imports it when a change is shown.
import "../helpers/glide.js";
import { keepFocus } from "../helpers/keep-focus.js";
import { Guard } from "../models/guard.js";
import { inTurns } from "../models/in-turns.js";
import { originName } from "../models/origin-name.js";
import { configurationOf, mayOpen } from "../models/picker-configuration.js";
import { messageOf } from "../models/picker-message.js";
import { Picking } from "../models/picking.js";
import { Browsing } from "./browsing.js";
import { Choosing } from "./choosing.js";
import { askForCode } from "./code.js";
import { describe, prefetchDetails } from "./copying.js";
import { elementsIn, find } from "./elements.js";
import { Handing } from "./handing.js";
import { LibraryIdentifiers, OriginIdentifiers, cellsOf } from "./identifiers.js";
import { messages, sayInstead, sayOnly, whenSignedIn } from "./page-messages.js";
import { insecureOrigin, meeting, session } from "./port.js";
import { ProgramPort } from "./program.js";
import { Wishes } from "./wishes.js";
import { words } from "./words.js";

const elements = elementsIn(document);
const { addButton, albumList, cancelButton, grid, tray } = elements;
const [options, bar] = [".options", ".picker-bar"].map(find);

/** The time in milliseconds without a request after which the window closes. */
const closingTimeout = 600_000;
/** The times after the last file in which a page may ask for more, by what it has not asked for. */
const grace = { nothing: 1_500, movies: 30_000, files: closingTimeout };
/** The time in which a person can read that something could not be handed over. */
const failureGrace = 30_000;
/** The number of photos that are described at once. A browser refuses thousands of requests. */
const describedAtOnce = 16;

/** The picker of one page, or of a program: answers it, from the first choice to the last file. */
class Picker {
  #port;
  #isProgram;
  #identifiers;
  #configuration;
  #wishes;
  /** @type {Handing} */
  #handing;
  #browsing;
  #choosing;
  /**
   * The items that the page or program gets if the person cancels. A page gets what it has
   * preselected, whether the library knows it or not. Otherwise a page that closes the picker would
   * learn whether somebody is signed in.
   */
  #unchanged;
  /** The items of the continuous selection as the page was told last, by their assets. */
  #told = null;
  /** The messages of the page from before the library was shown. Null afterward. */
  #early = [];
  /** @type {"choosing" | "adding" | "handing" | "closed"} */
  #state = "choosing";
  /** The window may have come below a finger that was clicking. */
  #guard = new Guard(performance.now());
  #closing;

  constructor({ port, origin, title = originName(origin), configuration, isProgram = false, choosesAccess = false }) {
    this.#port = port;
    this.#isProgram = isProgram;
    this.#identifiers = isProgram ? new LibraryIdentifiers() : new OriginIdentifiers(origin);
    this.#configuration = configuration;
    this.#wishes = new Wishes(configuration);
    this.#handing = new Handing(port, origin, (representation) => this.#wishes.of(representation));
    // Others ask it, so that it hears of a key before them.
    this.#guard.watch(window);
    this.#browsing = new Browsing({ configuration, elements, messages, firstAsset: () => [...this.#choosing.preselected].at(0) });
    this.#choosing = new Choosing({
      configuration, elements, messages, browsing: this.#browsing, guard: this.#guard, isOpen: () => this.#state === "choosing",
    });
    if (configuration.colorScheme !== "light dark") setColorScheme(configuration.colorScheme);
    // The library may not have answered yet.
    this.#unchanged = configuration.preselected.map((identifier) =>
      isProgram ? { asset: this.#identifiers.assetOf(identifier) } : { item: crypto.randomUUID(), identifier, types: [] });
    const [before, name, after] = title;
    find(".origin").replaceChildren(before, make("b", { dir: "auto", textContent: name }), after);
    find(".promise").textContent = choosesAccess ? words.accessPromise : words.promise;
    // The program gets no files.
    options.hidden = choosesAccess;
    find(".purpose").textContent = configuration.purpose;
    find(".purpose").hidden = configuration.purpose === "";
    port.onmessage = ({ data }) => this.#receive(data);
    this.#setUp();
    this.#begin();
  }

  #setUp() {
    cancelButton.textContent = words.cancel;
    cancelButton.hidden = this.#configuration.disabled.has("selectionActions");
    cancelButton.addEventListener("click", () => this.#cancel());
    addButton.addEventListener("click", ({ timeStamp }) => this.#guard.isOpen(timeStamp) && this.#add());
    addEventListener("keydown", (event) => event.key === "Escape" && this.#escape());
    this.#choosing.addEventListener("choice", () => this.#tellChoice());
    this.#choosing.addEventListener("decision", () => this.#add());
    // At the end there is nothing but the message.
    keepFocus(() => (this.#isFinished ? messages.element : (grid.cellAt(grid.focusedIndex)?.element ?? cancelButton)));
    addEventListener("resize", () => this.#guard.appeared(performance.now()));
    document.addEventListener("visibilitychange", () => this.#guard.appeared(performance.now()));
    // A server notices by itself that the window of a program has gone.
    if (!this.#isProgram) addEventListener("pagehide", () => this.#leave());
    this.#handing.addEventListener("progress", () => this.#state === "handing" && this.#showHanding());
    this.#handing.addEventListener("done", () => {
      if (this.#state === "handing") this.#showHanding();
      this.#rest();
    });
  }

  /** Shows the library once a person has signed in. */
  async #begin() {
    await whenSignedIn(fetchLibrary);
    await whenSignedIn(() => this.#preselect());
    this.#browsing.begin();
    this.#choosing.redraw();
    const early = this.#early;
    this.#early = null;
    for (const asked of early) this.#obey(asked);
  }

  /** Selects what the page has got before. What it does not know is ignored without a trace. */
  async #preselect() {
    const { preselected } = this.#configuration;
    if (preselected.length === 0) return;
    this.#choosing.preselect(await cellsOf(await this.#identifiers.find(preselected)));
    const ids = [...this.#choosing.preselected];
    if (this.#isProgram) this.#unchanged = await this.#describeAll(ids);
    this.#choosing.picking = new Picking(ids, this.#choosing.picking.limit);
  }

  #escape() {
    if (!this.#choosing.cancelGesture() && !this.#browsing.endSearch()) this.#cancel();
  }

  /** Prefetches details for Add, and reports a continuous selection to the page. */
  async #tellChoice() {
    const { picking } = this.#choosing;
    if (!this.#isProgram) prefetchDetails(picking.ids);
    if (!this.#configuration.isContinuous) return;
    const items = await this.#describeAll().catch(() => null);
    if (!picking.isSame(this.#choosing.picking) || this.#state !== "choosing") return;
    if (!items) return messages.complain(words.unreachable);
    this.#told = new Map(picking.ids.map((id, index) => [id, items[index]]));
    this.#post("change", items);
  }

  #receive(data) {
    const asked = messageOf(data);
    this.#answer(asked);
    this.#rest();
  }

  #answer(asked) {
    switch (asked.type) {
      case "load":
      case "address":
        return this.#load(asked);
      case "cancel":
        return this.#handing.cancel(asked.request);
      case "release":
        return this.#handing.release(asked.items);
      case "close":
        if (asked.revoke) this.#handing.release();
        return this.#close();
      case "error":
        return this.#port.postMessage(asked);
      default:
        if (this.#state !== "choosing") return;
        if (this.#early) this.#early.push(asked);
        else this.#obey(asked);
    }
  }

  /** Does what the methods of a picker's controller do. */
  #obey({ type, selectionLimit, searchText, identifiers, identifier, after }) {
    const { picking } = this.#choosing;
    switch (type) {
      case "update":
        if (Number.isInteger(selectionLimit)) this.#choosing.limitTo(selectionLimit);
        if (typeof searchText === "string") this.#browsing.search(searchText);
        return;
      case "deselect":
        this.#choosing.picking = picking.without(identifiers.map((name) => this.#identifiers.assetOf(name)));
        return;
      case "move": {
        const other = after ? this.#identifiers.assetOf(after) : null;
        if (other !== undefined) this.#choosing.picking = picking.moving(this.#identifiers.assetOf(identifier), other);
        return;
      }
      case "scrollToInitialPosition":
        return this.#browsing.goToBeginning();
      case "zoomIn":
        return grid.zoom(-1);
      case "zoomOut":
        return grid.zoom(1);
    }
  }

  #post(type, items) {
    return this.#port.postMessage({ type, items, ...(this.#isProgram && { wishes: this.#wishes.current }) });
  }

  async #describeAll(ids = this.#choosing.picking.ids) {
    if (this.#isProgram) return ids.map((id) => ({ asset: id }));
    const { cells, preselected } = this.#choosing;
    const identifiers = this.#configuration.wantsIdentifiers ? await this.#identifiers.make(ids) : null;
    return inTurns(describedAtOnce, ids, async (id, index) => {
      const described = await describe(this.#handing.nameOf(id), cells.get(id), this.#wishes.current);
      if (preselected.has(id)) described.types = [];
      return { ...described, ...(identifiers && { identifier: identifiers[index] }) };
    });
  }

  async #add() {
    if (this.#state !== "choosing" || this.#choosing.picking.isOver) return;
    this.#state = "adding";
    addButton.disabled = true;
    try {
      const describing = this.#describeAll();
      describing.catch(() => {});
      if (await this.#dropGone()) return;
      const items = await describing;
      // The person may have canceled meanwhile.
      if (this.#state !== "adding") return;
      await this.#post("picked", items);
      for (const { item, types = [] } of items) if (types.length > 0) this.#handing.expect(item, types.map(({ kind }) => kind));
    } catch (error) {
      if (this.#state !== "adding") return;
      this.#state = "choosing";
      this.#choosing.redraw();
      return messages.complain(this.#isProgram && error.status === 404 ? words.ended : words.addAgain);
    }
    this.#finish("handing");
    document.body.classList.add("finished");
    for (const element of [grid, albumList, tray, options, bar]) element.hidden = true;
    if (this.#isProgram) messages.say(words.given(this.#choosing.picking.count));
    else messages.say("", make("p", { className: "faint", textContent: words.keepOpen }));
    if (!this.#isProgram) this.#showHanding();
    this.#rest();
  }

  /** Takes away what was deleted or hidden since it was chosen. Returns true if there was any. */
  async #dropGone() {
    const { picking } = this.#choosing;
    // The server looks at what a program gets.
    if (this.#isProgram || picking.count === 0) return false;
    const shown = new Set((await cellsOf(picking.ids)).map(({ id }) => id));
    const gone = picking.ids.filter((id) => !shown.has(id));
    if (gone.length === 0 || this.#state !== "adding") return false;
    this.#state = "choosing";
    this.#choosing.picking = picking.without(gone);
    this.#tellChoice();
    messages.complain(words.gone(gone.length));
    return true;
  }

  async #cancel() {
    if (this.#isFinished) return;
    this.#finish("closed");
    await this.#post("cancelled", this.#unchanged).catch(() => {});
    this.#close();
  }

  /** True once the page has its answer. */
  get #isFinished() {
    return this.#state === "handing" || this.#state === "closed";
  }

  /** @param {"handing" | "closed"} state */
  #finish(state) {
    this.#state = state;
    this.#browsing.end();
  }

  /** The window goes, which cancels the choosing, unless everything was told already. */
  #leave() {
    if (this.#isFinished) return;
    const { isImmediate, picking } = this.#choosing;
    // The page may have deselected or moved some since.
    if (isImmediate && this.#told && !picking.isOver) this.#post("picked", picking.ids.map((id) => this.#told.get(id)).filter(Boolean));
    else this.#post("cancelled", this.#unchanged);
  }

  #load(asked) {
    const id = this.#handing.assetOf(asked.item);
    const { isImmediate, picking, preselected, cells } = this.#choosing;
    const isGiven = isImmediate ? picking.ids.includes(id) && !preselected.has(id) : this.#handing.isGiven(asked.item);
    if (!isGiven || asked.kind === "alternate") return this.#handing.refuse(asked.request);
    this.#handing.answer(asked, cells.get(id));
  }

  #showHanding() {
    const { handed, given, failed, share, left } = this.#handing;
    const end = failed > 0 ? words.notHandedOver(failed, given) : words.handedOver(given);
    sayInstead(left === "files" ? words.handing(handed, given, share) : end);
  }

  /** Closes the window after a time in which the page may ask for more. */
  #rest() {
    clearTimeout(this.#closing);
    if (!this.#isFinished) return;
    const { isBusy, left, failed } = this.#handing;
    const time = this.#isProgram || isBusy ? closingTimeout : Math.max(grace[left], failed > 0 ? failureGrace : 0);
    this.#closing = setTimeout(() => this.#close(), time);
  }

  #close() {
    // Requests that end now have nothing to say any more.
    if (this.#isFinished) this.#state = "closed";
    this.#handing.cancelAll();
    close();
    // A browser closes only windows that a page has opened.
    messages.say(words.closeYourself);
  }
}

/** Checks a configuration. Returns `{checked}`, or `{problem}` if the picker can't be shown. */
function check(configuration, origin) {
  if (origin && !mayOpen(origin, location)) return { problem: words.insecure };
  try {
    return { checked: configurationOf(configuration) };
  } catch ({ message }) {
    return { problem: message };
  }
}

/** Shows the picker of a program, or of a page that has no window. @param {string} id */
async function showForProgram(id) {
  const port = new ProgramPort(id);
  port.onmessage = ({ data }) => data.type === "close" && messages.say(words.ended);
  try {
    const { configuration, clientName, origin, address, needsCode, choosesAccess, isOpen } = await whenSignedIn(() => port.show());
    if (!isOpen) return messages.say(words.ended);
    const { checked, problem } = check(configuration, origin);
    const cancel = (items) => port.postMessage({ type: "cancelled", items, wishes: { representation: "current" } }).catch(() => {});
    if (problem) {
      sayOnly(words.refused(problem));
      // The program must not wait for a person, who can choose nothing. Others get nothing.
      const kept = origin || address ? [] : (configuration.preselected ?? []);
      return await cancel(kept.map((identifier) => ({ asset: new LibraryIdentifiers().assetOf(identifier) })));
    }
    port.follow();
    const name = origin ?? (address ? words.atAddress(clientName, address) : clientName);
    if (needsCode && !(await askForCode(port, name))) {
      port.onmessage = () => {};
      // It was not confirmed, so it gets nothing.
      await cancel([]);
      close();
      return messages.say(words.closeYourself);
    }
    // A program may say any name. It must not look like a page.
    const title = origin ? originName(origin) : choosesAccess ? words.accessTitle(name) : ["", name, ""];
    new Picker({ port, origin: name, title, configuration: checked, isProgram: true, choosesAccess });
  } catch (error) {
    messages.say([404, 409].includes(error.status) ? words.ended : words.refused(error.message));
  }
}

if (session) showForProgram(session);
else if (meeting) {
  meeting.then(
    (opened) => new Picker(opened),
    ({ message }) => sayOnly(message === "silent" ? words.silent : words.refused(message === insecureOrigin ? words.insecure : message)),
  );
} else sayOnly(words.noOpener);
