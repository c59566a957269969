/**
 * The second labels below which countries register domains for anybody. Browsers have a list of
 * thousands; without one, a domain of a rare kind is shown as its last two labels.
 */
const general = /^(ac|co|com|edu|go|gob|gov|gouv|id|ind|info|ltd|me|mil|ne|net|nom|or|org|plc|sch)$/;

/**
 * Returns the parts of an origin as a person reads it: what comes before the domain that somebody
 * has registered, this domain, and the port. The scheme is shown unless it is https.
 *
 *     originName("https://photos.example.co.uk:8443")  // ["photos.", "example.co.uk", ":8443"]
 *
 * @param {string} origin
 * @returns {[string, string, string]}
 */
export function originName(origin) {
  const url = new URL(origin);
  const scheme = url.protocol === "https:" ? "" : `${url.protocol}//`;
  const port = url.port && `:${url.port}`;
  const labels = url.hostname.split(".");
  if (/^\[|^[\d.]+$/.test(url.hostname)) return [scheme, url.hostname, port];
  const isGeneral = labels.length > 2 && labels.at(-1).length === 2 && general.test(labels.at(-2));
  const first = Math.max(labels.length - (isGeneral ? 3 : 2), 0);
  const before = labels.slice(0, first).map((label) => `${label}.`);
  return [scheme + before.join(""), labels.slice(first).join("."), port];
}
