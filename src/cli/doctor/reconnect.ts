import { configFileOf, connectedServer } from "../../connect/plan-connection.js";
import { findMissing } from "../../doctor/check-clis.js";
import { HubError } from "../../model/errors.js";
import type { Connection } from "../../runtime/vendors/connection.js";
import { configWorld } from "../connect/config-world.js";
import { connectClis } from "../connect/connect-clis.js";
import type { CliContext } from "../context.js";
import { EXIT_OK } from "../exit-codes.js";

/** Connects a CLI again whose entry is broken, without a word. Throws when that did not help. */
export async function reconnect(cli: CliContext, connection: Connection, isUp: boolean): Promise<void> {
  const silent = { ...cli, output: { ...cli.output, result: () => {}, json: true } };
  const options = { dryRun: false, scope: "user", hooks: undefined, yes: true } as const;
  const code = await connectClis(silent, [connection.cli], options);
  const server = connectedServer(connection, configFileOf(connection, "user", configWorld(cli)));
  const left = server === undefined ? "its entry is gone" : findMissing(server);
  // Where no hub runs, that it does not answer is not the entry's fault.
  if (left !== undefined || (isUp && code !== EXIT_OK))
    throw new HubError("INTERNAL", left ?? "its server still does not answer");
}
