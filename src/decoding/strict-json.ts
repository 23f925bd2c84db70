import { isUtf8 } from "node:buffer";
import { HubError } from "../model/errors.js";
import { endOfNumber, endOfString, placeIn } from "./json-text.js";
import { isLossy } from "./lossy-number.js";

export type JsonLimits = {
  depth: number;
  keys: number;
  /** What to say to somebody whose body has too many keys. */
  ifTooWide?: string | undefined;
};

/**
 * Parses a request body, refusing what JSON.parse lets through or chokes on: other encodings, deep or wide documents
 * (before they are built), keys given twice, `__proto__`, NUL, halves of surrogate pairs, and numbers that it would change.
 */
export function parseStrictJson(bytes: Buffer, limits: JsonLimits): unknown {
  if (bytes.length === 0) throw bad("The body is empty; send a JSON object");
  if (!isUtf8(bytes)) throw bad("The body is not valid UTF-8");
  const text = bytes.toString("utf8");
  if (text.charCodeAt(0) === 0xfeff) throw bad("The body starts with a byte order mark; send plain UTF-8");
  const lossy = checkShape(text, limits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw bad(`The body is not JSON: ${error instanceof Error ? error.message : "cannot be parsed"}`);
  }
  // Only an escape can bring these in: in raw UTF-8 they are invalid, and refused above.
  if (text.includes("\\u")) checkStrings(value);
  if (lossy !== undefined) throw unstorable(text, lossy);
  return value;
}

function tooWide({ keys, ifTooWide = "Send less at once" }: JsonLimits): HubError {
  return bad(`The body has more than ${keys} keys (http.json_keys). ${ifTooWide}`);
}

type Span = { start: number; end: number };

/**
 * One pass over the text, before anything is built from it: nesting, number of keys, and keys given twice. Returns where the
 * first number stands that parsing would change.
 */
function checkShape(text: string, limits: JsonLimits): Span | undefined {
  let lossy: Span | undefined;
  const open: (Set<string> | null)[] = []; // a set of keys for an object, null for an array
  let keys = 0;
  let keyNext = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: {
        const end = endOfString(text, i);
        const inside = open.at(-1);
        if (keyNext && inside) {
          if (++keys > limits.keys) throw tooWide(limits);
          addKey(inside, text.slice(i + 1, end));
          keyNext = false;
        }
        i = end;
        break;
      }
      case 0x7b:
      case 0x5b: {
        const isObject = text.charCodeAt(i) === 0x7b;
        if (open.length >= limits.depth) throw bad(`The body is nested deeper than ${limits.depth} levels`);
        open.push(isObject ? new Set() : null);
        keyNext = isObject;
        break;
      }
      case 0x7d:
      case 0x5d:
        open.pop();
        keyNext = false;
        break;
      case 0x2c:
        keyNext = open.at(-1) instanceof Set;
        break;
      default: {
        const end = endOfNumber(text, i);
        if (end === i) break;
        if (lossy === undefined && isLossy(text.slice(i, end))) lossy = { start: i, end };
        i = end - 1;
      }
    }
  }
  return lossy;
}

function addKey(keys: Set<string>, raw: string): void {
  let key = raw;
  if (raw.includes("\\")) {
    try {
      key = String(JSON.parse(`"${raw}"`));
    } catch {
      return; // Not JSON: the parser says so, and where.
    }
  }
  if (key === "__proto__") throw bad('The key "__proto__" is not allowed');
  if (keys.has(key)) throw bad(`The key "${key.slice(0, 80)}" is given twice`);
  keys.add(key);
}

function checkStrings(value: unknown): void {
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw bad("A string holds half of a surrogate pair; send whole characters");
    if (value.includes("\0")) throw bad("A string holds a NUL character");
  } else if (Array.isArray(value)) {
    for (const item of value) checkStrings(item);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkStrings(key);
      checkStrings(item);
    }
  }
}

function unstorable(text: string, { start, end }: Span): HubError {
  const field = placeIn(text, start).slice(0, 200) || "body";
  const literal = text.slice(start, end);
  const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal;
  const problem = `${field}: ${shown} is beyond what a JSON number holds exactly; send it as a text`;
  return new HubError("INVALID_INPUT", problem, { issues: [{ field, problem }] });
}

function bad(message: string): HubError {
  return new HubError("BAD_JSON", message);
}
