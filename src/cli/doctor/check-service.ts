import { existsSync, readFileSync } from "node:fs";
import type { Finding } from "../../model/finding.js";
import type { CliContext } from "../context.js";
import { findStale } from "../service/find-stale.js";
import { openServiceManager } from "../service/open-service.js";

const managed: ReadonlySet<string> = new Set(["linux", "darwin"]);

/** Whether the hub is a service here, and whether what that runs is still there. */
export function checkService(cli: CliContext, platform: string = process.platform): Finding[] {
  if (!managed.has(platform)) return [];
  const manager = openServiceManager(cli, platform);
  if (!existsSync(manager.file))
    return [
      {
        check: "service",
        state: "note",
        text: "not installed: the hub runs when somebody starts it",
        fix: "huddle service install",
      },
    ];
  const stale = findStale(readFileSync(manager.file, "utf8"), manager);
  if (stale === undefined)
    return [{ check: "service", state: "ok", text: `${manager.name} starts it at login` }];
  return [{ check: "service", state: "problem", text: stale, fix: "huddle service install" }];
}
