/**
 * Dates at the place where a photo was taken. The server's ISO 8601 strings contain that place's
 * offset. The page shows the string's own date and time and never converts them to the reader's
 * zone.
 */

const formats = new Map();

function format(locale, options) {
  const key = `${locale}${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }));
  return formats.get(key);
}

/** Returns the local date and time of an ISO 8601 string as if they were in UTC. */
function wallClock(iso) {
  const date = new Date(`${iso.slice(0, 19)}${iso.length > 10 ? "Z" : "T00:00:00Z"}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * Returns the day in the reader's own zone, such as `2026-11-20`.
 * @param {Date} date
 * @returns {string}
 */
export function localDay(date) {
  const pad = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

function capitalized(text, locale) {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}

/**
 * Returns a heading for a day: "Today", "Yesterday" or "Wednesday, 4 March", with the year unless
 * it is the current one.
 * @param {string | null} day such as `2019-03-04`
 * @param {Date} now
 * @param {{locale?: string, isShort?: boolean}} [options]
 * @returns {string}
 */
export function dayHeading(day, now, { locale, isShort = false } = {}) {
  const date = day && wallClock(day);
  if (!date) return "No date";
  const today = localDay(now);
  const daysAgo = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
  if (daysAgo === 0 || daysAgo === 1) {
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-daysAgo, "day");
    return capitalized(relative, locale);
  }
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  if (isShort) {
    const year = isThisYear ? { weekday: "short" } : { year: "numeric" };
    return capitalized(format(locale, { day: "numeric", month: "short", ...year }).format(date), locale);
  }
  const year = isThisYear ? {} : { year: "numeric" };
  return capitalized(format(locale, { weekday: "long", day: "numeric", month: "long", ...year }).format(date), locale);
}

/** "March 2019" @param {string | null} day @param {string} [locale] @returns {string} */
export function monthAndYear(day, locale) {
  const date = day && wallClock(day);
  return date ? capitalized(format(locale, { month: "long", year: "numeric" }).format(date), locale) : "No date";
}

/** "4 March 2019 at 17:20" @param {string | null} iso @param {string} [locale] @returns {string} */
export function dateAndTime(iso, locale) {
  const date = iso && wallClock(iso);
  return date ? format(locale, { dateStyle: "long", timeStyle: "short" }).format(date) : "No date";
}

/** "Monday, 4 March 2019" @param {string | null} iso @param {string} [locale] @returns {string} */
export function fullDate(iso, locale) {
  const date = iso && wallClock(iso);
  return date ? capitalized(format(locale, { dateStyle: "full" }).format(date), locale) : "No date";
}

/** "4 March 2019" @param {string | null} iso @param {string} [locale] @returns {string} */
export function longDate(iso, locale) {
  const date = iso && wallClock(iso);
  return date ? format(locale, { dateStyle: "long" }).format(date) : "No date";
}

/** "Monday 17:20" @param {string | null} iso @param {string} [locale] @returns {string} */
export function weekdayAndTime(iso, locale) {
  const date = iso && iso.length > 10 && wallClock(iso);
  if (!date) return "";
  const weekday = capitalized(format(locale, { weekday: "long" }).format(date), locale);
  return `${weekday} ${format(locale, { timeStyle: "short" }).format(date)}`;
}

/** "17:20:11" @param {string | null} iso @param {string} [locale] @returns {string} */
export function timeOfDay(iso, locale) {
  const date = iso && iso.length > 10 && wallClock(iso);
  return date ? format(locale, { timeStyle: "medium" }).format(date) : "";
}

/**
 * The offset of an ISO 8601 string in the form "UTC−06:00".
 * @param {string | null} iso
 * @returns {string}
 */
export function offsetName(iso) {
  const offset = /(?:Z|([+-])(\d\d):?(\d\d))$/.exec(iso ?? "");
  if (!offset) return "";
  if (!offset[1] || Number(offset[2] + offset[3]) === 0) return "UTC";
  return `UTC${offset[1] === "-" ? "−" : "+"}${offset[2]}:${offset[3]}`;
}
