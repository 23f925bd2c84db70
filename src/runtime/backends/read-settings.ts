import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { RuntimeError } from "../runtime.js";

/** A settings file of a CLI: an object in JSON; comments and a comma at the end are allowed. */
export function readSettings(text: string | undefined, name: string): Record<string, unknown> {
  if (text === undefined || text.trim() === "") return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw refuse(name, `${printParseErrorCode(error.error)} in line ${line}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuse(name, "it is not an object");
  return { ...value };
}

function refuse(name: string, why: string): RuntimeError {
  return new RuntimeError("BACKEND_FAILED", `${name} cannot be read: ${why}. Fix it and retry.`);
}
