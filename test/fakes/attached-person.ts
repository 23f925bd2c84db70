import { onTestFinished } from "vitest";
import { testSocket, tmux } from "./scripted-pane.js";

export type AttachedPerson = {
  type(text: string): void;
  keys(...keys: string[]): void;
};

/**
 * A person at a terminal that is attached to a session of another tmux server. Their terminal is a pane of a server of its
 * own, so that what they type reaches the session as keys of a client do, and not by `send-keys`.
 */
export async function attachPerson(socket: string, session: string): Promise<AttachedPerson> {
  const own = testSocket();
  onTestFinished(() => void tmux(own, "kill-server"));
  return attachPersonFrom(own, socket, session);
}

/** The same without a test around it; whoever calls ends the server `own`. */
export async function attachPersonFrom(
  own: string,
  socket: string,
  session: string,
): Promise<AttachedPerson> {
  const size = (name: string) => tmux(socket, "display-message", "-p", "-t", session, `#{${name}}`).trim();
  const attach = ["env", "-u", "TMUX", "tmux", "-u", "-L", socket, "attach-session", "-t", session];
  // The status line of the server inside takes a row.
  const height = String(Number(size("window_height")) + 1);
  tmux(own, "new-session", "-d", "-s", "desk", "-x", size("window_width"), "-y", height, ...attach);
  tmux(own, "set-option", "-g", "status", "off");
  const deadline = performance.now() + 20_000;
  while (size("session_attached") !== "1") {
    if (performance.now() > deadline) throw new Error(`nobody attached to ${session}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    type: (text) => void tmux(own, "send-keys", "-t", "desk", "-l", text),
    keys: (...keys) => void tmux(own, "send-keys", "-t", "desk", ...keys),
  };
}
