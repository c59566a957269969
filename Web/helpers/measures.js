/** "1.2 MB", in powers of ten @param {number} bytes @param {string} [locale] @returns {string} */
export function fileSize(bytes, locale) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const maximumFractionDigits = value < 9.95 && unit > 0 ? 1 : 0;
  const options = { style: "unit", unit: units[unit], unitDisplay: unit ? "short" : "long", maximumFractionDigits };
  return new Intl.NumberFormat(locale, options).format(value);
}

/** "1/120 s", "2 s", "0.8 s" @param {number} seconds @returns {string} */
export function exposure(seconds) {
  if (seconds >= 0.4) return `${Number(seconds.toFixed(1))} s`;
  return `1/${Math.round(1 / seconds)} s`;
}

/**
 * Returns the known values as "1/120 s · f/1.8 · ISO 25 · 4 mm".
 * @param {{exposureTime?: number | null, fNumber?: number | null, iso?: number | null,
 *   focalLength?: number | null}} camera
 * @returns {string}
 */
export function exposureLine({ exposureTime, fNumber, iso, focalLength }) {
  return [
    exposureTime > 0 && exposure(exposureTime),
    fNumber > 0 && `f/${Number(fNumber.toFixed(1))}`,
    iso > 0 && `ISO ${iso}`,
    focalLength > 0 && `${Number(focalLength.toFixed(1))} mm`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * "12.2 MP", or "" for a tiny picture
 *
 * @param {number} width
 * @param {number} height
 * @returns {string}
 */
export function megapixels(width, height) {
  const millions = (width * height) / 1e6;
  if (millions < 0.005) return "";
  return `${millions >= 0.95 ? Number(millions.toFixed(1)) : Number(millions.toFixed(2))} MP`;
}

/**
 * "41.22450° N, 96.12110° W"
 * @param {number} latitude
 * @param {number} longitude
 * @returns {string}
 */
export function coordinates(latitude, longitude) {
  const one = (degrees, [positive, negative]) => `${Math.abs(degrees).toFixed(5)}° ${degrees < 0 ? negative : positive}`;
  return `${one(latitude, "NS")}, ${one(longitude, "EW")}`;
}
