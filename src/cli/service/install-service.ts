import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolder } from "../../client/make-folder.js";
import { HubError } from "../../model/errors.js";
import { openQuestions } from "../ask-questions.js";
import { canAsk } from "../ask-yes.js";
import { stopHub } from "../commands/down.js";
import { homePath } from "../connect/config-world.js";
import { warnOfCache } from "../connect/connect-clis.js";
import type { CliContext } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { type HomeHub, lookAtHomeHub } from "../home-hub.js";
import { configText, secretVariables } from "../secret-variables.js";
import type { ServiceManager } from "./service-manager.js";
import { writeWhole } from "./write-whole.js";

type Change = "installed" | "rewritten" | "unchanged";

/** Describes the hub to the service manager, and has it started, unless one that somebody started runs. */
export async function installService(cli: CliContext, manager: ServiceManager, yes: boolean): Promise<void> {
  const { output } = cli;
  await manager.check();
  warnOfCache(cli, { args: cli.io.self });
  const change = writeDescription(manager);
  if (change !== "unchanged")
    output.note(`${homePath(manager.file, cli)} is ${change === "installed" ? "written" : "rewritten"}.`);
  await manager.enable();
  const was = await manager.state();
  const other = was.running === undefined ? await findOther(cli) : undefined;
  const isOurs = other === undefined || (await takeOver(cli, other, yes));
  if (was.running === undefined && isOurs) await manager.start();
  const hub = await waitForHub(cli, manager, isOurs);
  const lingering = manager.lingering();
  const isStale = change === "rewritten" && was.running !== undefined;
  output.result(
    {
      manager: manager.kind,
      name: manager.name,
      file: manager.file,
      change,
      url: hub?.url ?? null,
      pid: hub?.pid ?? null,
      by_service: isOurs,
      restart_needed: isStale,
      lingering: lingering?.isOn ?? null,
      logs: manager.says.logs,
    },
    () => {
      const { green, yellow } = output.colors;
      const at = hub === undefined ? "" : ` at ${escapeLine(hub.url)} (pid ${hub.pid})`;
      return [
        isOurs
          ? `${green("✓")} The hub runs as a service${at}, and starts when you log in`
          : `${yellow("!")} The service is installed. The hub that you started goes on${at}`,
        ...(isOurs
          ? []
          : [`  The service takes over at your next login, or now: huddle down && ${manager.says.start}`]),
        ...(change === "unchanged" ? ["  Nothing had to be changed."] : []),
        ...(isStale
          ? [`  What runs was started as it was before. To start it anew: ${manager.says.restart}`]
          : []),
        `  Logs:   ${manager.says.logs}`,
        "  Remove: huddle service remove",
        ...(lingering === undefined || lingering.isOn
          ? []
          : [`  It ends when you log out. To keep it running: ${lingering.command}`]),
      ].join("\n");
    },
  );
  warnOfSecrets(cli);
}

function writeDescription({ file, text, isOurs }: ServiceManager): Change {
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  if (before === text) return "unchanged";
  if (before !== undefined && !isOurs(before))
    throw new HubError("SERVICE_UNUSABLE", `${file} is there, and Huddle did not write it`, {
      hint: "Move it away first, or leave it as it is: huddle service install --print shows Huddle's",
    });
  makeFolder(dirname(file));
  writeWhole(file, text);
  return before === undefined ? "installed" : "rewritten";
}

type RunningHub = Extract<HomeHub, { kind: "up" }>["health"];

async function findOther(cli: CliContext): Promise<RunningHub | undefined> {
  const home = await lookAtHomeHub(cli.paths, cli.timeoutMs());
  return home.kind === "up" ? home.health : undefined;
}

/** Two hubs would fight over one folder: the one that runs is stopped only if the person says so. */
async function takeOver(cli: CliContext, { pid }: RunningHub, yes: boolean): Promise<boolean> {
  const question = `A hub runs already (pid ${pid}). Stop it, and let the service start it again?`;
  if (!yes && !(canAsk(cli) && (await askOnce(cli, question)))) return false;
  await stopHub(cli, pid, false);
  return true;
}

async function askOnce(cli: CliContext, question: string): Promise<boolean> {
  const questions = openQuestions(cli);
  try {
    return await questions.ask(question, "yes");
  } finally {
    await questions.close();
  }
}

const START_MS = 30_000;
const LOOK_EVERY_MS = 100;

/** Until it answers, or its manager has given it up. */
async function waitForHub(
  cli: CliContext,
  manager: ServiceManager,
  isOurs: boolean,
): Promise<RunningHub | undefined> {
  const deadline = performance.now() + cli.timeoutMs(START_MS);
  for (;;) {
    const found = await findOther(cli).catch(() => undefined);
    if (found !== undefined) return found;
    const { words } = await manager.state();
    if (performance.now() > deadline || words.startsWith("failed"))
      throw new HubError(
        "SERVICE_UNUSABLE",
        `The service is installed, but its hub does not answer: ${words}`,
        {
          hint: `Why: ${manager.says.logs}`,
        },
      );
    if (!isOurs) return undefined;
    await sleep(LOOK_EVERY_MS);
  }
}

/** A service has none of the shell's variables. */
function warnOfSecrets({ output, paths }: CliContext): void {
  const names = [...secretVariables([configText(paths.configFile)])];
  if (names.length > 0)
    output.note(
      `huddle.yaml takes a secret from ${names.map(escapeLine).join(", ")}, which a service does not have. Keep it elsewhere: huddle secret set NAME`,
    );
}
