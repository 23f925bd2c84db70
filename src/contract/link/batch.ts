import { z } from "zod";
import { attentions } from "../../model/attention.js";
import { type Frame, unknownWord } from "../../model/link.js";
import { isTypedKind } from "../../model/typed-message.js";
import { messageId } from "../http/messages.js";

/*
 * The batch that goes from hub to hub. A frame is handed on as it came, with fields that this version does not know: its digest
 * must come out the same on both sides.
 */

/** A fingerprint: 20 bytes in lowercase base32. */
export const hubId = z.string().regex(/^[a-z2-7]{32}$/, "is not the fingerprint of a hub");

const name = z.string().min(1).max(200);
const id = z.string().min(1).max(200);
const count = z.number().int().min(0);
const text = z.string();

const knownTyped = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("status"), status: z.enum(["idle", "busy", "offline"]) }),
  z.looseObject({
    kind: z.literal("coordination"),
    action: z.enum(["claim", "release"]),
    task: z.string().max(500),
    ok: z.boolean().optional(),
    owner: text.nullish(),
    since: z.number().min(0).max(8.64e15).optional(),
    leaseMs: z.number().min(0).optional(),
    told: z.literal(true).optional(),
  }),
  z.looseObject({ kind: z.literal("pr-review"), repo: text, branch: text.optional(), pr: count.optional() }),
  z.looseObject({ kind: z.literal("memory"), name, version: count }),
  z.looseObject({
    kind: z.literal("handoff"),
    task: text,
    work: z.array(z.string().min(1).max(500)).max(1000).optional(),
  }),
]);

/** Of a kind that a later version has, the text of the message is all that is read. */
const typed = z.union([
  knownTyped,
  z.looseObject({
    kind: z
      .string()
      .min(1)
      .max(64)
      .refine((kind) => !isTypedKind(kind)),
  }),
]);

const party = z.looseObject({ id, name, team: name, isPerson: z.literal(true).optional() });

const mail = z.looseObject({
  id: messageId,
  type: z.string().min(1).max(64).describe("A type that is not known here is read as `message`"),
  from: party,
  to: z.looseObject({ id: id.optional(), team: name.optional(), name: name.optional() }),
  content: text,
  context: text.optional(),
  replyTo: messageId.optional(),
  attention: z.enum(attentions),
  typed: typed.optional(),
  callbackUrl: z.string().max(2000).optional(),
  expiresInMs: z.number().min(0).optional(),
  at: z.number(),
  conversation: z.string().max(400),
  hop: count,
});

const asked = {
  from: party,
  description: text,
  context: text.optional(),
  timeoutMs: z.number().min(0),
  expiresInMs: z.number().min(0),
  nudges: count,
  conversation: z.string().max(400),
  hop: count,
};

const request = z.discriminatedUnion("state", [
  z.looseObject({ id: messageId, state: z.literal("open"), ...asked }),
  z.looseObject({
    id,
    state: z.enum(["claimed", "answered"]),
    by: z.looseObject({ id: id.optional(), name }),
    asked: z.looseObject(asked).optional(),
  }),
  z.looseObject({ id, state: z.literal("expired") }),
  z.looseObject({ id, state: z.literal("left"), by: id }),
]);

const receipt = z.looseObject({
  id: messageId,
  from: id,
  state: z.enum(["injected", "seen", "finished", "answered", "expired", "refused", "failed"]),
  at: z.number(),
  evidence: z.string().max(200).optional(),
  reason: z.string().max(2000).optional(),
  by: messageId.optional(),
});

const n = z.number().int().min(1);

const frame = z.discriminatedUnion("kind", [
  z.looseObject({ n, kind: z.literal("mail"), mail }),
  z.looseObject({ n, kind: z.literal("receipt"), receipt }),
  z.looseObject({ n, kind: z.literal("request"), request }),
  z.looseObject({ n, kind: z.literal("void") }),
]);

const word = z.string().min(1).max(64);
const stated = z.looseObject({ state: word }).optional().catch(undefined);
const laterFrame = z.looseObject({ n, kind: word, request: stated, receipt: stated });

/** What a later version says goes by: its number counts, and the hub tells that it did not understand. */
function isLater(value: unknown): boolean {
  const { data } = laterFrame.safeParse(value);
  return data !== undefined && unknownWord(data) !== undefined;
}

const frameAsItCame = z.unknown().transform((value, context): Frame => {
  const { success, error } = frame.safeParse(value);
  if (success || isLater(value)) return value as Frame;
  for (const { message, path } of error.issues)
    context.addIssue({ code: "custom", message, path: [...path] });
  return z.NEVER;
});

export const signedBatch = z.object({
  v: z.literal(1),
  origin: hubId,
  dest: hubId,
  from: name.describe("What the sender calls itself: how it is found while its fingerprint is not known"),
  key: z.string().max(200).describe("The sender's public key, SPKI in base64; its fingerprint is `origin`"),
  epoch: z.string().min(1).max(100),
  low: count,
  run: z
    .string()
    .min(1)
    .max(64)
    .exactOptional()
    .describe("Another one at each start of the sender: by it two hubs with one key are found out"),
  frames: z.array(frameAsItCame).max(256).refine(hasNoGap, "are not numbered one after the other"),
  sig: z.string().max(200).describe("Ed25519, base64, over v, origin, dest, epoch, low, run and frames"),
});

export type SignedBatch = z.output<typeof signedBatch>;

function hasNoGap(frames: readonly Frame[]): boolean {
  return frames.every((one, index) => one.n === (frames[0]?.n ?? 0) + index);
}

const ack = z.object({
  epoch: z.string().min(1).max(100),
  upTo: count,
  digest: z.string().max(200).nullable(),
  want: z.exactOptional(count),
});

/** The answer to a batch, given after the commit that stored it. */
export const ackAnswer = z.object({
  ok: z.literal(true),
  ack,
  at: z.number().describe("The clock of the hub that answers, in milliseconds"),
  version: z.string().max(100),
  sig: z.string().max(200).describe("Ed25519, base64, over who answers, whom, and the ack"),
});
