import { setTimeout as sleep } from "node:timers/promises";
import { readHubFile } from "../../client/hub-file.js";
import { HubError } from "../../model/errors.js";
import type { CliContext, DefineCommand } from "../context.js";
import { lookAtHomeHub } from "../home-hub.js";
import { isProcessAlive } from "../process-alive.js";

const LOOK_EVERY_MS = 25;
/** A hub that no longer answers but still runs is most likely stopping. */
const STOPPING_MS = 2_000;

export const define: DefineCommand = (command, act) => {
  command
    .option("--now", "give agents no time to finish their turns")
    .action(({ now }: { now?: true }) => act((cli) => down(cli, now === true)));
};

/** Agents that the hub runs have half a minute to finish their turns. */
const DRAIN_MS = 45_000;

async function down(cli: CliContext, now: boolean): Promise<void> {
  const home = await lookAtHomeHub(cli.paths, cli.timeoutMs());
  switch (home.kind) {
    case "none":
      return sayNotRunning(cli);
    case "silent":
      // Never signalled: after a crash its number may belong to somebody else by now.
      await waitUntil(
        () => !isProcessAlive(home.file.pid) || readHubFile(cli.paths.hubFile) === undefined,
        STOPPING_MS,
      );
      return sayNotRunning(cli);
    case "up": {
      const { pid } = home.health;
      await stopHub(cli, pid, now);
      cli.output.confirm(
        { stopped: true, pid },
        () => `${cli.output.colors.green("✓")} Huddle is down (pid ${pid})`,
      );
    }
  }
}

/** Asks the hub to end, and waits until it has. */
export async function stopHub(cli: CliContext, pid: number, now: boolean): Promise<void> {
  const waitMs = cli.timeoutMs(now ? undefined : DRAIN_MS);
  process.kill(pid, now ? "SIGUSR2" : "SIGTERM");
  if (await waitUntil(() => !isProcessAlive(pid), waitMs)) return;
  throw new HubError(
    "INTERNAL",
    `The hub (pid ${pid}) was asked to stop and still runs after ${waitMs / 1000} s`,
    { pid, hint: `Wait, or end it with: kill -9 ${pid}` },
  );
}

function sayNotRunning({ output }: CliContext): void {
  output.confirm({ stopped: false }, () => "Huddle is not running.");
}

async function waitUntil(isTrue: () => boolean, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (!isTrue()) {
    if (performance.now() > deadline) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}
