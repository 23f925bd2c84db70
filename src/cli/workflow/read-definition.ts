import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  type ParsedDefinition,
  parseDefinition,
  withFolders,
} from "../../client/definition/parse-definition.js";
import { usageError } from "../usage-error.js";

/** Far above what a hub takes, and soon read. */
const LARGEST = 16 * 1024 * 1024;

/** A definition that can be sent as it is: all that can be known without a hub has been looked at. */
export function readDefinition(file: string): ParsedDefinition {
  const { definition, place } = parseDefinition(readText(file), file);
  // In a file a folder is meant from where the file is; without one, it is where the person is.
  const from = (folder: string) => resolve(dirname(file), folder);
  return { definition: withFolders(definition, { from, usual: resolve(".") }), place };
}

function readText(file: string): string {
  let bytes: Buffer;
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw usageError(`${file} is not a file`);
    if (stats.size > LARGEST) throw usageError(`${file} is larger than 16 MiB, which no workflow needs`);
    bytes = readFileSync(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && "syscall" in error)) throw error;
    throw usageError(
      error.code === "ENOENT" ? `There is no file ${file}` : `${file} cannot be read (${String(error.code)})`,
    );
  }
  if (!isUtf8(bytes)) throw usageError(`${file} is not UTF-8 text; save it as UTF-8`);
  return bytes.toString("utf8");
}
