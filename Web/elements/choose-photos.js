import { assetsOf, fetchDays, fetchIndex } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { AssetPages } from "../models/asset-pages.js";
import { Choice } from "../models/choice.js";
import { everything } from "../models/places.js";
import { words } from "../words.js";
import "./photo-grid.js";

const order = "newest";
/** The time in milliseconds until a list that has changed is requested again. */
const interval = 500;

/**
 * Shows the whole library in a dialog, in which the owner selects photos: those that somebody may
 * see, or those for an album. Arrow keys move in it, and Space selects. The list follows changes,
 * and what is chosen stays chosen.
 * @param {{title: string, chosen?: string[], confirm?: string, isNeeded?: boolean}} options
 *   `chosen` are selected at the beginning; `isNeeded` asks for at least one
 * @returns {Promise<string[] | null>} identifiers, or null if it was canceled
 */
export async function choosePhotos({ title, chosen = [], confirm = words.general.done, isNeeded = false }) {
  let isRenewing = false;
  let snapshot = await read();
  const choice = new Choice(snapshot.pages, chosen);

  const count = make("span", { className: "faint", attributes: { role: "status" } });
  const cancel = make("button", { type: "button", className: "plain", textContent: words.general.cancel });
  const done = make("button", { type: "button", className: "primary", textContent: confirm });
  const grid = make("photo-grid");
  const heading = make("div", { className: "names" }, make("h2", { id: "chooser-title", textContent: title }), count);
  const dialog = make("dialog", { className: "chooser" }, make("header", {}, cancel, heading, done), make("div", { className: "chooser-grid" }, grid));
  dialog.setAttribute("aria-labelledby", "chooser-title");
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();

  const toggle = (event, place) => {
    event.preventDefault();
    event.stopPropagation();
    if (place < 0) return;
    grid.focusAsset(place);
    choice.toggle(place, event.shiftKey);
  };
  choice.onChange = () => {
    count.textContent = words.permission.pickerHint(choice.count);
    done.disabled = isNeeded && choice.count === 0;
    grid.decorate();
  };
  grid.decorators.add((cell) => mark(cell, choice));
  grid.addEventListener("click", (event) => toggle(event, grid.indexOf(event.target)), true);
  grid.addEventListener("keydown", (event) => event.key === " " && toggle(event, grid.focusedIndex));
  grid.label = title;
  grid.show(snapshot);
  choice.onChange();
  if (snapshot.total > 0) grid.focusAsset(0);

  return new Promise((resolve) => {
    let answer = null;
    cancel.addEventListener("click", () => dialog.close());
    done.addEventListener("click", async () => {
      try {
        answer = await choice.all();
      } catch (error) {
        count.textContent = error.kind === "outdated" ? words.changing.outdated : words.general.silent;
        return;
      }
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      snapshot.pages.close();
      dialog.remove();
      resolve(answer);
    });
  });

  async function read() {
    const { revision, total, days } = await fetchDays(everything.id, order);
    const fetchPage = assetsOf(everything.id, order);
    const pages = new AssetPages(async (...range) => {
      const page = await fetchPage(...range);
      if (page.revision !== revision && pages === snapshot.pages) renewSoon();
      return page;
    }, { revision });
    return { place: everything, order, revision, total, days, pages };
  }

  /** Shows the list again soon, because a page of it is of a later revision. */
  function renewSoon() {
    if (isRenewing) return;
    isRenewing = true;
    setTimeout(async () => {
      // Without an answer, the next page asks again.
      await renew().catch(() => {});
      isRenewing = false;
    }, interval);
  }

  /** Shows the list as it is now, at the asset that was at the top. */
  async function renew() {
    const { id, index, offset } = grid.standing;
    const renewed = await read();
    const found = id === undefined ? -1 : await fetchIndex(everything.id, order, id);
    if (!dialog.isConnected) return;
    snapshot.pages.close();
    snapshot = renewed;
    grid.show(snapshot, snapshot.total > 0 ? { index: Math.min(found < 0 ? index : found, snapshot.total - 1), offset } : null);
    if (choice.renew(snapshot.pages)) count.textContent = words.changing.outdated;
  }
}

function mark({ element, index, asset }, choice) {
  const isChosen = asset !== undefined && choice.has(index, asset.id);
  if (!element.querySelector(".circle")) element.append(make("span", { className: "circle", attributes: { "aria-hidden": "true" } }));
  element.classList.toggle("selected", isChosen);
  element.setAttribute("aria-selected", String(isChosen));
}
