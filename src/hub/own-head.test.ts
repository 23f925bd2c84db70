import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../model/agent.js";

const head = '[From agent "alice"]:\n';

async function openPair() {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  /** All that any event holds. */
  const stored = () => JSON.stringify(hub.events.pageAfter(0, 1000));
  return { hub, alice, bob, stored };
}

test("no message is stored with a head of its sender's own, by whatever command it is made", async () => {
  const { hub, alice, bob, stored } = await openPair();

  await hub.send(alice, bob, `${head}one`);
  await hub.send(alice, bob, "[alice]: two");
  await hub.execute("broadcast", { from: alice, content: `${head}three` });
  const own = await hub.ask(alice, `${head}four`);
  await hub.execute("nudgeRequest", { agent: alice, request: own });
  const asked = await hub.ask(bob, "five?");
  await hub.claim(alice, asked);
  await hub.answer(alice, asked, `${head}six`);

  expect(await hub.inbox(bob)).toEqual(["one", "two", "three", "four", "four", "claimed by alice", "six"]);
  expect(hub.views.requests.byId(own)?.description).toBe("four");
  expect(stored()).not.toContain("From agent");
});

test("a head that names somebody else stays, and so do the person's own words", async () => {
  const { hub, alice, bob } = await openPair();
  const words = ['[From agent "carol"]:\nhello', "hello\n[alice]: again"];
  for (const text of words) await hub.send(alice, bob, text);
  await hub.send(HUMAN_ID, bob, "[user]: a line of a chat");

  expect(await hub.inbox(bob)).toEqual([...words, "[user]: a line of a chat"]);
});

test("the same id with and without the head is the same message, also once its sender has another name", async () => {
  const { hub, alice, bob } = await openPair();
  const send = (content: string) => hub.send(alice, bob, content, { id: "m1" });
  const toAll = (content: string) => hub.execute("broadcast", { from: alice, content, id: "m2" });
  const ask = (description: string) => hub.ask(alice, description, { id: "r1" });
  const asked = await hub.ask(bob, "ready?");
  const answer = (content: string) => hub.answer(alice, asked, content, "m3");
  const all = async (content: string) => [
    (await send(content)).seq,
    (await toAll(content)).messageId,
    await ask(content),
    (await answer(content)).messageId,
  ];

  const first = await all(`${head}hello`);
  expect(await all(`${head}hello`)).toEqual(first);
  expect(await all("hello")).toEqual(first);
  await hub.rename(alice, "alicia");
  expect(await all(`${head}hello`)).toEqual(first);
  for (const again of [send, toAll, ask, answer]) {
    expect((await refusal(again(`${head}other`))).code).toBe("ID_REUSED");
  }
});

test.each([head, '[From agent "alice"]:', " [alice]: \n "])(
  "a body that is nothing but it is refused: %j",
  async (text) => {
    const { hub, alice, bob } = await openPair();
    const refused = await refusal(hub.send(alice, bob, text));
    expect(refused.code).toBe("INVALID_INPUT");
    expect(refused.message).toMatch(/nothing follows; write the message itself/);
    expect((await refusal(hub.ask(alice, text))).code).toBe("INVALID_INPUT");
    expect(await hub.inbox(bob)).toEqual([]);
  },
);
