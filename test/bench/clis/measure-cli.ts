import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type RuntimeKind, runtimeKinds } from "../../../src/model/hosting.js";
import { toolsListedMark } from "../../../src/model/tools-listed-mark.js";
import { shownTexts } from "../../../src/selftest/scripted-model/conversation.js";
import {
  type ScriptedModel,
  startScriptedModel,
} from "../../../src/selftest/scripted-model/scripted-model.js";
import { say } from "../../../src/selftest/scripted-model/step.js";
import type { Client, ClientWorld } from "../../clients/client.js";
import { killIfThere, processesWith } from "../../clients/processes.js";
import { registerAgent } from "../../fakes/member.js";
import type { Lab } from "../lab.js";
import type { Measurement, Row } from "../row.js";
import { summarize, takeTurns } from "../statistics.js";
import { within } from "../within.js";
import { startByHand } from "./by-hand.js";
import { openOffice } from "./through-hub.js";

/*
 * How much later a vendor's model has a message than if the person had given it to the CLI by hand; and how much later a
 * new agent has its first prompt than the CLI started by hand. Both wait for the model's request, on the scripted model.
 * A send is measured twice: from when the sender knows that it is accepted, which has the limit, and from when it leaves the sender.
 */

const most = { acp: 1.1, headless: 1.1, tmux: 1.3 } as const satisfies Record<RuntimeKind, number>;
const MOST_AT_START = 1.1;
const TURN_MS = 60_000;
/** A CLI that was just busy has things to put away. */
const PACE_MS = 300;

/** A measurement for each row: one that fails loses no other. */
export function measureCli(client: Client): Measurement[] {
  return runtimeKinds.flatMap((kind) => [
    { name: `${client.name}-${kind}`, run: (lab) => measureSend(lab, client, kind) },
    { name: `${client.name}-${kind}-start`, run: async (lab) => [await measureStart(lab, client, kind)] },
  ]);
}

async function measureSend(lab: Lab, client: Client, kind: RuntimeKind): Promise<Row[]> {
  const { model, office, hands } = await openBoth(lab, client, kind);
  const hand = await startByHand(kind, client, hands);
  lab.onClose(hand.close);
  const agent = await office.spawn(kind);
  lab.onClose(agent.kill);
  const byHand = () => taking(model, async (text) => ({ done: hand.prompt(text) }));
  /** How long each send took until it was accepted. */
  const accepted: number[] = [];
  const byHub = () =>
    taking(model, async (text) => {
      const start = performance.now();
      const done = agent.send(text).then(() => accepted.push(performance.now() - start));
      return { done: done.then(() => sleep(PACE_MS)).then(agent.idle) };
    });
  await agent.idle();
  await byHand();
  await byHub();
  accepted.length = 0;
  const turns = await takeTurns(lab.quick ? 2 : 7, byHand, byHub);
  const sinceAccepted = turns.map(({ anchor, ours }, n) => ({ anchor, ours: ours - (accepted[n] ?? 0) }));
  const row = { against: "the CLI given the same by hand", unit: "ms", isCli: true } as const;
  return [
    {
      what: `${client.name}, ${kind}: a send, from when it is accepted until the model has it`,
      ...row,
      ...summarize(sinceAccepted),
      limit: { on: "ratio", is: "at most", bound: most[kind] },
    },
    {
      what: `${client.name}, ${kind}: a send, from when it leaves the sender until the model has it`,
      ...row,
      ...summarize(turns),
    },
  ];
}

async function measureStart(lab: Lab, client: Client, kind: RuntimeKind): Promise<Row> {
  const { model, office, hands } = await openBoth(lab, client, kind);
  const byHand = () =>
    taking(model, async (text) => {
      const hand = await startByHand(kind, client, hands);
      return { done: hand.prompt(text), close: hand.close };
    });
  const byHub = () =>
    taking(model, async (text) => {
      const agent = await office.spawn(kind, text);
      return { done: agent.idle(), close: agent.kill };
    });
  const starts = await takeTurns(lab.quick ? 1 : 3, byHand, byHub);
  return {
    what: `${client.name}, ${kind}: spawn until the model has the first prompt`,
    against: "the CLI started by hand",
    unit: "ms",
    isCli: true,
    ...summarize(starts),
    limit: { on: "ratio", is: "at most", bound: MOST_AT_START },
  };
}

/** A hub and a person's desk with the same CLI on the same model. */
async function openBoth(lab: Lab, client: Client, kind: RuntimeKind) {
  const model = await startScriptedModel();
  lab.onClose(model.close);
  model.on(/./, [say("noted")]);
  const office = await openOffice(lab, client, place(lab, client, model, {}));
  const { home, http, join: token, url } = office.hub;
  const { name, token: own } = await registerAgent(http, token, { name: `hand-${kind}` });
  const folder = join(home, "hand");
  mkdirSync(folder);
  const identity = join(folder, "identity.json");
  writeFileSync(identity, JSON.stringify({ url, name, token: own }), { mode: 0o600 });
  const bridge = resolve(dirname(process.env["HUDDLE_MAIN"] ?? "dist/main.js"), "mcp-bridge.cjs");
  const huddle = {
    command: process.execPath,
    args: [bridge, "--identity", identity],
    env: { HUDDLE_HOME: home, HUDDLE_HOSTED: name },
  };
  const world = place(lab, client, model, { huddle });
  return { model, office, hands: { ...world, toolsListed: join(folder, toolsListedMark) } };
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
  // Awaited below, and by then something else may have failed.
  asked.catch(() => {});
  const begun = await begin(text);
  begun.done.catch(() => {});
  try {
    const took = (await asked) - start;
    await within(TURN_MS, `the end of ${text}`, begun.done);
    return took;
  } finally {
    await begun.close?.();
  }
}

function place(lab: Lab, client: Client, model: ScriptedModel, mcp: ClientWorld["mcp"]): ClientWorld {
  const home = lab.folder();
  // codex leaves a daemon behind, and what failed its whole screen.
  lab.onClose(() => {
    const isOurs = (environment: string) => environment.split("\0").includes(`HOME=${home}`);
    for (const { pid } of processesWith(isOurs)) killIfThere(pid);
  });
  const cwd = join(home, "project");
  // A repository of its own: droid asks for trust in the whole one that a folder is in.
  execFileSync("git", ["init", "--quiet", cwd]);
  const world = { home, cwd, modelUrl: model.laneUrl(client.name), mcp };
  client.setUp(world);
  return world;
}
