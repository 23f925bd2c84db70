import { isDeepStrictEqual } from "node:util";
import { parse, patch } from "@decimalturn/toml-patch";
import { type ConfigFormat, type ConfigPath, ConfigProblem, isObject, valueAt } from "./config-format.js";

/** TOML. A new table goes to the end of the file, as a person would write it; what is there already is changed where it stands. */
export const tomlConfig: ConfigFormat = {
  parse(text) {
    try {
      const value: unknown = parse(text);
      if (isObject(value)) return value;
    } catch (error) {
      throw new ConfigProblem(describe(error), { cause: error });
    }
    throw new ConfigProblem("it is not a table");
  },
  set(text, path, value) {
    const keys = path.map(String);
    const before = tomlConfig.parse(text);
    const wanted = withValue(before, keys, value);
    const there = valueAt(before, path);
    const simple = there === undefined ? append(text, keys, value) : cut(text, keys, there, value);
    return simple !== undefined && means(simple, wanted) ? simple : patch(text, wanted);
  },
};

function append(text: string, keys: readonly string[], value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return withEnds(`${text}${gap}${tableText(keys, value)}`, text);
}

/** A table that stands there as we wrote it leaves nothing behind. */
function cut(text: string, keys: readonly string[], there: unknown, value: unknown): string | undefined {
  if (value !== undefined || !isObject(there)) return undefined;
  const table = withEnds(tableText(keys, there), text);
  const at = text.indexOf(table);
  if (at === -1) return undefined;
  return text.slice(0, at).replace(/\r?\n(\r?\n)$/, "$1") + text.slice(at + table.length);
}

function means(text: string, wanted: Record<string, unknown>): boolean {
  try {
    return isDeepStrictEqual(plain(tomlConfig.parse(text)), plain(wanted));
  } catch (error) {
    if (error instanceof ConfigProblem) return false;
    throw error;
  }
}

/** The parser's tables have no prototype, and its times and long numbers are objects of their own. */
function plain(config: unknown): unknown {
  return JSON.parse(
    JSON.stringify(config, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value)),
  );
}

function withValue(config: Record<string, unknown>, [key = "", ...rest]: ConfigPath, value: unknown) {
  const name = String(key);
  const inner = config[name];
  if (rest.length > 0 && inner !== undefined && !isObject(inner))
    throw new ConfigProblem(`${name} is not a table`);
  const next: unknown = rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value);
  const { [name]: _, ...others } = config;
  return next === undefined ? others : { ...config, [name]: next };
}

/** Tables within it come after its own keys. */
function tableText(keys: readonly string[], table: Record<string, unknown>): string {
  const lines = Object.entries(table).flatMap(([key, value]) =>
    isObject(value) ? [] : [`${keyText(key)} = ${valueText(value)}\n`],
  );
  const inner = Object.entries(table).flatMap(([key, value]) =>
    isObject(value) ? [`\n${tableText([...keys, key], value)}`] : [],
  );
  return `[${keys.map(keyText).join(".")}]\n${lines.join("")}${inner.join("")}`;
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** A JSON string is a TOML string but for DEL. */
function valueText(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map(valueText).join(", ")}]`
    : JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}

function withEnds(fresh: string, text: string): string {
  return text.includes("\r\n") ? fresh.replace(/\r?\n/g, "\r\n") : fresh;
}

/** Its message has the line and a mark below it; the first line says where. */
function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [, line] = /\((\d+), \d+\)/.exec(text) ?? [];
  const reason = text.trim().split("\n").at(-1) ?? "";
  return line === undefined ? reason : `${reason} in line ${line}`;
}
