import { readFileSync } from "node:fs";
import { usageError } from "./usage-error.js";

/** What a file on the command line holds; that it cannot be read or is no JSON is said with its name. */
export function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw usageError(`${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}
