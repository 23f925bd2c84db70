import { describe, expect, onTestFinished, test } from "vitest";
import { promptOf } from "../../../test/contract/runtime.js";
import { createRecordingHost, until } from "../../../test/fakes/runtime-host.js";
import { scriptedLaunch } from "../../../test/fakes/scripted-launch.js";
import {
  answeredIn,
  choiceProgram,
  type Guise,
  patientTimes,
  scriptedPaneLaunch,
  testSocket,
  tmux,
} from "../../../test/fakes/scripted-pane.js";
import type { Launch, PermissionAnswer, PermissionRequest } from "../runtime.js";
import { createTmuxRuntime } from "./tmux-runtime.js";

/* Dialogs of the scripted CLI in a real pane: what becomes of them between the screen and whoever is asked. */

const timeout = 300_000;

type Asked = { request: PermissionRequest; answer(grants: string): void };

const start = (guise: Guise = "claude", ...flags: string[]) =>
  startLaunch(scriptedPaneLaunch(guise, {}, ...flags));

async function startLaunch(launch: Launch) {
  const socket = testSocket();
  const asked: Asked[] = [];
  const host = {
    ...createRecordingHost(),
    permission: (request: PermissionRequest) =>
      new Promise<PermissionAnswer>((resolve) => {
        request.signal.addEventListener("abort", () => resolve("cancelled"), { once: true });
        const answer = (grants: string) => {
          const option = request.options.find((one) => one.grants === grants)?.id;
          resolve(option === undefined ? "cancelled" : { option });
        };
        asked.push({ request, answer });
      }),
  };
  const agent = await createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 }).start(
    launch,
    host,
  );
  onTestFinished(() => agent.stop({ graceMs: 0 }));
  return {
    agent,
    asked,
    ask: (script: string) => agent.prompt(promptOf(script), host.listener),
    keys: (...keys: string[]) => void tmux(socket, "send-keys", "-t", "%0", ...keys),
    screen: () => tmux(socket, "capture-pane", "-p", "-t", "%0"),
    copyMode: () => void tmux(socket, "copy-mode", "-t", "%0"),
    pressed: () => answeredIn(launch.cwd),
  };
}

describe.each(["claude", "codex"] as const)("%s", (guise) => {
  test("an approved dialog gets its key, once, and the turn goes on", { timeout }, async () => {
    const { ask, asked, pressed } = await start(guise);
    const turn = ask("!permission !say done");
    await until(() => asked.length === 1);
    expect(asked[0]?.request).toMatchObject({
      title: expect.stringContaining("rm -rf build") as unknown,
      act: "execute",
      details: { words: expect.stringContaining("rm -rf build") as unknown },
    });
    expect(pressed()).toEqual([]);
    asked[0]?.answer("once");
    expect(await turn).toMatchObject({ stop: "end_turn", text: expect.stringContaining("done") as unknown });
    expect(pressed()).toEqual(["1"]);
    expect(asked).toHaveLength(1);
  });

  test("a denied one gets the key of its No", { timeout }, async () => {
    const { ask, asked, pressed } = await start(guise);
    const turn = ask("!permission !say done");
    await until(() => asked.length === 1);
    asked[0]?.answer("deny");
    expect(await turn).toMatchObject({ stop: "cancelled" });
    expect(pressed()).toEqual([guise === "claude" ? "3" : "2"]);
  });
});

test("the person answers first: the question is withdrawn, and nothing is pressed", { timeout }, async () => {
  const { ask, asked, keys, pressed } = await start();
  const turn = ask("!permission !say done");
  await until(() => asked.length === 1);
  keys("2");
  await until(() => asked[0]?.request.signal.aborted === true);
  expect(asked[0]?.request.signal.reason).toBe("answered_in_pane");
  asked[0]?.answer("once");
  expect((await turn).stop).toBe("end_turn");
  expect(pressed()).toEqual(["2"]);
});

test("a dialog that was replaced by another is not answered with the first one's answer", {
  timeout,
}, async () => {
  const { agent, ask, asked, keys, screen, pressed } = await start();
  const turn = ask("!permission !say done");
  turn.catch(() => {}); // It waits for a person who never comes.
  await until(() => asked.length === 1);
  keys("F6");
  // In one go, so that no look of the desk falls between the two.
  while (!screen().includes("git push"));
  asked[0]?.answer("once");
  await until(() => asked.length === 2);
  expect(pressed()).toEqual([]);
  expect(asked[1]?.request.title).toContain("git push");
  expect(asked[1]?.request.signal.aborted).toBe(false);
  await agent.stop({ graceMs: 0 });
});

test("two of the same words are two questions", { timeout }, async () => {
  const { ask, asked, pressed } = await start();
  const turn = ask("!permission !permission !say done");
  await until(() => asked.length === 1);
  asked[0]?.answer("once");
  await until(() => pressed().length === 1);
  await until(() => asked.length === 2);
  asked[1]?.answer("once");
  expect((await turn).stop).toBe("end_turn");
  expect(pressed()).toEqual(["1", "1"]);
});

test("a dialog between turns is noticed, and copy mode swallows no key", { timeout }, async () => {
  const { asked, keys, screen, copyMode, pressed } = await start();
  keys("F6");
  await until(() => asked.length === 1);
  copyMode();
  asked[0]?.answer("once");
  await until(() => pressed().length === 1);
  await until(() => !screen().includes("git push"));
  expect(asked).toHaveLength(1);
});

test("one that no rule knows is asked about without options, and gets no key", { timeout }, async () => {
  const { asked, keys, screen, pressed } = await start();
  keys("F5");
  await until(() => asked.length === 1);
  expect(asked[0]?.request).toMatchObject({ act: "dialog", title: "Is this a good time?", options: [] });
  asked[0]?.answer("once");
  expect(screen()).toContain("Is this a good time?");
  keys("1");
  await until(() => !screen().includes("Is this a good time?"));
  expect(pressed()).toEqual(["1"]);
});

test("one that an interrupt does not close is asked about again, and nothing of it can be allowed any more", {
  timeout,
}, async () => {
  const { agent, ask, asked, keys, pressed } = await start("claude", "--keeps-dialog");
  const turn = ask("!permission !say done");
  await until(() => asked.length === 1);
  asked[0]?.answer("nothing");
  await agent.interrupt();
  await until(() => asked.length === 2);
  expect(asked[1]?.request).toMatchObject({
    act: "dialog",
    details: { words: expect.stringContaining("rm -rf build") as unknown },
    options: [],
    stands: true,
  });
  expect(pressed()).toEqual([]);
  keys("3");
  expect(await turn).toMatchObject({ stop: "cancelled" });
  expect(asked[1]?.request.signal.reason).toBe("answered_in_pane");
});

test("one about a tool of Huddle's, as droid draws it, is allowed this once, and nobody is asked", {
  timeout,
}, async () => {
  const { asked, keys, pressed } = await startLaunch(
    scriptedLaunch({ vendor: "droid", command: choiceProgram, runtime: "tmux" }),
  );
  keys("F7");
  await until(() => pressed().length === 1);
  expect(pressed()).toEqual(["Yes, allow"]);
  // Another tool's is still the person's.
  keys("F6");
  await until(() => asked.length === 1);
  expect(asked[0]?.request.title).toBe("touch made.txt");
  expect(pressed()).toHaveLength(1);
});
