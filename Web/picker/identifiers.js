import { assetsOf } from "../helpers/api.js";
import { send } from "../helpers/send.js";

/** The number of assets that one request names: some proxies refuse addresses of more than 8 kB. */
const atOnce = 150;
/** The number of requests that run at the same time. */
const runningLimit = 4;

/** The identifiers by which a page knows assets: those of its origin, which the server makes. */
export class OriginIdentifiers {
  #origin;
  /** @type {Map<string, string>} */
  #assets = new Map();
  /** @type {Map<string, string>} */
  #identifiers = new Map();

  /** @param {string} origin */
  constructor(origin) {
    this.#origin = origin;
  }

  /**
   * Returns the asset of an identifier that this window has given or got.
   * @param {string} identifier
   */
  assetOf(identifier) {
    return this.#assets.get(identifier);
  }

  /**
   * Returns the assets of identifiers, and null for those that lead to none.
   * @param {string[]} identifiers
   */
  async find(identifiers) {
    const { assets } = await send("POST", "/picker/v1/preselected", { origin: this.#origin, identifiers });
    this.#note(identifiers, assets);
    return assets;
  }

  /** Returns the identifiers of assets. @param {string[]} assets */
  async make(assets) {
    const unknown = assets.filter((asset) => !this.#identifiers.has(asset));
    if (unknown.length > 0) {
      const { identifiers } = await send("POST", "/picker/v1/identifiers", { origin: this.#origin, assets: unknown });
      this.#note(identifiers, unknown);
    }
    return assets.map((asset) => this.#identifiers.get(asset));
  }

  #note(identifiers, assets) {
    identifiers.forEach((identifier, index) => {
      const asset = assets[index];
      if (!asset) return;
      this.#assets.set(identifier, asset);
      this.#identifiers.set(asset, identifier);
    });
  }
}

/** The identifiers by which a program knows assets: those of the library. */
export class LibraryIdentifiers {
  /** @param {string} identifier */
  assetOf(identifier) {
    return identifier.split("/")[0];
  }

  /** @param {string[]} identifiers */
  async find(identifiers) {
    return identifiers.map(this.assetOf);
  }
}

/**
 * Returns the cells of those assets that the library shows.
 * @param {(string | null)[]} ids
 * @returns {Promise<import("../models/asset-pages.js").Cell[]>} in the order of the ids
 */
export async function cellsOf(ids) {
  const wanted = ids.filter((id) => /^[0-9A-F-]{36}$/.test(id ?? ""));
  const cells = new Map();
  let next = 0;
  const readNext = async () => {
    while (next < wanted.length) {
      const names = wanted.slice(next, (next += atOnce)).map((id) => `"${id}"`);
      const { assets } = await assetsOf("userLibrary", "newest", { where: `localIdentifier IN {${names}}` })(0, atOnce);
      for (const cell of assets) cells.set(cell.id, cell);
    }
  };
  await Promise.all(Array.from({ length: runningLimit }, readNext));
  return wanted.map((id) => cells.get(id)).filter(Boolean);
}
