import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PATIENCE_MS } from "../../../test/fakes/patience.js";
import { openPane, type TestPane } from "../../../test/fakes/scripted-pane.js";
import { RuntimeError } from "../runtime.js";
import { inject } from "./inject.js";
import { look, type Pane } from "./pane.js";
import { pasteLine } from "./paste-line.js";
import { takeOut } from "./take-out.js";

const timeout = 300_000;

let count = 0;
function message(text: string) {
  count += 1;
  const tag = `MSG_TEST_${count.toString(16).padStart(8, "0")}`;
  return { tag, line: `${tag}: ${text}` };
}

async function stateOf({ pane }: TestPane) {
  return (await look(pane)).reading.state;
}

async function untilState(agent: TestPane, state: string) {
  await expect.poll(() => stateOf(agent), { timeout: PATIENCE_MS, interval: 20 }).toBe(state);
}

const untilPasted = (agent: TestPane) =>
  expect.poll(() => agent.pasted(), { timeout: PATIENCE_MS, interval: 20 }).toBe(1);

/** What is sent has so long to leave the box and begin a turn; the box may take as long as it likes to show the line. */
function hurried({ pane }: TestPane, timeoutMs: number): Pane {
  return {
    ...pane,
    rule: { ...pane.rule, boxMs: PATIENCE_MS },
    times: { ...pane.times, timeoutMs, pollMs: 200 },
  };
}

/** Again, as often as it is given back. */
async function injectAtLast(agent: TestPane, options: Parameters<typeof inject>[1]) {
  for (;;) {
    try {
      return await inject(agent.pane, options);
    } catch (error) {
      if (!(error instanceof RuntimeError && error.code === "HELD")) throw error;
    }
  }
}

describe.each(["claude", "codex"] as const)("a screen like %s's", (guise) => {
  test("thirty deliveries: none lost, none doubled", { timeout }, async () => {
    const agents = await Promise.all(Array.from({ length: 3 }, () => openPane(guise)));
    const sent = await Promise.all(
      agents.map(async (agent) => {
        const lines: string[] = [];
        for (let n = 0; n < 10; n += 1) {
          const one = message(`!say answer ${n}, and ${"x".repeat(n * 10)}`);
          expect((await inject(agent.pane, one)).kind).toBe("confirmed");
          lines.push(one.line);
        }
        return lines;
      }),
    );
    expect(agents.map((agent) => agent.sent())).toEqual(sent);
  });

  test("a box that is slow to show the paste", { timeout }, async () => {
    const agent = await openPane(guise, "--slow-box", "1200");
    const one = message("!say hello");
    expect((await inject(agent.pane, one)).kind).toBe("confirmed");
    expect(agent.sent()).toEqual([one.line]);
  });

  test("a swallowed Enter is pressed again, and nothing is pasted again", { timeout }, async () => {
    const agent = await openPane(guise, "--swallow", "1");
    const one = message("!say hello");
    expect((await inject(agent.pane, one)).kind).toBe("confirmed");
    expect(agent.sent()).toEqual([one.line]);
  });

  test("unsent is not success; the next attempt only presses Enter", { timeout }, async () => {
    const agent = await openPane(guise, "--swallow", "2");
    const one = message("!say hello");
    expect(await inject(hurried(agent, 1500), one)).toMatchObject({
      kind: "unconfirmed",
      where: "box",
      why: "Enter did not send it from the input box within 3 s",
    });
    expect(agent.sent()).toEqual([]);
    expect((await inject(agent.pane, one)).kind).toBe("confirmed");
    expect(agent.sent()).toEqual([one.line]);
  });

  test("a screen that is half drawn confirms nothing", { timeout }, async () => {
    const agent = await openPane(guise, "--swallow", "2", "--torn", "40");
    // Long after the second Enter: the last look is at a screen that is drawn.
    const quick = hurried(agent, 2000);
    const often = { ...quick, times: { ...quick.times, pollMs: 20 } };
    expect(await inject(often, message("!say hello"))).toMatchObject({ kind: "unconfirmed", where: "box" });
    expect(agent.sent()).toEqual([]);
  });

  test("a draft is never typed over: it holds, and delivers when the draft is gone", {
    timeout,
  }, async () => {
    const agent = await openPane(guise);
    agent.type("half a thought");
    await untilState(agent, "draft");
    const one = message("!say hello");
    const impatient = { ...agent.pane, times: { ...agent.pane.times, readyTimeoutMs: 500 } };
    await expect(inject(impatient, one)).rejects.toMatchObject({ code: "HELD", details: { state: "draft" } });
    expect(agent.screen()).toContain("half a thought");

    let holds = () => {};
    const holding = new Promise<void>((resolve) => {
      holds = resolve;
    });
    const injected = injectAtLast(agent, { ...one, waiting: holds });
    await holding;
    expect(agent.screen()).toContain("half a thought");
    agent.keys("Enter");
    expect((await injected).kind).toBe("confirmed");
    expect(agent.sent()).toEqual(["half a thought", one.line]);
  });

  test("words typed while we paste are not sent with ours", { timeout }, async () => {
    const agent = await openPane(guise, "--held-box");
    const one = message("!say hello");
    const injected = inject(agent.pane, one);
    await untilPasted(agent);
    agent.type("wait");
    await untilState(agent, "draft");
    agent.showPaste();
    expect(await injected).toMatchObject({ kind: "unconfirmed", held: true });
    expect(agent.sent()).toEqual([]);
    // Theirs stays, and ours is gone from it.
    await expect.poll(() => agent.screen(), { timeout: PATIENCE_MS }).toMatch(/[❯›]\swait\n/u);
    expect(agent.screen()).not.toContain(one.tag);
  });

  test("our line is taken out from before theirs where the CLI made a new line between them", {
    timeout,
  }, async () => {
    const agent = await openPane(guise);
    const { tag, line } = message("!say hello");
    agent.type(line);
    agent.keys("C-j");
    agent.type("wait");
    await expect.poll(() => agent.screen(), { timeout: PATIENCE_MS }).toMatch(/\n\s+wait\n/u);
    expect(await takeOut(agent.pane, line)).toBe(true);
    await expect.poll(() => agent.screen(), { timeout: PATIENCE_MS }).toMatch(/[❯›]\swait\n/u);
    expect(agent.screen()).not.toContain(tag);
    expect(agent.sent()).toEqual([]);
  });

  test("a dialog is never answered", { timeout }, async () => {
    const agent = await openPane(guise);
    // Once: a second Enter, of a machine that took long over the first, would answer the dialog.
    const once = { ...agent.pane, times: { ...agent.pane.times, retryCount: 1 } };
    await inject(once, message("!permission"));
    await untilState(agent, "dialog");
    const impatient = { ...agent.pane, times: { ...agent.pane.times, readyTimeoutMs: 1000 } };
    await expect(inject(impatient, message("!say hello"))).rejects.toMatchObject({
      code: "HELD",
      details: { state: "dialog", words: expect.stringContaining("rm -rf build") as unknown },
    });
    expect(agent.answered()).toEqual([]);
    agent.keys("Enter");
    const one = message("!say hello");
    expect((await injectAtLast(agent, one)).kind).toBe("confirmed");
    expect(agent.answered()).toEqual(["\r"]);
    expect(agent.sent()).toHaveLength(2);
  });

  test("a dialog that opens between paste and Enter gets no Enter", { timeout }, async () => {
    const agent = await openPane(guise, "--held-box");
    const injected = inject(
      { ...agent.pane, times: { ...agent.pane.times, timeoutMs: 2000 } },
      message("!say hello"),
    );
    await untilPasted(agent);
    agent.keys("F5"); // the scripted agent asks something of its own accord
    await untilState(agent, "dialog");
    agent.showPaste();
    expect(await injected).toMatchObject({ kind: "unconfirmed" });
    expect(agent.answered()).toEqual([]);
    expect(agent.sent()).toEqual([]);
  });

  test("a line that the agent reads by itself before Enter is taken out again", { timeout }, async () => {
    const agent = await openPane(guise, "--held-box");
    const one = message("!say hello");
    let isRead = false;
    const injected = inject(agent.pane, { ...one, isRead: () => isRead });
    await untilPasted(agent);
    isRead = true;
    agent.showPaste();
    await expect(injected).rejects.toThrow(/the agent has read it/);
    await untilState(agent, "ready");
    expect(agent.sent()).toEqual([]);
  });

  test("copy mode is left, before and after the paste", { timeout }, async () => {
    const agent = await openPane(guise, "--held-box");
    agent.copyMode();
    await untilState(agent, "copy-mode");
    const one = message("!say hello");
    const first = inject(agent.pane, one);
    await untilPasted(agent);
    agent.copyMode();
    agent.showPaste();
    expect((await first).kind).toBe("confirmed");
    expect(agent.sent()).toEqual([one.line]);
  });

  test("it waits for the end of a turn", { timeout }, async () => {
    const agent = await openPane(guise);
    const gate = join(agent.folder, "gate");
    const [first, second] = [message(`!gate ${gate} !say done`), message("!say hello")];
    expect((await inject(agent.pane, first)).kind).toBe("confirmed");
    let waits = () => {};
    const waiting = new Promise<void>((resolve) => {
      waits = resolve;
    });
    const injected = inject(agent.pane, { ...second, waiting: waits });
    await waiting;
    expect(agent.sent()).toEqual([first.line]);
    writeFileSync(gate, "");
    expect((await injected).kind).toBe("confirmed");
    expect(agent.sent()).toEqual([first.line, second.line]);
    expect(agent.screen()).toMatch(/done[\s\S]*MSG_TEST/);
  });

  test("a pane, or the server, that goes away in the middle", { timeout }, async () => {
    for (const end of ["kill-session", "kill-server"]) {
      const agent = await openPane(guise, "--held-box");
      const injected = inject(agent.pane, message("!say hello"));
      await untilPasted(agent);
      agent.tmux(end);
      await expect(injected).rejects.toMatchObject({ code: "AGENT_EXITED" });
    }
  });

  test("a line that left the box and began no turn is unconfirmed", { timeout }, async () => {
    const agent = await openPane(guise, "--lose");
    expect(await inject(hurried(agent, 2500), message("!say hello"))).toMatchObject({
      kind: "unconfirmed",
      where: "nowhere",
      why: "it left the input box, and no turn was seen to begin within 5 s",
    });
    expect(agent.sent()).toEqual([]);
  });
});

test("a shell is never typed into", { timeout }, async () => {
  const agent = await openPane("claude");
  agent.tmux("respawn-pane", "-k", "-t", agent.pane.id, "bash", "--norc");
  const info = await agent.pane.tmux.paneOf(agent.pane.id);
  const shell = { ...agent.pane, pid: info?.pid ?? 0, hosted: false };
  await expect(inject(shell, message("; touch canary"))).rejects.toMatchObject({ code: "AGENT_EXITED" });
  expect(agent.screen()).not.toContain("canary");
});

test("what is pasted stays text: nothing runs in a shell, whatever it says", { timeout }, async () => {
  const agent = await openPane("claude");
  agent.tmux("respawn-pane", "-k", "-t", agent.pane.id, "-c", agent.folder, "bash", "--norc");
  await expect.poll(() => agent.screen(), { timeout: PATIENCE_MS }).toMatch(/[$#] *$/m);
  const parts = [
    "\x1b[201~",
    "\r",
    "\n",
    ";",
    "$(touch canary)",
    "`touch canary`",
    "|touch canary",
    "\x03",
    "\x9b201~",
    "\x15",
    "touch canary",
    "\x04",
  ];
  // Each of them after each.
  const payloads = parts.flatMap((one, n) =>
    parts.map((next, at) =>
      [one, next, parts[(n + at) % parts.length], parts[(n * 5 + at) % parts.length]].join(""),
    ),
  );
  for (let at = 0; at < payloads.length; at += 20) {
    // Twenty at a time in one buffer: a paste that was broken out of would run the rest.
    const lines = payloads.slice(at, at + 20).map((payload) => pasteLine(`MSG ${payload}`));
    await agent.pane.tmux.pasteIf(agent.pane.id, lines.join(" "), "1");
    agent.keys("C-c");
  }
  agent.tmux("send-keys", "-t", agent.pane.id, "touch over", "Enter");
  await expect.poll(() => agent.files(), { timeout: PATIENCE_MS }).toContain("over");
  expect(agent.files()).not.toContain("canary");
});
