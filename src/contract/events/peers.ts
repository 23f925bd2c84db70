import { z } from "zod";
import { agent, number, text } from "./parts.js";

/** `secret` says where it is kept, never what it is. */
const peer = z.object({
  name: text,
  kind: text,
  host: text,
  port: number,
  label: text.nullable(),
  hubId: text.nullable(),
  publicKey: text.nullable(),
  keySeenAt: number.optional(),
  secret: text.nullable(),
  origin: text,
});

export const peerEvents = {
  PeerAdded: z
    .object({ peer, front: agent })
    .describe("Another hub, or a plain daemon. `front` gets what is addressed to the peer's own name"),
  PeerChanged: z.object({ peer }).describe("It has another address, label or key"),
  PeerRemoved: z.object({ name: text }).describe("What waited for it failed, and its senders were told"),
  PeerAgentMet: z
    .object({
      agent,
      peer: text,
      name: text,
      team: text.optional(),
      remote: text.optional(),
      isPerson: z.literal(true).optional(),
    })
    .describe("Somebody there was written to, or wrote, for the first time; `remote` is its id there"),
  PeerAgentChanged: z
    .object({
      agent,
      peer: text,
      name: text.optional(),
      team: text.optional(),
      remote: text.optional(),
      status: text.optional(),
      evidence: text.optional(),
    })
    .describe("What is known of it, as its hub told"),
  EpochBegun: z
    .object({ peer: text, epoch: text, reason: text })
    .describe(
      "What waits for the peer is numbered anew. `restored`: it knew another history than this hub, which was restored from a copy",
    ),
  LinkGap: z
    .object({ peer: text, epoch: text, from: number, to: number })
    .describe("The peer can no longer give these frames; the person was told"),
} as const;
