import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { patiently } from "../../../test/fakes/patiently.js";
import { testSocket, tmux } from "../../../test/fakes/scripted-pane.js";
import { removeSocket } from "./remove-socket.js";

const fileOf = (socket: string) =>
  join(process.env["TMUX_TMPDIR"] ?? "/tmp", `tmux-${process.getuid?.() ?? 0}`, socket);

test("the socket of a server that ended is removed, and that of one that runs is not", async () => {
  const socket = testSocket();
  tmux(socket, "new-session", "-d", "-s", "agent-main-ann", "sleep 100");
  await removeSocket(socket);
  expect(existsSync(fileOf(socket))).toBe(true);
  tmux(socket, "kill-server");
  await patiently(() => expect(tmux(socket, "list-sessions")).toBe(""));
  await removeSocket(socket);
  expect(existsSync(fileOf(socket))).toBe(false);
});

test("a server that never was is no problem", async () => {
  await expect(removeSocket("huddle-test-never-was")).resolves.toBeUndefined();
});
