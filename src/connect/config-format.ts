/** Where something stands in a configuration; a number is a place in a list, and -1 the one behind its last. */
export type ConfigPath = readonly (string | number)[];

/** A configuration that somebody else wrote: changed in place, with its comments and its formatting. */
export type ConfigFormat = {
  /** MUST throw a ConfigProblem for what is not an object of this format. */
  parse(text: string): Record<string, unknown>;
  /** The text with this value there; without it, if the value is undefined. An empty text is an empty object. */
  set(text: string, path: ConfigPath, value: unknown): string;
};

/** Why a text cannot be read. */
export class ConfigProblem extends Error {}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function valueAt(config: unknown, path: ConfigPath): unknown {
  let value = config;
  for (const step of path) {
    if (isObject(value) && typeof step === "string" && Object.hasOwn(value, step)) value = value[step];
    else if (Array.isArray(value) && typeof step === "number") value = value[step];
    else return undefined;
  }
  return value;
}
