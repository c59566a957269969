/** Writes the times of the sessions in the reader's own zone and language. */
import { dateAndTime, longDate } from "../helpers/dates.js";
import { localISO } from "../helpers/times.js";

for (const time of document.querySelectorAll("time")) {
  const written = time.classList.contains("day") ? longDate : dateAndTime;
  time.textContent = written(localISO(new Date(time.dateTime)));
}
