import { sep } from "node:path";
import type { ConfigWorld } from "../../runtime/vendors/connection.js";
import type { CliContext } from "../context.js";
import { escapeLine } from "../escape-text.js";

/** Where the CLIs of this person have their files. */
export function configWorld({ io }: CliContext): ConfigWorld {
  return { home: io.home, cwd: process.cwd(), env: io.env, platform: process.platform };
}

/** A path as people write it. */
export function homePath(path: string, { io }: CliContext): string {
  return escapeLine(path.startsWith(io.home + sep) ? `~${path.slice(io.home.length)}` : path);
}
