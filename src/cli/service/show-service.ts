import { existsSync, readFileSync } from "node:fs";
import { HubError } from "../../model/errors.js";
import { homePath } from "../connect/config-world.js";
import type { CliContext } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_FAILED, EXIT_OK } from "../exit-codes.js";
import { lookAtHomeHub } from "../home-hub.js";
import { findStale } from "./find-stale.js";
import type { ServiceManager, ServiceState } from "./service-manager.js";

/** Whether it is installed and runs, and what is wrong with it. Exit code 0 only if it runs. */
export async function showService(cli: CliContext, manager: ServiceManager): Promise<number> {
  const { output } = cli;
  const text = existsSync(manager.file) ? readFileSync(manager.file, "utf8") : undefined;
  const state = text === undefined ? undefined : await askState(manager);
  const home = await lookAtHomeHub(cli.paths, cli.timeoutMs());
  const hub = home.kind === "up" ? home.health : undefined;
  const stale = text === undefined ? undefined : findStale(text, manager);
  const isRunning = typeof state === "object" && state.running !== undefined;
  output.result(
    {
      installed: text !== undefined,
      manager: manager.kind,
      name: manager.name,
      file: manager.file,
      running: isRunning,
      pid: typeof state === "object" ? (state.running?.pid ?? null) : null,
      enabled: typeof state === "object" ? state.isEnabled : null,
      state: typeof state === "object" ? state.words : null,
      problem: typeof state === "string" ? state : (stale ?? null),
      hub: hub === undefined ? null : { url: hub.url, pid: hub.pid },
      logs: manager.says.logs,
    },
    () => {
      const where = homePath(manager.file, cli);
      const byHand =
        hub !== undefined && !(typeof state === "object" && state.running?.pid === hub.pid)
          ? [
              `A hub runs that the service did not start (pid ${hub.pid}); while it does, the service yields to it.`,
            ]
          : [];
      if (text === undefined)
        return ["No service is installed. Install it: huddle service install", ...byHand].join("\n");
      return [
        `${isRunning ? output.colors.green("✓") : output.colors.yellow("!")} ${manager.name}: ${escapeLine(typeof state === "string" ? state : (state?.words ?? ""))}`,
        `  ${where}`,
        ...(typeof state === "object" && !state.isEnabled
          ? ["  It does not start at login: huddle service install"]
          : []),
        ...(stale === undefined ? [] : [`  ${escapeLine(stale)}: huddle service install`]),
        `  Logs: ${manager.says.logs}`,
        ...byHand,
      ].join("\n");
    },
  );
  return isRunning ? EXIT_OK : EXIT_FAILED;
}

/** Why it cannot be told, as a sentence. */
async function askState(manager: ServiceManager): Promise<ServiceState | string> {
  try {
    await manager.check();
    return await manager.state();
  } catch (error) {
    if (error instanceof HubError) return error.message;
    throw error;
  }
}
