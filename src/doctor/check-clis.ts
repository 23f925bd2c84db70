import { existsSync } from "node:fs";
import { type ConnectedFile, openConnectionsFile } from "../connect/connections-file.js";
import { askVersion, type FoundProgram, findPrograms } from "../connect/find-programs.js";
import { configFileOf, connectedServer } from "../connect/plan-connection.js";
import { shakeHands } from "../connect/shake-hands.js";
import { HubError } from "../model/errors.js";
import type { Finding } from "../model/finding.js";
import type { ConfigWorld, Connection, ServerCommand } from "../runtime/vendors/connection.js";

/** The CLIs of one person, and what is known of the hub that they are to be connected with. */
export type CliPlace = {
  /** Where the CLIs have their files. */
  world: ConfigWorld;
  /** What their programs are started with. */
  env: Readonly<Record<string, string | undefined>>;
  /** The data folder of the hub. */
  data: string;
  /** A hub answers there. */
  isUp: boolean;
  shakeWithinMs: number;
  /** Connects one again; without it, only the command for that is told. */
  reconnect?: (connection: Connection) => Promise<void>;
  signal?: AbortSignal;
};

/** Each CLI: whether it is there, in which version, whether it is connected, and whether that works. One after the other. */
export async function checkClis(place: CliPlace): Promise<Finding[]> {
  const found = findPrograms(place.env);
  const state = readConnections(place.data);
  const findings: Finding[] = "finding" in state ? [state.finding] : [];
  const records = "records" in state ? state.records : [];
  for (const one of found) {
    place.signal?.throwIfAborted();
    findings.push(...(await checkCli(place, one, records)));
  }
  if (found.every(({ path }) => path === undefined))
    findings.push({
      check: "CLIs",
      state: "problem",
      text: "No agent CLI is on your PATH",
      fix: "npm i -g @anthropic-ai/claude-code",
    });
  return findings;
}

function readConnections(data: string): { records: readonly ConnectedFile[] } | { finding: Finding } {
  const file = `${data}/connections.json`;
  try {
    return { records: openConnectionsFile(data).list() };
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return {
      finding: { check: "CLIs", state: "problem", text: error.message, fix: `mv ${file} ${file}.old` },
    };
  }
}

async function checkCli(
  place: CliPlace,
  { connection, path }: FoundProgram,
  records: readonly ConnectedFile[],
): Promise<Finding[]> {
  const check = connection.cli;
  const recorded = records.filter((record) => record.cli === check);
  const isRecorded = recorded.length > 0;
  if (path === undefined) {
    if (!isRecorded) return [];
    // What has no command that installs it can be let go.
    const fix = /^https?:/.test(connection.install) ? `huddle connect ${check} --undo` : connection.install;
    return [{ check, state: "problem", text: "connected, but not installed any more", fix }];
  }
  const { env, signal, reconnect } = place;
  const version = (await askVersion(path, env, signal)) ?? "version unknown";
  const server = findServer(connection, place.world, recorded);
  if (server === undefined && !isRecorded)
    return [{ check, state: "note", text: `${version}, not connected`, fix: `huddle connect ${check}` }];
  const wrong = server === undefined ? "its entry is gone" : findMissing(server);
  const broken = (text: string): Finding => ({
    check,
    state: "problem",
    text: `${version}, connected, but ${text}`,
    fix: `huddle connect ${check}`,
    ...(reconnect === undefined ? {} : { repair: () => reconnect(connection) }),
  });
  if (wrong !== undefined || server === undefined) return [broken(wrong ?? "")];
  if (!place.isUp)
    return [{ check, state: "ok", text: `${version}, connected; not tried, as no hub is running` }];
  try {
    const { ms } = await shakeHands(server, { env, withinMs: place.shakeWithinMs, signal });
    return [{ check, state: "ok", text: `${version}, connected, answers in ${ms} ms` }];
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    return [broken(`its server does not answer: ${error.message}`)];
  }
}

/** In the file of all projects, or wherever else `huddle connect` wrote it: for one project, or by a variable that is not set here. */
function findServer(
  connection: Connection,
  world: ConfigWorld,
  recorded: readonly ConnectedFile[],
): ServerCommand | undefined {
  const written = recorded.filter(({ format }) => format === connection.format).map(({ file }) => file);
  const files = [configFileOf(connection, "user", world), ...written];
  return files.map((file) => connectedServer(connection, file)).find((server) => server !== undefined);
}

/** An upgrade of Node or of Huddle may have taken a file away. */
export function findMissing({ command, args }: ServerCommand): string | undefined {
  const missing = [command, ...args.slice(0, 1)].find((path) => path.startsWith("/") && !existsSync(path));
  return missing === undefined ? undefined : `${missing} is missing`;
}
