import { setTimeout as sleep } from "node:timers/promises";
import { isHubErrorCode } from "../client/decode-answer.js";
import type { Health } from "../client/hub-client.js";
import { HubError } from "../model/errors.js";
import type { CliContext } from "./context.js";
import { type HomeHub, lookAtHomeHub } from "./home-hub.js";
import { hubEnvironment } from "./hub-environment.js";
import { configText, secretVariables } from "./secret-variables.js";
import { findRefusal, type SpawnedHub, spawnHub } from "./spawn-hub.js";

export type EnsureOptions = {
  set: readonly string[];
  port?: number;
  /** A hub that is started ends with this program, however that ends, and takes its folder along. */
  throwAway?: true;
};
type EnsuredHub = { health: Health; started: boolean };

/** A journal may have to be migrated or replayed first. */
const START_MS = 30_000;
const LOOK_EVERY_MS = 25;
const LOOK_TIMEOUT_MS = 1_000;
/** Somebody else holds the folder: a hub that starts, or one that stops and will leave it to us. */
const CONTESTED_MS = 250;

/** The hub of this home, started in the background if it does not run. Whoever wins a race, it is up afterwards. */
export async function ensureHub(cli: CliContext, options: EnsureOptions): Promise<EnsuredHub> {
  const found = await lookAtHomeHub(cli.paths, cli.timeoutMs());
  if (found.kind === "up") return { health: found.health, started: false };
  const waitMs = cli.timeoutMs(START_MS);
  const deadline = performance.now() + waitMs;
  let hub = spawnFor(cli, options);
  try {
    for (;;) {
      const home = await look(cli);
      if (home.kind === "up") return { health: home.health, started: home.health.pid === hub.pid };
      const end = hub.ended();
      const refusal = end === undefined ? undefined : readRefusal(end, cli);
      if (refusal !== undefined && refusal.code !== "HUB_RUNNING") throw refusal;
      if (performance.now() > deadline) throw refusal ?? tooSlow(cli, hub, waitMs);
      await sleep(refusal === undefined ? LOOK_EVERY_MS : CONTESTED_MS);
      if (refusal !== undefined && (await look(cli)).kind !== "up") hub = spawnFor(cli, options);
    }
  } finally {
    hub.release();
  }
}

function spawnFor({ io, paths }: CliContext, { set, port, throwAway }: EnsureOptions): SpawnedHub {
  const ownFolder = (io.env["HUDDLE_HOME"] ?? "") === "" ? undefined : paths.data;
  return spawnHub({
    self: io.self,
    args: [
      "up",
      "--foreground",
      "--json",
      ...(throwAway === undefined ? [] : ["--throw-away"]),
      ...(port === undefined ? [] : ["--port", String(port)]),
      ...set.flatMap((pair) => ["--set", pair]),
    ],
    env: hubEnvironment(io.env, ownFolder, secretVariables([configText(paths.configFile), ...set])),
    logFile: paths.hubLog,
    tied: throwAway === true,
  });
}

/** One that hangs while it starts is not up yet. */
async function look({ paths }: CliContext): Promise<HomeHub> {
  try {
    return await lookAtHomeHub(paths, LOOK_TIMEOUT_MS);
  } catch (error) {
    if (error instanceof HubError && error.code === "TIMED_OUT") return { kind: "none" };
    throw error;
  }
}

function readRefusal({ code, said }: { code: number; said: string }, { paths }: CliContext): HubError {
  const refusal = findRefusal(said);
  if (refusal !== undefined && isHubErrorCode(refusal.code)) {
    const { error, code: known, ...details } = refusal;
    return new HubError(known, error, details);
  }
  const last = said.trim().split("\n").at(-1) ?? "";
  return new HubError(
    "INTERNAL",
    `The hub ended while it was starting (exit ${code})${last === "" ? "" : `: ${last}`}`,
    {
      hint: `Its log: ${paths.hubLog}`,
    },
  );
}

function tooSlow({ paths }: CliContext, hub: SpawnedHub, waitMs: number): HubError {
  return new HubError(
    "TIMED_OUT",
    `The hub (pid ${hub.pid}) is still starting after ${waitMs / 1000} s; it goes on`,
    {
      hint: `Its log: ${paths.hubLog}`,
    },
  );
}
