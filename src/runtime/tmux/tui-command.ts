import { randomUUID } from "node:crypto";
import { type Prepared, prepareTui } from "../backends/prepare-launch.js";
import type { Launch } from "../runtime.js";
import type { CliName } from "./screen-rule.js";

/** How the CLI's own screen is started, and the vendor's session where it can be chosen in advance. */
export type TuiCommand = Prepared & { session?: string };

export async function tuiCommand(cli: CliName, launch: Launch): Promise<TuiCommand> {
  const prepared = await prepareTui(launch);
  if (launch.resume !== undefined) return { ...prepared, session: launch.resume };
  if (cli !== "claude") return prepared; // learnt later, or told when it ends
  const session = randomUUID();
  const [command = "", ...args] = prepared.argv;
  return { ...prepared, argv: [command, "--session-id", session, ...args], session };
}
