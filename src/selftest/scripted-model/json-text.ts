import { parseJson } from "../../model/parse-json.js";

/*
 * CLIs wrap what a tool returned: as JSON in JSON, after a line about the time it took, between tags. Directives and
 * values are looked for in every string inside.
 */

/** The JSON object or array at the beginning of a text, however it goes on. */
export function readJsonPrefix(text: string): { value: unknown; length: number } | undefined {
  const length = balancedLength(text);
  if (length === undefined) return undefined;
  const value = parseJson(text.slice(0, length));
  return value === undefined ? undefined : { value, length };
}

function balancedLength(text: string): number | undefined {
  if (text[0] !== "{" && text[0] !== "[") return undefined;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quoted) {
      if (char === "\\") i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return i + 1;
  }
  return undefined;
}

/** The JSON values in a text, outermost first, with those that are text inside other values. */
export function jsonValuesIn(text: string): unknown[] {
  const values: unknown[] = [];
  for (let at = nextOpening(text, 0); at >= 0; ) {
    const found = readJsonPrefix(text.slice(at));
    if (found !== undefined) values.push(found.value, ...stringsIn(found.value).flatMap(jsonValuesIn));
    at = nextOpening(text, at + (found?.length ?? 1));
  }
  return values;
}

function nextOpening(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
}

/** The strings of a value at any depth. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** A text and every string in the JSON that it holds, at any depth. */
export function textsIn(text: string): string[] {
  return [text, ...jsonValuesIn(text).flatMap(stringsIn)];
}

/** The first of the values that has something at the path, such as `messages.0.id`. */
export function valueAt(values: readonly unknown[], path: string): unknown {
  for (const value of values) {
    const found = path.split(".").reduce<unknown>((inner, key) => {
      if (typeof inner !== "object" || inner === null) return undefined;
      return Object.entries(inner).find(([name]) => name === key)?.[1];
    }, value);
    if (found !== undefined) return found;
  }
  return undefined;
}
