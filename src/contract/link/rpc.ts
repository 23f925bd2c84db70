import { z } from "zod";
import { hubId } from "./batch.js";

/* `POST /agent/rpc`: what hubs ask each other besides handing over frames. Answered at once, and never stored. */

const name = z.string().min(1).max(200);
const key = z.string().min(1).max(200).describe("An Ed25519 public key, SPKI in base64");
const proof = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "is not a proof");
const nonce = z.string().regex(/^[A-Za-z0-9_-]{22}$/, "is not a nonce");

const run = z.string().min(1).max(64).describe("Another one at each start of a hub");

/** Who asks, and how it shows that: by its secret, and by its key. */
const asker = {
  v: z.literal(1),
  origin: hubId,
  from: name,
  proof: z
    .object({ dest: hubId, to: run, run, n: z.number().int().min(1) })
    .exactOptional()
    .describe("Whom it asks, in which run, and its own number: what is signed is good once"),
  sig: z.string().max(200).exactOptional().describe("Ed25519, base64, over all the rest"),
};

const have = z
  .object({ epoch: z.string().min(1).max(100), upTo: z.number().int().min(0) })
  .nullable()
  .exactOptional()
  .describe("Up to where whoever speaks has the other's frames; null: it has none");

const pairCall = z.object({
  v: z.literal(1),
  kind: z.literal("pair"),
  from: name,
  key,
  host: z
    .string()
    .min(1)
    .max(255)
    .exactOptional()
    .describe("Where the joining hub listens; default: where it calls from"),
  port: z.number().int().min(1).max(65_535),
  nonce,
  proof: proof.describe("HMAC-SHA256 with the one-time secret of the invitation"),
});

const id = z.string().min(1).max(200);

export const directoryEntry = z.object({
  id,
  name,
  team: name,
  label: z.string().max(200).nullable(),
  status: z.enum(["idle", "busy", "offline"]),
  isPerson: z.literal(true).exactOptional(),
});

const rev = z.string().min(1).max(100).describe("Which state of the directory");

/** Far less than an answer may have. */
export const DIRECTORY_PAGE_MOST = 1000;
const place = z.string().min(1).max(500);

const page = z.object({
  limit: z.number().int().min(1).max(DIRECTORY_PAGE_MOST),
  after: place.exactOptional().describe("`NAME/TEAM` of the last one of the page before"),
  name: name.exactOptional().describe("Only agents of this name"),
});

export const rpcCall = z.discriminatedUnion("kind", [
  z.object({ ...asker, kind: z.literal("ping"), have }),
  z.object({
    ...asker,
    kind: z.literal("directory"),
    page: page
      .exactOptional()
      .describe("So much of it and no more, once. Without it: all of it, and what changes from now on"),
  }),
  z.object({
    ...asker,
    kind: z.literal("claim"),
    request: id.describe("The id that it has on the hub that is asked"),
    by: z.object({ id, name, team: name, isPerson: z.literal(true).exactOptional() }),
    heir: z
      .object({ id, name, team: name, yours: z.literal(true).exactOptional() })
      .exactOptional()
      .describe(
        "`by` has it and gives it to this one, an agent of the caller; `yours`: of the hub that is asked",
      ),
  }),
  z.object({
    ...asker,
    kind: z.literal("presence"),
    rev,
    after: rev
      .exactOptional()
      .describe("The state that this changes; without it, ask for the whole directory"),
    agents: z.array(directoryEntry).max(100).exactOptional().describe("Who came or changed"),
    gone: z.array(id).max(100).exactOptional(),
  }),
  pairCall,
]);

export type PairCall = z.output<typeof pairCall>;

export const pingAnswer = z.object({
  ok: z.literal(true),
  hub: hubId,
  key,
  name,
  version: z.string().max(100),
  at: z.number(),
  have,
  run: run.exactOptional(),
});

export const directoryAnswer = z.object({
  ok: z.literal(true),
  agents: z.array(directoryEntry).max(10_000),
  rev: rev.optional(),
  version: z.string().max(100),
  at: z.number(),
});

/** Each agent is read by itself: one that is none takes nobody else's place. */
export const directoryPageAnswer = z.object({
  ok: z.literal(true),
  agents: z.array(z.unknown()),
  next: place.optional().describe("There are more"),
  version: z.string().max(100),
  at: z.number(),
});

export const claimAnswer = z.object({
  ok: z.literal(true),
  claimed: z.boolean(),
  status: z.enum(["open", "claimed", "answered", "expired"]),
  by: z.string().max(200).exactOptional().describe("Who has it, where it is somebody else"),
  passed: z.literal(true).exactOptional().describe("The heir has it"),
  version: z.string().max(100),
  at: z.number(),
});

export const presenceAnswer = z.object({
  ok: z.literal(true),
  stop: z.literal(true).exactOptional().describe("It wants to hear no more of this hub's directory"),
  version: z.string().max(100),
  at: z.number(),
});

export const pairAnswer = z.object({ ok: z.literal(true), name, key, nonce, proof });

export type PairAnswer = z.output<typeof pairAnswer>;
