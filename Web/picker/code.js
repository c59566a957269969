import { make } from "../helpers/dom.js";
import { messages } from "./page-messages.js";
import { words } from "./words.js";

/**
 * Asks the person for the two digits that the page or program shows, which proves whose picker this
 * is. Resolves when they are right, and rejects when the picker has ended.
 * @param {import("./program.js").ProgramPort} port
 * @param {string} name
 */
export function askForCode(port, name) {
  const field = make("input", { className: "code", inputMode: "numeric", autocomplete: "off", maxLength: 2, ariaLabel: words.digits });
  const hint = make("p", { className: "faint" });
  messages.say(words.typeDigits(name), field, hint);
  field.focus();
  return new Promise((resolve, reject) => {
    field.addEventListener("input", async () => {
      const code = field.value;
      if (!/^\d\d$/.test(code)) return;
      field.value = "";
      hint.textContent = "";
      try {
        await port.confirm(code);
      } catch (error) {
        const text = { 0: words.unreachable, 401: words.signIn, 403: words.otherDigits }[error.status];
        if (!text) return reject(error);
        hint.textContent = text;
        return;
      }
      messages.clear();
      resolve();
    });
  });
}
