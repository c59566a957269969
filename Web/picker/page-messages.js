import { make } from "../helpers/dom.js";
import { find } from "./elements.js";
import { Messages } from "./messages.js";
import { words } from "./words.js";

/** The time in milliseconds after which a library that did not answer is asked again. */
const askAgain = 2_000;

/** The messages of the picker's page. */
export const messages = new Messages(find(".message"), find(".spoken"));

/** Shows a text without a paragraph: there is no picker. @param {string} text */
export function sayOnly(text) {
  messages.element.textContent = text;
}

/**
 * Replaces the text of the paragraph that is shown. Without one, there is nothing to be told.
 * @param {string} text
 */
export function sayInstead(text) {
  if (messages.element.firstChild) messages.element.firstChild.textContent = text;
}

/**
 * Asks the server until the person has signed in, perhaps in another tab. Throws if there is
 * nothing to be had.
 */
export async function whenSignedIn(ask) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error.status === 404) throw error;
      const isSignedOut = error.status === 401;
      const link = make("a", { className: "button primary", href: "/", target: "_blank", rel: "noopener", textContent: words.openLibrary });
      messages.say(isSignedOut ? words.signIn : words.unreachable, ...(isSignedOut ? [link] : []));
      await new Promise((resolve) => setTimeout(resolve, askAgain));
    }
  }
}
