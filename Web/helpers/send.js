import { ServerError } from "./api.js";
import { request } from "./attended.js";

/** The server refused a request, for a reason that it names. */
export class Refusal extends ServerError {
  /**
   * @param {{type?: string, title?: string, detail?: string, status?: number,
   *   conflicts?: object[]}} problem
   */
  constructor(problem, status) {
    super(problem.detail ?? problem.title ?? `${status}`, status);
    this.name = "Refusal";
    this.problem = problem;
    /** The last part of the problem's type, such as `conflict`. */
    this.kind = problem.type?.split(":").at(-1) ?? "";
  }
}

/**
 * Sends a request that may change something, and returns the answer's JSON or null.
 *
 *     await send("POST", "/api/v1/undo", {})
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {Record<string, string>} [headers]
 * @param {RequestInit} [options] further options of the request
 * @returns {Promise<any>}
 */
export async function send(method, path, body, headers = {}, options = {}) {
  let response;
  try {
    response = await request(path, {
      method, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store",
      headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers }, ...options,
    });
  } catch {
    throw new ServerError(`${path}: the server does not answer`, 0);
  }
  const answer = /\bjson\b/.test(response.headers.get("Content-Type") ?? "") ? await response.json() : null;
  if (!response.ok) throw new Refusal(answer ?? { title: `${path}: ${response.status}` }, response.status);
  return answer;
}
