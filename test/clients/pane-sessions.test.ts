import { expect, test } from "vitest";
import { shownTexts } from "../fakes/scripted-model/conversation.js";
import { say } from "../fakes/scripted-model/step.js";
import { claude } from "./claude.js";
import { codex } from "./codex.js";
import { type House, openHouse } from "./house.js";

/* What becomes of the sessions of CLIs in panes when the hub ends, and they with it. */

const word = (name: string) => `the word of ${name}`;

async function conversationWith(house: House, text: string): Promise<string> {
  const turn = await house.model.requests.waitFor(text, ({ conversation }) =>
    shownTexts(conversation).some((shown) => shown.includes(text)),
  );
  return shownTexts(turn.conversation).join("\n");
}

test("two codex panes in one folder each go on with their own session", async () => {
  const house = await openHouse([codex]);
  house.model.on(/./, [say("noted")]);
  const peer = await house.member("peer");
  const names = ["ann", "ben"];
  for (const name of names) await house.spawn(codex, "tmux", { name });
  for (const name of names) {
    await peer.send(name, word(name));
    await conversationWith(house, word(name));
  }

  await house.restart("SIGTERM");

  const again = house.again(peer);
  for (const name of names) await again.send(name, `go on, ${name}`);
  const [ann, ben] = await Promise.all(names.map((name) => conversationWith(house, `go on, ${name}`)));
  expect(ann).toContain(word("ann"));
  expect(ann).not.toContain(word("ben"));
  expect(ben).toContain(word("ben"));
  expect(ben).not.toContain(word("ann"));
});

test.each([claude, codex])("$name that nobody had written to begins anew", async (client) => {
  const house = await openHouse([client]);
  house.model.on(/./, [say("noted")]);
  const peer = await house.member("peer");
  await house.spawn(client, "tmux", {});

  await house.restart("SIGTERM");

  await house.again(peer).send("worker", "are you there?");
  expect(await conversationWith(house, "are you there?")).toContain(": are you there?");
});
