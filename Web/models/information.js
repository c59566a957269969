/**
 * Returns the value that all assets have, or says that they differ. If `count` is larger than the
 * number of `assets`, the values count as different.
 *
 *     shared([{ title: "a" }, { title: "b" }], "title")  // { value: null, isMixed: true }
 *
 * @param {object[]} assets
 * @param {string} key
 * @param {number} [count] the number of all assets
 */
export function shared(assets, key, count = assets.length) {
  const values = new Set(assets.map((asset) => asset[key] ?? null));
  return values.size === 1 && count === assets.length ? { value: [...values][0], isMixed: false } : { value: null, isMixed: count > 0 };
}

/**
 * Returns the keywords of any asset, and whether all have them.
 * @param {{keywords?: string[]}[]} assets
 * @param {number} [count] the number of all assets, of which these are the first
 */
export function sharedKeywords(assets, count = assets.length) {
  const counts = new Map();
  for (const { keywords = [] } of assets) for (const keyword of keywords) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  return [...counts].map(([keyword, found]) => ({ keyword, isShared: found === count }));
}

/**
 * Returns the keywords in a text, which commas separate.
 * @param {string} text
 * @returns {string[]}
 */
export function keywordsIn(text) {
  return [...new Set(text.split(",").map((keyword) => keyword.trim()).filter(Boolean))];
}

const isoDate = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Returns an ISO 8601 date as the value of a field for local dates, and its offset.
 * @param {string | null} iso
 * @returns {{local: string, offset: string}}
 */
export function fieldsOf(iso) {
  const [, day, minutes, seconds = ":00", , offset = "Z"] = isoDate.exec(iso ?? "") ?? [];
  return day ? { local: `${day}T${minutes}${seconds}`, offset: offset === "Z" ? "+00:00" : offset } : { local: "", offset: "+00:00" };
}

/**
 * Returns the date of two fields in ISO 8601, or null if they are incomplete. A fraction of a
 * second stays if the rest of the time does.
 * @param {string} local
 * @param {string} offset
 * @param {string | null} [before] the date from before
 */
export function dateOf(local, offset, before = null) {
  const [, day, minutes, seconds = ":00"] = isoDate.exec(local) ?? [];
  if (!day || !/^[+-]\d{2}:\d{2}$/.test(offset)) return null;
  const [, oldDay, oldMinutes, oldSeconds = ":00", fraction = ""] = isoDate.exec(before ?? "") ?? [];
  const isSameTime = day === oldDay && minutes === oldMinutes && seconds === oldSeconds;
  return `${day}T${minutes}${seconds}${isSameTime ? fraction : ""}${offset}`;
}

/**
 * Returns the date whose change several different dates follow: the first exact one, since the
 * clock of a partial date is not known, or the first one if all are partial. Null if none is known.
 * @param {{creationDate?: string | null, datePrecision?: string}[]} assets
 * @returns {string | null}
 */
export function leadingDate(assets) {
  const dated = assets.filter(({ creationDate }) => creationDate);
  return (dated.find(({ datePrecision }) => datePrecision === "time") ?? dated[0])?.creationDate ?? null;
}

/**
 * Returns the change that moves the dates of several assets by as much as that of the first one.
 * Their time zones stay, unless that of the first one has changed.
 * @param {string} before the first one's date
 * @param {string} after
 */
export function moveOf(before, after) {
  const moveCreationDate = (Date.parse(after) - Date.parse(before)) / 1000;
  const { offset: timeZone } = fieldsOf(after);
  return timeZone === fieldsOf(before).offset ? { moveCreationDate } : { moveCreationDate, timeZone };
}

/**
 * Returns the coordinates in a text, null for an empty one, or undefined if there are none.
 *
 *     placeIn("59.91, 10.75")  // { latitude: 59.91, longitude: 10.75 }
 *
 * @param {string} text
 */
export function placeIn(text) {
  if (text.trim() === "") return null;
  const found = /^\s*([+-]?\d{1,2}(?:\.\d+)?)°?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*$/.exec(text.replaceAll("−", "-"));
  if (!found) return undefined;
  const [latitude, longitude] = [Number(found[1]), Number(found[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** The offsets of all time zones that are in use, from west to east. */
export const offsets = [
  "-12:00", "-11:00", "-10:00", "-09:30", "-09:00", "-08:00", "-07:00", "-06:00", "-05:00", "-04:00", "-03:30", "-03:00", "-02:30",
  "-02:00", "-01:00", "+00:00", "+01:00", "+02:00", "+03:00", "+03:30", "+04:00", "+04:30", "+05:00", "+05:30", "+05:45", "+06:00",
  "+06:30", "+07:00", "+08:00", "+08:45", "+09:00", "+09:30", "+10:00", "+10:30", "+11:00", "+12:00", "+12:45", "+13:00", "+13:45",
  "+14:00",
];
