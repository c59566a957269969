/** @import { Organizing } from "./organizing.js" */
import { renditionURL } from "../helpers/api.js";
import { make } from "../helpers/dom.js";
import { commandsFor, keyName } from "../models/commands.js";
import { words } from "../words.js";
import { openMenu } from "./menu.js";

/** The menus of commands for assets: of a cell, of the selection's bar, and of the viewer. */
export class AssetMenus {
  /** @param {Organizing} organizing */
  constructor(organizing) {
    this.organizing = organizing;
  }

  /** @param {import("../models/target.js").Target} target */
  commandsFor(target, isViewer = false) {
    const { viewed, shell, collection } = this.organizing;
    if (viewed && shell.viewing.asset.daysLeft !== undefined) return commandsFor({ collection: { id: "recentlyDeleted" }, count: 1 });
    return commandsFor({ collection, count: target.count, isFavorite: target.isFavorite, isViewer });
  }

  /**
   * Opens the menu of a cell.
   * @param {{x: number, y: number}} at
   * @param {number} place
   * @param {{isPeek?: boolean}} [options] whether the asset's picture is shown above the menu.
   *   This menu has no command Open, since a tap opens the asset
   */
  openAt(at, place, { isPeek = false } = {}) {
    const { organizing } = this;
    const { effect } = organizing.apply({ type: "menu", place });
    const target = organizing.targetOf(effect.places);
    const cell = organizing.grid.snapshot.pages.at(place);
    const isSelected = organizing.selection.chosen.has(place);
    const isOffered = { open: !isPeek, select: !isSelected };
    const commands = this.commandsFor(target).filter(({ name }) => isOffered[name] ?? true);
    const items = commands.map((command) => this.#item(command, target, at, { key: command.key && !isPeek ? keyName(command.key) : undefined }));
    const picture = isPeek && cell && !cell.unreadable ? make("img", { alt: "", src: renditionURL(cell, "grid") }) : undefined;
    // Show nothing larger than at 100 %. There, a movie's pixel is a CSS pixel, as in the viewer.
    const width = cell && cell.pixelWidth / (cell.mediaType === "video" ? 1 : devicePixelRatio);
    if (picture && width > 0) picture.style.maxWidth = `${width}px`;
    openMenu(at, items, { label: words.selection.actions, isPeek, picture });
  }

  /** Runs a command of the selection's bar. Its one button for downloads offers both kinds. */
  runInBar({ name, button }) {
    const target = this.organizing.selected;
    if (name !== "download") return this.organizing.run(name, target, button);
    const items = ["download", "downloadOriginals"].map((name) => this.#item({ name }, target, button));
    openMenu(button, items, { label: words.commands.download });
  }

  /**
   * Runs a command of the viewer's bar. "more" opens a menu of all commands. "delete" opens a menu
   * if there are two ways to delete.
   */
  runInViewer({ name, button }) {
    const { organizing } = this;
    const target = organizing.viewed;
    const offered = this.commandsFor(target, true)
      .filter(({ name: command, isDangerous }) => isDangerous || command === "removeFrom" || name === "more");
    if (name !== "more" && name !== "delete") return organizing.run(name, target, button);
    if (name === "delete" && offered.length === 1) return organizing.run(offered[0].name, target, button);
    openMenu(button, offered.map((command) => this.#item(command, target, button)), { label: words.general.more });
  }

  #item({ name, isDangerous, group }, target, at, rest = {}) {
    const { organizing } = this;
    const label = name === "removeFrom" ? words.commands.removeFrom(organizing.collection.title) : words.commands[name];
    return { label, isDangerous, group, act: () => organizing.run(name, target, at), ...rest };
  }
}
