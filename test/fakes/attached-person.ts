import { PATIENCE_MS } from "./patience.js";
import { tmux } from "./scripted-pane.js";

export type AttachedPerson = {
  type(text: string): void;
  keys(...keys: string[]): void;
};

/**
 * A person at a terminal that is attached to a session. The terminal is a pane of another tmux server, `desk`, so that what
 * they type reaches the session as keys of a client do, and not by `send-keys`. Whoever calls ends that server.
 */
export async function attachPerson(to: {
  desk: string;
  socket: string;
  session: string;
}): Promise<AttachedPerson> {
  const { desk, socket, session } = to;
  const told = (name: string) => tmux(socket, "display-message", "-p", "-t", session, `#{${name}}`).trim();
  const attach = ["env", "-u", "TMUX", "tmux", "-u", "-L", socket, "attach-session", "-t", session];
  // The status line of the server inside takes a row.
  const height = String(Number(told("window_height")) + 1);
  tmux(desk, "new-session", "-d", "-s", "desk", "-x", told("window_width"), "-y", height, ...attach);
  tmux(desk, "set-option", "-g", "status", "off");
  const deadline = performance.now() + PATIENCE_MS;
  while (told("session_attached") !== "1") {
    if (performance.now() > deadline) throw new Error(`nobody attached to ${session}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    type: (text) => void tmux(desk, "send-keys", "-t", "desk", "-l", text),
    keys: (...keys) => void tmux(desk, "send-keys", "-t", "desk", ...keys),
  };
}
