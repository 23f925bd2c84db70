import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { defaultPaneTimes, look, type Pane } from "../../src/runtime/tmux/pane.js";
import { sentWith } from "../../src/runtime/tmux/sent-with.js";
import { createTmuxClient } from "../../src/runtime/tmux/tmux-client.js";
import { createTmuxRuntime } from "../../src/runtime/tmux/tmux-runtime.js";
import { vendorOfCli } from "../../src/runtime/vendors/vendors.js";
import { startScriptedModel } from "../../src/selftest/scripted-model/scripted-model.js";
import { createRecordingHost } from "../fakes/runtime-host.js";
import { tmux } from "../fakes/scripted-pane.js";
import type { Client } from "./client.js";
import { eventually } from "./eventually.js";
import { prepareLaunch } from "./prepare-launch.js";
import { describeVendor } from "./sets.js";
import { shared } from "./shared.js";

/* What the transcripts of the real CLIs repeat of a line: alone it is never taken for mixed, and words beside it always are. */

async function openPane(client: Client, onClose: (closing: () => Promise<unknown>) => void) {
  const model = await startScriptedModel();
  onClose(model.close);
  const launch = prepareLaunch(client, "tmux", model);
  const socket = `huddle-test-${launch.agent.id}`;
  const times = { ...defaultPaneTimes, timeoutMs: 20_000, readyTimeoutMs: 120_000, startTimeoutMs: 120_000 };
  const host = createRecordingHost();
  onClose(async () => tmux(socket, "kill-server"));
  const agent = await createTmuxRuntime({ socket, times }).start(launch, host);
  onClose(() => agent.stop({ graceMs: 0 }));
  const id = agent.tmux?.()?.pane ?? "";
  const rule = vendorOfCli(client.name).screen;
  const pane: Pane = {
    tmux: createTmuxClient({ socket }),
    id,
    pid: agent.pid ?? 0,
    hosted: true,
    rule,
    times,
  };
  const state = async () => (await look(pane)).reading.state;
  return {
    agent,
    host,
    run: (...args: string[]) => tmux(socket, ...args),
    at: ["-t", id],
    rests: () =>
      eventually("the screen is at rest", async () => (await state()) === "ready").catch(async () => {
        throw new Error(`${await state()}\n${tmux(socket, "capture-pane", "-p", "-t", id)}`);
      }),
    async shown(sent: { line: string; tag: string }) {
      const { reading, screen } = await look(pane);
      return sentWith(rule, screen, "box" in reading ? reading.box : undefined, sent);
    },
  };
}

describeVendor((client) => {
  const open = shared((onClose) => openPane(client, onClose));

  test.each([100, 60, 44])(
    "a line in %i columns, alone and with words beside it",
    {
      timeout: 240_000,
    },
    async (width) => {
      const { agent, host, run, at, rests, shown } = await open();
      run("resize-window", ...at, "-x", String(width), "-y", "40");
      const sentAs = (end: string) => {
        const tag = `MSG_ANALYZER_${width.toString(16).padStart(7, "0")}${end}`;
        return {
          tag,
          line: `${tag}: please look at the build once more, it fails since noon <<say done ${end}>>`,
        };
      };
      const told: string[] = [];
      const alone = sentAs("a");
      const listener = { ...host.listener, mixed: (words: string) => void told.push(words) };
      await agent.prompt({ turn: alone.tag, text: alone.line, ...alone }, listener);
      await rests();
      expect(await shown(alone), run("capture-pane", "-p", ...at)).toBe("");
      expect(told).toEqual([]);

      const beside = sentAs("b");
      run("send-keys", ...at, "-l", `my own ${beside.line} zq7`);
      await eventually("the words are in the box", async () =>
        run("capture-pane", "-p", ...at).includes("zq7"),
      );
      // An Enter right behind many keys is a new line to codex: they pass for a paste.
      await sleep(1000);
      run("send-keys", ...at, "Enter");
      await eventually("they were sent", async () => (await shown(beside)) === "my own … zq7").catch(
        async () => {
          throw new Error(`${String(await shown(beside))}\n${run("capture-pane", "-p", ...at)}`);
        },
      );
      // The screen looks at rest before the turn has begun, too.
      await eventually("it is answered", async () => /done b(?!>)/u.test(run("capture-pane", "-p", ...at)));
      await rests();
    },
  );
});
