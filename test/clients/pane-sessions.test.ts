import { expect, test } from "vitest";
import { shownTexts } from "../../src/selftest/scripted-model/conversation.js";
import { say } from "../../src/selftest/scripted-model/step.js";
import { claude } from "./claude.js";
import { codex } from "./codex.js";
import { openHouse } from "./house.js";
import { shared } from "./shared.js";

/* What becomes of the sessions of several CLIs in panes of one folder when the hub ends, and they with it. */

const written = ["ann", "ben"];
const unwritten = { claude: "cy", codex: "dee" };
const word = (name: string) => `the word of ${name}`;

/** Four panes in one folder, two of which were written to, after a restart of the hub. */
const restarted = shared(async (onClose) => {
  const house = await openHouse([claude, codex]);
  onClose(house.close);
  house.model.on(/./, [say("noted")]);
  const peer = await house.member("peer");
  const conversationWith = async (text: string) => {
    const turn = await house.model.requests.waitFor(text, ({ conversation }) =>
      shownTexts(conversation).some((shown) => shown.includes(text)),
    );
    return shownTexts(turn.conversation).join("\n");
  };
  // One after the other: two codex that begin in a new home at once damage each other's database.
  for (const name of [...written, unwritten.codex]) await house.spawn(codex, "tmux", { name });
  await house.spawn(claude, "tmux", { name: unwritten.claude });
  for (const name of written) {
    await peer.send(name, word(name));
    await conversationWith(word(name));
  }
  await house.restart("SIGTERM");
  return { peer, conversationWith };
});

test("two codex panes in one folder each go on with their own session", async () => {
  const { peer, conversationWith } = await restarted();
  for (const name of written) await peer.send(name, `go on, ${name}`);
  const [ann, ben] = await Promise.all(written.map((name) => conversationWith(`go on, ${name}`)));
  expect(ann).toContain(word("ann"));
  expect(ann).not.toContain(word("ben"));
  expect(ben).toContain(word("ben"));
  expect(ben).not.toContain(word("ann"));
});

test.each(Object.entries(unwritten))("%s that nobody had written to starts over", async (_, name) => {
  const { peer, conversationWith } = await restarted();
  await peer.send(name, `${name}, are you there?`);
  const shown = await conversationWith(`${name}, are you there?`);
  expect(shown).toContain(`: ${name}, are you there?`);
  for (const other of written) expect(shown).not.toContain(word(other));
});
