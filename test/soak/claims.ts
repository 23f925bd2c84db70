import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Caller, createCaller } from "../fakes/http-call.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Identity, registerAgent } from "../fakes/member.js";
import type { Random } from "../fakes/random.js";
import { type RawResult, toolAnswer } from "../fakes/tool-answer.js";
import { findContradiction, type Operation, type Outcome } from "./claim-history.js";

/*
 * Promise 4: one winner per claim, of requests and of tasks. Many agents, each on connections of its own, claim the same
 * things at the same time, while the hub is killed and started again under them; what went unanswered is claimed again.
 * Each thing's history must have one order that explains all of its answers.
 */

export type ClaimsOptions = {
  attempts: number;
  kills: number;
  random: Random;
  onAttempts?: (done: number) => void;
};

export type ClaimsResult = {
  attempts: number;
  unanswered: number;
  kills: number;
  things: number;
  won: number;
  doubleWinners: number;
  violations: string[];
};

const SETTINGS = [
  "inbox.cap=1000000",
  "presence.offline_after=24h",
  "requests.open_cap=100000",
  "journal.wal_soft=256KiB",
  "journal.wal_cap=1MiB",
];
const CLAIMERS = 12;
const REQUESTS = 20;
const TASKS = 4;
const KILLS_PER_ROUND = 2;

type Thing = { kind: "request" | "task"; id: string; history: Operation[] };

export async function runClaims({
  attempts,
  kills,
  random,
  onAttempts,
}: ClaimsOptions): Promise<ClaimsResult> {
  const yard = createHubYard();
  const home = yard.home();
  const things: Thing[] = [];
  const violations: string[] = [];
  const counts = { attempts: 0, unanswered: 0, kills: 0 };
  const start = async () => openHub(await yard.start({ home, set: SETTINGS }));
  try {
    let open = start();
    const hub = () => open;
    const { process } = await hub();
    const claimers = await Promise.all(
      Array.from({ length: CLAIMERS }, (_, i) =>
        registerAgent(process.http, process.join, { name: `claimer-${i}` }),
      ),
    );
    const record = (thing: Thing, operation: Operation) => {
      thing.history.push(operation);
      counts.attempts++;
      if (operation.outcome.kind === "unknown") counts.unanswered++;
    };
    while (counts.attempts < attempts || counts.kills < kills) {
      const round = await openThings(hub, things.length);
      things.push(...round);
      const racing = new AbortController();
      const race = Promise.all(
        claimers.map((claimer, i) =>
          claimAll({ claimer, connection: i, round, hub, record, random, violations }),
        ),
      ).finally(() => racing.abort());
      const kill = async () => {
        for (let n = 0; n < KILLS_PER_ROUND && counts.kills < kills; n++) {
          await sleep(random.between(20, 120));
          if (racing.signal.aborted) return;
          const current = await hub();
          open = current.kill().then(start);
          counts.kills++;
          await hub();
        }
      };
      await Promise.all([race, kill()]);
      onAttempts?.(counts.attempts);
    }
    await (await hub()).process.stop();
    return { ...counts, things: things.length, violations, ...judge(things, violations) };
  } finally {
    await yard.clear();
  }
}

type OpenHub = { process: HubProcess; connections: Caller[]; kill(): Promise<unknown> };

/** Every claimer has a pool of kept-alive connections to itself. */
function openHub(process: HubProcess): OpenHub {
  const connections = Array.from({ length: CLAIMERS }, () => createCaller(process.url, 4));
  return {
    process,
    connections,
    async kill() {
      const ended = await process.kill();
      for (const connection of connections) connection.close();
      return ended;
    },
  };
}

async function openThings(hub: () => Promise<OpenHub>, n: number): Promise<Thing[]> {
  const { process } = await hub();
  const requests = Array.from({ length: REQUESTS }, async (_, i): Promise<Thing> => {
    const body = { description: "claim me", timeout_seconds: 86_400, id: `${n + i}` };
    const answer = await process.http.call("POST", "/api/requests", { token: process.operator, body });
    if (answer.status !== 201) throw new Error(`not opened: ${answer.status} ${answer.text}`);
    return { kind: "request", id: String(answer.json["request_id"]), history: [] };
  });
  const tasks = Array.from(
    { length: TASKS },
    (_, i): Thing => ({ kind: "task", id: `task ${n + i}`, history: [] }),
  );
  return [...(await Promise.all(requests)), ...tasks];
}

type Race = {
  claimer: Identity;
  connection: number;
  round: readonly Thing[];
  hub: () => Promise<OpenHub>;
  record: (thing: Thing, operation: Operation) => void;
  random: Random;
  violations: string[];
};

/** Claims everything, a few things at a time, in an order of one's own; what is not answered again and again. */
async function claimAll(race: Race): Promise<void> {
  const waiting = race.round
    .flatMap((thing) => plan(thing, race.random))
    .map((step) => ({ step, key: step.order + race.random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ step }) => step);
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      while ((await attempt(race, step)) === "unknown") await sleep(5);
    }
  };
  await Promise.all([work(), work(), work()]);
}

type Step = { thing: Thing; action: Operation["action"]; order: number };

/** A request is claimed once by each; a task is claimed, given back and claimed again. Some only look. */
function plan(thing: Thing, random: Random): Step[] {
  const looks: Step[] = random.chance(0.15) ? [{ thing, action: "look", order: 0.5 }] : [];
  if (thing.kind === "request") return [...looks, { thing, action: "claim", order: 0 }];
  return [
    ...looks,
    ...(["claim", "release", "claim"] as const).map((action, order) => ({ thing, action, order })),
  ];
}

async function attempt(race: Race, { thing, action }: Step): Promise<Outcome["kind"]> {
  const { claimer, connection, hub, record, violations } = race;
  const { connections } = await hub();
  const call: Call = (method, path, body) => {
    const caller = connections[connection];
    if (caller === undefined) throw new Error("no connection");
    const headers = { accept: "application/json, text/event-stream" };
    return caller.call(method, path, {
      token: claimer.token,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  };
  const called = performance.now();
  let outcome: Outcome;
  try {
    // Half of them claim by tools.
    const claim = connection % 2 === 0 ? claimByRoute : claimByTool;
    outcome = await ask({ call, claim }, thing, action);
  } catch (error) {
    outcome = { kind: "unknown" };
    if (error instanceof UnexpectedAnswer) violations.push(error.message);
  }
  const answered = outcome.kind === "unknown" ? Number.POSITIVE_INFINITY : performance.now();
  record(thing, { by: claimer.name, action, called, answered, outcome });
  return outcome.kind;
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

class UnexpectedAnswer extends Error {}

type Claim = (call: Call, thing: Thing, action: "claim" | "release") => Promise<Record<string, unknown>>;

const claimByRoute: Claim = async (call, { kind, id }, action) =>
  expectOk(
    kind === "request"
      ? await call("POST", `/api/requests/${id}/claim`)
      : await call("POST", "/api/claims", { task: id, action }),
  );

const claimByTool: Claim = async (call, { kind, id }, action) => {
  const params =
    kind === "request"
      ? { name: "claim_request", arguments: { request_id: id } }
      : { name: `${action}_work`, arguments: { task: id } };
  const { result } = expectOk(
    await call("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  );
  const { isError, code, ...answer } = toolAnswer(result as RawResult);
  if (code === "SHUTTING_DOWN" || code === "OUTCOME_UNKNOWN") throw new Error("the hub is going away");
  if (isError === true) throw new UnexpectedAnswer(`${String(code)} ${JSON.stringify(answer)}`);
  return answer;
};

async function ask(
  { call, claim }: { call: Call; claim: Claim },
  thing: Thing,
  action: Operation["action"],
): Promise<Outcome> {
  if (action === "look") return { kind: "saw", owner: await ownerOf(call, thing) };
  const answer = await claim(call, thing, action);
  if (thing.kind === "request") {
    const { claimed_by } = answer["request"] as { claimed_by: string };
    return answer["claimed"] === true ? { kind: "won" } : { kind: "lost", owner: claimed_by };
  }
  const { ok, owner } = answer as { ok: boolean; owner: string };
  if (action === "claim") return ok ? { kind: "won" } : { kind: "lost", owner };
  return ok ? { kind: "released" } : { kind: "kept", owner };
}

async function ownerOf(call: Call, { kind, id }: Thing): Promise<string | null> {
  if (kind === "task") {
    const { claims } = expectOk(await call("GET", "/api/claims?limit=1000")) as {
      claims: { task: string; owner: string }[];
    };
    return claims.find(({ task }) => task === id)?.owner ?? null;
  }
  const { requests } = expectOk(await call("GET", "/api/requests?limit=1000")) as {
    requests: { request_id: string; claimed_by?: string }[];
  };
  return requests.find(({ request_id }) => request_id === id)?.claimed_by ?? null;
}

function expectOk(answer: Answer): Record<string, unknown> {
  if (answer.status === 503) throw new Error("the hub is going away");
  if (answer.status !== 200) throw new UnexpectedAnswer(`${answer.status} ${answer.text.slice(0, 200)}`);
  return answer.json;
}

function judge(things: readonly Thing[], violations: string[]) {
  let [won, doubleWinners] = [0, 0];
  for (const { kind, id, history } of things) {
    const contradiction = findContradiction(history);
    if (contradiction !== undefined) violations.push(`${kind} ${id}: ${contradiction}`);
    if (kind !== "request") continue;
    const winners = new Set(history.filter(({ outcome }) => outcome.kind === "won").map(({ by }) => by));
    won += winners.size;
    if (winners.size > 1) doubleWinners++;
    if (winners.size === 0) violations.push(`nobody won ${id}`);
  }
  return { won, doubleWinners };
}
