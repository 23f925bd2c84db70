import { readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";

/*
 * gemini names the file of a session by the minute of its making. Loading a session over ACP, it first begins a file for it by
 * the present minute: in the minute of the making that is the same file, which then counts as empty, and the session as not
 * there. So a file of this minute gets the name of the minute before; nothing but its name tells gemini where it is.
 */

const named = /^session-(\d{4}-\d\d-\d\dT\d\d-\d\d)-([^/]+\.jsonl?)$/;

/** `tmp` is where gemini keeps a folder for each project. */
export async function ageSession(session: string, tmp: string, now: number): Promise<void> {
  for (const project of await readdir(tmp).catch(() => [])) {
    const chats = join(tmp, project, "chats");
    for (const name of await readdir(chats).catch(() => [])) {
      const [, minute = "", rest = ""] = named.exec(name) ?? [];
      if (minute !== minuteOf(now) || !rest.startsWith(`${session.slice(0, 8)}.`)) continue;
      const older = join(chats, `session-${minuteOf(now - 60_000)}-${rest}`);
      if (!(await isThere(older))) await rename(join(chats, name), older);
    }
  }
}

function minuteOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace(":", "-");
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
