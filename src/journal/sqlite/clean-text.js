/**
 * What is bound, as both drivers can store it. Nearly always that is what was given, so nothing is copied.
 * @template {readonly unknown[]} P
 * @param {P} params
 * @returns {P}
 */
export function cleanText(params) {
  for (let i = 0; i < params.length; i++) {
    const value = params[i];
    if (typeof value === "string" ? value.includes("\0") : value === undefined || isNamed(value)) {
      return /** @type {P} */ (/** @type {unknown} */ (params.map(cleanValue)));
    }
  }
  return params;
}

/** @param {unknown} value @returns {unknown} */
function cleanValue(value) {
  if (typeof value === "string") return value.replaceAll("\0", "\uFFFD");
  if (value === undefined) throw new TypeError("undefined cannot be stored; null can");
  if (!isNamed(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleanValue(one)]));
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isNamed(value) {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
}
