import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RuntimeKind } from "../../src/model/hosting.js";
import { type CutLedger, createCutLedger } from "./cut-ledger.js";
import { eventually, reaches, startHostingHub, stateOf } from "./hosting-hub.js";
import type { HubProcess, HubYard } from "./hub-process.js";
import { type Identity, memberAt, registerAgent } from "./member.js";
import { hubSocket, screenProgram, tmux } from "./scripted-pane.js";

/*
 * A real hub that is killed with -9 while an agent of it is in a certain state of its driver, and started again. The agents
 * are scripted, and wait at a gate where a state is to last. What became of their mail is for the ledger.
 */

export const cutStates = [
  "starting",
  "idle",
  "offering",
  "busy unseen",
  "busy seen",
  "asking",
  "cancelling",
  "stopping",
  "backoff",
] as const;
export type CutState = (typeof cutStates)[number];

export type CutPlace = {
  ledger: CutLedger;
  /** Kills the hub with an agent in this state, and so many milliseconds later; resolves when all mail of it has an end. */
  cut(state: CutState, delayMs: number): Promise<void>;
  clear(): void;
};

const fake = (name: string) => resolve("test", "fakes", "scripted-agent", name);

/** The usual agent of a runtime, and one that is slow where a state would be over too soon to be met. */
function settingsOf(kind: RuntimeKind, home: string): string[] {
  const env = JSON.stringify({ SCRIPTED_HOME: home });
  const acp = (flags: string[]) => JSON.stringify([process.execPath, fake("acp.mjs"), ...flags]);
  const cli = (name: string, program: string, args: string[]) => [
    `backends.${name}.like=claude-code`,
    `backends.${name}.command=${program}`,
    `backends.${name}.args=${JSON.stringify(args)}`,
    `backends.${name}.runtime=${kind}`,
  ];
  const backends = {
    acp: [`backends.usual.acp=${acp([])}`, `backends.slow.acp=${acp(["--slow-start"])}`],
    headless: [...cli("usual", fake("headless.mjs"), []), ...cli("slow", fake("headless.mjs"), [])],
    tmux: [
      ...cli("usual", screenProgram, ["--guise", "claude", "--fetches"]),
      ...cli("slow", screenProgram, [
        "--guise",
        "claude",
        "--fetches",
        "--starting",
        "1500",
        "--slow-box",
        "500",
      ]),
    ],
  }[kind];
  return [
    ...backends,
    `backends.usual.env=${env}`,
    `backends.slow.env=${env}`,
    "tmux.poll_interval_ms=50",
    "tmux.timeout_secs=30",
    "tmux.ready_timeout_secs=60",
  ];
}

export async function openCutPlace(yard: HubYard, kind: RuntimeKind): Promise<CutPlace> {
  const home = yard.home();
  const agentHome = mkdtempSync(join(tmpdir(), "cut-"));
  const socket = hubSocket(home);
  const start = () => startHostingHub(yard, { home, set: settingsOf(kind, agentHome) });
  const project = yard.home();
  const ledger = createCutLedger(kind, agentHome);
  let hub = await start();
  const peer: Identity = await registerAgent(hub.http, hub.join, { name: "peer" });
  let cuts = 0;

  async function cut(state: CutState, delayMs: number): Promise<void> {
    cuts += 1;
    const name = `a${cuts}`;
    const gate = join(agentHome, `g${cuts}`);
    const round = ledger.round(state);
    const send = async (words: string, fields: Record<string, unknown> = {}) => {
      const answer = await memberAt(hub.http, peer).send(name, words, fields);
      if (answer.status === 202) round.sent(String(answer.json["message_id"]), words);
      return String(answer.json["message_id"]);
    };
    const spawn = (backend: string) =>
      hub.http.call("POST", "/api/agents/spawn", {
        token: hub.operator,
        body: { backend, name, project, runtime: kind },
      });

    await reach(state, { hub, name, gate, send, spawn });
    await sleep(delayMs);
    await hub.kill();
    writeFileSync(gate, "");
    hub = await start();
    await send(`!say after${cuts}`);
    await eventually(
      async () => {
        await answerAll(hub, name);
        return (await round.isOver(memberAt(hub.http, peer))) ? true : undefined;
      },
      `all mail of ${name} has an end, cut when ${state} under ${kind}: ${await round.describe(memberAt(hub.http, peer))}`,
    ).catch((error: unknown) => round.violation(String(error)));
    await round.judge(memberAt(hub.http, peer));
    await hub.http.call("POST", `/api/agents/${name}/kill`, { token: hub.operator });
  }

  function clear(): void {
    tmux(socket, "kill-server");
    rmSync(agentHome, { recursive: true, force: true });
  }

  return { ledger, cut, clear };
}

type Reach = {
  hub: HubProcess;
  name: string;
  gate: string;
  send(words: string, fields?: Record<string, unknown>): Promise<string>;
  spawn(backend: string): Promise<unknown>;
};

/** Brings the agent into the state, where it stays as long as the gate is shut; or nearly, where a state cannot last. */
async function reach(state: CutState, { hub, name, gate, send, spawn }: Reach): Promise<void> {
  const is = (wanted: string) =>
    eventually(
      async () => ((await stateOf(hub, name)) === wanted ? true : undefined),
      `${name} is ${wanted}, to be cut when ${state}`,
    );
  if (state === "starting") {
    void spawn("slow").catch(() => {}); // Its answer dies with the hub.
    await eventually(
      async () => ((await stateOf(hub, name)) === "undefined" ? undefined : true),
      `${name} is there`,
    );
    await send(`!say started ${name}`);
    return;
  }
  await spawn(state === "offering" ? "slow" : "usual");
  await is("idle");
  switch (state) {
    case "idle":
      return;
    case "offering":
      await send(`!say offered ${name}`);
      return;
    case "busy unseen":
      await reaches(hub, await send(`!gate ${gate} !say unseen ${name}`), "injected");
      return;
    case "busy seen":
      await reaches(hub, await send(`!say begun !gate ${gate} !say seen ${name}`), "seen");
      return;
    case "asking":
      await send(`!say asking !permission !say asked ${name}`);
      await hasAsked(hub, name);
      return;
    case "cancelling":
      await reaches(hub, await send(`!deaf !say begun !gate ${gate} !say cut ${name}`), "seen");
      await send(`!say instead ${name}`, { attention: "interrupt" });
      return;
    case "stopping":
      await reaches(hub, await send(`!deaf !say deaf ${name}`), "finished");
      await is("idle");
      await hub.http.call("POST", `/api/agents/${name}/shutdown`, { token: hub.operator, body: {} });
      return;
    case "backoff":
      await send(`!exit-unless ${gate} !say recovered ${name}`);
      await is("error");
  }
}

async function hasAsked(hub: HubProcess, name: string): Promise<void> {
  await eventually(async () => ((await asked(hub, name)).length > 0 ? true : undefined), `${name} asks`);
}

async function asked(hub: HubProcess, name: string): Promise<{ id: string; agent: string }[]> {
  const { json } = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
  const all = json["permissions"] as { id: string; agent: string }[];
  return all.filter(({ agent }) => agent === name);
}

/** What an agent asks after the restart is answered, by the person. */
async function answerAll(hub: HubProcess, name: string): Promise<void> {
  for (const { id } of await asked(hub, name)) {
    await hub.http.call("POST", `/api/permissions/${id}`, {
      token: hub.operator,
      body: { decision: "once" },
    });
  }
}
