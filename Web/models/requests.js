/** The longest part of a usage description that is shown. */
const longestDescription = 300;

/**
 * Returns a stranger's text as it is shown: without line breaks and control characters, and cut.
 * The page sets it as text in an isolated element.
 * @param {string} text
 */
export function shownDescription(text) {
  const plain = (text ?? "").replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  const letters = [...plain];
  return letters.length > longestDescription ? `${letters.slice(0, longestDescription - 1).join("")}…` : plain;
}

/**
 * Returns the address or path that proves who asks.
 * @param {{origin?: string, path?: string, identifier?: string}} client
 */
export function identityOf({ origin, path, identifier }) {
  return origin ?? path ?? identifier ?? "";
}

/**
 * Returns the answers to a request, in the order of the buttons.
 * @param {"readWrite" | "addOnly"} level
 * @returns {{name: string, answer: string}[]}
 */
export const answersTo = (level) =>
  level === "addOnly"
    ? [{ name: "allowAdd", answer: "addOnly" }, { name: "deny", answer: "denied" }]
    : [{ name: "allowFull", answer: "full" }, { name: "selectPhotos", answer: "limited" }, { name: "deny", answer: "denied" }];

/**
 * Returns what a client may do, as one of the choices of the access page.
 * @param {{readWrite: string, addOnly: string}} client
 * @returns {"authorized" | "limited" | "addOnly" | "denied" | "restricted" | "notDetermined"}
 */
export function choiceOf({ readWrite, addOnly }) {
  if (readWrite === "authorized" || readWrite === "limited" || readWrite === "restricted") return readWrite;
  if (addOnly === "authorized") return "addOnly";
  return readWrite === "denied" || addOnly === "denied" ? "denied" : "notDetermined";
}

/**
 * Returns the statuses of a choice.
 * @param {string} choice
 * @returns {{readWrite: string, addOnly: string}}
 */
export function statusesOf(choice) {
  if (choice === "addOnly") return { readWrite: "denied", addOnly: "authorized" };
  if (choice === "limited") return { readWrite: "limited", addOnly: "authorized" };
  return { readWrite: choice, addOnly: choice };
}
