import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openServerSentEvents } from "../fakes/event-streams.js";
import type { Answer } from "../fakes/http-call.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { journalSeq, memberAt, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";
import { cli } from "../fakes/run-cli.js";

const yard = createHubYard();
/** Shared: each test has agents and words of its own. */
let shared: HubProcess;
beforeAll(async () => {
  shared = await yard.start();
});
afterAll(() => yard.clear());

const contents = (answer: Answer) =>
  (answer.json["messages"] as { content: string }[]).map(({ content }) => content);
const query = (path: string, params: Record<string, string>) =>
  `${path}?${new URLSearchParams(params).toString()}`;

let opened = 0;

/** `own` ends the words that nobody else's mail has; `before` is where the journal was. */
async function openWithAgents(hub = shared) {
  const own = String.fromCharCode("a".charCodeAt(0) + opened++);
  const join = (name: string) => registerAgent(hub.http, hub.join, { name: `${name}-${own}` });
  const [alice, bob, carol] = [await join("alice"), await join("bob"), await join("carol")];
  const operator = (method: string, path: string, body?: unknown) =>
    hub.http.call(method, path, { token: hub.operator, ...(body === undefined ? {} : { body }) });
  const before = String(await journalSeq(hub.http, hub.operator));
  return { hub, alice, bob, carol, operator, own, before };
}

/** The log of this hub, once this is in it. */
async function logWith({ home }: HubProcess, words: string): Promise<string> {
  const file = join(home, "logs", "agent-comms.log");
  return patiently(() => {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    expect(text).toContain(words);
    return text;
  });
}

const runCli = (hub: HubProcess, argv: string[]) =>
  cli([...argv, "--timeout", "5m"], { env: { HUDDLE_HOME: hub.home } });

test("what was just sent is found, by its sender, its reader and the person, and by nobody else", async () => {
  const { alice, bob, carol, operator, own } = await openWithAgents();
  await alice.send(bob.name, `the needle${own} is here`);
  const path = query("/api/search", { q: `needle${own}` });
  expect(contents(await alice.call("GET", path))).toEqual([`the needle${own} is here`]);
  expect(contents(await bob.call("GET", path))).toEqual([`the needle${own} is here`]);
  expect(contents(await operator("GET", path))).toEqual([`the needle${own} is here`]);
  expect(contents(await carol.call("GET", path))).toEqual([]);

  await alice.call("POST", "/api/agents/broadcast", { body: { message: `a needle${own} for all` } });
  expect(contents(await carol.call("GET", path))).toEqual([`a needle${own} for all`]);
});

test("a search says how many there are and where, and each page can be had by itself", async () => {
  const { bob, carol, operator, own } = await openWithAgents();
  const word = `countable${own}x`;
  const sent: string[] = [];
  for (let i = 0; i < 25; i++) {
    await operator("POST", `/api/agents/${bob.name}/messages`, { message: `${word} ${i}` });
    sent.unshift(`${word} ${i}`);
  }
  const count = async (params: Record<string, string>) =>
    (await operator("GET", query("/api/search/count", params))).json;
  const { total, places } = await count({ q: word, every: "10" });
  expect(total).toBe(25);
  const seqs = places as number[];
  expect(seqs).toHaveLength(3);

  const found: string[] = [];
  for (const [page, place] of seqs.entries()) {
    const below = seqs[page + 1];
    const answer = await operator(
      "GET",
      query("/api/search", {
        q: word,
        older_than: String(place + 1),
        ...(below === undefined ? {} : { newer_than: String(below) }),
      }),
    );
    expect(contents(answer)).toHaveLength(below === undefined ? 5 : 10);
    found.push(...contents(answer));
  }
  expect(found).toEqual(sent);

  await bob.ack((await bob.inbox()).slice(0, 20).map(({ id }) => id));
  expect(await count({ q: `${word} status:undelivered` })).toEqual({ total: 5 });
  expect(await count({ q: "status:seen" })).toEqual({ total: null });
  expect(await count({ q: `${word} before:1h` })).toEqual({ total: 0 });
  expect(await count({ q: `countable${own}*` })).toEqual({ total: 25 });
  // Nobody counts the mail of others.
  expect((await carol.call("GET", query("/api/search/count", { q: word }))).json).toEqual({
    total: 0,
  });
});

test("what was found can have its receipts", async () => {
  const { alice, bob, operator, own } = await openWithAgents();
  await alice.send(bob.name, `one with a receipt${own}`, { id: "m-1" });
  await bob.inbox();
  await bob.ack(["m-1"]);
  const { json } = await operator("GET", query("/api/search", { q: `receipt${own}`, receipts: "true" }));
  expect(json["messages"]).toMatchObject([
    { id: "m-1", recipients: 1, deliveries: [{ to: bob.name, state: "seen", evidence: "ack" }] },
  ]);
});

test("parameters and filters narrow it, and pages follow each other", async () => {
  const { alice, bob, operator, own } = await openWithAgents();
  const word = `word${own}`;
  for (let i = 0; i < 5; i++) await alice.send(bob.name, `${word} ${i}`);
  await bob.send(alice.name, `${word} from bob`, { type: "status" });
  const search = (params: Record<string, string>) => operator("GET", query("/api/search", params));

  expect(contents(await search({ q: word, from: bob.name }))).toEqual([`${word} from bob`]);
  expect(contents(await search({ q: word, type: "status" }))).toEqual([`${word} from bob`]);
  expect(contents(await search({ q: `${word} to:${alice.name}` }))).toEqual([`${word} from bob`]);
  expect(contents(await search({ q: word, after: "1h" }))).toHaveLength(6);
  expect(contents(await search({ q: `${word} after:2999-01-01` }))).toEqual([]);

  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await search({
      q: `${word} from:${alice.name}`,
      limit: "2",
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...contents(page));
    cursor = (page.json["next"] as string | null) ?? undefined;
  } while (cursor !== undefined);
  expect(found).toEqual([4, 3, 2, 1, 0].map((i) => `${word} ${i}`));
});

test("status: asks the inboxes", async () => {
  const { alice, bob, operator } = await openWithAgents();
  const seen = await alice.send(bob.name, "will be seen");
  await alice.send(bob.name, "waits");
  await bob.ack([String(seen.json["message_id"])]);
  const search = (q: string) => operator("GET", query("/api/search", { q: `${q} to:${bob.name}` }));
  expect(contents(await search("status:undelivered"))).toEqual(["waits"]);
  expect(contents(await search("status:seen"))).toEqual(["will be seen"]);
  expect(contents(await search("status:failed"))).toEqual([]);
});

test("source: and between: tell the person's mail from the agents', over HTTP and on the command line", async () => {
  const { hub, alice, bob, operator } = await openWithAgents();
  await alice.send(bob.name, "agent to agent");
  await alice.send("user", "agent to person");
  await operator("POST", `/api/agents/${bob.name}/messages`, { message: "person to agent" });
  await operator("POST", `/api/sessions/${bob.id}/messages`, { message: "by applet", source: "applet" });
  const search = async (q: string) => contents(await operator("GET", query("/api/search", { q })));

  expect(await search(`between:agents to:${bob.name}`)).toEqual(["agent to agent"]);
  expect(await search(`source:user to:${bob.name}`)).toEqual(["person to agent"]);
  expect(await search(`source:applet to:${bob.name}`)).toEqual(["by applet"]);
  expect(await search(`source:agent to:user from:${alice.name}`)).toEqual(["agent to person"]);
  const log = await runCli(hub, ["log", `between:agents to:${bob.name}`]);
  expect(log.stdout).toMatch(/agent to agent/);
  expect(log.stdout).not.toMatch(/person|applet/);
  const wrong = await runCli(hub, ["log", "source:robots"]);
  expect(wrong.stderr).toMatch(/source: there is no "robots" \(known: user, applet, agent\)/);
});

test.each<[string, Record<string, string>]>([
  ["a source that does not exist", { q: "source:robot" }],
  ["two ends that are not known", { q: "between:humans" }],
  ["a type that does not exist", { q: "type:foo" }],
  ["a time that is none, among the words", { q: "after:soon" }],
  ["a time that is none, as a parameter", { q: "x", after: "soon" }],
  ["a cursor that the hub did not give", { q: "x", cursor: "!!" }],
  ["too large a page", { q: "x", limit: "201" }],
  ["too long a text", { q: "x".repeat(1001) }],
])("%s is answered 400", async (_, params) => {
  const { http, operator: token } = shared;
  const { status, json } = await http.call("GET", query("/api/search", params), { token });
  expect([status, json["code"]]).toEqual([400, "INVALID_INPUT"]);
});

test("no text is an error", async () => {
  const { http, operator: token } = shared;
  for (const q of ['"', "NEAR(", "a AND OR", "*", "text : (", "\0", "%", "'; DROP TABLE search", "😀", ""]) {
    expect((await http.call("GET", query("/api/search", { q }), { token })).status).toBe(200);
  }
});

test("a thread is shown from any of its messages, to those who are in it", async () => {
  const { alice, bob, carol } = await openWithAgents();
  await alice.send(bob.name, "question", { id: "root" });
  await bob.send(alice.name, "answer", { id: "second", reply_to: "root" });
  await alice.send(bob.name, "thanks", { reply_to: "second" });
  for (const id of ["root", "second"]) {
    expect(contents(await bob.call("GET", `/api/messages/${id}/thread`))).toEqual([
      "question",
      "answer",
      "thanks",
    ]);
  }
  expect((await carol.call("GET", "/api/messages/root/thread")).status).toBe(404);
});

test("the list has every message for the person, in order, and its own for an agent", async () => {
  const { alice, bob, carol, operator, before } = await openWithAgents();
  await alice.send(bob.name, "one");
  await bob.send(carol.name, "two");
  await carol.send(alice.name, "three");
  expect(contents(await operator("GET", `/api/messages?after=${before}`))).toEqual(["one", "two", "three"]);
  expect(contents(await alice.call("GET", `/api/messages?after=${before}`))).toEqual(["one", "three"]);
  const first = await operator("GET", `/api/messages?limit=2&after=${before}`);
  expect(contents(first)).toEqual(["one", "two"]);
  const second = await operator("GET", `/api/messages?limit=2&after=${String(first.json["next"])}`);
  expect(contents(second)).toEqual(["three"]);
  expect(second.json["next"]).toBeNull();
});

test("backup and prune are the operator's", async () => {
  const { hub, alice, operator } = await openWithAgents();
  const file = join(hub.home, "copy.db");
  for (const [path, body] of [
    ["/api/backup", { file }],
    ["/api/prune", { before: "2026-01-01T00:00:00Z" }],
  ] as const) {
    expect((await alice.call("POST", path, { body })).status).toBe(403);
  }
  expect((await operator("POST", "/api/backup", { file: "relative.db" })).status).toBe(400);
  expect((await operator("POST", "/api/prune", { before: "soon" })).status).toBe(400);
  expect(existsSync(file)).toBe(false);
});

test("a hub that is restored from its backup has everything", async () => {
  const { hub, alice, bob } = await openWithAgents(await yard.start());
  await alice.send(bob.name, "kept");
  const file = join(hub.home, "copy.db");
  const run = await runCli(hub, ["backup", file]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(run.stdout).toMatch(/copy\.db is written and sound \(\d+ events up to \d+/);
  expect((await runCli(hub, ["backup", file])).code).toBe(1);
  await alice.send(bob.name, "too late");
  await hub.stop();

  for (const name of ["huddle.db", "huddle.db-wal", "huddle.db-shm"])
    rmSync(join(hub.home, name), { force: true });
  copyFileSync(file, join(hub.home, "huddle.db"));
  const again = await yard.start({ home: hub.home });

  const bobAgain = memberAt(again.http, bob);
  expect((await bobAgain.inbox()).map(({ content }) => content)).toEqual(["kept"]);
  const found = await again.http.call("GET", query("/api/search", { q: "kept" }), { token: again.operator });
  expect(contents(found)).toEqual(["kept"]);
  const late = await again.http.call("GET", query("/api/search", { q: "late" }), { token: again.operator });
  expect(contents(late)).toEqual([]);
});

test("a pruned hub tells a reader that asks for more where its events begin", async () => {
  const { hub, alice, bob, operator } = await openWithAgents(await yard.start());
  const sent = await alice.send(bob.name, "old news");
  await bob.ack([String(sent.json["message_id"])]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const moment = new Date().toISOString();
  await alice.send(bob.name, "fresh");
  const before = await operator("GET", "/api/messages");
  expect(contents(before)).toEqual(["old news", "fresh"]);

  const pruned = await operator("POST", "/api/prune", { before: moment });
  expect(pruned).toMatchObject({ status: 200, json: { kept_by: null } });

  expect(contents(await operator("GET", "/api/messages"))).toEqual(["fresh"]);
  expect(contents(await operator("GET", query("/api/search", { q: "news" })))).toEqual([]);
  expect((await bob.inbox()).map(({ content }) => content)).toEqual(["fresh"]);
  const stream = await openServerSentEvents(hub.url, { token: hub.operator, query: "?after=0" });
  const frame = await stream.until(({ type }) => type === "ready");
  stream.close();
  expect(frame).toMatchObject({ type: "ready", first: pruned.json["first"] });
});

test("what agents say to each other and claim of work is kept in logs/agent-comms.log", async () => {
  const { hub, alice, bob } = await openWithAgents();
  await alice.send(bob.name, "for the record \u001b[2J");
  for (const action of ["claim", "release"])
    await alice.call("POST", "/api/claims", { body: { task: "Telegram chunking", action } });
  const log = await logWith(hub, "released");
  expect(log).toContain("for the record \\u001b[2J");
  const lines = log.split("\n").filter((line) => line.includes(`"from":"${alice.name}"`));
  const about = { to: "all", type: "coordination", task: "Telegram chunking" };
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    {
      direction: "local",
      to: bob.name,
      type: "message",
      content: "for the record \u001b[2J",
      state: "accepted",
    },
    { ...about, direction: "local", action: "claim", content: 'claimed "Telegram chunking"' },
    { ...about, direction: "local", action: "release", content: 'released "Telegram chunking"' },
  ]);
});

test("no reader ever sees the head that a sender put before its own words", async () => {
  const { hub, alice, bob, operator, before } = await openWithAgents();
  const sent = await alice.send(bob.name, `[From agent "${alice.name}"]:\nthe needle`);
  const events = await openServerSentEvents(hub.url, { token: hub.operator, query: `?after=${before}` });
  await events.until(({ type }) => type === "MessageAccepted");
  const log = await logWith(hub, 'the needle"');

  const seen = [
    JSON.stringify(await bob.inbox()),
    (await alice.receipt(String(sent.json["message_id"]))).text,
    (await operator("GET", query("/api/search", { q: `needle from:${alice.name}` }))).text,
    (await operator("GET", `/api/messages?after=${before}`)).text,
    (await operator("GET", `/api/sessions/${bob.id}/state`)).text,
    JSON.stringify(events.events()),
    log,
  ];
  events.close();
  for (const text of seen) {
    expect(text).toContain("the needle");
    expect(text).not.toContain("From agent");
  }
  const empty = await alice.send(bob.name, `[From agent "${alice.name}"]:\n`);
  expect([empty.status, empty.json]).toMatchObject([400, { code: "INVALID_INPUT", delivered: false }]);
});

test("huddle log, export and prune work on a real hub", async () => {
  const { hub, alice, bob, own } = await openWithAgents();
  const ofMine = (line: string) => line.includes(`-${own}"`);
  await alice.send(bob.name, "Is --auth ready?");
  await bob.send(alice.name, "# done\n![x](http://evil/beacon.png) <b>yes</b>");
  expect((await runCli(hub, ["log", "auth", `from:${alice.name}`])).stdout).toMatch(
    new RegExp(`${alice.name} {2}${bob.name} .*Is --auth ready\\?`),
  );
  const lines = (await runCli(hub, ["export"])).stdout.trim().split("\n").filter(ofMine);
  expect(lines.map((line) => (JSON.parse(line) as { from: string }).from)).toEqual([alice.name, bob.name]);
  const { stdout: markdown } = await runCli(hub, ["export", "--format", "md", "--since", "10m"]);
  expect(markdown).toContain(`## ${bob.name} → ${alice.name}`);
  expect(markdown).toContain("> # done\n> \\![x](http://evil/beacon.png) &lt;b>yes&lt;/b>");
  expect((await runCli(hub, ["prune", "--before", "90d", "--yes"])).stdout).toBe(
    "✓ There is nothing older to delete\n",
  );
});

type Past = { content: string; recipients: number; deliveries: { to: string; state: string }[] };
const past = (answer: Answer) => answer.json["messages"] as Past[];

test("an agent's history has what it sent and got, with receipts, in pages from either end", async () => {
  const { alice, bob, carol, operator } = await openWithAgents(await yard.start());
  for (const word of ["one", "two", "three"]) await alice.send(bob.name, word);
  await bob.send(alice.name, "four");
  await carol.send(bob.name, "not for alice");
  await alice.call("POST", "/api/agents/broadcast", { body: { message: "five, for all" } });
  await alice.send("user", "six, for you");
  const path = `/api/agents/${alice.name}/messages`;

  const whole = await operator("GET", path);
  expect(contents(whole)).toEqual(["six, for you", "five, for all", "four", "three", "two", "one"]);
  expect(whole.json["next"]).toBeNull();
  expect(past(whole)[1]).toMatchObject({ recipients: 2, deliveries: [{ to: bob.name }, { to: carol.name }] });
  expect(past(whole)[2]?.deliveries).toMatchObject([{ to: alice.name, state: "accepted" }]);

  const newest = await operator("GET", query(path, { limit: "4" }));
  expect(contents(newest)).toEqual(contents(whole).slice(0, 4));
  const rest = await operator("GET", query(path, { before: String(newest.json["next"]), limit: "4" }));
  expect(contents(rest)).toEqual(["two", "one"]);
  const forward = await operator("GET", query(path, { after: "0", limit: "2" }));
  expect(contents(forward)).toEqual(["one", "two"]);
  const on = await operator("GET", query(path, { after: String(forward.json["next"]), limit: "2" }));
  expect(contents(on)).toEqual(["three", "four"]);

  expect(contents(await operator("GET", `/api/agents/${carol.name}/messages`))).toEqual([
    "five, for all",
    "not for alice",
  ]);
  expect(contents(await operator("GET", "/api/agents/user/messages"))).toEqual(["six, for you"]);
});

test("an agent reads its own history and nobody else's; two places at once are refused", async () => {
  const { alice, bob, operator } = await openWithAgents();
  await alice.send(bob.name, "between us");

  expect(contents(await bob.call("GET", `/api/agents/${bob.name}/messages`))).toEqual(["between us"]);
  expect(await bob.call("GET", `/api/agents/${alice.name}/messages`)).toMatchObject({
    status: 403,
    json: { code: "FORBIDDEN" },
  });
  expect(await operator("GET", "/api/agents/nobody/messages")).toMatchObject({ status: 404 });
  expect(await operator("GET", `/api/agents/${bob.name}/messages?before=2&after=1`)).toMatchObject({
    status: 400,
    json: { code: "INVALID_INPUT", error: "before: give before or after, not both" },
  });
});
