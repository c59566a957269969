/** @import { Target } from "../models/target.js" */
import { fetchAsset, resourceURL } from "../helpers/api.js";
import { knownDate, localDay } from "../helpers/dates.js";
import { make, symbol } from "../helpers/dom.js";
import { duration, kindOf } from "../helpers/format.js";
import { coordinates, exposureLine, fileSize, megapixels } from "../helpers/measures.js";
import { sourceWords } from "../helpers/sources.js";
import { fullDate, localISO, offsetName, timeOfDay } from "../helpers/times.js";
import { loadWorld } from "../helpers/world.js";
import { leadingDate, moveOf, shared, sharedKeywords } from "../models/information.js";
import { words } from "../words.js";
import { dateForm, keywordField, placeField, textField } from "./info-fields.js";

/** The largest number of assets that are compared. If there are more, the first ones are. */
const mostCompared = 50;

/**
 * The assets that are asked for. When the view changes, `target` is replaced.
 * @typedef {{target: Target}} Wanted
 */

/**
 * The assets whose values the fields show. When the same assets are loaded again, the object stays.
 * @typedef {{wanted: Wanted, count: number, key: string}} Shown
 */

/**
 * The known facts about one or more assets. Title, caption, keywords, date and place can be
 * changed. File names come from strangers, so they are set as text only.
 *
 * Fires `close`.
 */
export class InfoPanel extends HTMLElement {
  #content = make("div", { className: "info-content" });
  /** @type {Wanted | null} */
  #wanted = null;
  /** @type {Shown | null} */
  #shown = null;
  /** The number of loads that were begun. Only the answer to the latest one is shown. */
  #loads = 0;
  /** The identifiers of the assets whose values the fields show. @type {string[]} */
  #identifiers = [];
  /** The loaded assets as JSON. */
  #text = null;
  /** Whether values are being loaded after news, and whether there are further news. */
  #isReloading = false;
  #isOutdated = false;
  /** Whether newer values wait until the focus leaves the panel. */
  #isLate = false;
  /**
   * Changes assets, or null if the panel only shows them.
   * @type {import("./commands.js").Commands | null}
   */
  commands = null;

  connectedCallback() {
    const close = make("button", { className: "sheet-grip", ariaLabel: words.general.close });
    const leave = make("button", { type: "button", className: "icon leave", ariaLabel: words.general.close, title: words.general.close }, symbol("close"));
    for (const button of [close, leave]) button.addEventListener("click", () => this.dispatchEvent(new Event("close")));
    this.append(close, make("header", {}, make("h2", { textContent: words.commands.information }), leave), this.#content);
    this.addEventListener("focusout", ({ relatedTarget }) => {
      if (this.#isLate && !this.contains(relatedTarget)) this.#again(this.#shown);
    });
    this.setAttribute("aria-label", words.commands.information);
    this.setAttribute("role", "complementary");
  }

  /**
   * Shows assets. A field that is being written in stays if it is about the same assets, or else it
   * is saved for those that it is about.
   * @param {Target} target
   */
  async show(target) {
    this.#wanted = { target };
    await this.#load();
  }

  /**
   * Replaces the target of the shown assets by their target in a later snapshot.
   * @param {import("../models/ranges.js").Ranges} before their places in the snapshot before
   * @param {Target} target
   */
  async follow(before, target) {
    const wanted = this.#wanted;
    if (wanted?.target.places !== before) return;
    wanted.target = target;
    const key = await keyOf(target);
    if (this.#shown?.wanted === wanted && wanted.target === target) this.#shown.key = key;
  }

  /**
   * Shows the values again after a change of the library, if they may have changed.
   * @param {{assets?: {updated: string[]}, collections?: Record<string, string[]>}} change has no
   *   lists if too much has changed
   */
  changed({ assets, collections }) {
    const isUpdated = !assets || assets.updated.some((id) => this.#identifiers.includes(id));
    const isRegrouped = this.#shown?.count === 1 && Object.values(collections ?? {}).some((ids) => ids.length > 0);
    if (this.#shown && (isUpdated || isRegrouped)) this.#reload();
  }

  /** Loads the values after news. News during a load lead to one more. */
  async #reload() {
    this.#isOutdated = true;
    if (this.#isReloading) return;
    this.#isReloading = true;
    try {
      while (this.#isOutdated) {
        this.#isOutdated = false;
        await this.#load({ isNews: true });
      }
    } finally {
      this.#isReloading = false;
    }
  }

  /** The field with the focus. */
  get #field() {
    return this.#content.querySelector(".field:focus");
  }

  /** Shows assets again after a change, unless others are shown or more is being written by now. */
  async #again(shown) {
    if (shown === this.#shown) await this.#load();
  }

  /** Whether the field with the focus has more than what is saved, or a date is being changed. */
  get #isWritten() {
    return (this.#field !== null && isUnsaved(this.#field)) || this.#content.querySelector(".date-form") !== null;
  }

  /**
   * Fetches the wanted assets and shows them. If a person is writing about the same assets by then,
   * the fields stay until the focus leaves the panel. If others are shown, the open field is saved
   * first. After news, the fields are made again only if a value differs: what a person has
   * selected in them stays.
   */
  async #load({ isNews = false } = {}) {
    const wanted = this.#wanted;
    const number = ++this.#loads;
    let identifiers, assets, trouble;
    try {
      [identifiers] = await wanted.target.first(mostCompared).selects();
      assets = await Promise.all(identifiers.map(fetchAsset));
    } catch (error) {
      trouble = error;
    }
    // The view can change during the load: the assets are still the same ones.
    const { target } = wanted;
    const key = await keyOf(target);
    if (wanted !== this.#wanted || number !== this.#loads) return;
    const setsDate = this.#shown !== null && (this.#shown.wanted === wanted || (key !== null && this.#shown.key === key));
    if (setsDate) Object.assign(this.#shown, { wanted, key });
    this.#isLate = setsDate && (this.#isWritten || (trouble !== undefined && this.#unsaved.some(isUnsaved)));
    if (this.#isLate) return;
    const text = trouble ? null : JSON.stringify(assets);
    if (isNews && setsDate && (trouble ? trouble.status !== 404 : text === this.#text)) return;
    this.#text = text;
    const field = this.#field;
    field?.blur();
    if (trouble) {
      const text = trouble.kind === "outdated" ? words.changing.outdated : trouble.status === 404 ? words.editing.gone : words.general.notAnswering;
      this.#content.replaceChildren(make("p", { className: "faint", textContent: text }));
      return;
    }
    const unsaved = setsDate ? this.#unsaved : [];
    if (!setsDate) this.#shown = { wanted, key, count: target.count };
    this.#identifiers = identifiers;
    this.#content.replaceChildren(...this.#sections(this.#shown, assets));
    for (const before of unsaved) {
      const made = this.#fieldNamed(before.ariaLabel);
      if (made) partOf(made).replaceWith(partOf(before));
    }
    const focused = setsDate && field && this.#fieldNamed(field.ariaLabel);
    if (!focused) return;
    focused.focus({ preventScroll: true });
    if (field.selectionStart !== null) focused.setSelectionRange?.(field.selectionStart, field.selectionEnd);
  }

  /** The fields with text that is not saved yet, and the one for keywords. */
  get #unsaved() {
    const fields = [...this.#content.querySelectorAll(".editable .field, .keywords .field")];
    return fields.filter((field) => isUnsaved(field) || field.closest(".keywords"));
  }

  #fieldNamed(label) {
    return [...this.#content.querySelectorAll(".field")].find(({ ariaLabel }) => ariaLabel === label);
  }

  /** @param {Shown} shown @param {object[]} assets the first ones */
  #sections(shown, assets) {
    const [asset] = assets;
    if (shown.count === 1 && asset) {
      return [
        trouble(asset), this.#texts(shown, assets), this.#date(shown, assets), picture(asset), camera(asset), this.#place(shown, assets),
        this.#albums(asset), edited(asset), files(asset), notes(asset),
      ].filter(Boolean);
    }
    return [line(words.editing.several(shown.count), "name"), this.#texts(shown, assets), this.#date(shown, assets), this.#place(shown, assets)].filter(Boolean);
  }

  /** Changes the shown assets. The page says so if there are several. */
  #set({ wanted, count }, values) {
    return this.commands.set(wanted.target, values, count === 1 ? null : undefined);
  }

  #texts(shown, assets) {
    if (!this.commands) return null;
    const { editing } = words;
    const set = async (values) => {
      const answer = await this.#set(shown, values);
      if (answer && !this.contains(document.activeElement)) this.#again(shown);
      return answer;
    };
    const field = (key, label, placeholder, isLong) =>
      textField({ label, placeholder, isLong, ...shared(assets, key, shown.count), save: (text) => set({ [key]: text === "" ? null : text }) });
    const keywords = keywordField(sharedKeywords(assets, shown.count), {
      add: async (added) => {
        const answer = await set({ addKeywords: added });
        if (answer) this.#again(shown);
        return answer;
      },
      remove: async (keyword) => {
        if (await set({ removeKeywords: [keyword] })) this.#again(shown);
      },
    });
    return make("section", { className: "texts" }, field("title", editing.title, editing.addTitle), field("caption", editing.caption, editing.addCaption, true), keywords);
  }

  #date(shown, assets) {
    const { editing } = words;
    const { value, isMixed } = shared(assets, "creationDate", shown.count);
    const precision = shared(assets, "datePrecision", shown.count);
    const isDateMixed = isMixed || precision.isMixed;
    const isOne = shown.count === 1;
    const setsDate = isOne || !isDateMixed;
    // Dates that differ move by as much as one of them.
    const first = setsDate ? (assets[0]?.creationDate ?? null) : leadingDate(assets);
    const lines = isOne ? dateLines(assets[0]) : [line(isDateMixed ? editing.mixed : knownOrFullDate(value, precision.value), isDateMixed ? "faint" : "")];
    const part = section(editing.dateName, ...lines);
    if (!this.commands || !(first || isOne)) return part;
    const edit = make("button", { type: "button", className: "edit", textContent: editing.adjust, attributes: { "aria-label": editing.editDate } });
    const before = [...part.children, edit];
    part.append(edit);
    const close = () => {
      part.replaceChildren(...before);
      this.#again(shown);
    };
    const save = async (date) => {
      if (await this.#set(shown, setsDate ? { creationDate: date } : moveOf(first, date))) close();
    };
    edit.addEventListener("click", () => part.replaceChildren(part.firstChild, dateForm(first, save, close, { note: setsDate ? "" : editing.datesMove, isPartial: setsDate && precision.value !== "time" })));
    return part;
  }

  #place(shown, assets) {
    const [latitude, longitude] = [shared(assets, "latitude", shown.count), shared(assets, "longitude", shown.count)];
    const isMixed = latitude.isMixed || longitude.isMixed;
    const here = { latitude: latitude.value, longitude: longitude.value };
    const isKnown = !isMixed && here.latitude != null && here.longitude != null;
    const parts = [];
    if (isKnown) {
      const slot = make("div", { className: "map-slot" });
      parts.push(slot);
      this.#showMap(slot, here, shown.count === 1);
    }
    if (this.commands) parts.push(this.#placeField(shown, here, isMixed));
    else if (isKnown) parts.push(line(coordinates(here.latitude, here.longitude), "faint"));
    if (isKnown) parts.push(...placeLines({ ...here, altitude: shared(assets, "altitude").value }));
    return section(words.editing.placeName, ...parts);
  }

  #placeField(shown, here, isMixed) {
    return placeField({ ...here, isMixed }, async (location) => {
      const answer = await this.#set(shown, { location });
      if (answer) this.#again(shown);
      return answer;
    });
  }

  #albums({ albums }) {
    if (!albums?.length) return null;
    const items = albums.map(({ id, title }) => {
      const link = make("a", { href: `/album/${encodeURIComponent(id)}`, textContent: title });
      link.addEventListener("click", (event) => {
        if (!this.commands || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.commands.shell.go({ kind: "album", id });
      });
      return make("li", {}, link);
    });
    return section(words.editing.albums, make("ul", { className: "album-links" }, ...items));
  }

  /** Adds the place's name and a map, which are loaded for the first place that is shown. */
  async #showMap(slot, here, isOne) {
    const [world] = await Promise.all([loadWorld(), import("./place-map.js")]);
    if (!world || !slot.isConnected) return;
    const { city, country } = world.nameOf(here.latitude, here.longitude);
    const name = [city, country].filter(Boolean).join(", ");
    const map = make("place-map");
    map.show(world, here, name || coordinates(here.latitude, here.longitude));
    slot.append(...[line(name, "name"), map].filter(Boolean));
    const clock = isOne && city && this.#content.querySelector(".clock");
    if (clock) clock.textContent = words.map.timeIn(clock.textContent, city);
  }
}

const isUnsaved = (field) => field.value !== field.defaultValue;

/** Returns a field with its hint. */
const partOf = (field) => field.closest(".editable") ?? field;

/**
 * Returns a key of the assets of a target: their identifiers, or the places of many; null if they
 * can't be told.
 */
async function keyOf(target) {
  const { place, order, revision } = target.snapshot;
  if (target.count > mostCompared) return JSON.stringify([place, order, revision, target.places.list]);
  const identifiers = await target.selects().catch(() => null);
  return identifiers && JSON.stringify(identifiers);
}

function section(name, ...lines) {
  const present = lines.filter(Boolean);
  if (present.length === 0) return null;
  return make("section", { attributes: { "aria-label": name } }, make("h3", { textContent: name }), ...present);
}

const line = (text, className = "") => (text ? make("p", { className, textContent: text }) : null);

function trouble({ unreadableReason }) {
  if (!unreadableReason) return null;
  const text = make("div", {}, make("h3", { textContent: words.cell.unreadable }), line(unreadableReason));
  return make("section", { className: "trouble" }, symbol("unreadable"), text);
}

/** Returns the date with its weekday, or only the year or month if the day is not known. */
const knownOrFullDate = (date, precision) => (precision === "year" || precision === "month" ? knownDate(date, precision) : fullDate(date));

function dateLines({ creationDate, datePrecision, dateSource, timeZoneSource }) {
  const known = knownOrFullDate(creationDate, datePrecision);
  if (creationDate && datePrecision !== "time") return [line(known), line(sourceWords(dateSource, null), "faint")];
  const time = [timeOfDay(creationDate), offsetName(creationDate)].filter(Boolean).join(" ");
  return [line(known), line(time, "clock"), line(atHome(creationDate)), line(sourceWords(dateSource, timeZoneSource), "faint")];
}

/** The time on the reader's own clock, if it differs from that of the place. */
function atHome(creationDate) {
  const date = creationDate && new Date(creationDate);
  if (!date || Number.isNaN(date.getTime())) return "";
  const home = localISO(date);
  if (home === creationDate.slice(0, 19)) return "";
  const day = localDay(date) === creationDate.slice(0, 10) ? "" : fullDate(home);
  return words.editing.atHome(timeOfDay(home), day);
}

function picture(asset) {
  const { pixelWidth, pixelHeight, mediaType, originalFilename, burstFrames } = asset;
  const size = pixelWidth > 0 && `${pixelWidth} × ${pixelHeight}`;
  const facts = [kindOf({ mediaSubtypes: [], ...asset }), size];
  if (mediaType === "video") facts.push(duration(asset.duration));
  else if (size) facts.push(megapixels(pixelWidth, pixelHeight));
  const burst = burstFrames ? words.information.ofBurst : "";
  return section(words.information.picture, line(originalFilename, "name"), line(facts.filter(Boolean).join(" · ")), line(burst, "faint"));
}

function camera({ camera }) {
  if (!camera) return null;
  const { make: maker, model, lens, software } = camera;
  const name = model && maker && !model.startsWith(maker) ? `${maker} ${model}` : (model ?? maker);
  return section(words.information.camera, line(name), line(lens), line(exposureLine(camera)), line(software && words.information.software(software), "faint"));
}

/** Returns the lines about a place that follow its coordinates. */
function placeLines({ latitude, longitude, altitude }) {
  const map = make("a", {
    href: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`,
    target: "_blank",
    rel: "noopener noreferrer",
    textContent: words.information.openStreetMap,
  });
  const height = altitude == null ? "" : words.information.altitude(Math.round(altitude));
  return [line(height, "faint"), make("p", {}, map)];
}

function edited({ edit }) {
  if (!edit) return null;
  return section(words.editing.edit, line(edit.date && fullDate(edit.date)), line(edit.formatIdentifier ?? "", "faint"));
}

function files({ id, resources }) {
  if (!resources?.length) return null;
  const items = resources.map(({ type, uniformTypeIdentifier, originalFilename, bytes, sha256 }, index) => {
    const download = make(
      "a",
      { className: "download", href: resourceURL(id, index), download: "", ariaLabel: words.information.download(originalFilename) },
      symbol("download"),
    );
    const facts = `${words.information.resources[type] ?? type} · ${fileSize(bytes)}`;
    const text = make("div", {}, line(originalFilename, "name"), line(facts), line(uniformTypeIdentifier, "faint"));
    return make("li", {}, text, download, ...digest(sha256));
  });
  return section(words.information.originals, make("ul", { className: "resources" }, ...items));
}

/** A file's digest in groups, between which lines break, with a button that copies it. */
function digest(sha256) {
  if (!sha256) return [];
  const copy = make("button", { type: "button", className: "copy", textContent: words.editing.copy, ariaLabel: words.editing.copyDigest });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(sha256);
    copy.textContent = words.editing.copied;
  });
  // The clipboard needs an encrypted page, or one of this computer.
  copy.hidden = !navigator.clipboard;
  const groups = sha256.match(/.{1,8}/g).flatMap((group) => [make("span", { textContent: group }), make("wbr")]);
  return [make("div", { className: "faint digest" }, words.information.digest, copy, make("code", {}, ...groups))];
}

function notes({ notes }) {
  return section(words.information.notes, ...(notes ?? []).map((note) => line(note)));
}

customElements.define("info-panel", InfoPanel);
