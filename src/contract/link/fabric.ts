import { z } from "zod";
import { hubId } from "./batch.js";

/* What hubs say to each other over NATS, besides the batches and questions that they say over HTTP too. */

const key = z.string().min(1).max(200).describe("An Ed25519 public key, SPKI in base64");
const box = z.string().min(1).max(200).describe("An X25519 public key, SPKI in base64");
const cert = z.string().min(1).max(200).describe("The signature of `key` under `box`");

/** The first line of everything that goes over the fabric. The rest is encrypted, and this line authenticated with it. */
export const sealHead = z.object({
  v: z.literal(1),
  kind: z.enum(["batch", "ack", "ask", "answer"]),
  origin: hubId,
  dest: hubId,
  key: key.describe("The sender's public key, SPKI in base64; its fingerprint is `origin`"),
  box,
  cert,
});

export type SealHead = z.output<typeof sealHead>;

/** Who a hub is: the register `hud.v1.dir.HUB`. It certifies itself. */
export const memberEntry = z.object({
  v: z.literal(1),
  hub: hubId,
  key,
  box,
  cert,
  name: z.string().min(1).max(200).describe("What the hub calls itself"),
  at: z.number(),
  sig: z.string().min(1).max(200).describe("Ed25519, base64, over v, hub, box, name and at"),
});

export type MemberEntry = z.output<typeof memberEntry>;

const re = z.string().min(1).max(64).describe("Chosen by whoever asks; the answer repeats it");

/** The first line of a batch or a question, once decrypted. Its body follows. */
export const asked = z.object({ re, path: z.string().min(1).max(200) });

/** The first line of an ack or an answer, once decrypted. Its body follows. */
export const answered = z.object({
  re,
  status: z.number().int().min(100).max(599),
  retryAfter: z.string().max(20).exactOptional(),
});

const text = z.string().min(1).max(200);
const natsKey = (first: string) =>
  z.string().regex(new RegExp(`^${first}[A-Z2-7]{55}$`), "is not a NATS key");

/** What a hub says to be admitted: both its keys, each of which signed it. No part of it is secret. */
export const fabricRequest = z.object({
  v: z.literal(1),
  name: text.describe("What the hub calls itself"),
  hub: hubId,
  key,
  user: natsKey("U").describe("The connection key. Not the hub's own: clients sign whatever a server asks"),
  sig: text.describe("Of the hub's key, base64"),
  userSig: text.describe("Of the connection key, base64"),
});

export type FabricRequest = z.output<typeof fabricRequest>;

const streams = z.literal([1, 2, 4, 8, 16, 32]).exactOptional();

/** What the steward answers. It is of use only to whoever has the connection key, so it may be read by anybody. */
export const fabricAdmission = z.object({
  v: z.literal(1),
  fabric: text.describe("What the fabric is called"),
  hub: hubId.describe("Whom it admits"),
  servers: z
    .array(z.string().regex(/^tls:\/\/[^\s/]+:\d{1,5}$/, "is not tls://HOST:PORT"))
    .min(1)
    .max(20),
  ca: z.string().max(4000).describe("PEM: the authority that signed the certificates of the servers"),
  jwt: z.string().max(4000),
  expires: z.iso.datetime(),
  steward: z.literal(true).exactOptional().describe("This hub makes the streams"),
  replicas: z
    .number()
    .int()
    .min(1)
    .max(5)
    .exactOptional()
    .describe("How many servers of a cluster keep each of them; default: 1"),
  streams: streams.describe("Over how many streams it spreads the mailboxes; default: 1"),
});

export type FabricAdmission = z.output<typeof fabricAdmission>;

const port = z.number().int().min(1).max(65_535);

/** What the steward keeps of the fabric besides its keys. */
export const fabricRecord = z.object({
  v: z.literal(1),
  name: text,
  created: z.iso.datetime(),
  hosts: z.array(text).min(1),
  port,
  cluster: z
    .object({ port: port.describe("Where its servers reach each other") })
    .exactOptional()
    .describe("Each host is a server of its own"),
  streams: streams.describe(
    "Over how many streams mailboxes are spread; default: 1, as before there could be more",
  ),
  members: z.array(
    z.object({
      name: text,
      hub: hubId,
      user: natsKey("U"),
      admitted: z.iso.datetime(),
      expires: z.iso.datetime(),
      steward: z.literal(true).exactOptional(),
      revoked: z.iso.datetime().exactOptional(),
    }),
  ),
});

export type FabricRecord = z.output<typeof fabricRecord>;
