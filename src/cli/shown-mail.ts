import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HubTarget } from "../client/connect.js";
import { makeFolder } from "../client/make-folder.js";
import type { HuddlePaths } from "../client/paths.js";
import { parseJson } from "../model/parse-json.js";

/*
 * Which message each number of the last `huddle inbox` stood for: what came meanwhile must not change what `huddle reply 1`
 * answers. Of each reader of each hub; only ids are kept, and what is lost is numbered anew.
 */

type Numbered = Readonly<Record<string, readonly string[]>>;

export type ShownMail = {
  /** The ids, in the order of their numbers from 1. */
  ids(): readonly string[];
  /** False where nothing can be kept: then nothing is numbered. */
  keep(ids: readonly string[]): boolean;
};

export function openShownMail(paths: Pick<HuddlePaths, "state">, { url, token }: HubTarget): ShownMail {
  const file = join(paths.state, "shown-mail.json");
  const reader = createHash("sha256").update(`${url}\n${token}`).digest("hex").slice(0, 16);
  return {
    ids: () => readNumbered(file)[reader] ?? [],
    keep(ids) {
      try {
        makeFolder(paths.state);
        writeFileSync(file, JSON.stringify({ ...readNumbered(file), [reader]: ids }), { mode: 0o600 });
        return true;
      } catch {
        return false;
      }
    },
  };
}

function readNumbered(file: string): Numbered {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return {}; // Nothing was shown yet.
  }
  const known = parseJson(text);
  if (typeof known !== "object" || known === null) return {};
  return Object.fromEntries(
    Object.entries(known).flatMap(([reader, ids]: [string, unknown]) =>
      Array.isArray(ids) ? [[reader, ids.filter((id) => typeof id === "string")]] : [],
    ),
  );
}
