import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { HubError } from "../model/errors.js";
import type { ServerCommand } from "../runtime/vendors/connection.js";

type OwnOptions = {
  /** The command that runs this program: Node, and the file. */
  self: readonly [string, ...string[]];
  env: Readonly<Record<string, string | undefined>>;
  data: string;
};

/** The bridge beside this program, by absolute paths, and the variables without which it would look for another hub. */
export function ownServer({ self, env, data }: OwnOptions): ServerCommand {
  return { command: self[0], args: [beside(self, "mcp-bridge.cjs")], env: hubVariables(env, data) };
}

const xdgFolders = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];

function hubVariables(env: OwnOptions["env"], data: string): Record<string, string> {
  if ((env["HUDDLE_HOME"] ?? "") !== "") return { HUDDLE_HOME: data };
  return Object.fromEntries(
    xdgFolders.flatMap((name) => {
      const folder = env[name];
      return folder !== undefined && isAbsolute(folder) ? [[name, folder] as const] : [];
    }),
  );
}

const printedHooks = z.object({ hooks: z.record(z.string(), z.array(z.unknown())) });

/** The groups of hooks by event, as the hook program itself prints them. */
export async function ownHooks({ self, env, data }: OwnOptions): Promise<Record<string, unknown[]>> {
  const { PATH = "", HOME = "" } = env;
  const own = { PATH, HOME, ...hubVariables(env, data) };
  const { stdout } = await promisify(execFile)(self[0], [beside(self, "hook.cjs"), "--print-settings"], {
    env: own,
  });
  return printedHooks.parse(JSON.parse(stdout)).hooks;
}

function beside(self: OwnOptions["self"], name: string): string {
  const file = join(dirname(self.at(-1) ?? ""), name);
  if (existsSync(file)) return file;
  throw new HubError("FILE_UNUSABLE", `${file} is missing: this Huddle is not whole`, {
    file,
    hint: "Install it again, or in its sources run: npm run build",
  });
}
