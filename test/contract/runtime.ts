import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { TakenEvidence } from "../../src/model/delivery.js";
import {
  type HostedAgent,
  type Launch,
  type PermissionOption,
  type PermissionRequest,
  type Prompt,
  type Runtime,
  RuntimeError,
} from "../../src/runtime/runtime.js";
import { createRecordingHost, living, type RecordingHost, until } from "../fakes/runtime-host.js";

/*
 * What every runtime owes the driver, with a scripted agent in the adapter's own guise. The script is in the prompt, in
 * the words of fakes/scripted-agent/directives.mjs.
 */

export type RuntimeHarness = {
  runtime: Runtime;
  evidence: TakenEvidence;
  /** A launch of the scripted agent, with a folder of its own that lives as long as the test. */
  launch(overrides?: Partial<Launch>): Launch;
  /** Whether permissions can be asked, and whether the agent's words are told apart from the rest of its output. */
  can: { permission: boolean; text: boolean; mcp: boolean };
};

const timeout = 240_000;
let turns = 0;

const choosing =
  (wanted: PermissionOption["grants"]) =>
  ({ options }: PermissionRequest) => ({
    option: options.find(({ grants }) => grants === wanted)?.id ?? "",
  });

export function promptOf(script: string): Prompt {
  turns += 1;
  const tag = `MSG_TEST_${turns.toString(16).padStart(8, "0")}`;
  return { turn: `turn-${turns}`, text: `A message.\n${script}`, line: `${tag}: ${script}`, tag };
}

export function runtimeContract(name: string, makeHarness: () => RuntimeHarness): void {
  const { can } = makeHarness();
  type Running = { agent: HostedAgent; host: RecordingHost; harness: RuntimeHarness; launch: Launch };

  async function start(overrides?: Partial<Launch>): Promise<Running> {
    const harness = makeHarness();
    const host = createRecordingHost();
    const launch = harness.launch(overrides);
    const agent = await harness.runtime.start(launch, host);
    onTestFinished(() => agent.stop({ graceMs: 0 }));
    return { agent, host, harness, launch };
  }
  const ask = ({ agent, host }: Running, script: string) => agent.prompt(promptOf(script), host.listener);

  describe(`the runtime ${name}`, () => {
    test("takes a prompt, responds, and ends the turn, in that order", { timeout }, async () => {
      const running = await start();
      const end = await ask(running, "!say hello there");
      expect(end.stop).toBe("end_turn");
      if (can.text) expect(end.text).toBe("hello there");
      else expect(end.text).toContain("hello there");
      const { log, taken } = running.host;
      expect(taken).toEqual([running.harness.evidence]);
      expect(log.indexOf("taken")).toBeLessThan(log.indexOf("responding"));
      expect(log.filter((word) => word === "responding")).toHaveLength(1);
    });

    test("takes one prompt after the other", { timeout }, async () => {
      const running = await start();
      for (const word of ["one", "two", "three"]) {
        expect((await ask(running, `!say ${word}`)).text).toContain(word);
      }
      expect(running.host.taken).toHaveLength(3);
    });

    test("streams what the agent says while it says it", { timeout }, async () => {
      const running = await start();
      const turn = ask(running, "!stream 100000");
      await until(() => running.host.log.filter((word) => word === "text").length > 2);
      await running.agent.interrupt();
      expect((await turn).stop).toBe("cancelled");
    });

    test("refuses a second prompt while a turn is open, and the turn goes on", { timeout }, async () => {
      const running = await start();
      const gate = join(running.launch.cwd, "gate");
      const turn = ask(running, `!say begun !gate ${gate}`);
      await until(() => running.host.log.includes("responding"));
      const second = running.agent.prompt(promptOf("!say no"), createRecordingHost().listener);
      await expect(second).rejects.toMatchObject({ code: "NOT_TAKEN" });
      writeFileSync(gate, "");
      expect((await turn).stop).toBe("end_turn");
    });

    test("can be interrupted, and then takes the next prompt", { timeout }, async () => {
      const running = await start();
      const turn = ask(running, "!stream 100000");
      await until(() => running.host.log.includes("responding"));
      await running.agent.interrupt();
      expect((await turn).stop).toBe("cancelled");
      const next = await ask(running, "!say after");
      expect(next).toMatchObject({ stop: "end_turn" });
      expect(next.text).toContain("after");
    });

    test("remembers what it was told before an interruption", { timeout }, async () => {
      const running = await start();
      const turn = ask(running, "!stream 100000");
      await until(() => running.host.log.includes("responding"));
      await running.agent.interrupt();
      await turn;
      expect((await ask(running, "!recall")).text).toContain("stream 100000");
    });

    test("has nothing to interrupt between turns", { timeout }, async () => {
      const running = await start();
      await running.agent.interrupt();
      expect((await ask(running, "!say fine")).stop).toBe("end_turn");
    });

    test("a crash during a turn rejects it and is told once", { timeout }, async () => {
      const running = await start();
      const turn = ask(running, "!say bye !exit 3");
      await expect(turn).rejects.toMatchObject({ code: "AGENT_EXITED" });
      await until(() => running.host.exits.length > 0);
      expect(running.host.exits).toHaveLength(1);
      await expect(ask(running, "!say more")).rejects.toBeInstanceOf(RuntimeError);
    });

    test("stop ends the agent and all that it began, and is no exit", { timeout }, async () => {
      const running = await start();
      const family = /family: (\[.*?\])/;
      const turn = ask(running, "!deaf !family !hang");
      turn.catch(() => {});
      await until(() => family.test(running.host.text()));
      const pids = JSON.parse(family.exec(running.host.text())?.[1] ?? "[]") as number[];
      expect(pids).toHaveLength(3);
      expect(living(pids)).toEqual(pids);
      await running.agent.stop({ graceMs: 0 });
      expect(living(pids)).toEqual([]);
      await expect(turn).rejects.toMatchObject({ code: "AGENT_EXITED" });
      expect(running.host.exits).toEqual([]);
    });

    test("an agent that is stopped has seconds to tidy up", { timeout }, async () => {
      const running = await start();
      const turn = ask(running, "!tidy tidied !say ready !hang");
      turn.catch(() => {});
      await until(() => running.host.text().includes("ready"));
      await running.agent.stop({ graceMs: 0 });
      expect(existsSync(join(running.launch.cwd, "tidied"))).toBe(true);
    });

    test("takes up a session again", { timeout }, async () => {
      const first = await start();
      await ask(first, "!say the password is xyzzy");
      const session = first.host.sessions.at(-1);
      expect(session).toEqual(expect.any(String) as unknown);
      await first.agent.stop({ graceMs: 1000 });

      const second = await start({ ...first.launch, resume: String(session) });
      expect(second.agent.resumed).toBe(true);
      expect((await ask(second, "!recall")).text).toContain("xyzzy");
    });

    test("starts over, and says so, when the vendor does not have the session any more", {
      timeout,
    }, async () => {
      const running = await start({ resume: "6d938a75-0627-4bd1-8c9d-7829c5de5ab6" });
      expect((await ask(running, "!say here I am")).stop).toBe("end_turn");
      expect(running.agent.resumed).toBe(false);
      expect(running.host.sessions.at(-1)).not.toBe("6d938a75-0627-4bd1-8c9d-7829c5de5ab6");
    });

    test("a command that is not there is refused with how to install it", { timeout }, async () => {
      const harness = makeHarness();
      const launch = harness.launch();
      const backend = {
        ...launch.backend,
        command: "no-such-command",
        ...(launch.backend.acp === undefined ? {} : { acp: ["no-such-command"] }),
        install: "Install it with: npm i -g nothing",
      };
      await expect(
        harness.runtime.start({ ...launch, backend }, createRecordingHost()),
      ).rejects.toMatchObject({
        code: "BACKEND_MISSING",
        message: expect.stringContaining("npm i -g nothing") as unknown,
      });
    });

    if (can.mcp) {
      test("the agent reaches Huddle's tools by the bridge", { timeout }, async () => {
        const running = await start();
        expect((await ask(running, "!tool whoami {}")).text).toContain("I am --identity");
      });
    }

    if (can.permission) {
      test("a permission is asked with its details, and answered", { timeout }, async () => {
        const running = await start();
        running.host.answer = choosing("once");
        expect((await ask(running, "!permission")).text).toBe("permission: yes");
        expect(running.host.requests).toMatchObject([
          {
            title: expect.stringMatching(/rm -rf build$/) as unknown,
            act: "execute",
            details: { input: { command: "rm -rf build" } },
          },
        ]);
        expect(running.host.requests[0]?.options.map(({ grants }) => grants)).toEqual([
          "once",
          "always",
          "deny",
        ]);
      });

      test("an interrupted turn's permissions are cancelled", { timeout }, async () => {
        const running = await start();
        const turn = ask(running, "!permission");
        await until(() => running.host.requests.length === 1);
        await running.agent.interrupt();
        expect((await turn).stop).toBe("cancelled");
        expect(running.host.requests[0]?.signal.aborted).toBe(true);
        running.host.answer = choosing("deny");
        expect((await ask(running, "!permission")).text).toBe("permission: no");
      });
    }
  });
}
