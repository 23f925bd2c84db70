import type { Answer } from "../fakes/http-call.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { drainInbox, type InboxMessage, type Member, registerAgent } from "../fakes/member.js";
import type { Random } from "../fakes/random.js";
import { compareInbox, createLedger, findDisorder, type Ledger } from "./ledger.js";

/*
 * Promises 5 and 11: a crowd of agents that write, broadcast, ask, read and wait as fast as they can, at a hub with small caps.
 * Whatever is too much is a 429 that stores nothing; what was accepted arrives, once and in order.
 */

export type CrowdResult = {
  accepted: number;
  /** Answers of 429, by their code. */
  refused: Record<string, number>;
  growth: number;
  violations: readonly string[];
};

const caps = (inboxCap: number, requestLife: string) => [
  `inbox.cap=${inboxCap}`,
  "inbox.room=0",
  "inbox.readers=10",
  "requests.open_cap=5",
  `requests.default=${requestLife}`,
  "presence.offline_after=24h",
];
const BODY_BYTES = 500;

type Crowd = {
  members: Member[];
  ledger: Ledger;
  random: Random;
  refused: Record<string, number>;
  /** What each has read, without what came again. */
  reads: Map<string, InboxMessage[]>;
  onMessages: ((sent: number) => void) | undefined;
};

export async function runCrowd(options: {
  agents: number;
  messages: number;
  random: Random;
  /** The fewer messages, the smaller it must be to be full at times. */
  inboxCap?: number;
  /** How long requests stay open: with a short life, fewer are open at once the slower the machine is. */
  requestLife?: string;
  onMessages?: (sent: number) => void;
}): Promise<CrowdResult> {
  const yard = createHubYard();
  try {
    const hub = await yard.start({ set: caps(options.inboxCap ?? 30, options.requestLife ?? "1s") });
    const members = await Promise.all(
      Array.from({ length: options.agents }, (_, n) => registerAgent(hub.http, hub.join, { name: `a${n}` })),
    );
    const crowd: Crowd = {
      members,
      ledger: createLedger(),
      random: options.random,
      refused: {},
      reads: new Map(members.map(({ name }) => [name, []])),
      onMessages: options.onMessages,
    };
    await load(crowd, options.messages / 5);
    const before = await memory(hub);
    await load(crowd, options.messages);
    const growth = (await memory(hub)) / before - 1;
    await settle(crowd);
    return {
      accepted: crowd.ledger.accepted().length,
      refused: crowd.refused,
      growth,
      violations: crowd.ledger.violations(),
    };
  } finally {
    await yard.clear();
  }
}

async function load(crowd: Crowd, messages: number): Promise<void> {
  await Promise.all(
    crowd.members.map(async (member) => {
      while (crowd.ledger.issued().length < messages) await act(crowd, member);
    }),
  );
}

async function act(crowd: Crowd, member: Member): Promise<void> {
  const { random } = crowd;
  const chance = random.int(100);
  if (chance < 70) return send(crowd, member);
  if (chance < 73) {
    note(crowd, await member.call("POST", "/api/agents/broadcast", { body: { message: "to all" } }), 202);
  } else if (chance < 76) {
    note(crowd, await member.call("POST", "/api/requests", { body: { description: "help" } }), 201);
  } else await read(crowd, member, chance < 90 ? "" : "?wait=0.05");
}

async function send(crowd: Crowd, from: Member): Promise<void> {
  const { members, ledger, random } = crowd;
  const to = random.pick(members.filter((member) => member !== from));
  const id = `m-${ledger.issued().length}`;
  const content = `${id} ${"x".repeat(random.int(BODY_BYTES))}`;
  const entry = ledger.issue({ id, from: from.name, to: to.name, content });
  crowd.onMessages?.(ledger.issued().length);
  const answer = await from.send(to.name, content, { id });
  note(crowd, answer, 202);
  if (answer.status === 202) ledger.accept(entry, Number(answer.json["seq"]));
}

async function read(crowd: Crowd, member: Member, query: string): Promise<void> {
  const answer = await member.call("GET", `/api/inbox${query}`);
  note(crowd, answer, 200);
  if (answer.status !== 200) return;
  const messages = answer.json["messages"] as InboxMessage[];
  keep(crowd, member, messages);
  if (messages.length > 0) note(crowd, await member.ack(messages.map(({ id }) => id)), 200);
}

function keep({ reads }: Crowd, { name }: Member, messages: readonly InboxMessage[]): void {
  const own = messages.filter(({ id, repeated }) => id.startsWith("m-") && repeated !== true);
  reads.get(name)?.push(...own);
}

/** It is done, or it is too much; anything else must not be. */
function note({ ledger, refused }: Crowd, { status, json, text }: Answer, done: number): void {
  if (status === done) return;
  const code = String(json["code"]);
  if (status === 429) refused[code] = (refused[code] ?? 0) + 1;
  else ledger.violation(`${status}: ${text.slice(0, 200)}`);
}

/** Everybody reads what is left; then each inbox is what its senders were told. */
async function settle(crowd: Crowd): Promise<void> {
  const { ledger, reads } = crowd;
  for (const member of crowd.members) keep(crowd, member, await drainInbox(member));
  for (const { name } of crowd.members) {
    const got = reads.get(name) ?? [];
    const accepted = ledger.accepted().filter(({ to }) => to === name);
    for (const [what, ids] of Object.entries(compareInbox(accepted, got))) {
      for (const id of ids) ledger.violation(`${id} to ${name} was ${what}`);
    }
    for (const disorder of findDisorder(accepted, got)) ledger.violation(disorder);
  }
}

async function memory(hub: HubProcess): Promise<number> {
  const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
  return Number(json["memory_bytes"]);
}
