import { expect, test } from "vitest";
import { promptOf } from "../../../test/contract/runtime.js";
import { PATIENCE_MS } from "../../../test/fakes/patience.js";
import { createRecordingHost, living, until } from "../../../test/fakes/runtime-host.js";
import { openChoicePane, openPane, patientTimes } from "../../../test/fakes/scripted-pane.js";
import { adoptPane, attachPane } from "./adopt-pane.js";

const timeout = 300_000;

test.each(["claude", "codex"] as const)(
  "a pane with %s is recognised, driven, and left running",
  { timeout },
  async (guise) => {
    const theirs = await openPane(guise);
    const socket = theirs.pane.tmux.socket ?? "";
    expect(await attachPane({ target: "agent-main-test", socket })).toEqual({
      id: "%0",
      pid: theirs.pane.pid,
      session: "agent-main-test",
      cli: guise,
      socket,
    });
    for (const target of ["agent-main-test", "%0", "agent-main-test:0.0"]) {
      const host = createRecordingHost();
      const agent = await adoptPane({ target, socket, host, times: patientTimes });
      expect(agent.pid).toBeUndefined();
      expect(agent.pane.id).toBe("%0");
      expect((await agent.prompt(promptOf("!say hello"), host.listener)).text).toContain("hello");
      await agent.stop({ graceMs: 0 });
      expect(living([theirs.pane.pid])).toHaveLength(1);
      await expect(agent.prompt(promptOf("!say more"), host.listener)).rejects.toMatchObject({
        code: "AGENT_EXITED",
      });
    }
    expect(theirs.sent()).toHaveLength(3);
  },
);

test("another pane that has got the number since is not taken for it", { timeout }, async () => {
  const theirs = await openPane("claude");
  const socket = theirs.pane.tmux.socket ?? "";
  const { pid } = await attachPane({ target: "%0", socket });
  expect(await attachPane({ target: "%0", socket, pid })).toMatchObject({ id: "%0", pid });
  const options = { target: "%0", socket, pid: pid + 1, host: createRecordingHost() };
  await expect(adoptPane(options)).rejects.toMatchObject({
    code: "TARGET_INVALID",
    message: expect.stringContaining("has been closed") as unknown,
  });
  expect(theirs.sent()).toEqual([]);
});

test("what is no agent's pane is refused with the way out", { timeout }, async () => {
  const theirs = await openPane("claude");
  const socket = theirs.pane.tmux.socket ?? "";
  for (const target of ["%99", "nobody", "", "-t", "{last}", "a\nb"]) {
    await expect(attachPane({ target, socket })).rejects.toMatchObject({
      code: "TARGET_INVALID",
      message: expect.stringContaining("tmux list-panes -a") as unknown,
    });
  }
  await expect(attachPane({ target: "%0", socket: "huddle-test-none" })).rejects.toMatchObject({
    code: "TARGET_INVALID",
  });
  const runs = () => theirs.tmux("display-message", "-p", "-t", "%0", "#{pane_current_command}").trim();
  theirs.tmux("respawn-pane", "-k", "-t", "%0", "sleep", "1000");
  await expect.poll(runs, { timeout: PATIENCE_MS }).toBe("sleep");
  await expect(attachPane({ target: "%0", socket })).rejects.toMatchObject({
    code: "TARGET_INVALID",
    message: expect.stringContaining("none of claude, codex") as unknown,
  });
  theirs.tmux("respawn-pane", "-k", "-t", "%0", "bash", "--norc");
  await expect.poll(runs, { timeout: PATIENCE_MS }).toBe("bash");
  await expect(attachPane({ target: "%0", socket })).rejects.toMatchObject({
    code: "TARGET_INVALID",
    message: expect.stringContaining("a shell") as unknown,
  });
});

test("an agent that its person quits, back to the shell, is gone", { timeout }, async () => {
  const theirs = await openPane("claude");
  theirs.tmux("respawn-pane", "-k", "-t", "%0", "-e", `SCRIPTED_HOME=${theirs.folder}`, "bash", "--norc");
  await expect.poll(() => theirs.screen(), { timeout: PATIENCE_MS }).toMatch(/[$#] *$/m);
  theirs.type(`${process.execPath} test/fakes/scripted-agent/screen.mjs`);
  theirs.keys("Enter");
  const socket = theirs.pane.tmux.socket ?? "";
  await expect
    .poll(() => attachPane({ target: "%0", socket }).catch(() => undefined), { timeout: PATIENCE_MS })
    .toBeDefined();
  const host = createRecordingHost();
  const agent = await adoptPane({ target: "%0", socket, host, times: patientTimes });
  await agent.prompt(promptOf("!say hello"), host.listener);
  theirs.keys("C-c");
  await until(() => host.exits.length > 0);
  await expect(agent.prompt(promptOf("!say rm"), host.listener)).rejects.toMatchObject({
    code: "AGENT_EXITED",
  });
});

test("a dialog about a tool of Huddle's is the person's in a pane that they started", {
  timeout,
}, async () => {
  const theirs = await openChoicePane();
  const host = createRecordingHost();
  const agent = await adoptPane({ target: "%0", socket: theirs.pane.tmux.socket ?? "", host, cli: "droid" });
  theirs.keys("F7");
  await until(() => host.requests.length === 1);
  expect(host.requests[0]?.title).toBe("huddle___send_message");
  expect(theirs.answered()).toEqual([]);
  await agent.stop({ graceMs: 0 });
});
