import { expect, test } from "vitest";
import type { EventData, EventType, HubEvent } from "./events.js";
import { newEvent } from "./events.js";
import type { Message } from "./message.js";
import type { Peer } from "./peer.js";
import type { Viewer } from "./viewer.js";
import { asSeenBy } from "./visibility.js";

const agent = (id: string): Viewer => ({ kind: "agent", id, role: "agent" });
const [alice, bob, carol] = [agent("alice"), agent("bob"), agent("carol")];
const orchestrator: Viewer = { kind: "agent", id: "boss", role: "orchestrator" };
const operator: Viewer = { kind: "operator" };

function happened<T extends EventType>(type: T, data: EventData[T]): HubEvent {
  return { ...newEvent(type, null, data), seq: 1, at: 0, hubTime: 0 };
}

const message: Message = {
  id: "m1",
  type: "message",
  from: "alice",
  fromName: "alice",
  to: [{ agent: "bob", name: "bob" }],
  toName: "bob",
  content: "secret",
  attention: "queue",
  source: "agent",
  trust: "local",
  conversation: "c",
  hop: 0,
};
const fromAlice = { seq: 1, id: "m1", from: "alice" };
const fromCarol = { seq: 2, id: "m2", from: "carol" };

test.each([
  happened("CredentialIssued", { agent: "alice", hash: "hash" }),
  happened("AlarmFired", { due: 0, kind: "expire_message", ref: "1" }),
  happened("FramesNumbered", { peer: "r2d2", epoch: "e", frames: [] }),
  happened("FramesAcknowledged", { peer: "r2d2", epoch: "e", upTo: 1 }),
  happened("FramesReceived", { peer: "r2d2", epoch: "e", upTo: 1, digest: "d" }),
])("$type is for nobody, the operator and its own agent included", (event) => {
  for (const viewer of [alice, orchestrator, operator]) expect(asSeenBy(event, viewer)).toBeNull();
});

const peer: Peer = {
  name: "r2d2",
  kind: "hub",
  host: "r2d2.local",
  port: 3847,
  label: null,
  hubId: null,
  publicKey: null,
  secret: "keychain:r2d2",
  origin: "config",
};

test.each([
  happened("PeerAdded", { peer, front: "alice" }),
  happened("PeerChanged", { peer }),
  happened("PeerRemoved", { name: "r2d2" }),
  happened("EpochBegun", { peer: "r2d2", epoch: "e", reason: "first" }),
  happened("LinkGap", { peer: "r2d2", epoch: "e", from: 1, to: 2 }),
])("$type is for the person alone", (event) => {
  for (const viewer of [alice, orchestrator]) expect(asSeenBy(event, viewer)).toBeNull();
  expect(asSeenBy(event, operator)).toBe(event);
});

test.each([
  happened("PeerAgentMet", { agent: "x", peer: "r2d2", name: "bob" }),
  happened("PeerAgentChanged", { agent: "x", peer: "r2d2", status: "busy" }),
])("$type is for the person and orchestrators", (event) => {
  expect(asSeenBy(event, alice)).toBeNull();
  for (const viewer of [orchestrator, operator]) expect(asSeenBy(event, viewer)).toBe(event);
});

test.each([
  happened("AgentRenamed", { agent: "alice", from: "a", to: "b", heldUntil: 0 }),
  happened("AgentUpdated", { agent: "alice", team: "red" }),
  happened("AgentDeregistered", { agent: "alice", name: "alice", reason: "left" }),
  happened("NameReleased", { agent: "alice", name: "a" }),
  happened("PresenceChanged", { agent: "alice", status: "dead", evidence: "" }),
  happened("RequestClaimed", { request: "r", from: "alice", by: "bob", byName: "bob" }),
  happened("RequestReopened", {
    request: "r",
    from: "alice",
    by: "bob",
    reason: "",
    expiresAt: 0,
    nudgeAt: 0,
  }),
  happened("RequestNudged", { request: "r", from: "alice", by: "alice" }),
  happened("RequestExpired", { request: "r", from: "alice" }),
  happened("WorkClaimed", { claim: { task: "t", owner: "alice", ownerName: "alice", until: 0 } }),
  happened("WorkReleased", { task: "t", owner: "alice", reason: "released" }),
])("$type is for everybody", (event) => {
  for (const viewer of [alice, carol, orchestrator, operator]) expect(asSeenBy(event, viewer)).toBe(event);
});

test.each([
  ["error", "it failed, and is tried again"],
  ["waiting", "it waits for the person"],
  ["dormant", "it has no process now"],
] as const)(
  "the words of a process or a screen (%s) are for those who see its life; others read: %s",
  (status, shown) => {
    const failed = happened("PresenceChanged", { agent: "bob", status, evidence: "Run cat secret?" });

    for (const viewer of [bob, orchestrator, operator]) expect(asSeenBy(failed, viewer)).toBe(failed);
    expect(asSeenBy(failed, carol)).toMatchObject({ data: { agent: "bob", status, evidence: shown } });
  },
);

test.each([
  happened("MessageAccepted", { message }),
  happened("MessageAnswered", { agent: "bob", delivery: fromAlice, by: "m9" }),
  happened("MessageReleased", { agent: "bob", delivery: fromAlice }),
  happened("MessageExpired", { agent: "bob", delivery: fromAlice }),
  happened("MessagesOffered", { agent: "bob", route: "inbox", deliveries: [{ ...fromAlice, attempt: 1 }] }),
  happened("MessagesSeen", { agent: "bob", evidence: "ack", deliveries: [fromAlice] }),
  happened("DeliveriesFailed", { agent: "bob", reason: "agent_gone", deliveries: [fromAlice] }),
  happened("MessagesInjected", { agent: "bob", turn: "t", evidence: "acp_prompt", deliveries: [fromAlice] }),
  happened("MessagesFinished", {
    agent: "bob",
    turn: "t",
    stop: "end_turn",
    with: 0,
    deliveries: [fromAlice],
  }),
  happened("MessagesReturned", { agent: "bob", turn: "t", reason: "died", deliveries: [fromAlice] }),
  happened("MessagesKeptWaiting", {
    agent: "bob",
    reason: "pane_not_ready",
    deliveries: [{ ...fromAlice, waitedMs: 30_000 }],
  }),
  happened("MessagesMixed", { agent: "bob", turn: "t", deliveries: [fromAlice] }),
])("$type is for the two ends of the message and the person, not for an orchestrator", (event) => {
  for (const viewer of [alice, bob, operator]) expect(asSeenBy(event, viewer)).toEqual(event);
  for (const viewer of [carol, orchestrator]) expect(asSeenBy(event, viewer)).toBeNull();
});

test.each([
  happened("MessagesOffered", {
    agent: "bob",
    route: "wait",
    deliveries: [
      { ...fromAlice, attempt: 1 },
      { ...fromCarol, attempt: 2 },
    ],
  }),
  happened("MessagesSeen", { agent: "bob", evidence: "ack", deliveries: [fromAlice, fromCarol] }),
  happened("DeliveriesFailed", { agent: "bob", reason: "agent_gone", deliveries: [fromAlice, fromCarol] }),
  happened("MessagesMixed", { agent: "bob", turn: "t", deliveries: [fromAlice, fromCarol] }),
  happened("MessagesKeptWaiting", {
    agent: "bob",
    reason: "pane_did_not_take",
    deliveries: [
      { ...fromAlice, waitedMs: 1 },
      { ...fromCarol, waitedMs: 1 },
    ],
  }),
])("of a batch in $type a sender sees its own entries only; the recipient sees all", (event) => {
  expect(asSeenBy(event, bob)).toBe(event);
  expect(asSeenBy(event, carol)).toMatchObject({ ...event, data: { deliveries: [{ id: "m2" }] } });
  expect(asSeenBy(event, alice)?.data).toMatchObject({ deliveries: [{ id: "m1" }] });
  expect(JSON.stringify(asSeenBy(event, carol))).not.toContain("m1");
  expect(JSON.stringify(event)).toContain("m1"); // The event itself is as it was.
});

test.each([
  happened("SpawnRequested", { agent: "bob", by: "alice" }),
  happened("AgentStarted", { agent: "bob", resumed: false }),
  happened("SpawnFailed", { agent: "bob", code: "BACKEND_FAILED", error: "" }),
  happened("PaneAdopted", {
    agent: "bob",
    adopted: { target: "%1", bridged: true },
    backend: "codex",
    permissions: "ask",
  }),
  happened("PaneLetGo", { agent: "bob", reason: "closed", why: "" }),
  happened("SessionChanged", { agent: "bob", session: "s" }),
  happened("AgentCrashed", { agent: "bob", why: "", failures: 1, retryInMs: null }),
  happened("AgentStopped", { agent: "bob", reason: "idle" }),
  happened("ShutdownRequested", { agent: "bob", by: "alice" }),
  happened("KillRequested", { agent: "bob", by: "alice" }),
])("$type is for orchestrators, the agent itself and the person", (event) => {
  for (const viewer of [bob, orchestrator, operator]) expect(asSeenBy(event, viewer)).toBe(event);
  for (const viewer of [alice, carol]) expect(asSeenBy(event, viewer)).toBeNull();
});

test("an answered request is for who asked and who answered, and the person", () => {
  const event = happened("RequestAnswered", {
    request: "r",
    from: "alice",
    by: "bob",
    byName: "bob",
    message: "m",
  });
  for (const viewer of [alice, bob, operator]) expect(asSeenBy(event, viewer)).toBe(event);
  for (const viewer of [carol, orchestrator]) expect(asSeenBy(event, viewer)).toBeNull();
});

test.each([
  happened("ConversationPaused", { conversation: "c", reason: "budget", hop: 1, messages: 1 }),
  happened("ConversationResumed", { conversation: "c", hop: 1 }),
  happened("ConversationFrozen", { conversation: "c" }),
])("$type is for orchestrators and the person", (event) => {
  for (const viewer of [orchestrator, operator]) expect(asSeenBy(event, viewer)).toBe(event);
  for (const viewer of [alice, bob, carol]) expect(asSeenBy(event, viewer)).toBeNull();
});

const permission = {
  id: "p",
  agent: "bob",
  turn: null,
  tool: "",
  title: "",
  act: "",
  details: {},
  options: [],
};

test.each([
  happened("TurnEnded", { agent: "bob", turn: "t", stop: "end_turn", text: "secret", messages: 1 }),
  happened("PermissionRequested", { permission }),
  happened("PermissionAnswered", { agent: "bob", permission: "p", outcome: "deny", by: "human" }),
])("$type is between the agent and the person", (event) => {
  for (const viewer of [bob, operator]) expect(asSeenBy(event, viewer)).toBe(event);
  for (const viewer of [alice, carol, orchestrator]) expect(asSeenBy(event, viewer)).toBeNull();
});

test("of a turn's batch a sender sees only its own messages", () => {
  const deliveries = [fromAlice, fromCarol];
  const event = happened("MessagesFinished", {
    agent: "bob",
    turn: "t",
    stop: "end_turn",
    with: 1,
    deliveries,
  });
  expect(asSeenBy(event, alice)).toMatchObject({ data: { deliveries: [fromAlice] } });
});

test("a broadcast is for everybody, also for those whom it was not sent to; how far it came is not", () => {
  const broadcast: Message = { ...message, type: "broadcast", toName: "red" };
  const sent = happened("MessageAccepted", { message: broadcast });
  expect(asSeenBy(sent, carol)).toBe(sent);
  const seen = happened("MessagesSeen", { agent: "bob", evidence: "ack", deliveries: [fromAlice] });
  expect(asSeenBy(seen, carol)).toBeNull();
});

test("a message to several is for each of them, and for nobody else", () => {
  const to = ["bob", "carol"].map((name) => ({ agent: name, name }));
  const sent = happened("MessageAccepted", { message: { ...message, to, toName: "red" } });
  for (const viewer of [alice, bob, carol, operator]) expect(asSeenBy(sent, viewer)).toBe(sent);
  expect(asSeenBy(sent, orchestrator)).toBeNull();
});
