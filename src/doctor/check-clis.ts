import { existsSync } from "node:fs";
import { type ConnectedFile, openConnectionsFile } from "../../connect/connections-file.js";
import { askVersion, type FoundProgram, findPrograms } from "../../connect/find-programs.js";
import { configFileOf, connectedServer } from "../../connect/plan-connection.js";
import { shakeHands } from "../../connect/shake-hands.js";
import { HubError } from "../../model/errors.js";
import type { Finding } from "../../model/finding.js";
import type { ServerCommand } from "../../runtime/vendors/connection.js";
import { configWorld } from "../connect/config-world.js";
import { connectClis } from "../connect/connect-clis.js";
import type { CliContext } from "../context.js";
import { EXIT_OK } from "../exit-codes.js";

const SHAKE_MS = 15_000;

/** Each CLI: whether it is there, in which version, whether it is connected, and whether that works. */
export async function checkClis(cli: CliContext, isUp: boolean): Promise<Finding[]> {
  const found = findPrograms(cli.io.env);
  const state = readConnections(cli);
  const findings: Finding[] = "finding" in state ? [state.finding] : [];
  const records = "records" in state ? state.records : [];
  for (const one of found) findings.push(...(await checkCli(cli, one, { isUp, records })));
  if (found.every(({ path }) => path === undefined))
    findings.push({
      check: "CLIs",
      state: "problem",
      text: "No agent CLI is on your PATH",
      fix: "npm i -g @anthropic-ai/claude-code",
    });
  return findings;
}

function readConnections(cli: CliContext): { records: readonly ConnectedFile[] } | { finding: Finding } {
  const file = `${cli.paths.data}/connections.json`;
  try {
    return { records: openConnectionsFile(cli.paths.data).list() };
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return {
      finding: { check: "CLIs", state: "problem", text: error.message, fix: `mv ${file} ${file}.old` },
    };
  }
}

type CheckOptions = { isUp: boolean; records: readonly ConnectedFile[] };

async function checkCli(cli: CliContext, found: FoundProgram, options: CheckOptions): Promise<Finding[]> {
  const { connection, path } = found;
  const check = connection.cli;
  const isRecorded = options.records.some((record) => record.cli === check);
  if (path === undefined) {
    if (!isRecorded) return [];
    return [
      { check, state: "problem", text: "connected, but not installed any more", fix: connection.install },
    ];
  }
  const version = (await askVersion(path, cli.io.env)) ?? "version unknown";
  const server = connectedServer(connection, configFileOf(connection, "user", configWorld(cli)));
  if (server === undefined && !isRecorded)
    return [{ check, state: "note", text: `${version}, not connected`, fix: `huddle connect ${check}` }];
  const wrong = server === undefined ? "its entry is gone" : findMissing(server);
  const broken = (text: string): Finding => ({
    check,
    state: "problem",
    text: `${version}, connected, but ${text}`,
    fix: `huddle connect ${check}`,
    repair: () => reconnect(cli, found, options.isUp),
  });
  if (wrong !== undefined || server === undefined) return [broken(wrong ?? "")];
  if (!options.isUp)
    return [{ check, state: "ok", text: `${version}, connected; not tried, as no hub is running` }];
  try {
    const { ms } = await shakeHands(server, { env: cli.io.env, withinMs: cli.timeoutMs(SHAKE_MS) });
    return [{ check, state: "ok", text: `${version}, connected, answers in ${ms} ms` }];
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return [broken(`its server does not answer: ${error.message}`)];
  }
}

/** An upgrade of Node or of Huddle may have taken a file away. */
function findMissing({ command, args }: ServerCommand): string | undefined {
  const missing = [command, ...args.slice(0, 1)].find((path) => path.startsWith("/") && !existsSync(path));
  return missing === undefined ? undefined : `${missing} is missing`;
}

async function reconnect(cli: CliContext, { connection }: FoundProgram, isUp: boolean): Promise<void> {
  const silent = { ...cli, output: { ...cli.output, result: () => {}, json: true } };
  const options = { dryRun: false, scope: "user", hooks: undefined, yes: true } as const;
  const code = await connectClis(silent, [connection.cli], options);
  const server = connectedServer(connection, configFileOf(connection, "user", configWorld(cli)));
  const left = server === undefined ? "its entry is gone" : findMissing(server);
  // Where no hub runs, that it does not answer is not the entry's fault.
  if (left !== undefined || (isUp && code !== EXIT_OK))
    throw new HubError("INTERNAL", left ?? "its server still does not answer");
}
