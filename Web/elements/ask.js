import { make } from "../helpers/dom.js";
import { words } from "../words.js";

/**
 * Asks before something that is hard to take back. The focus is on Cancel, or on the first field of
 * the content, in which Enter confirms.
 *
 *     if (await ask({ title: "Delete 412 items?", confirm: "Delete 412 items", isDangerous: true })) …
 *
 * @param {{title: string, text?: string, confirm: string, cancel?: string | null,
 *   isDangerous?: boolean, content?: Node}} question `cancel` is null if there is nothing to cancel
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, confirm, cancel = words.general.cancel, isDangerous = false, content }) {
  const no = cancel === null ? null : make("button", { type: "button", className: "plain", textContent: cancel });
  const yes = make("button", { type: "button", className: isDangerous ? "dangerous" : "primary", textContent: confirm });
  const dialog = make("dialog", { className: "ask" }, make("h2", { textContent: title, id: "ask-title" }));
  dialog.setAttribute("aria-labelledby", "ask-title");
  if (text) dialog.append(make("p", { textContent: text }));
  if (content) dialog.append(content);
  dialog.append(make("div", { className: "buttons" }, ...(no ? [no, yes] : [yes])));
  document.body.append(dialog);
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("input")) return;
    // The focus goes back to the button that asked, which the key would press again.
    event.preventDefault();
    yes.click();
  });
  dialog.showModal();
  (content?.querySelector("input") ?? no ?? yes).focus();
  return new Promise((resolve) => {
    let answer = false;
    no?.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", () => {
      answer = true;
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
  });
}
