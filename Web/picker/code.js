import { make } from "../helpers/dom.js";
import { messages } from "./page-messages.js";
import { words } from "./words.js";

/**
 * Asks the person for the two digits that the page or program shows, which proves whose picker this
 * is. Resolves with true when they are right and with false when the person cancels. Rejects when
 * the picker has ended.
 * @param {import("./program.js").ProgramPort} port
 * @param {string} name
 * @returns {Promise<boolean>}
 */
export function askForCode(port, name) {
  const field = make("input", { className: "code", inputMode: "numeric", autocomplete: "off", maxLength: 2, ariaLabel: words.digits });
  const hint = make("p", { className: "faint" });
  const cancel = make("button", { className: "button", textContent: words.cancel });
  messages.say(words.typeDigits(name), field, hint, cancel);
  field.focus();
  return new Promise((resolve, reject) => {
    cancel.addEventListener("click", () => resolve(false));
    field.addEventListener("keydown", ({ key }) => key === "Escape" && resolve(false));
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
      resolve(true);
    });
  });
}
