import { words } from "../words.js";

/**
 * Dates at the place where a photo was taken. The server's ISO 8601 strings contain that place's
 * offset. The page shows the string's own date and time and never converts them to the reader's
 * zone.
 */

const formats = new Map();

/** Returns a format for dates in UTC. @param {string | undefined} locale @param {object} options */
export function format(locale, options) {
  const key = `${locale}${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }));
  return formats.get(key);
}

/** Returns the local date and time of an ISO 8601 string as if they were in UTC. */
export function wallClock(iso) {
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

/**
 * Returns a text with a capital letter at its beginning.
 * @param {string} text
 * @param {string} [locale]
 */
export function capitalized(text, locale) {
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
  if (!date) return words.dates.none;
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

/**
 * Returns headings for a day in places that are too narrow for `dayHeading`, the longer one first:
 * "4 Mar", and "Mar" for the first day of a month or "4" for another.
 * @param {string | null} day
 * @param {{locale?: string, isFirstOfMonth?: boolean}} [options]
 * @returns {string[]}
 */
export function narrowHeadings(day, { locale, isFirstOfMonth = false } = {}) {
  const date = day && wallClock(day);
  if (!date) return [words.dates.none];
  const month = { month: "short" };
  const least = isFirstOfMonth ? month : { day: "numeric" };
  return [{ day: "numeric", ...month }, least].map((parts) => capitalized(format(locale, parts).format(date), locale));
}

/** "4 March 2019 at 17:20" @param {string | null} iso @param {string} [locale] @returns {string} */
export function dateAndTime(iso, locale) {
  const date = iso && wallClock(iso);
  return date ? format(locale, { dateStyle: "long", timeStyle: "short" }).format(date) : words.dates.none;
}

/** "4 March 2019" @param {string | null} iso @param {string} [locale] @returns {string} */
export function longDate(iso, locale) {
  const date = iso && wallClock(iso);
  return date ? format(locale, { dateStyle: "long" }).format(date) : words.dates.none;
}

/**
 * Returns a date without the parts that are not known: "1993", "June 1985", "4 March 2019".
 * @param {string | null} iso
 * @param {string | null | undefined} precision "year", "month", "day" or "time"
 * @param {string} [locale]
 * @returns {string}
 */
export function knownDate(iso, precision, locale) {
  const date = iso && wallClock(iso);
  const parts = { year: { year: "numeric" }, month: { month: "long", year: "numeric" } }[precision];
  return date && parts ? capitalized(format(locale, parts).format(date), locale) : longDate(iso, locale);
}
