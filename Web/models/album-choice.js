/**
 * Returns the albums to which assets may be added, those that were filled last first, and a new one
 * if no album has the name that was typed.
 *
 *     albumsMatching(collections, "nor", [])  // [{album: Norway, path: ["Travels"]}, {isNew: true, title: "nor"}]
 *
 * @param {{all: object[], parentsOf: (id: string) => object[]}} collections
 * @param {string} text
 * @param {string[]} recent identifiers of albums
 */
export function albumsMatching(collections, text, recent) {
  const wanted = fold(text.trim());
  const albums = collections.all.filter(({ kind, can, title }) => kind === "album" && can.includes("addContent") && fold(title).includes(wanted));
  const rank = ({ id }) => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  const beginsWith = ({ title }) => (wanted && fold(title).startsWith(wanted) ? 0 : 1);
  const sorted = albums
    .map((album, order) => ({ album, order }))
    .sort((one, other) => beginsWith(one.album) - beginsWith(other.album) || rank(one.album) - rank(other.album) || one.order - other.order);
  const choices = sorted.map(({ album }) => ({ album, path: collections.parentsOf(album.id).map(({ title }) => title).reverse() }));
  const isKnown = albums.some(({ title }) => fold(title) === wanted);
  return wanted && !isKnown ? [...choices, { isNew: true, title: text.trim() }] : choices;
}

/** Letters without case and accents. */
const fold = (text) => text.normalize("NFKD").replace(/\p{Mark}/gu, "").toLowerCase();
