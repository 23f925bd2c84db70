import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ConnectOptions, connect, HubError, type LinkState } from "../../src/library/index.js";
import { freePort } from "../fakes/free-port.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { refusal } from "../fakes/refusal.js";

/* The library as programs use it, against a real hub. */

const yard = createHubYard();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start();
});
afterAll(() => yard.clear());

async function open(options: ConnectOptions = {}, at = hub) {
  const agent = await connect({ url: at.url, token: at.operator, ...options });
  onTestFinished(() => agent.close());
  return agent;
}

async function next<T>(items: AsyncGenerator<T, void, undefined>): Promise<T> {
  const one = await items.next();
  if (one.done === true) throw new Error("there was no next one");
  return one.value;
}

describe("connecting", () => {
  test("with a name registers an agent, and a taken name gets a number", async () => {
    const [first, second] = [await open({ name: "twin" }), await open({ name: "twin" })];

    expect([first.name, second.name]).toEqual(["twin", "twin-2"]);
    expect(await first.agent("twin-2")).toMatchObject({ id: second.id });
  });

  test("with an agent's token is that agent, and with the operator's the person", async () => {
    const { id, name, token } = await registerAgent(hub.http, hub.join, { name: "known" });

    expect(await open({ token })).toMatchObject({ id, name });
    expect(await open()).toMatchObject({ id: "human", name: "user" });
  });

  test("with an identity file is the same agent each time, with its inbox", async () => {
    const identity = join(yard.home(), "ids", "keeper.json");
    const first = await open({ name: "keeper", identity });
    expect(statSync(identity).mode & 0o077).toBe(0);
    await first.close();
    const writer = await open({ name: "writer" });
    await writer.send("keeper", "while you were away");

    const again = await open({ name: "keeper", identity });

    expect(again.id).toBe(first.id);
    expect(await next(again.inbox())).toMatchObject({ content: "while you were away" });
  });

  test("with the identity of an agent that has left says which file to remove", async () => {
    const identity = join(yard.home(), "gone.json");
    const agent = await open({ name: "leaver", identity });
    await agent.deregister();

    expect(await refusal(open({ identity }))).toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringContaining(`Remove the file to register`) as unknown,
      details: { file: identity },
    });
  });

  test("to a hub that takes no more sockets leaves no agent and no identity file behind", async () => {
    const small = await yard.start({ set: ["events.readers=1"] });
    const first = await open({ name: "first" }, small);
    const identity = join(yard.home(), "late.json");

    for (const options of [{ name: "late" }, { name: "late", identity }, { name: "late", token: small.join }])
      expect(await refusal(open(options, small))).toMatchObject({ code: "TOO_MANY_READERS" });

    expect((await first.agents()).agents.map(({ name }) => name)).toEqual(["first"]);
    expect(existsSync(identity)).toBe(false);
  });

  test.each([
    ["that others can read", (file: string) => writeFileSync(file, "{}", { mode: 0o644 })],
    ["that is none", (file: string) => writeFileSync(file, "hello", { mode: 0o600 })],
  ])("with an identity file %s is refused, and the file is left as it is", async (_, write) => {
    const identity = join(yard.home(), "odd.json");
    write(identity);
    const before = readFileSync(identity, "utf8");

    expect(await refusal(open({ name: "x", identity }))).toMatchObject({ code: "FILE_UNUSABLE" });
    expect(readFileSync(identity, "utf8")).toBe(before);
  });

  test.each<[string, ConnectOptions, string]>([
    ["no hub", { url: "http://127.0.0.1:1", token: "x" }, "HUB_UNREACHABLE"],
    ["an address that is none", { url: "127.0.0.1", token: "x" }, "INVALID_INPUT"],
    ["a wrong token", { token: "hud_agent_nobody" }, "UNAUTHENTICATED"],
    ["a name that is none", { name: "Not a name" }, "NAME_INVALID"],
  ])("with %s rejects with its code", async (_, options, code) => {
    const error = await refusal(open(options));

    expect(error).toBeInstanceOf(HubError);
    expect(error.code).toBe(code);
  });
});

describe("mail", () => {
  test("is acknowledged when the next is asked for, and the one that a loop was left at comes again", async () => {
    const [ann, bob] = [await open({ name: "ann" }), await open({ name: "bob" })];
    for (const message of ["one", "two"]) await ann.send(bob.name, message);

    for await (const mail of bob.inbox()) if (mail.content === "two") break;

    const [again] = [await next(bob.inbox())];
    expect(again).toMatchObject({ content: "two", repeated: true });
  });

  test("is acknowledged on disk once ack resolves, also of the message that a loop was left at", async () => {
    const [ann, bob] = [await open({ name: "ann" }), await open({ name: "bob" })];
    const { message_id } = await ann.send(bob.name, "once");

    for await (const mail of bob.inbox()) {
      await mail.ack();
      await mail.ack(); // Twice is as good as once.
      break;
    }

    expect(await ann.status(message_id)).toMatchObject({ deliveries: [{ state: "seen", evidence: "ack" }] });
  });

  test("is answered by reply, which needs no acknowledgement", async () => {
    const [ann, bob] = [await open({ name: "ann" }), await open({ name: "bob" })];
    const { message_id } = await ann.send(bob.name, "how much?");

    await (await next(bob.inbox())).reply("three");

    expect(await next(ann.inbox())).toMatchObject({ content: "three", reply_to: message_id });
    expect(await ann.status(message_id)).toMatchObject({ deliveries: [{ state: "answered" }] });
  });

  test("goes to one of two loops, and ends with its signal", async () => {
    const [ann, bob] = [await open({ name: "ann" }), await open({ name: "bob" })];
    const stop = new AbortController();
    const got: string[] = [];
    const loop = async () => {
      for await (const mail of bob.inbox({ signal: stop.signal })) {
        got.push(mail.content);
        if (got.length === 10) stop.abort();
      }
    };
    const loops = [loop(), loop()];

    await Promise.all(Array.from({ length: 10 }, (_, i) => ann.send(bob.name, `${i}`)));
    await Promise.all(loops);

    expect(got.toSorted()).toEqual(Array.from({ length: 10 }, (_, i) => `${i}`));
  });
});

test("events begin with the call and come in order, each once", async () => {
  const [ann, bob] = [await open({ name: "ann" }), await open({ name: "bob" })];
  const events = bob.events();
  for (let i = 0; i < 5; i++) await ann.send(bob.name, `${i}`);

  const contents: unknown[] = [];
  for await (const { type, data } of events) {
    if (type === "MessageAccepted") contents.push((data["message"] as { content: string }).content);
    if (contents.length === 5) break;
  }

  expect(contents).toEqual(["0", "1", "2", "3", "4"]);
});

test("a refusal has the hub's code and details, and the id that was used", async () => {
  const ann = await open({ name: "ann" });

  expect(await refusal(ann.send("nobody-here", { message: "x", id: "own-id" }))).toMatchObject({
    code: "AGENT_NOT_FOUND",
    details: { delivered: false, message_id: "own-id" },
  });
  expect(await refusal(ann.send("user", "x".repeat(2_000_000)))).toMatchObject({ code: "BODY_TOO_LARGE" });
  expect((await ann.send("user", "still here")).delivered).toBe(true);
});

test("close ends loops, answers what was asked before it, and refuses what comes after", async () => {
  const ann = await open({ name: "ann" });
  const mail = ann.inbox().next();
  const types: string[] = [];
  const events = (async () => {
    for await (const { type } of ann.events()) types.push(type);
  })();
  const sent = ann.send("user", "last words");

  await ann.close();
  await events;

  expect(await mail).toMatchObject({ done: true });
  expect(await sent).toMatchObject({ delivered: true });
  expect(await refusal(ann.send("user", "too late"))).toMatchObject({ code: "HUB_UNREACHABLE" });
});

describe("a hub that is killed and comes back", () => {
  /** A hub may take long to start on a busy machine. */
  const timeoutMs = 300_000;
  const EACH = 400;

  test("gets what it did not answer again under the same ids, and nothing is lost, doubled or read twice", async () => {
    const home = yard.home();
    const port = await freePort();
    const start = () => yard.start({ home, port, set: ["inbox.cap=100000"] });
    let own = await start();
    const states: LinkState["kind"][] = [];
    const ann = await open({ name: "ann", timeoutMs, onState: ({ kind }) => states.push(kind) }, own);
    const bob = await open({ name: "bob", timeoutMs }, own);
    const got: string[] = [];
    const reading = (async () => {
      for await (const mail of bob.inbox()) {
        got.push(mail.content);
        if (got.length === 3 * EACH) {
          await mail.ack();
          break;
        }
      }
    })();

    const sends: Promise<unknown>[] = [];
    for (let kill = 0; kill < 3; kill++) {
      for (let i = 0; i < EACH; i++) sends.push(ann.send("bob", `${kill * EACH + i}`));
      await sends[kill * EACH + EACH / 5];
      await own.kill();
      own = await start();
    }
    const receipts = await Promise.all(sends);
    await reading;

    expect(receipts).toHaveLength(3 * EACH);
    expect(got).toEqual(Array.from({ length: 3 * EACH }, (_, i) => `${i}`));
    expect(states.filter((kind) => kind === "reconnecting").length).toBeGreaterThanOrEqual(3);
    const { json } = await own.http.call("GET", "/api/inbox", { token: own.operator });
    expect(json).toMatchObject({ messages: [] });
  });

  test("goes on with events where it was, without a gap or a repeat", async () => {
    const home = yard.home();
    const port = await freePort();
    let own = await yard.start({ home, port });
    const ann = await open({ name: "ann", timeoutMs }, own);
    const watcher = await open({ name: "watcher", timeoutMs }, own);
    const events = watcher.events();
    await ann.send("watcher", "before");
    await own.kill();
    own = await yard.start({ home, port });
    await ann.send("watcher", "after");

    const contents: string[] = [];
    for await (const { type, data } of events) {
      if (type === "MessageAccepted") contents.push((data["message"] as { content: string }).content);
      if (contents.length === 2) break;
    }
    expect(contents).toEqual(["before", "after"]);
  });

  test("that stays away makes calls end with the time that they have, and what became of them is said", async () => {
    const own = await yard.start();
    const { token } = await registerAgent(own.http, own.join, { name: "ann" });
    const ann = await open({ token, timeoutMs: 300 }, own);
    await own.kill();

    expect(await refusal(ann.send("user", { message: "anyone?", id: "m-1" }))).toMatchObject({
      code: "TIMED_OUT",
      details: { message_id: "m-1" },
    });
  });

  test("that removed the agent ends its loops with the reason", async () => {
    const bob = await open({ name: "removed" });
    const mail = bob.inbox().next();
    await bob.agents();

    await hub.http.call("DELETE", "/api/agents/removed", { token: hub.operator });

    expect(await refusal(mail)).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await refusal(bob.send("user", "x"))).toMatchObject({ code: "UNAUTHENTICATED" });
  });
});
