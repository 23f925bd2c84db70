import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testSocket } from "../../../test/fakes/scripted-pane.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { createTmuxClient } from "./tmux-client.js";

const timeout = 60_000;

test("what is pasted is one paste, also for a CLI that has not asked for brackets yet", {
  timeout,
}, async () => {
  const got = join(tempFolder(), "got");
  const tmux = createTmuxClient({ socket: testSocket() });
  const command = `stty raw -echo; : > '${got}'; exec cat >> '${got}'`;
  const { id } = await tmux.newSession({
    name: "agent-main-test",
    argv: ["/bin/sh", "-c", command],
    width: 80,
    height: 24,
    owner: "test",
  });
  await expect.poll(() => existsSync(got), { timeout }).toBe(true);
  expect(await tmux.pasteIf(id, "is it so?; #{pane_id}", "0")).toBe("refused");
  expect(await tmux.pasteIf(id, "is it so?; #{pane_id}", "1", "C-u")).toBe("done");
  await expect
    .poll(() => readFileSync(got, "utf8"), { timeout })
    .toBe("\u0015\u001b[200~is it so?; #{pane_id}\u001b[201~");
  expect(await tmux.run(["list-buffers"])).toBe("");
});

test("a paste into a pane whose CLI has just ended is refused, and the others live on", {
  timeout,
}, async () => {
  const tmux = createTmuxClient({ socket: testSocket() });
  const open = (name: string, command: string) =>
    tmux.newSession({ name, argv: ["/bin/sh", "-c", command], width: 80, height: 24, owner: "test" });
  const other = await open("agent-main-other", "exec cat");
  const { id } = await open("agent-main-test", "exit 3");
  await expect.poll(async () => (await tmux.paneOf(id))?.dead, { timeout }).toBe(true);
  expect(await tmux.pasteIf(id, "hello", "1")).toBe("refused");
  expect(await tmux.paneOf(other.id)).toMatchObject({ pid: other.pid, dead: false });
  expect(await tmux.run(["list-buffers"])).toBe("");
});
