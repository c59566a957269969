import { make } from "../helpers/dom.js";
import { find } from "./elements.js";
import { words } from "./words.js";

/** The time in milliseconds after which a library that did not answer is asked again. */
const askAgain = 2_000;

const [message, live] = [".message", ".spoken"].map(find);
export { message as messages };

/** Shows a paragraph, and more below it, in place of the photos. @param {string} text */
export function say(text, ...more) {
  const hadFocus = message.contains(document.activeElement);
  message.replaceChildren(make("p", { textContent: text }), ...more);
  if (hadFocus) message.focus();
}

/** Shows a text without a paragraph: there is no picker. @param {string} text */
export function sayOnly(text) {
  message.textContent = text;
}

/**
 * Replaces the text of the paragraph that is shown. Without one, there is nothing to be told.
 * @param {string} text
 */
export function sayInstead(text) {
  if (message.firstChild) message.firstChild.textContent = text;
}

/** Shows over the grid that something has failed. @param {string} text */
export function complain(text) {
  message.replaceChildren(make("p", { className: "trouble", textContent: text }));
}

/** Reads a text to people who can't see the page. @param {string} text */
export function speak(text) {
  live.textContent = text;
}

export function clearMessage() {
  message.replaceChildren();
}

export const hasMessage = () => message.childElementCount > 0;

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
      say(isSignedOut ? words.signIn : words.unreachable, ...(isSignedOut ? [link] : []));
      await new Promise((resolve) => setTimeout(resolve, askAgain));
    }
  }
}
