import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { type HuddlePaths, resolvePaths } from "../client/paths.js";
import { nameIn } from "../model/address.js";
import { toolsListedMark } from "../model/tools-listed-mark.js";
import { isHosted } from "./hosted.js";

const USAGE =
  "Usage: mcp-bridge [--identity FILE] [--name NAME] [--team TEAM] [--tools huddle|agent|orchestrator|tabs|sessions] [--join-after SECONDS] [--wake]";

/** A probe is gone by then, and a person has not written anything yet. */
const JOIN_AFTER_MS = 3_000;
const LONGEST_MS = 24 * 3_600_000;

/** What the bridge was started with. */
export type Settings = {
  paths: HuddlePaths;
  /** Whose token to use; without one the bridge registers an agent. */
  identityFile: string | undefined;
  name: string | undefined;
  team: string | undefined;
  /** Another hub than that of this home. */
  url: string | undefined;
  /** Its hub is that of this home: found by hub.json, and started when it does not run. */
  ofThisHome: boolean;
  route: string;
  /** The hub runs this CLI, and has wired a bridge of its own into it. */
  standsAside: boolean;
  /** Made when the client has the list of tools: the hub that runs it waits for that with its first prompt. */
  toolsListed: string | undefined;
  /** For how long a client must have stayed before it joins without having called anything. */
  joinAfterMs: number;
  /** Mail may start turns in a CLI that has no hooks for that. */
  wakes: boolean;
};

export function readSettings(argv: readonly string[], env: NodeJS.ProcessEnv): Settings {
  const flags = readFlags(argv);
  const paths = resolvePaths(env, homedir());
  const identityFile = flags.get("identity");
  const url = env["HUDDLE_URL"] || env["JANUS_API_URL"] || undefined;
  const tools = flags.get("tools");
  const hosted = isHosted(env);
  const given = flags.get("name") || env["HUDDLE_AGENT"] || env["JANUS_AGENT_NAME"] || undefined;
  const [, inName] = /^([^/]*)\//.exec(given ?? "") ?? [];
  return {
    paths,
    identityFile,
    name: given && nameIn(given),
    team: flags.get("team") ?? inName,
    url,
    ofThisHome:
      identityFile === undefined ? url === undefined : resolve(identityFile).startsWith(paths.data + sep),
    route: tools === undefined ? "/mcp" : `/mcp?tools=${encodeURIComponent(tools)}`,
    standsAside: identityFile === undefined && hosted,
    toolsListed: identityFile && hosted ? join(dirname(identityFile), toolsListedMark) : undefined,
    joinAfterMs: joinAfter(flags.get("join-after")),
    wakes: flags.has("wake") && !hosted,
  };
}

function readFlags(argv: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (let i = 0; i < argv.length; i++) {
    const given = argv[i] ?? "";
    if (given === "--wake") {
      found.set("wake", "yes");
      continue;
    }
    const [, name, inline] = /^--(identity|name|team|tools|join-after)(?:=(.*))?$/s.exec(given) ?? [];
    if (name === undefined) return leave(`There is no option ${given}.`);
    const value = inline ?? argv[++i];
    if (value === undefined || value === "") return leave(`${given} needs a value.`);
    found.set(name, value);
  }
  return found;
}

function joinAfter(seconds: string | undefined): number {
  if (seconds === undefined) return JOIN_AFTER_MS;
  const ms = Number(seconds) * 1000;
  return ms >= 0 && ms <= LONGEST_MS ? ms : leave(`--join-after takes seconds, not "${seconds}".`);
}

function leave(problem: string): never {
  process.stderr.write(`${problem}\n${USAGE}\n`);
  process.exit(2);
}
