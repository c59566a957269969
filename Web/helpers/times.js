import { words } from "../words.js";
import { capitalized, format, localDay, wallClock } from "./dates.js";

/** Returns a moment as the reader's own date and time. @param {Date} date @returns {string} */
export function localISO(date) {
  const pad = (number) => String(number).padStart(2, "0");
  return `${localDay(date)}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/**
 * Returns the month of a day with its year: "March 2019", or "Mar 2019".
 * @param {string | null} day
 * @param {string} [locale]
 * @param {"long" | "short"} [month]
 * @returns {string}
 */
export function monthAndYear(day, locale, month = "long") {
  const date = day && wallClock(day);
  return date ? capitalized(format(locale, { month, year: "numeric" }).format(date), locale) : words.dates.none;
}

/** "Monday, 4 March 2019" @param {string | null} iso @param {string} [locale] @returns {string} */
export function fullDate(iso, locale) {
  const date = iso && wallClock(iso);
  return date ? capitalized(format(locale, { dateStyle: "full" }).format(date), locale) : words.dates.none;
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

/** "17:20", or "5:20 PM" @param {string | null} iso @param {string} [locale] @returns {string} */
export function hourAndMinute(iso, locale) {
  const date = iso && iso.length > 10 && wallClock(iso);
  return date ? format(locale, { timeStyle: "short" }).format(date) : "";
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
