import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Launch } from "../../src/runtime/runtime.js";
import { eventually } from "./eventually.js";

const named = /^session-\d{4}-\d\d-\d\dT\d\d-\d\d-(.+)$/;

/**
 * gemini names the file of a session by the minute of its making. This gives it the name that it would have, had it been made
 * in this minute, which has some seconds to go.
 */
export async function asOfThisMinute({ env }: Launch, session: string): Promise<void> {
  await eventually("a minute that is not about to end", () => new Date().getSeconds() < 40);
  const tmp = join(env["HOME"] ?? "", ".gemini", "tmp");
  const minute = new Date().toISOString().slice(0, 16).replace(":", "-");
  let found = 0;
  for (const path of readdirSync(tmp, { recursive: true, encoding: "utf8" })) {
    const [name = "", folder, ...above] = path.split("/").toReversed();
    const rest = named.exec(name)?.[1];
    if (folder !== "chats" || rest?.startsWith(`${session.slice(0, 8)}.`) !== true) continue;
    const chats = join(tmp, ...above.toReversed(), folder);
    renameSync(join(chats, name), join(chats, `session-${minute}-${rest}`));
    found += 1;
  }
  if (found !== 1) throw new Error(`gemini has ${found} files of the session ${session}, not one`);
}
