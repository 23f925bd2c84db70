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
 * A real hub that is killed with -9 while agents of it are in certain states of their drivers, and started again. The agents
 * are scripted, and wait at a gate where a state is to last. What became of their mail is for the ledger.
 */

export const cutStates = [
  "dormant",
  "starting",
  "idle",
  "offering",
  "busy unseen",
  "busy seen",
  "asking",
  "cancelling",
  "stopping",
  "backoff",
  "limited",
] as const;
export type CutState = (typeof cutStates)[number];

export type CutPlace = {
  ledger: CutLedger;
  /** Kills the hub with an agent in each of these states, and so many milliseconds later; resolves when all their mail has an end. */
  cut(states: readonly CutState[], delayMs: number): Promise<void>;
  clear(): void;
};

const fake = (name: string) => resolve("test", "fakes", "scripted-agent", name);

/** The usual agent of a runtime, and one that is slow where a state would be over too soon to be met. */
function settingsOf(kind: RuntimeKind, home: string): string[] {
  const env = JSON.stringify({ SCRIPTED_HOME: home });
  const acp = (flags: string[]) => JSON.stringify([process.execPath, fake("acp.mjs"), ...flags]);
  // Of a vendor whose words for a usage limit are known.
  const acpCli = (name: string, flags: string[]) => [
    `backends.${name}.like=claude-code`,
    `backends.${name}.acp=${acp(flags)}`,
  ];
  const cli = (name: string, program: string, args: string[]) => [
    `backends.${name}.like=claude-code`,
    `backends.${name}.command=${program}`,
    `backends.${name}.args=${JSON.stringify(args)}`,
    `backends.${name}.runtime=${kind}`,
  ];
  const backends = {
    acp: [...acpCli("usual", []), ...acpCli("slow", ["--slow-start"])],
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
    "tmux.timeout_secs=60",
    "tmux.ready_timeout_secs=300",
    // As long as a limit lasts at least, whose end the vendor does not tell.
    "hosting.limit_pause=3s",
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
  let agents = 0;

  function nextAgent(state: CutState) {
    agents += 1;
    const name = `a${agents}`;
    const round = ledger.round(state);
    return {
      state,
      name,
      round,
      gate: join(agentHome, `g${agents}`),
      async send(words: string, fields: Record<string, unknown> = {}) {
        const answer = await memberAt(hub.http, peer).send(name, words, fields);
        if (answer.status === 202) round.sent(String(answer.json["message_id"]), words);
        return String(answer.json["message_id"]);
      },
      spawn: (backend: string) =>
        hub.http.call("POST", "/api/agents/spawn", {
          token: hub.operator,
          body: { backend, name, project, runtime: kind },
        }),
    };
  }

  async function cut(states: readonly CutState[], delayMs: number): Promise<void> {
    const all = states.map(nextAgent);
    const asleep = all.filter(({ state }) => state === "dormant");
    if (asleep.length > 0) {
      await Promise.all(
        asleep.map(async ({ name, spawn }) => {
          await spawn("usual");
          await isIn(hub, name, "idle");
        }),
      );
      // An orderly end of the hub lets them sleep, panes too.
      await hub.stop();
      hub = await start();
    }
    const ways = await Promise.all(all.map((agent) => approach(hub, agent)));
    await Promise.all(ways.map((enter) => enter()));
    await sleep(delayMs);
    await hub.kill();
    for (const { gate } of all) writeFileSync(gate, "");
    hub = await start();
    for (const { name, send } of all) await send(`!say after ${name}`);
    await Promise.all(all.map(finish));
  }

  async function finish({ state, name, round }: ReturnType<typeof nextAgent>): Promise<void> {
    const member = memberAt(hub.http, peer);
    await eventually(async () => {
      await answerAll(hub, name);
      return (await round.isOver(member)) ? true : undefined;
    }, `all mail of ${name} has an end, cut when ${state} under ${kind}`).catch(async (error: unknown) =>
      round.violation(`${String(error)}: ${await round.describe(member)}`),
    );
    await round.judge(member);
    await hub.http.call("POST", `/api/agents/${name}/kill`, { token: hub.operator });
  }

  function clear(): void {
    tmux(socket, "kill-server");
    rmSync(agentHome, { recursive: true, force: true });
  }

  return { ledger, cut, clear };
}

type Approach = {
  state: CutState;
  name: string;
  gate: string;
  send(words: string, fields?: Record<string, unknown>): Promise<string>;
  spawn(backend: string): Promise<unknown>;
};

/**
 * Brings the agent into the state, where it stays as long as the gate is shut; or just before one that does not last, which the
 * function that is returned enters.
 */
async function approach(
  hub: HubProcess,
  { state, name, gate, send, spawn }: Approach,
): Promise<() => Promise<unknown>> {
  const is = (wanted: string) => isIn(hub, name, wanted);
  const stay = async () => {};
  if (state === "dormant") {
    await is("dormant");
    // What does not wake it.
    return () => send(`!say asleep ${name}`, { attention: "fyi" });
  }
  if (state === "starting")
    return async () => {
      void spawn("slow").catch(() => {}); // Its answer dies with the hub.
      await eventually(
        async () => ((await stateOf(hub, name)) === "undefined" ? undefined : true),
        `${name} is there`,
      );
      await send(`!say started ${name}`);
    };
  await spawn(state === "offering" ? "slow" : "usual");
  await is("idle");
  switch (state) {
    case "idle":
      return stay;
    case "offering":
      return () => send(`!say offered ${name}`);
    case "busy unseen":
      await reaches(hub, await send(`!gate ${gate} !say unseen ${name}`), "injected");
      return stay;
    case "busy seen":
      await reaches(hub, await send(`!say begun !gate ${gate} !say seen ${name}`), "seen");
      return stay;
    case "asking":
      await send(`!say asking !permission !say asked ${name}`);
      await hasAsked(hub, name);
      return stay;
    case "cancelling":
      await reaches(hub, await send(`!deaf !say begun !gate ${gate} !say cut ${name}`), "seen");
      return () => send(`!say instead ${name}`, { attention: "interrupt" });
    case "stopping":
      await reaches(hub, await send(`!deaf !say deaf ${name}`), "finished");
      await is("idle");
      return () => hub.http.call("POST", `/api/agents/${name}/shutdown`, { token: hub.operator, body: {} });
    case "backoff":
      return async () => {
        await send(`!exit-unless ${gate} !say recovered ${name}`);
        await is("error");
      };
    case "limited":
      await send(`!limit ${gate} !say lifted ${name}`);
      await is("limited");
      return stay;
  }
}

function isIn(hub: HubProcess, name: string, state: string): Promise<true> {
  return eventually(
    async () => ((await stateOf(hub, name)) === state ? true : undefined),
    `${name} is ${state}`,
  );
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
