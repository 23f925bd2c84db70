import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Launch } from "../../runtime.js";
import type { WiredFile } from "../vendor.js";

/*
 * opencode takes no id for a new session and keeps no file of it open. But its plug-ins are told of every session that it
 * works in. Ours writes the newest into the agent's folder and, of one turn without a screen, prints it: the CLI's own
 * first line comes with the model's first word, too late for a turn that is cut before it.
 *
 * With a plug-in it does not start before it has installed a package of its own from the registry, which it otherwise does
 * beside its work. Until it has, which without a network is never, it is given none.
 */

const id = /^ses_\w+$/;

export function sessionPlugin({ env, folder }: Launch): WiredFile | undefined {
  const config = join(env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? homedir(), ".config"), "opencode");
  if (!existsSync(join(config, "node_modules", "@opencode-ai", "plugin", "package.json"))) return undefined;
  const text = `import { renameSync, writeFileSync } from "node:fs";

const file = ${JSON.stringify(fileIn(folder))};
const prints = process.argv.includes("--format");
const children = new Set();
let told;

const print = (line) => prints && process.stdout.write(JSON.stringify(line) + "\\n");

function tell(session) {
  if (session === undefined || session === told || children.has(session)) return;
  told = session;
  writeFileSync(file + ".new", session, { mode: 0o600 });
  renameSync(file + ".new", file);
  print({ type: "session", sessionID: session });
}

export const HuddleSession = async () => ({
  async event({ event: { type, properties = {} } }) {
    const { sessionID = properties.info?.id, info, status } = properties;
    if (type === "session.created" || type === "session.updated") {
      // Of an agent of its own.
      if (info?.parentID) children.add(info.id);
      else if (type === "session.created") tell(sessionID);
    } else if (type === "session.status" && status?.type === "busy" && !children.has(sessionID)) {
      tell(sessionID);
      print({ type: "kept", sessionID });
    }
  },
});
`;
  return { path: join(folder, "opencode-session.mjs"), text };
}

export async function readSession(folder: string): Promise<string | undefined> {
  const text = await readFile(fileIn(folder), "utf8").catch(() => "");
  return id.test(text) ? text : undefined;
}

function fileIn(folder: string): string {
  return join(folder, "opencode-session");
}
