/**
 * A command for some assets. Its name is that of its word, and of the method that runs it.
 * @typedef {{name: string, key?: string, isDangerous?: boolean, group: number}} Command
 */

/**
 * Returns the commands for assets of a view, in the order of menus.
 *
 *     commandsFor({ collection: favorites, count: 3, isFavorite: true })
 *
 * @param {{collection: {id: string, kind: string, can?: string[]} | null, count: number,
 *   isFavorite?: boolean, isViewer?: boolean}} context
 * @returns {Command[]}
 */
export function commandsFor({ collection, count, isFavorite = false, isViewer = false }) {
  if (count === 0) return [];
  if (collection?.id === "recentlyDeleted") {
    return [
      { name: "restore", group: 0 },
      { name: "deleteForGood", key: "Delete", isDangerous: true, group: 1 },
    ];
  }
  const isAlbum = collection?.kind === "album";
  const canRemove = isAlbum && (collection.can ?? []).includes("removeContent");
  const commands = [];
  if (count === 1 && !isViewer) commands.push({ name: "open", key: "Enter", group: 0 });
  if (!isViewer) commands.push({ name: "select", group: 0 });
  commands.push({ name: isFavorite ? "unfavorite" : "favorite", key: "F", group: 1 });
  commands.push({ name: "addTo", key: "A", group: 1 });
  commands.push({ name: collection?.id === "allHidden" ? "unhide" : "hide", key: "H", group: 1 });
  if (isAlbum && count === 1) commands.push({ name: "useAsCover", group: 1 });
  if (count === 1) commands.push({ name: "edit", key: "E", group: 2 });
  if (!isViewer) commands.push({ name: "information", key: "I", group: 2 });
  commands.push({ name: "download", group: 2 }, { name: "downloadOriginals", group: 2 });
  const isElsewhere = collection?.id !== "userLibrary" && collection?.id !== "allHidden";
  if (count === 1 && isElsewhere) commands.push({ name: "showInTimeline", group: 2 });
  if (canRemove) commands.push({ name: "removeFrom", key: "Delete", group: 3 });
  commands.push({ name: "deleteFromLibrary", key: canRemove ? "Ctrl+Delete" : "Delete", isDangerous: true, group: 4 });
  return commands;
}

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/**
 * Returns the name of a command's key on this device: "⌘⌫" or "Ctrl+Delete".
 * @param {string} key
 * @returns {string}
 */
export function keyName(key) {
  return isMac ? key.replaceAll("Ctrl+", "⌘").replace("Delete", "⌫") : key;
}
