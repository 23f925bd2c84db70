import { randomUUID } from "node:crypto";
import { type Prepared, prepareTui } from "../backends/prepare-launch.js";
import type { Launch } from "../runtime.js";
import type { CliName } from "../vendors/clients.js";
import { vendorOfCli } from "../vendors/vendors.js";

/** How the CLI's own screen is started, and the vendor's session where it can be chosen in advance. */
type TuiCommand = Prepared & { session?: string };

export async function tuiCommand(cli: CliName, launch: Launch): Promise<TuiCommand> {
  const prepared = await prepareTui(launch);
  if (launch.resume !== undefined) return { ...prepared, session: launch.resume };
  const { newSession } = vendorOfCli(cli);
  if (newSession === undefined) return prepared;
  const session = randomUUID();
  const [command = "", ...args] = prepared.argv;
  return { ...prepared, argv: [command, newSession, session, ...args], session };
}
