import type { HealthDetails } from "../client/hub-client.js";
import type { Finding } from "../model/finding.js";
import { formatSize } from "../model/format-size.js";

/** What a hub's figures come to. */
export function findInDetails({
  problems,
  journal,
  disk,
}: Pick<HealthDetails, "problems" | "journal" | "disk">): Finding[] {
  const found = problems.map(
    ({ kind, text, next }): Finding => ({
      check: kind,
      state: "problem",
      text: `${text}. ${next}`,
      fix: fixes[kind],
    }),
  );
  const isDamaged = journal.integrity === "damaged";
  return [
    ...found,
    isDamaged
      ? {
          check: "store",
          state: "problem",
          text: "The journal is damaged",
          fix: "huddle down && huddle rebuild",
        }
      : {
          check: "store",
          state: "ok",
          text: `${journal.events} events in ${formatSize(journal.bytes)}, ${journal.integrity}`,
        },
    ...(disk === null || problems.some(({ kind }) => kind === "disk")
      ? []
      : [{ check: "disk", state: "ok" as const, text: `${formatSize(disk.free_bytes)} free` }]),
  ];
}

const fixes: Readonly<Record<HealthDetails["problems"][number]["kind"], string>> = {
  hub: "huddle down && huddle up",
  disk: "huddle prune --before 30d",
  view: "huddle down && huddle rebuild",
  limit: "huddle config show",
  backend: "huddle backends",
  peer: "huddle peers",
};

type OnFabric = { fabric: string; connection: string; problem: string | null };

/** Whether this hub reaches its fabric now. Nothing of one that it has not joined. */
export function findInFabric(joined: OnFabric | null | undefined): Finding[] {
  if (joined === null || joined === undefined || joined.problem === null) return [];
  const { fabric, problem, connection } = joined;
  const state = connection === "connected" ? "connected, but" : "not connected:";
  return [
    {
      check: "fabric",
      state: "problem",
      text: `${fabric}: ${state} ${problem}`,
      fix: "huddle fabric status",
    },
  ];
}

type Linked = {
  name: string;
  reachable: "yes" | "no" | "unknown";
  secret: "matched" | "wrong" | "missing" | "unknown" | "none";
  /** What went wrong last. */
  problem: string | undefined;
};

/** What is known of other hubs. `problem`: why links do not run at all. */
export function findInPeers(problem: string | null | undefined, peers: readonly Linked[]): Finding[] {
  if (typeof problem === "string")
    return [{ check: "peers", state: "problem", text: problem, fix: "huddle config check" }];
  const bad = peers.filter(
    ({ reachable, secret }) => reachable === "no" || secret === "wrong" || secret === "missing",
  );
  if (peers.length > 0 && bad.length === 0)
    return [{ check: "peers", state: "ok", text: `${peers.map(({ name }) => name).join(", ")}` }];
  return bad.map(({ name, secret, problem: last }) => ({
    check: "peers",
    state: "problem",
    text: `${name}: ${secret === "wrong" || secret === "missing" ? `its secret is ${secret}` : (last ?? "it is not reached")}`,
    fix: `huddle peers ping ${name}`,
  }));
}
