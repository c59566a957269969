import { send } from "./send.js";

const path = "/api/v1";

/**
 * Returns the requests of programs, and the access that programs have.
 * @returns {Promise<{requests: object[], clients: object[]}>}
 */
export const fetchAccess = () => send("GET", `${path}/access`);

/** @param {string} id @param {{answer: string, assets?: object}} answer */
export const answerRequest = (id, answer) => send("POST", `${path}/access/requests/${encodeURIComponent(id)}/answer`, answer);

/** @param {string} id @param {{readWrite?: string, addOnly?: string}} statuses */
export const changeClient = (id, statuses) => send("PATCH", `${path}/access/clients/${encodeURIComponent(id)}`, statuses);

/** @param {string} id */
export const forgetClient = (id) => send("DELETE", `${path}/access/clients/${encodeURIComponent(id)}`);

/** @param {string} id @returns {Promise<{assets: string[]}>} */
export const fetchSelection = (id) => send("GET", `${path}/access/clients/${encodeURIComponent(id)}/selection`);

/** @param {string} id @param {string[]} assets */
export const putSelection = (id, assets) => send("PUT", `${path}/access/clients/${encodeURIComponent(id)}/selection`, { assets });

/** Refuses a client's request for another selection. @param {string} id */
export const cancelSelection = (id) => send("DELETE", `${path}/access/selections/${encodeURIComponent(id)}`);

/** @param {{name: string, level: string}} token @returns {Promise<{token: string}>} */
export const makeToken = (token) => send("POST", `${path}/access/tokens`, token);

/** @param {string} id */
export const deleteToken = (id) => send("DELETE", `${path}/access/tokens/${encodeURIComponent(id)}`);

/**
 * The deletions by programs that wait for the owner.
 * @returns {Promise<{confirmations: object[]}>}
 */
export const fetchConfirmations = () => send("GET", `${path}/confirmations`);

/** @param {string} id @param {boolean} answer */
export const answerConfirmation = (id, answer) => send("POST", `${path}/confirmations/${encodeURIComponent(id)}`, { answer });

/**
 * The pages that can load what was picked, or that know photos by identifiers, and the programs
 * elsewhere that can load what was picked.
 * @returns {Promise<{
 *   origins: {origin: string, count: number, until?: string, hasIdentifiers: boolean}[],
 *   programs: {picker: string, name: string, address: string, count: number, until: string}[],
 * }>}
 */
export const fetchHandedOver = () => send("GET", "/picker/v1/handed-over");

/**
 * Ends the access to picked photos of the pages of an origin, or of the program of a picker.
 * @param {{origin: string} | {picker: string}} whom
 */
export const stopHandingOver = (whom) => send("DELETE", `/picker/v1/handed-over?${new URLSearchParams(whom)}`);

/**
 * Ends the addresses and the identifiers that the pages of an origin have.
 * @param {string} origin
 */
export const forgetOrigin = (origin) => send("DELETE", `/picker/v1/origins?${new URLSearchParams({ origin })}`);
