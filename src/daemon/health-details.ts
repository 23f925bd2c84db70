import { statfsSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { HealthDetails } from "../client/hub-client.js";
import type { HuddlePaths } from "../client/paths.js";
import { addressNow } from "../hub/rules/address-of.js";
import type { CommitTimes } from "../journal/commit-times.js";
import { HUMAN_ID } from "../model/agent.js";
import { findProblems } from "../model/health-problems.js";
import type { HubPorts } from "../surface/ports.js";
import type { TightViews } from "../views/tight.js";
import type { HubConfig } from "./config-schema.js";
import type { IntegrityWatch } from "./integrity-watch.js";

type DetailPorts = Pick<
  HubPorts,
  "hosting" | "now" | "wall" | "traffic" | "pageAfter" | "searches" | "peers"
> & {
  config: HubConfig;
  paths: HuddlePaths;
  views: TightViews;
  /** What the hub itself says is wrong. */
  problem: () => string | undefined;
  journal: { firstSeq(): number; lastSeq(): number; walBytes(): number; commitTimes(): CommitTimes };
  integrity: IntegrityWatch;
  readers: { waits(): number; streams(): number };
  /** How far what follows the journal has come; undefined until it has looked. */
  places: Readonly<Record<string, () => number | undefined>>;
};

const HOUR_MS = 3_600_000;

/** The hub in figures. Every one of them is looked at when somebody asks, and costs little. */
export function createHealthDetails(ports: DetailPorts): () => Promise<HealthDetails> {
  const { config, paths, views, journal } = ports;

  async function readLimits(): Promise<HealthDetails["limits"]> {
    const now = ports.now();
    const hosted = views.roster.hosted();
    const traffic = await ports.traffic.read();
    const row = (key: string, label: string, used: number, most: number) => ({ key, label, used, most });
    return [
      row("hosting.agents", "Agents that the hub runs", hosted.length, config.hosting.agents),
      row(
        "agents.depth",
        "Depth of spawns, deepest",
        most(hosted.map(({ depth }) => depth)),
        config.agents.depth,
      ),
      row(
        "inbox.cap",
        "Open deliveries, fullest inbox",
        most([HUMAN_ID, ...views.roster.present().map(({ id }) => id)].map(views.inbox.depth)),
        config.inbox.cap,
      ),
      row(
        "cooldown.cap",
        "Pair per minute, busiest",
        most(traffic.flatMap(({ from, minutes }) => (from === HUMAN_ID ? [] : (minutes.at(-1) ?? 0)))),
        config.cooldown.cap,
      ),
      row(
        "conversation.unattended",
        "Without you this hour",
        views.conversations.unattendedSince(now - HOUR_MS),
        config.conversation.unattended,
      ),
      row(
        "requests.open_cap",
        "Open requests",
        views.requests.openCount() - views.requests.openCountFrom(),
        config.requests.open_cap,
      ),
      row("work.cap", "Work claims", views.work.count(), config.work.cap),
      row("tasks.open_cap", "Open tasks", views.tasks.openCount(), config.tasks.open_cap),
      row(
        "workflows.open_cap",
        "Workflows under way",
        views.workflows.openCount(),
        config.workflows.open_cap,
      ),
      row("inbox.readers", "Open waits", ports.readers.waits(), config.inbox.readers),
      row("events.readers", "Event streams", ports.readers.streams(), config.events.readers),
    ];
  }

  function readViews(): HealthDetails["views"] {
    const newest = journal.lastSeq();
    return Object.entries(ports.places).map(([name, place]) => ({
      name,
      behind: Math.max(0, newest - (place() ?? newest)),
    }));
  }

  function readJournal(): HealthDetails["journal"] {
    const first = journal.firstSeq();
    const seq = journal.lastSeq();
    const [oldest] = ports.pageAfter(first - 1, 1);
    const { state, at } = ports.integrity.read();
    return {
      events: first === 0 ? 0 : seq - first + 1,
      first,
      seq,
      oldest: oldest === undefined ? null : new Date(oldest.at).toISOString(),
      bytes: sizeOf(paths.database),
      wal_bytes: journal.walBytes(),
      integrity: state,
      integrity_at: at === undefined ? null : new Date(at).toISOString(),
    };
  }

  function readBudgets(): HealthDetails["budgets"] {
    const { agent_usd, agent_tokens, workflow_usd } = config.budgets;
    return {
      agent_usd: agent_usd || null,
      agent_tokens: agent_tokens || null,
      workflow_usd: workflow_usd || null,
      reached: views.budgets.allReached().map(({ kind, key }) => ({
        kind,
        key,
        name:
          kind === "agent"
            ? addressNow(views, key, key, HUMAN_ID)
            : (views.workflows.definition(key)?.name ?? key),
      })),
    };
  }

  return async () => {
    const disk = readDisk(paths.database, config.journal.reserve);
    const following = readViews();
    const limits = await readLimits();
    const { rss, heapUsed } = process.memoryUsage();
    return {
      checked: new Date(ports.wall()).toISOString(),
      problems: findProblems({
        hub: ports.problem(),
        disk,
        views: following,
        limits,
        missing: ports.hosting.missingBackends(),
        links: ports.peers.problem(),
        peers: ports.peers.list(),
        now: ports.wall(),
      }),
      journal: readJournal(),
      files: [paths.views, paths.search, paths.commsLog].map((file) => ({
        name: basename(file),
        bytes: sizeOf(file),
      })),
      commits: journal.commitTimes(),
      disk,
      memory: { rss_bytes: rss, heap_bytes: heapUsed },
      readers: {
        waits: ports.readers.waits(),
        streams: ports.readers.streams(),
        searches: ports.searches.count(),
      },
      views: following,
      limits,
      budgets: readBudgets(),
    };
  };
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((highest, n) => Math.max(highest, n), 0);
}

/** With its write-ahead log; 0 for a file that is not there. */
function sizeOf(file: string): number {
  return [file, `${file}-wal`].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function readDisk(file: string, reserve: number): HealthDetails["disk"] {
  try {
    const { bavail, blocks, bsize } = statfsSync(file);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize, reserve_bytes: reserve };
  } catch {
    return null; // The file is gone: the hub says so itself.
  }
}
