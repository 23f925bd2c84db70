import { expect, onTestFinished, test } from "vitest";
import { promptOf } from "../../../test/contract/runtime.js";
import { until } from "../../../test/fakes/runtime-host.js";
import { scriptedLaunch } from "../../../test/fakes/scripted-launch.js";
import {
  answeredIn,
  patientTimes,
  quotaProgram,
  testSocket,
  tmux,
} from "../../../test/fakes/scripted-pane.js";
import { createWaitingHost } from "../../../test/fakes/started-pane.js";
import { createTmuxRuntime } from "./tmux-runtime.js";

/* A CLI that asks on its screen what is to be done at its vendor's usage limit: to try on, or to stop. */

const timeout = 300_000;

async function start(...args: string[]) {
  const socket = testSocket();
  const host = createWaitingHost();
  const launch = scriptedLaunch({ vendor: "gemini", command: quotaProgram, args, runtime: "tmux" });
  const runtime = createTmuxRuntime({ socket, times: patientTimes, toolsWithinMs: 0 });
  const agent = await runtime.start(launch, host);
  onTestFinished(() => agent.stop({ graceMs: 0 }));
  return {
    host,
    ask: (text: string) => agent.prompt(promptOf(text), host.listener),
    keys: (...keys: string[]) => void tmux(socket, "send-keys", "-t", "%0", ...keys),
    pressed: () => answeredIn(launch.cwd),
  };
}

test("in a turn of ours it is stopped, nobody is asked, and the turn ends at the limit with its time", {
  timeout,
}, async () => {
  const { host, ask, pressed } = await start();
  for (let turn = 1; turn <= 2; turn += 1) {
    const end = await ask("count the beans");
    expect(end).toMatchObject({
      stop: "error",
      limit: { words: "Usage limit reached for gemini-3.8-flash." },
    });
    const reset = new Date(end.limit?.until ?? 0);
    expect([reset.getHours(), reset.getMinutes()]).toEqual([15, 5]);
    expect(pressed()).toEqual(Array.from({ length: turn }, () => "2"));
  }
  expect(host.requests).toEqual([]);
});

test("in a turn of the person's own it is theirs", { timeout }, async () => {
  const { host, keys, pressed } = await start();
  keys("F6");
  await until(() => host.requests.length === 1);
  expect(host.requests[0]).toMatchObject({ act: "dialog", options: [] });
  expect(pressed()).toEqual([]);
});

test("where Stop does nothing the person is asked", { timeout }, async () => {
  const { host, ask, pressed } = await start("--keeps");
  ask("count the beans").catch(() => {}); // It ends with its pane.
  await until(() => host.requests.length === 1);
  expect(host.requests[0]).toMatchObject({ act: "dialog", options: [] });
  expect(pressed()).toEqual(["2"]);
});
