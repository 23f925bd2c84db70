import type { EventFrame } from "../../client/event-stream.js";
import type { HubClient, NeedsYou } from "../../client/hub-client.js";
import type { StreamState } from "../../client/keep-following.js";
import { changesNeeds, changesNetwork } from "../../client/stale-views.js";
import { HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { sleep } from "../../model/sleep.js";
import { agentsIn, listAllAgents } from "../agent-names.js";
import type { CliContext } from "../context.js";
import { refreshSoon } from "./refresh-soon.js";
import { reloadRows } from "./reload-rows.js";
import type { AgentRow } from "./top-state.js";
import { sumTraffic, type Traffic } from "./traffic.js";

export type HubNews = {
  agents(rows: readonly AgentRow[]): void;
  needs(items: NeedsYou["items"]): void;
  traffic(traffic: Traffic): void;
  link(state: StreamState): void;
};

export type Overview = { agents: AgentRow[]; needs: NeedsYou["items"]; traffic: Traffic };

export async function readOverview(client: HubClient): Promise<Overview> {
  const [agents, { items }, { pairs }] = await Promise.all([
    listAllAgents(client),
    client.needsYou(),
    client.pairs(),
  ]);
  return { agents, needs: items, traffic: sumTraffic(pairs) };
}

const AGENTS_PAUSE_MS = 500;
const NEEDS_PAUSE_MS = 300;
const TRAFFIC_PAUSE_MS = 2_000;
/** Some statuses change without an event: an open wait, a turn that hooks tell of, mail that is held no more. */
const ALL_AGENTS_MS = 15_000;
const AGAIN_MS = 500;
/** Rates fall while nothing happens. */
const FALLING_MS = 30_000;

/** Who is there, or how they are addressed: `bob` is `main/bob` once another team has one. */
const changesRoster: ReadonlySet<string> = new Set([
  "AgentRegistered",
  "AgentDeregistered",
  "AgentRenamed",
  "AllPaused",
  "AllResumed",
]);

/**
 * Follows the events of a hub until the signal, and fetches what they changed and nothing else. A hub that restarts is waited
 * for; when it is back, all is fetched again.
 */
export async function followHub(cli: CliContext, on: HubNews, signal: AbortSignal): Promise<void> {
  const [{ followEvents }, { nodeSocket }, { locateHub }] = await Promise.all([
    import("../../client/event-stream.js"),
    import("../../client/node-socket.js"),
    import("../../client/connect.js"),
  ]);
  const stop = new AbortController();
  const end = () => stop.abort();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  let client = await cli.client();
  let failure: Error | undefined;
  let rows: readonly AgentRow[] = [];
  let changed: Set<string> | "all" = "all";
  let falling: NodeJS.Timeout | undefined;

  /** When the hub is back, the stream is, and then all is fetched again. */
  const quietly = (load: () => Promise<void>) => async () => {
    try {
      await load();
    } catch (error) {
      if (stop.signal.aborted || isAwayError(error)) return;
      failure = error instanceof Error ? error : new Error(String(error));
      end();
    }
  };

  const agents = refreshSoon(
    quietly(async () => {
      const ids = changed;
      changed = new Set();
      rows = await reloadRows(client, rows, ids);
      if (!stop.signal.aborted) on.agents(rows);
    }),
    AGENTS_PAUSE_MS,
  );
  const needs = refreshSoon(
    quietly(async () => {
      const { items } = await client.needsYou();
      if (!stop.signal.aborted) on.needs(items);
    }),
    NEEDS_PAUSE_MS,
  );
  const traffic = refreshSoon(
    quietly(async () => {
      const { pairs } = await client.pairs();
      if (stop.signal.aborted) return;
      clearTimeout(falling);
      if (pairs.some(({ per_minute, held }) => per_minute > 0 || held > 0))
        falling = setTimeout(() => traffic.soon(), FALLING_MS);
      on.traffic(sumTraffic(pairs));
    }),
    TRAFFIC_PAUSE_MS,
  );
  const everything = () => {
    changed = "all";
    for (const one of [agents, needs, traffic]) one.soon();
  };

  function take(frame: EventFrame): void {
    const about = agentsIn(frame);
    if (changesRoster.has(frame.type)) changed = "all";
    const known = [...about].filter((id) => rows.some((row) => row.id === id));
    if (changed !== "all") for (const id of known) changed.add(id);
    if (changed === "all" || known.length > 0) agents.soon();
    if (changesNeeds(frame.type) || about.has(HUMAN_ID)) needs.soon();
    if (changesNetwork(frame.type)) traffic.soon();
  }

  const often = setInterval(() => {
    changed = "all";
    agents.soon();
  }, ALL_AGENTS_MS);
  let wasAway = false;
  const onState = (state: StreamState) => {
    on.link(state);
    if (state.kind === "reconnecting") {
      wasAway = true;
      return;
    }
    // Only now nothing more can be missed. It may be at another port.
    const found = wasAway ? cli.client() : Promise.resolve(client);
    void found.then(
      (one) => {
        client = one;
        everything();
      },
      () => {},
    );
  };
  const open = nodeSocket(() => locateHub({ env: cli.io.env, home: cli.io.home, hub: cli.globals.hub }));
  try {
    while (!stop.signal.aborted) {
      try {
        for await (const frame of followEvents({ open, onState, signal: stop.signal })) take(frame);
      } catch (error) {
        // It was there a moment ago, or we would not be here: one that goes before the stream began comes back, too.
        if (!(error instanceof HubError) || !isAwayError(error)) throw error;
        onState({ kind: "reconnecting", because: error, inMs: AGAIN_MS });
        await sleep(AGAIN_MS, stop.signal).catch(() => {});
      }
    }
  } finally {
    signal.removeEventListener("abort", end);
    clearInterval(often);
    clearTimeout(falling);
    for (const one of [agents, needs, traffic]) one.stop();
  }
  if (failure !== undefined) throw failure;
}

/** The stream tells of these, or the next look has it. */
function isAwayError(error: unknown): boolean {
  if (!(error instanceof HubError)) return false;
  return ["HUB_UNREACHABLE", "SHUTTING_DOWN", "TIMED_OUT"].includes(error.code);
}
