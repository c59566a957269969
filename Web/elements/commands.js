/** @import { Target } from "../models/target.js" */
import { presentOf } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { send } from "../helpers/send.js";
import { Outdated } from "../models/asset-pages.js";
import { words } from "../words.js";
import { ask } from "./ask.js";
import { showToast } from "./toasts.js";

/** More assets than this are deleted only after a question. */
const mostUnasked = 200;

/** The number of times that the assets of an outdated view are named anew. */
const mostRenewals = 4;

/** Changes assets and albums for the page. Each method is one transaction. */
export class Commands {
  /**
   * @param {EventTarget & object} shell
   * @param {import("../helpers/changes.js").Changes} changes
   */
  constructor(shell, changes) {
    this.shell = shell;
    this.changes = changes;
    /**
     * Shows hearts before the server has answered. Returns a function that shows those from before.
     * @type {(target: Target, isFavorite: boolean) => () => void}
     */
    this.showFavorite = () => () => {};
  }

  /** @param {Target} target */
  favorite(target) {
    return this.#setFavorite(target, true);
  }

  /** @param {Target} target */
  unfavorite(target) {
    return this.#setFavorite(target, false);
  }

  /** @param {Target} target */
  hide(target) {
    return this.#each(target, (assets) => ({ type: "setAssets", assets, isHidden: true }), words.changing.hidden(target.count));
  }

  /** @param {Target} target */
  unhide(target) {
    return this.#each(target, (assets) => ({ type: "setAssets", assets, isHidden: false }), words.changing.unhidden(target.count));
  }

  /** @param {Target} target @param {object} values the properties to set @param {string} [text] */
  set(target, values, text = words.changing.edited(target.count)) {
    return this.#each(target, (assets) => ({ type: "setAssets", assets, ...values }), text);
  }

  /** @param {Target} target */
  async deleteFromLibrary(target) {
    const { changing } = words;
    const question = {
      title: changing.askDelete(target.count), text: changing.askDeleteText, confirm: changing.confirmDelete(target.count), isDangerous: true,
    };
    if (target.count > mostUnasked && !(await ask(question))) return null;
    return this.#each(target, (assets) => ({ type: "deleteAssets", assets }), changing.deleted(target.count));
  }

  /** @param {Target} target */
  async deleteForGood(target) {
    const { changing } = words;
    const question = {
      title: changing.askDeleteForGood(target.count), text: changing.askDeleteForGoodText,
      confirm: changing.confirmDelete(target.count), isDangerous: true,
    };
    if (!(await ask(question))) return null;
    return this.#each(target, (assets) => ({ type: "deleteAssetsPermanently", assets }), changing.deletedForGood(target.count));
  }

  /** @param {Target} target */
  restore(target) {
    return this.#each(target, (assets) => ({ type: "restoreAssets", assets }), words.changing.restored(target.count));
  }

  /**
   * Deletes the other frames of a burst.
   * @param {import("../models/asset-pages.js").Cell[]} frames
   * @param {string} kept the id of the frame that stays
   */
  keepOnlyFrame(frames, kept) {
    const assets = frames.map(({ id }) => id).filter((id) => id !== kept);
    return this.perform([{ type: "deleteAssets", assets }], words.changing.deleted(assets.length));
  }

  /**
   * Makes each frame of a burst a photo of its own.
   * @param {import("../models/asset-pages.js").Cell[]} frames
   */
  keepAllFrames(frames) {
    const assets = frames.map(({ id }) => id);
    return this.perform([{ type: "setAssets", assets, isBurstPick: true }], words.changing.keptFrames(assets.length));
  }

  /**
   * Replaces the edit of one asset. Other changes don't wait for it, since a movie takes minutes.
   * @param {{id: string, version: string}} asset
   * @param {object | null} steps null to take the edit back
   * @param {string} text
   */
  async edit({ id, version }, steps, text) {
    const asset = { assets: [id], version };
    const change = steps ? { type: "editAssets", ...asset, steps } : { type: "revertAssets", ...asset };
    try {
      const answer = await this.changes.perform([change], { isLong: true });
      this.shell.refresh?.();
      this.#done(text, answer);
      return answer;
    } catch (error) {
      this.#refused(error);
      return null;
    }
  }

  /** @param {Target} target @param {{id: string, title: string}} album */
  removeFrom(target, album) {
    const change = (assets) => ({ type: "removeAssets", collection: album.id, assets });
    return this.#each(target, change, words.changing.removed(target.count, album.title));
  }

  /** @param {Target} target @param {{id: string, title: string}} album */
  async addTo(target, album) {
    const change = (assets) => ({ type: "addAssets", collection: album.id, assets });
    const answer = await this.#each(target, change, null, { isPicked: true });
    if (!answer) return null;
    await this.#tellAdded(answer, album, target.count);
    return answer;
  }

  /** Says how many assets an album got. Those that were in it before are not added again. */
  async #tellAdded(answer, album, wanted) {
    await this.shell.refreshCollections();
    const added = Math.max(0, Math.min((this.shell.collections.at(album.id)?.count ?? Infinity) - album.count, wanted));
    this.#done(words.changing.added(added, wanted - added, album.title), answer);
  }

  /**
   * Asks for photos of the library, and adds them to an album.
   * @param {{id: string, title: string}} album
   */
  async fill(album) {
    const { choosePhotos } = await import("./choose-photos.js");
    const assets = await choosePhotos({ title: words.albums.addPhotosTo(album.title), confirm: words.albums.add, isNeeded: true });
    if (!assets || assets.length === 0) return null;
    const answer = await this.perform([{ type: "addAssets", collection: album.id, assets }], null);
    if (answer) await this.#tellAdded(answer, album, assets.length);
    return answer;
  }

  /** Downloads the assets as they are shown now, as one ZIP file. @param {Target} target */
  download(target) {
    return this.#download(target, "current");
  }

  /** Downloads the files that were imported, as one ZIP file. @param {Target} target */
  downloadOriginals(target) {
    return this.#download(target, "originals");
  }

  /** @param {Target} target @param {"current" | "originals"} kind */
  async #download(target, kind) {
    try {
      const askFor = async (selects) => {
        // A download is of one list or one range.
        const [assets] = selects.length === 1 ? selects : await target.selects({ areIdentifiers: true });
        return send("POST", "/api/v1/downloads", { assets, kind });
      };
      const { ticket, missing } = await this.#named(target, {}, askFor);
      make("a", { href: `/api/v1/downloads/${ticket}`, download: "" }).click();
      if (missing.length > 0) showToast(words.changing.incomplete(missing.slice(0, 3)));
    } catch (error) {
      this.#refused(error);
    }
  }

  /**
   * @param {Target} target
   * @param {{id: string}} album
   * @param {number} index the place after the assets were taken out
   */
  move(target, album, index) {
    const change = (assets) => ({ type: "moveAssets", collection: album.id, assets, index });
    return this.#each(target, change, words.changing.moved(target.count), { areIdentifiers: true });
  }

  /** @param {Target} target @param {{id: string, title: string}} album */
  async useAsCover(target, album) {
    const asset = target.cells[0]?.id;
    return this.perform([{ type: "setKeyAsset", collection: album.id, asset }], words.changing.cover(album.title));
  }

  /**
   * Makes an album, with assets in the order of choosing if there is a target.
   * @param {string} title
   * @param {{parent?: string | null, target?: Target, kind?: "album" | "folder"}} [options]
   * @returns {Promise<string | null>} the new collection's id
   */
  async make(title, { parent = null, target, kind = "album" } = {}) {
    const type = kind === "folder" ? "createFolder" : "createAlbum";
    const perform = (selects) => {
      const additions = selects.map((assets) => ({ type: "addAssets", collection: "$1", assets }));
      return this.changes.perform([{ type, as: "$1", title, ...(parent && { parent }) }, ...additions]);
    };
    const answer = await this.#answered(() => (target ? this.#named(target, { isPicked: true }, perform) : perform([])));
    if (answer) this.#done(words.albums.made(title), answer);
    return answer?.created?.$1 ?? null;
  }

  /** @param {{id: string}} collection @param {string} title */
  rename(collection, title) {
    return this.perform([{ type: "renameCollection", collection: collection.id, title }], words.albums.renamed(title));
  }

  /**
   * @param {{id: string, title: string}} collection
   * @param {string | null} parent
   * @param {number} [index]
   */
  moveCollection(collection, parent, index) {
    const change = { type: "moveCollections", collections: [collection.id], parent, ...(index !== undefined && { index }) };
    return this.perform([change], words.albums.moved(collection.title));
  }

  /** @param {{id: string, title: string, kind: string, count: number}} collection */
  async deleteCollection(collection) {
    const { albums } = words;
    const text = collection.kind === "folder" ? albums.folderText(this.#albumsIn(collection.id), collection.count) : albums.albumText(collection.count);
    const isEmpty = collection.kind !== "folder" && collection.count === 0;
    const question = { title: albums.askDelete(collection.title), text, confirm: albums.delete(collection.kind), isDangerous: true };
    if (!isEmpty && !(await ask(question))) return null;
    return this.perform([{ type: "deleteCollections", collections: [collection.id] }], albums.deleted(collection.title));
  }

  #albumsIn(folder) {
    const children = this.shell.collections.childrenOf(folder);
    return children.reduce((count, { id, kind }) => count + (kind === "folder" ? this.#albumsIn(id) : 1), 0);
  }

  /** Takes back a change of this owner, or the newest. @param {number} [transaction] */
  async undo(transaction) {
    const answer = await this.#answered(() => this.changes.undo(transaction), { none: transaction === undefined && words.changing.nothingToUndo });
    if (answer) this.#tell(await this.#effect(words.changing.undone, answer.transaction), words.general.redo, () => this.redo(answer.transaction));
    return answer;
  }

  /** @param {number} [transaction] */
  async redo(transaction) {
    const answer = await this.#answered(() => this.changes.redo(transaction), { none: transaction === undefined && words.changing.nothingToRedo });
    if (answer) this.#tell(await this.#effect(words.changing.redone, answer.transaction), words.general.undo, () => this.undo(answer.transaction));
    return answer;
  }

  /** Returns what an undo or a redo has done: it may be out of the view. */
  async #effect(word, transaction) {
    try {
      const [{ transactions: [made] }, { sentencesOf }] = await Promise.all([
        send("GET", `/api/v1/changes?limit=1&before=${transaction + 1}`), import("../models/history.js"),
      ]);
      return words.changing.withEffect(word, sentencesOf(made).join(", "));
    } catch {
      return word;
    }
  }

  /**
   * Performs changes as one transaction, and says what was done.
   * @param {object[]} changes
   * @param {string | null} text null if the page shows it by itself
   */
  async perform(changes, text) {
    const answer = await this.#answered(() => this.changes.perform(changes));
    if (answer && text !== null) this.#done(text, answer);
    return answer;
  }

  async #setFavorite(target, isFavorite) {
    const isLeaving = this.shell.place?.id === "favorites" && !isFavorite;
    const text = isFavorite ? words.changing.favorited(target.count) : words.changing.unfavorited(target.count);
    const isToBeSaid = isLeaving || target.count > 1;
    const restore = isLeaving ? () => {} : this.showFavorite(target, isFavorite);
    const change = (assets) => ({ type: "setAssets", assets, isFavorite });
    const answer = await this.#each(target, change, isToBeSaid ? text : null);
    if (!answer) restore();
    return answer;
  }

  /** Performs one kind of change for all assets of a target. */
  async #each(target, changeOf, text, options = {}) {
    const perform = (selects) => this.changes.perform(selects.map(changeOf));
    const answer = await this.#answered(() => this.#named(target, options, perform));
    if (answer && text !== null) this.#done(text, answer);
    return answer;
  }

  /**
   * Does work with the assets of a target. If the library has changed since they were chosen, they
   * are named anew, as far as they can be told.
   */
  async #named(target, options, work) {
    try {
      return await work(await target.selects(options));
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
    // Identifiers are needed where the order counts, and ranges have none.
    if (options.areIdentifiers) throw new Outdated();
    const { place, order } = target.snapshot;
    for (let tried = 1; ; tried++) {
      try {
        return await work(await target.renewed(presentOf(place?.id, order), options));
      } catch (error) {
        if (!isOutdated(error)) throw error;
        if (tried === mostRenewals) throw new Outdated();
      }
    }
  }

  async #answered(work, { none } = {}) {
    try {
      const answer = await this.changes.inTurn(work);
      this.shell.refresh?.();
      return answer;
    } catch (error) {
      this.#refused(error, none);
      return null;
    }
  }

  #done(text, { isUndoable, transaction }) {
    if (isUndoable === false) showToast(text);
    else this.#tell(text, words.general.undo, () => this.undo(transaction));
  }

  #tell(text, label, act) {
    showToast(text, { action: { label, act } });
  }

  #refused(error, none) {
    const { changing, general } = words;
    if (error.status === 0) return showToast(general.silent);
    if (error.kind === "canceled") return showToast(changing.canceled);
    if (error.kind === "outdated") return showToast(changing.outdated);
    if (error.kind === "recent-authentication-required") {
      return showToast(changing.needsSignIn, { action: { label: changing.openSessions, act: () => (location.href = "/sessions") } });
    }
    if (error.kind === "hidden-locked") return showToast(words.hidden.cannotUndo);
    const names = (error.problem?.conflicts ?? []).map(({ name }) => name).filter(Boolean);
    if (names.length > 0) return showToast(changing.conflict(names.slice(0, 3)));
    if (none && ["conflict", "not-found"].includes(error.kind)) return showToast(none);
    // A person doesn't know the changes of a request by their positions.
    showToast(changing.refused(error.message.replace(/^changes\[\d+\]\S*: /, "")));
  }
}

/** Returns whether the library has changed since the places of a view were read. */
const isOutdated = ({ kind, problem }) => kind === "outdated" || (kind === "conflict" && !problem?.conflicts?.length);
