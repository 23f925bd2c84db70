import { readFileSync } from "node:fs";

export type Json = Record<string, unknown>;
/** Of a JSON-RPC request. */
export type Id = string | number;

/** Undefined for what is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is Id {
  return typeof value === "string" || typeof value === "number";
}

/** The object in a file; undefined if there is none. */
export function readJson(file: string): Json | undefined {
  try {
    const value = parse(readFileSync(file, "utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
