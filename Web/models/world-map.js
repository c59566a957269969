/**
 * A country: its name, and the rings around its land as `[longitude, latitude, …]` in degrees.
 * @typedef {{name: string, rings: Float64Array[], box: {west: number, east: number, south: number,
 *   north: number}}} Country
 * @typedef {{name: string, latitude: number, longitude: number}} City
 */

const kilometersPerDegree = 111.2;
/** The distance from a city's middle, in kilometers, within which a place is said to be in it. */
const cityRadius = 30;
/**
 * The distance from a simplified coast, in kilometers, within which a place is said to be in the
 * country.
 */
const coastRadius = 40;

/** The degrees of latitude that a map shows at each of its three zooms. */
export const mapHeights = [120, 24, 4];

/**
 * The outlines and names of Natural Earth (docs/MAP.md).
 *
 *     const world = new World(await (await fetch("/world.json")).json());
 *     world.nameOf(59.9139, 10.7522)  // { city: "Oslo", country: "Norway" }
 */
export class World {
  /** The cities by their names without case and accents. @type {Map<string, City> | undefined} */
  #cities;

  /** @type {Country[]} */
  countries;
  /** @type {City[]} */
  cities;

  /**
   * @param {{scale: number, countries: {name: string, rings: number[][]}[], cities: [string,
   *   number, number][]}} file
   */
  constructor({ scale, countries, cities }) {
    this.countries = countries.map(({ name, rings: steps }) => {
      const rings = steps.map((ring) => summed(ring, scale));
      return { name, rings, box: boxOf(rings) };
    });
    this.cities = cities.map(([name, latitude, longitude]) => ({ name, latitude: latitude / scale, longitude: longitude / scale }));
  }

  /**
   * Returns the names of a place, as far as they are known.
   * @param {number} latitude
   * @param {number} longitude
   * @returns {{city: string | null, country: string | null}}
   */
  nameOf(latitude, longitude) {
    const here = { latitude, longitude };
    return { city: this.#cityAt(here), country: this.#countryAt(here) };
  }

  /**
   * Returns the name of the city, or else that of the country, or "".
   * @param {number} latitude
   * @param {number} longitude
   * @returns {string}
   */
  shortNameOf(latitude, longitude) {
    const here = { latitude, longitude };
    return this.#cityAt(here) ?? this.#countryAt(here) ?? "";
  }

  #cityAt(here) {
    let nearest = null;
    let least = cityRadius;
    for (const city of this.cities) {
      const distance = kilometersBetween(here, city);
      if (distance < least) [nearest, least] = [city, distance];
    }
    return nearest?.name ?? null;
  }

  #countryAt(here) {
    const inside = this.countries.find((country) => contains(country, here.longitude, here.latitude));
    return (inside ?? this.#nearCoast(here))?.name ?? null;
  }

  /**
   * Returns the city with a name, whatever its case and accents.
   * @param {string} name
   * @returns {City | undefined}
   */
  cityNamed(name) {
    this.#cities ??= new Map(this.cities.map((city) => [fold(city.name), city]).reverse());
    return this.#cities.get(fold(name));
  }

  /** The outlines as the data of an SVG path, in degrees, with south below. @returns {string} */
  get path() {
    const ringPath = (ring) => {
      let path = "";
      for (let at = 0; at < ring.length; at += 2) path += `${at === 0 ? "M" : "L"}${ring[at].toFixed(2)} ${(-ring[at + 1]).toFixed(2)}`;
      return `${path}Z`;
    };
    return this.countries.flatMap(({ rings }) => rings.map(ringPath)).join("");
  }

  /** Returns the country whose coast is nearest, if it is near. */
  #nearCoast(here) {
    let nearest = null;
    let least = coastRadius;
    const margin = coastRadius / kilometersPerDegree;
    for (const country of this.countries) {
      const { south, north } = country.box;
      if (here.latitude < south - margin || here.latitude > north + margin) continue;
      for (const ring of country.rings) {
        const distance = distanceTo(ring, here);
        if (distance < least) [nearest, least] = [country, distance];
      }
    }
    return nearest;
  }
}

/**
 * Returns the part of the world that a map shows, in degrees.
 * @param {{latitude: number, longitude: number}} middle
 * @param {number} zoom an index of `mapHeights`
 * @param {number} aspect width divided by height
 * @returns {{left: number, top: number, width: number, height: number}} with south below
 */
export function mapWindow({ latitude, longitude }, zoom, aspect) {
  const height = mapHeights[zoom];
  // A degree of longitude is as wide as one of latitude is high only at the equator.
  const width = Math.min(360, (height * aspect) / Math.max(0.2, Math.cos((latitude * Math.PI) / 180)));
  const top = Math.max(-90, Math.min(90 - height, -latitude - height / 2));
  return { left: longitude - width / 2, top, width, height };
}

/**
 * Returns the longest round distance that fits into a length.
 * @param {number} kilometers
 * @returns {number}
 */
export function roundDistance(kilometers) {
  const power = 10 ** Math.floor(Math.log10(kilometers));
  return [5, 2, 1].find((digit) => digit * power <= kilometers) * power;
}

/** Returns the distance of a part of a map, in kilometers. @param {number} degrees of latitude */
export const kilometersOf = (degrees) => degrees * kilometersPerDegree;

const fold = (name) => name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();

function summed(steps, scale) {
  const ring = new Float64Array(steps.length);
  for (let at = 0, x = 0, y = 0; at < steps.length; at += 2) {
    ring[at] = (x += steps[at]) / scale;
    ring[at + 1] = (y += steps[at + 1]) / scale;
  }
  return ring;
}

function boxOf(rings) {
  const box = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity };
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) {
      box.west = Math.min(box.west, ring[at]);
      box.east = Math.max(box.east, ring[at]);
      box.south = Math.min(box.south, ring[at + 1]);
      box.north = Math.max(box.north, ring[at + 1]);
    }
  }
  return box;
}

/**
 * Returns whether a point is inside an odd number of rings, so that lakes and enclaves are outside.
 */
function contains({ rings, box }, x, y) {
  if (x < box.west || x > box.east || y < box.south || y > box.north) return false;
  let isInside = false;
  for (const ring of rings) {
    for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2) {
      const [x1, y1, x2, y2] = [ring[at], ring[at + 1], ring[before], ring[before + 1]];
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
    }
  }
  return isInside;
}

/** Returns the least distance between a point and a ring's lines, in kilometers. */
function distanceTo(ring, { latitude, longitude }) {
  const shrink = Math.cos((latitude * Math.PI) / 180);
  let least = Infinity;
  for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2) {
    const [x1, y1] = [(ring[before] - longitude) * shrink, ring[before + 1] - latitude];
    const [dx, dy] = [(ring[at] - ring[before]) * shrink, ring[at + 1] - ring[before + 1]];
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / length));
    least = Math.min(least, Math.hypot(x1 + along * dx, y1 + along * dy));
  }
  return kilometersOf(least);
}

/** Returns the distance between near places, in kilometers. */
function kilometersBetween(one, other) {
  const shrink = Math.cos((one.latitude * Math.PI) / 180);
  const around = Math.abs(one.longitude - other.longitude);
  return kilometersOf(Math.hypot(one.latitude - other.latitude, Math.min(around, 360 - around) * shrink));
}
