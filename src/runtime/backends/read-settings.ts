import { z } from "zod";
import { RuntimeError } from "../runtime.js";

const settings = z.record(z.string(), z.unknown());

/** A settings file of a CLI: an object in JSON, comments allowed. */
export function readSettings(text: string | undefined, name: string): Record<string, unknown> {
  if (text === undefined || text.trim() === "") return {};
  try {
    return settings.parse(JSON.parse(stripComments(text)));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause);
    throw new RuntimeError("BACKEND_FAILED", `${name} cannot be read: ${why}. Fix it and retry.`);
  }
}

/** Strings first: what looks like a comment inside one is none. */
function stripComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_all, string?: string) => string ?? "",
  );
}
