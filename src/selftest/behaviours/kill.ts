import { setTimeout as sleep } from "node:timers/promises";
import { hostedVariable } from "../../runtime/process/environment.js";
import { listMarked } from "../../runtime/process/list-marked.js";
import { send } from "../mail.js";
import { words } from "../script-model.js";
import { expectThat, type Stage, untilShown } from "../stage.js";

/** What was killed takes a moment to be gone. */
const GONE_WITHIN_MS = 5000;

export async function kill(stage: Stage): Promise<void> {
  const { hub, agent, id, budgetMs, signal } = stage;
  await send(stage, words.kill(agent));
  await untilShown(stage, words.kill(agent));
  expectThat((await processesOf(id)).length > 0, "No process of it was found while it worked");
  const { killed } = await hub.operator().kill(agent, { timeoutMs: budgetMs });
  expectThat(killed, "The hub did not kill it");
  const deadline = performance.now() + GONE_WITHIN_MS;
  let left = await processesOf(id);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(100, undefined, { signal });
    left = await processesOf(id);
  }
  expectThat(left.length === 0, `Killed, it left processes behind: ${left.join(", ")}`);
}

async function processesOf(id: string): Promise<number[]> {
  const marked = await listMarked(hostedVariable);
  return marked.filter(({ value }) => value.endsWith(`:${id}`)).map(({ pid }) => pid);
}
