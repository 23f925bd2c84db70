import { hashToken, newToken } from "../../src/hub/rules/credentials.js";
import { HUMAN_ID } from "../../src/model/agent.js";
import { peerNamed } from "../fakes/linked-hubs.js";
import type { TestHub } from "../fakes/test-hub.js";
import { pacedLimits } from "../fakes/test-journal.js";
import { assignTasks, checkTasks, runWorkflows, standStill, useWorktrees } from "./plant-work.js";
import { readAll, type Story } from "./planting-story.js";
import { linkHubs } from "./tell-links.js";

/*
 * A story in which everything happens that a journal can hold, and in which whatever is not for everybody carries a word by
 * which it is found again. Eve is there all the time, gets what everybody gets, and is no end of any of it.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** With a budget that two agents use up soon. */
export const plantingLimits = {
  ...pacedLimits,
  conversation: { hops: 3, messages: 100, causeMs: 15 * MINUTE, unattended: 200 },
};

type Planted = {
  /** The words, by what carries them. */
  secrets: readonly string[];
  /** Those that are about the life of hosted agents, which orchestrators see. */
  lifecycle: readonly string[];
  tokens: { ann: string; eve: string; boss: string };
  /** Whatever a stranger could name: agents, and the ids of all things. */
  names: readonly string[];
  hostedNames: readonly string[];
  agentIds: readonly string[];
  hostedIds: readonly string[];
  ids: readonly string[];
};

const LIFECYCLE = [
  "crash-reason",
  "crash-output",
  "spawn-failure",
  "shutdown-reason",
  "pane-target",
  "pane-closed",
  "worktree",
];

export async function plantSecrets(hub: TestHub): Promise<Planted> {
  const secrets: string[] = [];
  const secret = (what: string) => {
    const word = `SECRET-${what}`;
    secrets.push(word);
    return word;
  };
  const story: Story = { hub, secret, ids: [] };
  const tokens = { ann: newToken("agent"), eve: newToken("agent"), boss: newToken("agent") };
  const join = (name: keyof typeof tokens, fields = {}) =>
    hub.register(name, { credential: hashToken(tokens[name]), ...fields });
  const ann = await join("ann", { team: "red" });
  const eve = await join("eve");
  await join("boss", { role: "orchestrator" });
  const ben = await hub.register("ben", { team: "red" });

  await writeLetters(story, ann, ben);
  await holdMail(story, ann, ben);
  await askForHelp(story, ann, ben, eve);
  await hostAgents(story, ann, eve);
  await assignTasks(story, ann);
  await useWorktrees(story, ann);
  await runWorkflows(story, ann);
  await checkTasks(story);
  await standStill(story, ann);
  await linkHubs(hub, ann, (words) => `zebra ${secret(`link-${words.replaceAll(/\W/g, "").toLowerCase()}`)}`);
  await answerThem(story);
  await leave(story, ann, ben);
  // The newest word of these two is nobody else's.
  await story.hub.send(ann, ben, secret("last-message"), { id: "m-last" });
  story.ids.push("m-last");

  const present = hub.views.roster.present();
  const hosted = present.filter(({ runtime }) => runtime !== null);
  return {
    secrets,
    lifecycle: LIFECYCLE.map((what) => `SECRET-${what}`),
    tokens,
    names: ["ann", "ben", "boss", "user", "nobody"],
    hostedNames: hosted.map(({ name }) => name),
    agentIds: present.filter(({ runtime, id }) => runtime === null && id !== eve).map(({ id }) => id),
    hostedIds: hosted.map(({ id }) => id),
    ids: story.ids,
  };
}

/** What another hub asked of everybody is in hal's next turn, and hal's words are the newest again. */
async function answerThem({ hub, secret }: Story): Promise<void> {
  const hal = hub.views.roster.present().find(({ name }) => name === "hal")?.id ?? "";
  const turn = { agent: hal, turn: "t-asked" };
  await hub.execute("offerTurn", { ...turn, route: "runtime", continues: false, noted: false });
  await hub.execute("recordTaken", { ...turn, evidence: "acp_prompt", pointer: false });
  await hub.execute("recordSeen", turn);
  await hub.execute("recordTurnEnded", {
    ...turn,
    stop: "end_turn",
    text: `zebra ${secret("newest-turn-text")}`,
  });
}

async function writeLetters({ hub, secret, ids }: Story, ann: string, ben: string): Promise<void> {
  await hub.execute("addPeer", {
    peer: peerNamed("here", { kind: "plain", host: "127.0.0.1", port: 80 }),
  });
  await hub.send(ann, ben, `the zebra letter ${secret("content")}`, {
    id: "m-letter",
    context: `zebra context ${secret("context")}`,
    metadata: { [secret("metadata-key")]: { deep: secret("metadata") } },
    callbackUrl: `http://127.0.0.1/${secret("callback-url")}`,
  });
  await readAll(hub, ben);
  await hub.send(ben, ann, `the zebra reply ${secret("reply")}`, { id: "m-reply", replyTo: "m-letter" });
  for (const attempt of [1, 2, 3, 4, 5, 6]) {
    const callback = hub.views.callbacks.all()[0]?.callback ?? "";
    const outcome = { kind: "failed", reason: secret(`callback-failure-${attempt}`) } as const;
    await hub.execute("recordCallback", { callback, attempt, outcome });
  }
  await hub.send(HUMAN_ID, ann, `zebra ${secret("from-the-person")}`, {
    id: "m-person",
    source: "applet",
    applet: secret("applet"),
  });
  await hub.send(ann, HUMAN_ID, `zebra ${secret("to-the-person")}`, { id: "m-to-person" });
  await hub.send(ann, ben, "a zebra by another id", { id: secret("message-id") });
  await hub.send(ann, ben, `zebra ${secret("expired")}`, { id: "m-expired", expiresInMs: MINUTE });
  hub.clock.advance(2 * MINUTE);
  await hub.ring();
  await hub.execute("broadcast", { from: ann, content: "a zebra for everybody", id: "m-broadcast" });
  await hub.execute("updateAgent", { agent: ben, project: "/proj/b" });
  await hub.rename(ben, "benny");
  await hub.execute("recordPresence", { agent: ben, status: "offline", evidence: "silent", lastSeen: 1 });
  hub.clock.advance(25 * HOUR); // The old name is free again.
  await hub.ring();
  await hub.rename(ben, "ben");
  ids.push("m-letter", "m-reply", "m-person", "m-to-person", "m-expired", "m-broadcast");
}

async function holdMail({ hub, secret, ids }: Story, ann: string, ben: string): Promise<void> {
  await readAll(hub, ben);
  await hub.send(ann, ben, "first");
  await hub.send(ann, ben, `zebra ${secret("held-then-released")}`);
  hub.clock.advance(MINUTE);
  await hub.ring();
  const decide = (action: "pause" | "resume" | "reset") =>
    hub.execute("decidePair", { by: "human", from: ann, to: ben, action });
  await decide("pause");
  await hub.send(ann, ben, `zebra ${secret("held-by-a-paused-pair")}`);
  await decide("resume");
  await decide("reset");
  const [one, two] = [await hub.register("one"), await hub.register("two")];
  const paused = () => hub.views.conversations.withState("paused", 10).map(({ id }) => id);
  const passUntilPaused = async (what: string) => {
    const word = secret(what);
    for (let n = 0; paused().length === 0; n++) {
      const [from, to] = n % 2 === 0 ? [one, two] : [two, one];
      await hub.send(from, to, `zebra round ${n} ${word}`);
      await readAll(hub, to);
      hub.clock.advance(MINUTE);
      await hub.ring();
    }
  };
  await passUntilPaused("conversation");
  const [conversation = ""] = paused();
  await hub.execute("decideConversation", { conversation, decision: "continue" });
  await passUntilPaused("conversation-held");
  await hub.execute("decideConversation", { conversation, decision: "freeze" });
  ids.push(conversation);
}

/** What is asked is everybody's; what is answered is not. */
async function askForHelp({ hub, secret, ids }: Story, ann: string, ben: string, eve: string): Promise<void> {
  const answered = await hub.ask(ann, "Review this", { id: "answered", timeoutMs: HOUR });
  await hub.execute("nudgeRequest", { agent: ann, request: answered });
  await hub.claim(ben, answered);
  await hub.answer(ben, answered, `zebra ${secret("answer")}`, "m-answer");
  await hub.send(ben, ann, `zebra ${secret("second-answer")}`, { replyTo: answered, id: "m-answer-2" });
  await hub.ask(ann, "Nobody has time", { id: "expires", timeoutMs: MINUTE });
  const dan = await hub.register("dan");
  const dropped = await hub.ask(ann, "Dropped", { id: "dropped", timeoutMs: HOUR });
  await hub.claim(dan, dropped);
  await hub.work(dan, "claim", "the build");
  await hub.work(eve, "claim", "the docs");
  // For everybody, so no secret.
  await hub.execute("shareMemory", { by: ann, name: "notes.md", content: "It works" });
  await hub.deregister(dan);
  hub.clock.advance(2 * MINUTE);
  await hub.ring();
  await hub.ask(ann, "Open until the end", { id: "open", timeoutMs: HOUR });
  ids.push(answered, "m-answer", "m-answer-2", dropped, "req-open");
}

async function hostAgents({ hub, secret, ids }: Story, ann: string, eve: string): Promise<void> {
  const hosted = { project: "/proj/h", backend: "none", permissions: "ask" } as const;
  const spawn = async (name: string) =>
    (await hub.execute("spawnAgent", { by: ann, name, runtime: "acp", ...hosted })).id;
  const hal = await spawn("hal");
  await hub.execute("recordStarted", { agent: hal, session: "s-1", resumed: false });
  await hub.execute("recordSession", { agent: hal, session: "s-2" });
  const turn = async (agent: string, n: number) => {
    await hub.send(ann, agent, `zebra ${secret(`prompt-${n}`)}`, { id: `m-prompt-${n}` });
    await hub.send(eve, agent, "from eve, in the same turn", { id: `m-eve-${n}` });
    const begun = { agent, turn: `t-${n}` };
    await hub.execute("offerTurn", { ...begun, route: "runtime", continues: false, noted: false });
    await hub.execute("recordTaken", { ...begun, evidence: "acp_prompt", pointer: false });
    ids.push(begun.turn, `m-prompt-${n}`);
    return begun;
  };
  const first = await turn(hal, 1);
  await hub.execute("recordSeen", first);
  await askLeave({ hub, secret, ids }, hal, first.turn);
  await hub.execute("recordTurnEnded", {
    ...first,
    stop: "end_turn",
    text: `zebra ${secret("turn-text")}`,
    work: {
      thoughts: secret("turn-thoughts"),
      tools: [{ title: secret("turn-tool"), status: "done" }],
      plan: [{ text: secret("turn-plan"), status: "done" }],
    },
  });
  const ivy = await spawn("ivy");
  await hub.execute("recordStarted", { agent: ivy, resumed: false });
  const cut = await turn(ivy, 2);
  await hub.execute("recordCrash", {
    ...cut,
    taken: true,
    why: secret("crash-reason"),
    exit: { code: 1, signal: null, stderr: secret("crash-output") },
    failures: 1,
    retryInMs: 1000,
  });
  await hub.execute("recordStopped", { agent: ivy, reason: "idle" });
  const never = await spawn("never");
  const error = secret("spawn-failure");
  await hub.execute("recordSpawnFailed", { agent: never, code: "SPAWN_FAILED", error });
  await waitForPane({ hub, secret, ids }, ann, eve);
  const own = await hub.register("own");
  const target = secret("pane-target");
  await hub.execute("adoptPane", {
    by: HUMAN_ID,
    agent: own,
    pane: { target },
    backend: "codex",
    permissions: "ask",
  });
  await hub.execute("letGoPane", { agent: own, why: secret("pane-closed") });
  const jim = await spawn("jim");
  await hub.execute("shutdownAgent", { agent: jim, by: ann, reason: secret("shutdown-reason") });
  await hub.execute("recordGone", { agent: jim, reason: "shutdown" });
  const kim = await spawn("kim");
  await hub.execute("killAgent", { agent: kim, by: ann });
}

/** Of two senders: neither learns of the other's. */
async function waitForPane({ hub, secret, ids }: Story, ann: string, eve: string): Promise<void> {
  const where = { project: "/proj/h", backend: "none", permissions: "ask" } as const;
  const { id: pat } = await hub.execute("spawnAgent", { by: ann, name: "pat", runtime: "tmux", ...where });
  const mine = await hub.send(ann, pat, `zebra ${secret("waits-for-a-pane")}`, { id: "m-kept" });
  const hers = await hub.send(eve, pat, "from eve, to the same pane", { id: "m-eve-kept" });
  const turn = { agent: pat, turn: "t-kept" };
  await hub.execute("offerTurn", { ...turn, route: "pane", continues: false, noted: false });
  await hub.execute("recordTurnEnded", { ...turn, stop: "not_taken", text: "" });
  const waits = [mine, hers].map(({ seq }) => ({ seq, waitedMs: 30_000 }));
  await hub.execute("recordKeptWaiting", { agent: pat, reason: "pane_not_ready", screen: "draft", waits });
  const again = { agent: pat, turn: "t-mixed" };
  await hub.execute("offerTurn", { ...again, route: "pane", continues: false, noted: false });
  await hub.execute("recordTaken", { ...again, evidence: "pane_took_it", pointer: false });
  await hub.execute("recordMixed", { ...again, words: secret("typed-by-the-person") });
  await hub.execute("recordTurnEnded", { ...again, stop: "end_turn", text: "" });
  ids.push(turn.turn, again.turn, "m-kept");
}

async function askLeave({ hub, secret, ids }: Story, agent: string, turn: string): Promise<void> {
  const options = [
    { id: "y", label: secret("permission-option"), grants: "once" },
    { id: "n", label: "No", grants: "deny" },
  ] as const;
  const ask = (id: string) =>
    hub.execute("requestPermission", {
      agent,
      turn,
      id,
      tool: "shell",
      title: `Run ${id} ${secret(`permission-title-${id}`)}`,
      act: "execute",
      details: { command: secret(`permission-details-${id}`) },
      options,
    });
  await ask("p-1");
  await hub.execute("answerPermission", { permission: "p-1", decision: "once", by: HUMAN_ID });
  await ask("p-2"); // Open until the end.
  ids.push("p-1", "p-2");
}

async function leave({ hub, secret, ids }: Story, ann: string, ben: string): Promise<void> {
  const guest = await hub.register("guest");
  await hub.send(ann, guest, `zebra ${secret("unread-by-one-who-left")}`, { id: "m-lost" });
  await hub.deregister(guest);
  hub.clock.advance(MINUTE);
  await readAll(hub, ben);
  await hub.send(ann, ben, `zebra ${secret("unread")}`, { id: "m-unread", expiresInMs: 9 * 365 * 24 * HOUR });
  await hub.send(ann, ben, `zebra ${secret("held")}`, { id: "m-held" });
  ids.push("m-lost", "m-unread", "m-held");
}
