import type { Health, HealthDetails } from "../../client/hub-client.js";
import { sayBytes } from "../parts/amounts.js";

/** The figures as text, for a bug report: no names, no messages, no paths. */
export function sayReport(health: Health, details: HealthDetails): string {
  const { journal, disk, commits, memory, readers, views, limits, problems } = details;
  return [
    `huddle ${health.version}, up since ${health.started}, looked at ${details.checked}`,
    ...(problems.length === 0
      ? ["problems: none"]
      : problems.map(({ kind, text }) => `problem (${kind}): ${text}`)),
    `journal: ${journal.events} events, ${sayBytes(journal.bytes)}, WAL ${sayBytes(journal.wal_bytes)}, ${journal.integrity}`,
    `commits: median ${commits.median_ms?.toFixed(2) ?? "–"} ms, slowest ${commits.slowest_ms?.toFixed(2) ?? "–"} ms of ${commits.count}`,
    disk === null
      ? "disk: unknown"
      : `disk: ${sayBytes(disk.free_bytes)} free of ${sayBytes(disk.total_bytes)}, stops at ${sayBytes(disk.reserve_bytes)}`,
    `memory: ${sayBytes(memory.rss_bytes)}, heap ${sayBytes(memory.heap_bytes)}`,
    `readers: ${readers.streams} streams, ${readers.waits} waits, ${readers.searches} searches`,
    `views: ${views.map(({ name, behind }) => `${name} ${behind} behind`).join(", ")}`,
    ...limits.map(({ key, used, most }) => `${key}: ${used} of ${most === 0 ? "any" : most}`),
    "",
  ].join("\n");
}
