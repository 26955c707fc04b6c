// The canonical JSON text of a value, which is hashed and signed: sorted names, no spaces. See docs/records.md.

/** @param {unknown} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  const fields = /** @type {Record<string, unknown>} */ (value);
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(fields[name])}`).join(",")}}`;
}

/** @param {string} text */
export function encode(text) {
  return new TextEncoder().encode(text);
}
