import { createHash } from "node:crypto";
import type { CliContext } from "../context.js";
import { hubEnvironment } from "../hub-environment.js";

/** What a service runs: absolute paths, and the few variables that a session would have given it. */
export type ServiceProgram = {
  /** `huddle`, or with an end of its own for a hub in another `HUDDLE_HOME`. */
  name: string;
  argv: readonly [node: string, main: string, ...rest: string[]];
  env: Readonly<Record<string, string>>;
  /** For what it says, where nothing else keeps that. */
  logFile: string;
};

/** These belong to the session in which somebody installs it; a service has its own, or none. */
const ofSession = new Set([
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "TMPDIR",
  "SSH_AUTH_SOCK",
  "DBUS_SESSION_BUS_ADDRESS",
]);

export function describeProgram({ io, paths }: CliContext): ServiceProgram {
  const ownFolder = (io.env["HUDDLE_HOME"] ?? "") === "" ? undefined : paths.data;
  const env = Object.entries(hubEnvironment(io.env, ownFolder))
    .filter(([name]) => !ofSession.has(name) && (!name.startsWith("XDG_") || name.endsWith("_HOME")))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const [node, main = ""] = io.self;
  return {
    name: ownFolder === undefined ? "huddle" : `huddle-${shortHash(ownFolder)}`,
    argv: [node, main, "up", "--foreground", "--unless-running"],
    env: Object.fromEntries(env),
    logFile: paths.hubLog,
  };
}

/** Two homes are two services. */
function shortHash(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 8);
}
