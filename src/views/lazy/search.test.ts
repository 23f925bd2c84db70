import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { checkAsyncProperty } from "../../../test/fakes/check-property.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../../model/agent.js";
import { parseSearch } from "../../model/search-query.js";
import { type FindMessages, openSearch, type Search } from "./search.js";

const fileOf = (hub: TestHub) => join(dirname(hub.file), "search.db");

function open(hub: TestHub) {
  const problems: unknown[] = [];
  const search: Search = openSearch({
    file: fileOf(hub),
    events: hub.events,
    onCommitted: hub.onCommitted,
    onProblem: (problem) => problems.push(problem),
  });
  onTestFinished(search.close);
  const find = async (text: string, more: Partial<FindMessages> = {}) => {
    await search.caughtUp();
    const query = parseSearch(text, Date.now());
    const seqs = await search.find({
      ...query,
      reader: undefined,
      after: 0,
      before: 1e12,
      limit: 100,
      ...more,
    });
    return seqs.map((seq) => hub.views.messages.bySeq(seq)?.data.message.content);
  };
  return { ...search, find, problems };
}

async function openWithMail() {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.send(alice, bob, "Is the auth module ready?");
  await hub.send(bob, alice, "The AUTH module is done, see --auth-file=/tmp/x.y", { type: "response" });
  await hub.send(alice, bob, "Grüße aus Köln", { context: "a note about umlauts" });
  return { hub, alice, bob };
}

test("mail is told apart by its source, and by whether both ends are agents", async () => {
  const { hub, alice, bob } = await openWithMail();
  await hub.send(HUMAN_ID, bob, "from the person");
  await hub.send(HUMAN_ID, bob, "from an applet", { source: "applet", applet: "board" });
  await hub.sendTo(alice, "user", "to the person");
  await hub.execute("broadcast", { from: bob, content: "to all" });
  await hub.ask(alice, "help");
  hub.clock.advance(31_000);
  await hub.ring(); // The hub tells alice that nobody claimed it.
  const { find } = open(hub);

  expect(await find("source:user")).toEqual(["from the person"]);
  expect(await find("source:applet")).toEqual(["from an applet"]);
  expect(await find("source:user source:applet person")).toEqual(["from the person"]);
  expect(await find("source:agent person")).toEqual(["to the person"]);
  expect(await find("from:hub")).toHaveLength(1);
  expect(await find("between:agents")).toEqual([
    "help",
    "to all",
    "Grüße aus Köln",
    "The AUTH module is done, see --auth-file=/tmp/x.y",
    "Is the auth module ready?",
  ]);
  expect(await find("between:agents from:bob all")).toEqual(["to all"]);
});

test("words are found in any order and case, phrases only as they are, newest first", async () => {
  const { hub } = await openWithMail();
  const { find } = open(hub);
  expect(await find("auth")).toEqual([
    "The AUTH module is done, see --auth-file=/tmp/x.y",
    "Is the auth module ready?",
  ]);
  expect(await find("ready auth")).toEqual(["Is the auth module ready?"]);
  expect(await find('"auth module is"')).toEqual(["The AUTH module is done, see --auth-file=/tmp/x.y"]);
  expect(await find('"module auth"')).toEqual([]);
  expect(await find("--auth-file=/tmp/x.y")).toEqual(["The AUTH module is done, see --auth-file=/tmp/x.y"]);
  expect(await find("koln GRUSSE")).toEqual([]);
  expect(await find("koln")).toEqual(["Grüße aus Köln"]);
  expect(await find("umlauts")).toEqual(["Grüße aus Köln"]);
  expect(await find("")).toHaveLength(3);
  expect(await find("→ ??")).toEqual([]);
});

test("filters by sender, recipient and type, by the name that it was sent under or the id", async () => {
  const { hub, alice } = await openWithMail();
  const { find } = open(hub);
  await hub.rename(alice, "anna");
  await hub.sendTo(alice, "bob", "as anna");
  expect(await find("from:bob")).toHaveLength(1);
  expect(await find("from:alice")).toHaveLength(2);
  expect(await find("from:anna")).toEqual(["as anna"]);
  expect(await find(`from:${alice}`)).toHaveLength(3);
  expect(await find("to:alice auth")).toHaveLength(1);
  expect(await find("type:response")).toHaveLength(1);
  expect(await find("from:alice from:bob")).toHaveLength(3);
  expect(await find("alice")).toEqual([]);
});

test("a reader finds its own mail and broadcasts, nothing else", async () => {
  const { hub, alice, bob } = await openWithMail();
  const carol = await hub.register("carol");
  await hub.execute("broadcast", { from: alice, content: "to all: auth", team: "main" });
  // Called so by its sender, as it could be once, but to one agent.
  await hub.send(bob, carol, "auth for carol", { type: "broadcast" as never });
  const dave = await hub.register("dave");
  const { find } = open(hub);
  expect(await find("auth", { reader: carol })).toEqual(["auth for carol", "to all: auth"]);
  expect(await find("auth", { reader: dave })).toEqual(["to all: auth"]);
  expect(await find("", { reader: bob })).toHaveLength(5);
});

test("pages go on before and after a sequence number", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const seqs = [];
  for (let i = 0; i < 5; i++) seqs.push((await hub.send(alice, bob, `word ${i}`)).seq);
  const { find } = open(hub);
  expect(await find("word", { limit: 2 })).toEqual(["word 4", "word 3"]);
  expect(await find("word", { before: seqs[3] ?? 0, limit: 2 })).toEqual(["word 2", "word 1"]);
  expect(await find("word", { after: seqs[2] ?? 0 })).toEqual(["word 4", "word 3"]);
});

test("of the messages that are named those are chosen that match, and no others", async () => {
  const { hub, alice, bob } = await openWithMail();
  const { seq } = await hub.send(alice, bob, "the auth module again");
  await hub.send(alice, bob, "and again the auth module");
  const search = open(hub);
  await search.caughtUp();
  const wanted = { ...parseSearch("auth", Date.now()), reader: undefined };

  expect(await search.choose(wanted, [seq, seq - 1])).toEqual([seq]);
});

test("no text of a person is ever an error of the index", async () => {
  const { hub } = await openWithMail();
  const { find, problems } = open(hub);
  const nasty = [
    '"',
    '""',
    "*",
    "NEAR(",
    "a AND",
    "OR NOT",
    "text:",
    "{a b}:c",
    "-x",
    "^a",
    "(",
    "a\0b",
    "'",
    "\ud800",
    "marks:f",
  ];
  for (const text of nasty) expect(Array.isArray(await find(text))).toBe(true);
  const words = fc.array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: "binary", maxLength: 12 })));
  await checkAsyncProperty(
    fc.asyncProperty(words, async (parts) => {
      expect(
        Array.isArray(await find("", { terms: parts, from: parts.slice(0, 2), to: parts.slice(2, 3) })),
      ).toBe(true);
    }),
    { runs: 300 },
  );
  expect(problems).toEqual([]);
});

test("it goes on from its cursor after a restart, and is rebuilt when lost, damaged or of another journal", async () => {
  const { hub, alice, bob } = await openWithMail();
  const first = open(hub);
  expect(await first.find("auth")).toHaveLength(2);
  await first.close();
  await hub.send(alice, bob, "auth once more");

  const second = open(hub);
  expect(await second.find("auth")).toHaveLength(3);
  await second.close();

  rmSync(fileOf(hub));
  const third = open(hub);
  expect(await third.find("auth")).toHaveLength(3);
  await third.close();

  writeFileSync(fileOf(hub), readFileSync(fileOf(hub)).fill(0xa5, 0, 8192));
  const fourth = open(hub);
  expect(await fourth.find("auth")).toHaveLength(3);
  await fourth.close();

  const other = openTestHub();
  await other.register("zoe");
  writeFileSync(fileOf(other), readFileSync(fileOf(hub)));
  expect(await open(other).find("auth")).toEqual([]);
});

test("what is pruned from the journal is removed from the index", async () => {
  const { hub } = await openWithMail();
  const search = open(hub);
  expect(await search.find("auth")).toHaveLength(2);
  search.prune(hub.events.lastSeq());
  await patiently(async () => expect(await search.find("auth")).toEqual([]));
  expect(await search.find("")).toEqual([]);
});

test("senders are not made to wait for it", async () => {
  const hub = openTestHub({ limits: { inboxCap: 100_000 } });
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const search = open(hub);
  for (let i = 0; i < 20; i++) {
    await Promise.all(Array.from({ length: 100 }, (_, n) => hub.send(alice, bob, `message ${i * 100 + n}`)));
  }
  const answered = hub.events.lastSeq();
  expect(await search.find("message", { limit: 5000 })).toHaveLength(2000);
  expect(hub.events.lastSeq()).toBe(answered);
});
