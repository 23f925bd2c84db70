import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type RuntimeKind, runtimeKinds } from "../../../src/model/hosting.js";
import type { Client, ClientWorld } from "../../clients/client.js";
import { shownTexts } from "../../fakes/scripted-model/conversation.js";
import { type ScriptedModel, startScriptedModel } from "../../fakes/scripted-model/scripted-model.js";
import { say } from "../../fakes/scripted-model/step.js";
import type { Lab } from "../lab.js";
import type { Measurement, Row } from "../row.js";
import { type Pair, summarize, takeTurns } from "../statistics.js";
import { within } from "../within.js";
import { startByHand } from "./by-hand.js";
import { openOffice } from "./through-hub.js";

/*
 * How much later a vendor's model has a message than if the person had given it to the CLI by hand; and how much later a
 * new agent has its first prompt than the CLI started by hand. Both wait for the model's request, on the scripted model.
 */

const most = { acp: 1.1, headless: 1.1, tmux: 1.3 } as const satisfies Record<RuntimeKind, number>;
const MOST_AT_START = 1.1;
const TURN_MS = 60_000;
/** A CLI that was just busy has things to put away. */
const PACE_MS = 300;

export function measureCli(client: Client): Measurement {
  return {
    name: client.name,
    async run(lab) {
      const model = await startScriptedModel();
      lab.onClose(model.close);
      model.on(/./, [say("noted")]);
      const rows: Row[] = [];
      for (const kind of runtimeKinds) rows.push(...(await measureRuntime(lab, client, kind, model)));
      return rows;
    },
  };
}

async function measureRuntime(
  lab: Lab,
  client: Client,
  kind: RuntimeKind,
  model: ScriptedModel,
): Promise<Row[]> {
  const office = await openOffice(lab, client, place(lab, client, model, {}));
  const bridge = [resolve(dirname(process.env["HUDDLE_MAIN"] ?? "dist/main.js"), "mcp-bridge.cjs")];
  const huddle = {
    command: process.execPath,
    args: [...bridge, "--name", `hand-${kind}`],
    env: { HUDDLE_HOME: office.hub.home },
  };
  const hands = place(lab, client, model, { huddle });

  const starts = await takeTurns(
    lab.quick ? 1 : 3,
    () =>
      taking(model, async (text) => {
        const hand = await startByHand(kind, client, hands);
        return { done: hand.prompt(text), close: hand.close };
      }),
    () =>
      taking(model, async (text) => {
        const agent = await office.spawn(kind, text);
        return { done: agent.idle(), close: agent.kill };
      }),
  );

  const hand = await startByHand(kind, client, hands);
  const agent = await office.spawn(kind);
  const byHand = () => taking(model, async (text) => ({ done: hand.prompt(text) }));
  const byHub = () =>
    taking(model, async (text) => {
      const done = agent.send(text);
      return { done: done.then(() => sleep(PACE_MS)).then(agent.idle) };
    });
  await agent.idle();
  await byHand();
  await byHub();
  const turns: Pair[] = await takeTurns(lab.quick ? 2 : 7, byHand, byHub);
  await agent.kill();
  await hand.close();

  const limit = (bound: number) => ({ on: "ratio", is: "at most", bound }) as const;
  return [
    {
      what: `${client.name}, ${kind}: a send until the model has it`,
      against: "the CLI given the same by hand",
      unit: "ms",
      ...summarize(turns),
      limit: limit(most[kind]),
    },
    {
      what: `${client.name}, ${kind}: spawn until the model has the first prompt`,
      against: "the CLI started by hand",
      unit: "ms",
      ...summarize(starts),
      limit: limit(MOST_AT_START),
    },
  ];
}

type Begun = { done: Promise<void>; close?: () => Promise<void> };

let texts = 0;

/** Until the model is asked with the text; then the turn is let end. */
async function taking(model: ScriptedModel, begin: (text: string) => Promise<Begun>): Promise<number> {
  await sleep(PACE_MS);
  texts += 1;
  const text = `note number ${texts} of this run`;
  const start = performance.now();
  const asked = model.requests
    .waitFor(text, ({ conversation }) => shownTexts(conversation).some((shown) => shown.includes(text)))
    .then(() => performance.now());
  const begun = await begin(text);
  const took = (await within(TURN_MS, text, asked)) - start;
  await within(TURN_MS, `the end of ${text}`, begun.done);
  await begun.close?.();
  return took;
}

function place(lab: Lab, client: Client, model: ScriptedModel, mcp: ClientWorld["mcp"]): ClientWorld {
  const home = lab.folder();
  const cwd = join(home, "project");
  mkdirSync(cwd);
  const world = { home, cwd, modelUrl: model.laneUrl(client.name), mcp };
  client.setUp(world);
  return world;
}
