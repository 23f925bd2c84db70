import type { AgentMessage } from "../contract/link/agent-message.js";
import { DEFAULT_TEAM, parseAddress } from "../model/address.js";
import { HubError } from "../model/errors.js";
import type { Destination, LinkMail } from "../model/link.js";
import type { Peer } from "../model/peer.js";
import type { Typed } from "../model/typed-message.js";

/* Mail in the words of document 004, and back. */

/** `self`: the name by which the other daemon knows this hub. */
export function toAgentMessage(mail: LinkMail, self: string): AgentMessage {
  return {
    from: self,
    ...typeOf(mail.typed),
    ...(mail.content === "" ? {} : { text: mail.content }),
    ...(mail.context === undefined ? {} : { context: mail.context }),
    ...(mail.callbackUrl === undefined ? {} : { callbackUrl: mail.callbackUrl }),
    ...(mail.replyTo === undefined ? {} : { replyTo: mail.replyTo }),
    timestamp: new Date(mail.at).toISOString(),
    messageId: mail.id,
  };
}

/** Types that document 004 does not have go as text. */
function typeOf(
  typed: Typed | undefined,
): Pick<AgentMessage, "type" | "status" | "action" | "task" | "repo"> {
  switch (typed?.kind) {
    // What it wanted and did not get is said by the text.
    case "coordination":
      return typed.ok === false
        ? { type: "text" }
        : { type: typed.kind, action: typed.action, task: typed.task };
    case "status":
    case "pr-review": {
      const { kind, ...fields } = typed;
      return { type: kind, ...fields };
    }
    default:
      return { type: "text" };
  }
}

/** From a peer, as its front: a daemon of document 004 names nobody behind it. */
export function toLinkMail(message: AgentMessage, peer: Peer): LinkMail {
  const typed = typedOf(message);
  return {
    id: message.messageId,
    type: message.type,
    from: { id: peer.name, name: peer.name, team: DEFAULT_TEAM },
    to: destinationOf(message.to),
    content: message.text ?? "",
    ...(message.context === undefined ? {} : { context: message.context }),
    ...(message.callbackUrl === undefined ? {} : { callbackUrl: message.callbackUrl }),
    ...(message.replyTo === undefined ? {} : { replyTo: message.replyTo }),
    ...(typed === undefined ? {} : { typed }),
    attention: message.type === "status" ? "fyi" : "queue",
    at: Date.parse(message.timestamp),
    conversation: `${peer.name}:${message.messageId}`,
    hop: 0,
  };
}

function typedOf({ type, status, action, task, repo, branch, pr }: AgentMessage): Typed | undefined {
  if (type === "status" && status !== undefined) return { kind: type, status };
  if (type === "coordination" && action !== undefined && task !== undefined)
    return { kind: type, action, task };
  if (type !== "pr-review" || repo === undefined) return undefined;
  const number = typeof pr === "string" ? Number(pr.replace("#", "")) : pr;
  return {
    kind: type,
    repo,
    ...(branch === undefined ? {} : { branch }),
    ...(number === undefined ? {} : { pr: number }),
  };
}

function destinationOf(to: string | undefined): Destination {
  if (to === undefined) return {};
  const address = parseAddress(to);
  if (address === undefined || address.hub !== undefined) {
    throw new HubError("TARGET_INVALID", 'In "to", write an agent of this hub as name or team/name');
  }
  return { name: address.name, ...(address.team === undefined ? {} : { team: address.team }) };
}
