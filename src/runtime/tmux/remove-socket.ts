import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createTmuxClient } from "./tmux-client.js";

/** tmux leaves the file of its socket behind when its last session has ended. A server that still runs keeps it. */
export async function removeSocket(name: string): Promise<void> {
  const file = join(process.env["TMUX_TMPDIR"] ?? "/tmp", `tmux-${process.getuid?.() ?? 0}`, name);
  if (!existsSync(file)) return;
  const sessions = await createTmuxClient({ socket: name }).run(["list-sessions"]);
  if (sessions === undefined) rmSync(file, { force: true });
}
