import type { AgentId } from "./agent.js";
import type { Attention } from "./attention.js";
import type { MessageId, MessageType } from "./message.js";
import type { Typed } from "./typed-message.js";

/*
 * What hubs say to each other. Each direction of a link is a row of numbered frames, without a gap: the sender keeps a frame until
 * the receiver has it on disk, and the receiver takes only the next number. An epoch is one such row; a sender that
 * finds out that the receiver acknowledged another history than its own begins a new one.
 */

/** The fingerprint of a hub's public key. */
export type HubId = string;

/** Somebody as their own hub knows them. */
export type Party = { id: AgentId; name: string; team: string; isPerson?: true };

/** Whom mail is for on the other hub: an id, or a name; neither: whoever gets what names nobody there. */
export type Destination = { id?: AgentId; team?: string; name?: string };

export type LinkMail = {
  id: MessageId;
  type: MessageType;
  from: Party;
  to: Destination;
  content: string;
  context?: string;
  replyTo?: MessageId;
  attention: Attention;
  typed?: Typed;
  callbackUrl?: string;
  /** What is left of its time: clocks of two machines differ. */
  expiresInMs?: number;
  /** When it was accepted, in wall time, for people. */
  at: number;
  conversation: string;
  hop: number;
};

/** How far a message has come on the other hub. Only what its sender there may see of it. */
export type LinkReceipt = {
  /** The message, and who sent it, as the hub that gets this knows them. */
  id: MessageId;
  from: AgentId;
  state: "injected" | "seen" | "finished" | "answered" | "expired" | "refused" | "failed";
  at: number;
  evidence?: string;
  reason?: string;
  /** The message that answered it. */
  by?: MessageId;
};

/** A request as its hub tells of it. */
export type AskedThere = {
  from: Party;
  description: string;
  context?: string;
  timeoutMs: number;
  /** What is left of its time. */
  expiresInMs: number;
  /** How often all were reminded of it. */
  nudges: number;
  conversation: string;
  hop: number;
};

/**
 * What becomes of a request: told by its hub to those that it is shared with, under the id that it has there. Only `left` goes the other
 * way: the agent that had claimed it is gone from its hub.
 */
export type RequestNews =
  | (AskedThere & { id: MessageId; state: "open" })
  /** `id`: of a claimer that is an agent of the hub that is told; `asked`: what it claimed, which that hub may not have heard of. */
  | { id: MessageId; state: "claimed" | "answered"; by: { id?: AgentId; name: string }; asked?: AskedThere }
  | { id: MessageId; state: "expired" }
  | { id: MessageId; state: "left"; by: AgentId };

/** `void` fills the number of mail that expired before it was taken: a number once given is always filled. */
export type Frame =
  | { n: number; kind: "mail"; mail: LinkMail }
  | { n: number; kind: "receipt"; receipt: LinkReceipt }
  | { n: number; kind: "request"; request: RequestNews }
  | { n: number; kind: "void" };

const frameKinds: ReadonlySet<string> = new Set<Frame["kind"]>(["mail", "receipt", "request", "void"]);
const newsStates: ReadonlySet<string> = new Set<RequestNews["state"]>([
  "open",
  "claimed",
  "answered",
  "expired",
  "left",
]);
const receiptStates: ReadonlySet<string> = new Set<LinkReceipt["state"]>([
  "injected",
  "seen",
  "finished",
  "answered",
  "expired",
  "refused",
  "failed",
]);

/**
 * The word of a frame of a later version that this one does not know: what kind of frame it is, or which news or receipt. Its number counts, and
 * nothing else of it. Undefined for frames that are known.
 */
export function unknownWord({
  kind,
  request,
  receipt,
}: {
  kind: string;
  request?: { state?: unknown } | undefined;
  receipt?: { state?: unknown } | undefined;
}): string | undefined {
  if (!frameKinds.has(kind)) return kind;
  const [state, known] =
    kind === "request"
      ? [request?.state, newsStates]
      : kind === "receipt"
        ? [receipt?.state, receiptStates]
        : [];
  return typeof state === "string" && known?.has(state) === false ? state : undefined;
}

/** `low`: the oldest number that the sender can still fill. */
export type Batch = { epoch: string; low: number; frames: readonly Frame[] };

/**
 * Cumulative, sent after the commit that stored it. `digest` is that of frame `upTo` (null before the first), by which a sender that
 * was restored from a copy is noticed. `want`: a gap came; go back to this number.
 */
export type Ack = { epoch: string; upTo: number; digest: string | null; want?: number };

/** What changed in a directory since `after`. Without that: it is to be asked for as a whole. */
export type DirectoryNews = {
  rev: string;
  after?: string;
  agents?: readonly DirectoryEntry[];
  gone?: readonly AgentId[];
};

/** A hub of the fabric. `name`: what it calls itself, which others may too. */
export type MemberName = { id: HubId; name: string };

/** Which part of a directory is asked for, in order of names and teams. `after`: `NAME/TEAM`; `name`: only those of that name. */
export type DirectoryPage = { limit: number; after?: string; name?: string };

/** An agent of a hub, as its peers may know of it. */
export type DirectoryEntry = {
  id: AgentId;
  name: string;
  team: string;
  label: string | null;
  status: "idle" | "busy" | "offline";
  isPerson?: true;
};
