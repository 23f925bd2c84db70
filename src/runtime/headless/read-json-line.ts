import { parseJson } from "../../model/parse-json.js";

/** The object that a line is; undefined of one that is not JSON. CLIs also print words. */
export function readJsonLine(line: string): unknown {
  const text = line.trim();
  return text.startsWith("{") ? parseJson(text) : undefined;
}
