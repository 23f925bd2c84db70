import { readFileSync } from "node:fs";
import { parseJson } from "../model/parse-json.js";

export type Json = Record<string, unknown>;
/** Of a JSON-RPC request. */
export type Id = string | number;

/** Beyond it an id would come back as another. */
const MOST = Number.MAX_SAFE_INTEGER;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is Id {
  return typeof value === "string" || (typeof value === "number" && Math.abs(value) <= MOST);
}

/** The object in a file; undefined if there is none. */
export function readJson(file: string): Json | undefined {
  try {
    const value = parseJson(readFileSync(file, "utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
