import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { promptOf } from "../../../test/contract/runtime.js";
import { until } from "../../../test/fakes/runtime-host.js";
import { patientTimes, sentTo } from "../../../test/fakes/scripted-pane.js";
import { startPane } from "../../../test/fakes/started-pane.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import type { Prompt } from "../runtime.js";

const timeout = 300_000;

describe("a CLI that hangs", () => {
  /** `hurry` from the first prompt on, so that it is given back soon, until `calm`: a start, and what must go well, have their time. */
  async function startSlow(...flags: string[]) {
    const times = { ...patientTimes };
    const started = await startPane({}, flags, "claude", times);
    const { agent, host, launch } = started;
    return {
      ...started,
      hurry: (timeoutMs = 1000) => void Object.assign(times, { timeoutMs, readyTimeoutMs: 1500 }),
      calm: () => void Object.assign(times, patientTimes),
      ask: (prompt: Prompt) => agent.prompt(prompt, host.listener),
      pastes: () => readFileSync(join(launch.cwd, "pasted"), "utf8").trim().split("\n").length,
    };
  }

  async function startFrozen() {
    const file = join(tempFolder(), "frozen");
    const started = await startSlow("--freeze", file);
    writeFileSync(file, "");
    started.hurry();
    return {
      ...started,
      thaw() {
        started.calm();
        rmSync(file);
      },
    };
  }

  test("its line is given back, not pasted again while nothing moves, and sent once when it goes on", {
    timeout,
  }, async () => {
    const { ask, host, launch, thaw, pastes } = await startFrozen();
    const hello = promptOf("!say hello");
    await expect(ask(hello)).rejects.toMatchObject({ code: "HELD", details: { inVain: true } });
    await expect(ask(hello)).rejects.toMatchObject({ code: "HELD", details: { state: "ready" } });
    expect(host.exits).toEqual([]);

    thaw();
    await until(() => host.waits.includes(undefined));

    expect((await ask(hello)).stop).toBe("end_turn");
    expect(sentTo(launch.cwd)).toEqual([hello.line]);
    expect(pastes()).toBe(1);
  });

  test("a paste that an idle CLI lost is pasted again after a while, though nothing was drawn", {
    timeout,
  }, async () => {
    const times = { ...patientTimes, lostAfterMs: 3000 };
    const { agent, host, launch } = await startPane({}, ["--drops", "1"], "claude", times);
    const hello = promptOf("!say hello");
    Object.assign(times, { timeoutMs: 1000 });
    const ask = () => agent.prompt(hello, host.listener);
    await expect(ask()).rejects.toMatchObject({ code: "HELD", details: { where: "nowhere", inVain: true } });
    Object.assign(times, { timeoutMs: patientTimes.timeoutMs });
    await until(() => host.waits.includes(undefined));
    expect((await ask()).stop).toBe("end_turn");
    expect(sentTo(launch.cwd)).toEqual([hello.line]);
  });

  test("a line that shows up late is taken out of the box for the one that is sent in its place", {
    timeout,
  }, async () => {
    const { ask, host, launch, thaw } = await startFrozen();
    const [old, fresh] = [promptOf("!say old"), promptOf("!say new")];
    await expect(ask(old)).rejects.toMatchObject({ code: "HELD" });
    thaw();
    await until(() => host.waits.includes(undefined));

    expect((await ask(fresh)).text).toContain("new");

    expect(sentTo(launch.cwd)).toEqual([fresh.line]);
  });

  test("a line that it takes long after Enter is not put in again", { timeout }, async () => {
    const { ask, host, launch, hurry, calm } = await startSlow("--late", "4000");
    const hello = promptOf("!say hello");
    hurry();
    await expect(ask(hello)).rejects.toMatchObject({
      code: "HELD",
      details: { where: "nowhere", inVain: true },
    });
    calm();
    await until(() => host.waits.includes(undefined));
    expect(await ask(hello)).toMatchObject({
      stop: "end_turn",
      text: expect.stringContaining("hello") as unknown,
    });
    expect(sentTo(launch.cwd)).toEqual([hello.line]);
    expect(host.exits).toEqual([]);
  });

  test("a line that Enter does not send is given back, and the agent lives on", { timeout }, async () => {
    const { ask, host, launch, hurry, calm } = await startSlow("--swallow", "2");
    const hello = promptOf("!say hello");
    hurry(3000);
    await expect(ask(hello)).rejects.toMatchObject({
      code: "HELD",
      details: { where: "box" },
    });
    calm();
    await until(() => host.waits.includes(undefined));
    expect((await ask(hello)).stop).toBe("end_turn");
    expect(sentTo(launch.cwd)).toEqual([hello.line]);
    expect(host.exits).toEqual([]);
  });
});
