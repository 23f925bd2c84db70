import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "../../../model/parse-json.js";

/*
 * droid takes no id for a new session and keeps no file of it open. But its hook `SessionStart` is told the id, at the start
 * and whenever the person begins or takes up another on the same screen. Ours keeps it in the agent's folder.
 */

const told = z.looseObject({ session_id: z.uuid() });

/** The hook's command, for a shell. The file is never half of one, and the person's screen shows nothing of it. */
export function tellSession(folder: string): string {
  const file = quote(fileIn(folder));
  return `cat > ${file}.new && mv -f ${file}.new ${file}; echo '{"suppressOutput":true}'`;
}

/** What an earlier start left says nothing of this one. */
export function noSession(folder: string): { path: string; text: string } {
  return { path: fileIn(folder), text: "" };
}

export async function readSession(folder: string): Promise<string | undefined> {
  const text = await readFile(fileIn(folder), "utf8").catch(() => "");
  return told.safeParse(parseJson(text)).data?.session_id;
}

function fileIn(folder: string): string {
  return join(folder, "droid-session.json");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
