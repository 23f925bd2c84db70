import { setTimeout as sleep } from "node:timers/promises";
import type { HubClient } from "../client/hub-client.js";
import type { RuntimeKind } from "../model/hosting.js";
import { CellFailure } from "./cell.js";
import type { HubLink } from "./hub-link.js";
import { shownTexts } from "./scripted-model/conversation.js";
import type { ModelRequest } from "./scripted-model/request-log.js";
import type { ScriptedModel } from "./scripted-model/scripted-model.js";

/** What one behaviour is tried with. */
export type Stage = {
  hub: HubLink;
  model: ScriptedModel;
  /** Under which the requests of this CLI come to the model. */
  lane: string;
  /** The agent that runs the CLI: its name, and its id once it is there. */
  agent: string;
  id: string;
  runtime: RuntimeKind;
  /** What the throw-away hub calls the backend. */
  backend: string;
  project: string;
  /** A program in the place of a second agent, which writes to it. */
  peer: Peer;
  /** By then, on the clock of performance.now(), this behaviour must have been seen. */
  deadline: number;
  budgetMs: number;
  signal: AbortSignal;
};

export type Peer = { name: string; token: string };

const LOOK_EVERY_MS = 100;
const ASK_EVERY_MS = 500;

/** Looks until there is something to see. Whatever keeps the agent from it is the failure; else that it took too long. */
export async function until<T>(
  stage: Stage,
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  let asked = performance.now();
  for (;;) {
    stage.signal.throwIfAborted();
    const found = await look();
    if (found !== undefined) return found;
    const now = performance.now();
    if (now - asked > ASK_EVERY_MS) {
      await expectWell(stage);
      asked = now;
    }
    if (now > stage.deadline) throw tooLate(stage, what);
    await sleep(LOOK_EVERY_MS, undefined, { signal: stage.signal });
  }
}

function tooLate({ budgetMs }: Stage, what: string): CellFailure {
  return new CellFailure("fails", `Not within ${Math.round(budgetMs / 1000)} s: ${what}`);
}

/** Throws what the hub knows of the agent, if that keeps it from going on. */
async function expectWell({ hub, agent }: Stage): Promise<void> {
  const client = hub.operator();
  const dialog = await findDialog(client, agent);
  if (dialog !== undefined) {
    throw new CellFailure(
      "blocked",
      `It asks on its screen: ${dialog}`,
      "Start it by hand once and answer it",
    );
  }
  const { state, evidence } = await client.showAgent(agent);
  if (state === "error" || state === "dead") throw new CellFailure("fails", evidence);
}

async function findDialog(client: HubClient, agent: string): Promise<string | undefined> {
  const { items } = await client.needsYou();
  return items.find((item) => item.kind === "dialog" && item.agent === agent)?.text;
}

export function expectThat(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new CellFailure("fails", otherwise);
}

/** The first request to the model that shows the text. */
export function untilShown(stage: Stage, text: string): Promise<ModelRequest> {
  return until(stage, `its model is shown "${text}"`, () =>
    stage.model.requests.main(stage.lane).find((request) => shows(request, text)),
  );
}

export function shows({ conversation }: ModelRequest, text: string): boolean {
  return shownTexts(conversation).some((shown) => shown.includes(text));
}
