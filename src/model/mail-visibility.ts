import type { Message } from "./message.js";
import type { Viewer } from "./viewer.js";

/** Addressed to everybody or to a team; a message to one agent is none, whatever type its sender gave it. */
export function isBroadcast({ type, to, toName }: Message): boolean {
  return type === "broadcast" && !(to.length === 1 && to[0]?.name === toName);
}

/** Whether this viewer may find the message: the person all, an agent its own mail and the broadcasts. */
export function maySee(message: Message, viewer: Viewer): boolean {
  if (viewer.kind === "operator") return true;
  return (
    message.from === viewer.id || isBroadcast(message) || message.to.some(({ agent }) => agent === viewer.id)
  );
}
