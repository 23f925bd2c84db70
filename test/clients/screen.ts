import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { signalProcess } from "../fakes/hub-process.js";
import { testSocket, tmux } from "../fakes/scripted-pane.js";
import type { Client, ClientWorld } from "./client.js";
import { eventually } from "./eventually.js";
import { cleanEnvironment } from "./run-client.js";

/** A CLI on its screen, as a person starts it; gone when the test is over. */
export type Screen = {
  /** Of its tmux server; the session is `s`. */
  socket: string;
  /** Types a line and sends it. */
  type(text: string): Promise<void>;
  show(): string;
  shows(pattern: RegExp): Promise<unknown>;
};

export function openScreen(client: Client, world: ClientWorld): Screen {
  const socket = testSocket();
  const launch = client.tui(world);
  const env = Object.entries(cleanEnvironment(world, launch)).map(([name, value]) => `${name}=${value}`);
  const command = ["env", "-i", ...env, ...launch.argv];
  tmux(socket, "new-session", "-d", "-x", "160", "-y", "50", "-s", "s", "-c", world.cwd, ...command);
  const pid = Number(tmux(socket, "display-message", "-p", "-t", "s", "#{pane_pid}"));
  // What writes into its home must have ended before that is removed.
  onTestFinished(() => endProcess(pid), 180_000);
  const show = () => tmux(socket, "capture-pane", "-p", "-t", "s");
  return {
    socket,
    show,
    async type(text) {
      tmux(socket, "send-keys", "-t", "s", "-l", text);
      // The end may stand in another row; spaces at its break are not shown.
      const end = text.slice(-10).replace(/\s/g, "");
      await eventually(`the screen shows ${text}`, () => show().replace(/\s/g, "").includes(end));
      // What comes at once with the text is taken to be part of a paste.
      await sleep(200);
      tmux(socket, "send-keys", "-t", "s", "Enter");
    },
    async shows(pattern) {
      try {
        await eventually(`the screen shows ${String(pattern)}`, () => pattern.test(show()));
      } catch (error) {
        throw new Error(`${String(error)}\n${show()}`, { cause: error });
      }
    },
  };
}

/** The leader of a pane, and all that it started in its group. */
async function endProcess(pid: number): Promise<void> {
  if (!(pid > 1)) return;
  signalProcess(-pid, "SIGKILL");
  await eventually(`process ${pid} has ended`, () => {
    try {
      process.kill(pid, 0);
      return undefined;
    } catch {
      return true;
    }
  });
}
