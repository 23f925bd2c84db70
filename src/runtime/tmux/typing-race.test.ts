import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { attachPerson } from "../../../test/fakes/attached-person.js";
import { beforeEnter } from "../../../test/fakes/before-enter.js";
import { PATIENCE_MS } from "../../../test/fakes/patience.js";
import { createRandom } from "../../../test/fakes/random.js";
import { openPane, type TestPane, testSocket } from "../../../test/fakes/scripted-pane.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { inject } from "./inject.js";
import { look } from "./pane.js";
import { boxText } from "./read-screen.js";

const timeout = 600_000;

async function boxOf({ pane }: TestPane): Promise<string> {
  const { reading } = await look(pane);
  return "box" in reading && reading.box !== undefined && reading.state !== "ready"
    ? boxText(reading.box)
    : "";
}

function personAt({ pane }: TestPane) {
  return attachPerson({ desk: testSocket(), socket: pane.tmux.socket ?? "", session: "agent-main-test" });
}

test.each(["claude", "codex"] as const)(
  "a person at a screen like %s's types at any moment: nothing of it is sent, and nothing is lost",
  { timeout },
  async (guise) => {
    const agent = await openPane(guise, "--slow-echo", "250");
    const person = await personAt(agent);
    const random = createRandom(20_261_117);
    const lines: string[] = [];
    for (let race = 0; race < 6; race += 1) {
      const tag = `MSG_TEST_${race.toString(16).padStart(8, "0")}`;
      const line = `${tag}: !say answer ${race}`;
      const word = `word${race} and`;
      let typed: Promise<void> | undefined;
      const type = (afterMs: number) => {
        typed ??= sleep(afterMs).then(() => person.type(word));
        return typed;
      };
      // Every second time between the look and Enter, when the screen does not show their word yet.
      const isBeforeEnter = race % 2 === 1;
      const pane = isBeforeEnter ? beforeEnter(agent.pane, () => type(random.int(100))) : agent.pane;
      if (!isBeforeEnter) void type(random.int(400));
      const injected = await inject(pane, { tag, line }).catch((error: unknown) => error);
      await type(0);
      const isSent = injected instanceof Error ? false : (injected as { kind: string }).kind === "confirmed";
      if (isSent) lines.push(line);
      await expect.poll(() => boxOf(agent), { timeout: PATIENCE_MS }).toBe(word.replaceAll(" ", ""));
      person.keys("C-u");
      await expect.poll(() => boxOf(agent), { timeout: PATIENCE_MS }).toBe("");
      expect(agent.sent()).toEqual(lines);
      // As people do, they look for a while before they type the next.
      await sleep(2000);
    }
  },
);

test("a line that the person sends with Enter is not put in again", { timeout }, async () => {
  const agent = await openPane("claude", "--swallow", "1");
  const person = await personAt(agent);
  await sleep(2000);
  const tag = "MSG_TEST_0000abcd";
  const line = `${tag}: !say hello`;
  const injected = inject(agent.pane, { tag, line });
  await expect.poll(() => boxOf(agent), { timeout: PATIENCE_MS }).toContain(tag);
  // Each Enter of theirs holds ours back; the first is swallowed.
  person.keys("Enter");
  person.keys("Enter");
  expect((await injected).kind).toBe("confirmed");
  expect(agent.sent()).toEqual([line]);
});

/** When somebody at a terminal last pressed a key, in whole seconds. */
const lastKey = ({ tmux }: TestPane) => tmux("display-message", "-p", "#{session_activity}").trim();

/** Before the nth Enter of ours the person types this, and tmux has noted it. */
function typedBeforeEnter(agent: TestPane, type: () => void, nth = 1) {
  return beforeEnter(
    agent.pane,
    async () => {
      const before = lastKey(agent);
      type();
      await expect.poll(() => lastKey(agent), { timeout: PATIENCE_MS }).not.toBe(before);
    },
    nth,
  );
}

describe("a line with a word such as @file", () => {
  const tag = "MSG_TEST_0000cafe";

  test.each(["ask bob@lab about it", "read @src"])(
    "what the person types behind %j before Enter stays in the box",
    { timeout },
    async (text) => {
      const agent = await openPane("claude");
      const person = await personAt(agent);
      await sleep(2000);
      const pane = typedBeforeEnter(agent, () => person.type(" my draft"));
      const injected = await inject(pane, { tag, line: `${tag}: ${text}` });
      expect(injected).toMatchObject({ kind: "unconfirmed", held: true });
      await expect.poll(() => boxOf(agent), { timeout: PATIENCE_MS }).toBe("mydraft");
      expect(agent.sent()).toEqual([]);
    },
  );

  test("a CLI that completes it at the first Enter gets a second", { timeout }, async () => {
    const agent = await openPane("claude", "--completes");
    await personAt(agent);
    await sleep(2000);
    expect((await inject(agent.pane, { tag, line: `${tag}: read @src` })).kind).toBe("confirmed");
    expect(agent.sent()).toEqual([`${tag}: read @src/main.ts `]);
  });

  test("after it was completed, what the person types behind it is not sent", { timeout }, async () => {
    const agent = await openPane("claude", "--completes");
    const person = await personAt(agent);
    await sleep(2000);
    const pane = typedBeforeEnter(agent, () => person.type("my draft"), 2);
    const injected = await inject(pane, { tag, line: `${tag}: read @src` });
    expect(injected).toMatchObject({ kind: "unconfirmed", held: true });
    // What the CLI added is left to the person.
    await expect.poll(() => boxOf(agent), { timeout: PATIENCE_MS }).toBe("/main.tsmydraft");
    expect(agent.sent()).toEqual([]);
  });
});

/** Longer than a key must be ago for us to press one. */
const STILL_MS = 5000;

test("a screen that hangs while the person types: their word is not sent with our line when it goes on", {
  timeout,
}, async () => {
  const still = join(tempFolder(), "still");
  const agent = await openPane("claude", "--freeze", still);
  const person = await personAt(agent);
  await sleep(2000);
  const tag = "MSG_TEST_0000beef";
  let goesOn: Promise<void> | undefined;
  const pane = beforeEnter(agent.pane, async () => {
    const before = lastKey(agent);
    writeFileSync(still, "");
    person.type("half a word");
    await expect.poll(() => lastKey(agent), { timeout: PATIENCE_MS }).not.toBe(before);
    goesOn = sleep(STILL_MS).then(() => rmSync(still));
  });

  const injected = await inject(pane, { tag, line: `${tag}: !say hello` });
  await goesOn;

  expect(injected).toMatchObject({ kind: "unconfirmed", held: true });
  await expect.poll(() => boxOf(agent), { timeout: PATIENCE_MS }).toBe("halfaword");
  expect(agent.sent()).toEqual([]);
});
