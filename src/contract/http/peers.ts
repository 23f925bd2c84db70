import { z } from "zod";
import type { RouteContract } from "./route.js";

const time = z.string().nullable();

const peerView = z.object({
  name: z.string().describe("What this hub calls it; its agents are `NAME@PEER`"),
  kind: z
    .enum(["hub", "plain"])
    .describe("`plain`: a daemon of document 004, or a peer that has not answered yet"),
  host: z.string().describe("Empty, and the port 0, where only the fabric reaches it"),
  port: z.number(),
  label: z.string().nullable().describe("How models read it: `[Agent] R2: …`"),
  hub_id: z.string().nullable().describe("The fingerprint of its key"),
  key: z
    .enum(["paired", "first_seen", "none"])
    .describe(
      "`first_seen`: the first key that it showed is trusted; compare its fingerprint. `paired`: it is proven",
    ),
  key_seen: time.describe("When the first one was seen"),
  distrusted: z
    .object({ at: z.string(), message: z.string() })
    .nullable()
    .describe("Somebody with its secret had another key, or two hubs have its key; they were refused"),
  origin: z
    .enum(["config", "paired", "added", "fabric"])
    .describe("`config`: it stands in huddle.yaml, and is removed there. `fabric`: a hub of the same fabric"),
  reachable: z
    .enum(["yes", "no", "unknown"])
    .describe("Since this hub started; `unknown`: nobody has spoken yet"),
  reachable_since: time,
  secret: z
    .enum(["matched", "wrong", "missing", "unknown", "none"])
    .describe("`missing`: it could not be read here. `none`: the fabric needs none. Never the secret itself"),
  last_contact: time,
  last_error: z.object({ at: z.string(), code: z.string(), message: z.string() }).nullable(),
  clock_skew_ms: z.number().nullable().describe("How far its clock is ahead of this one's"),
  version: z.string().nullable(),
  waiting: z.number().describe("Messages that it has not taken yet"),
  oldest_waiting: time.describe("When the oldest of them was sent"),
});

const invitation = z.object({
  line: z.string().describe("For `huddle peers join` at the other hub. It works once"),
  expires: z.string(),
});

const directoryEntry = z.object({
  address: z.string().describe("By which agents of this hub write to it"),
  name: z.string(),
  team: z.string(),
  label: z.string().nullable(),
  status: z.enum(["idle", "busy", "offline"]),
  person: z.boolean(),
});

export const peerRoutes = {
  list: {
    method: "GET",
    path: "/api/peers",
    summary: "The other hubs and daemons that this hub is linked to, and what is known of each",
    access: "operator",
    status: 200,
    response: z.object({
      self: z
        .object({ name: z.string(), hub_id: z.string(), host: z.string(), port: z.number().nullable() })
        .nullable()
        .describe(
          "This hub as others know it; null while links do not run. `port`: null while nothing listens",
        ),
      problem: z.string().nullable().describe("Why links do not run, though they should"),
      peers: z.array(peerView),
    }),
  },
  invite: {
    method: "POST",
    path: "/api/peers/invite",
    summary: "Make a line that links one other hub to this one; it works once, for ten minutes",
    access: "operator",
    status: 201,
    response: invitation,
    errors: ["PORT_TAKEN"],
  },
  join: {
    method: "POST",
    path: "/api/peers/join",
    summary: "Link this hub to the one that made an invitation",
    access: "operator",
    body: z.strictObject({
      line: z.string().min(1).max(1000).describe("As `huddle peers invite` printed it"),
      name: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .describe("What to call it here; default: what it calls itself"),
    }),
    status: 201,
    response: peerView,
    errors: [
      "INVITE_INVALID",
      "PEER_UNREACHABLE",
      "PEER_REFUSED",
      "PEER_UNTRUSTED",
      "PEER_EXISTS",
      "NAME_INVALID",
      "NAME_RESERVED",
      "PORT_TAKEN",
    ],
  },
  add: {
    method: "POST",
    path: "/api/peers",
    summary: "Link a daemon of document 004, or a hub that knows this one, by its address",
    access: "operator",
    body: z.strictObject({
      name: z.string().min(1).max(64).describe("What to call it here, and what it calls itself"),
      host: z.string().min(1).max(253),
      port: z.number().int().min(1).max(65_535).default(3847),
      label: z.string().min(1).max(80).optional().describe("How models read it"),
      secret: z
        .string()
        .max(1100)
        .optional()
        .describe(
          "Where its secret is kept (`keychain:NAME`, `env:NAME`, `file:PATH`), never the secret; default `agent-comms.secret`",
        ),
    }),
    status: 201,
    response: peerView,
    errors: ["SECRET_UNUSABLE", "PEER_EXISTS", "NAME_INVALID", "NAME_RESERVED", "PORT_TAKEN"],
  },
  remove: {
    method: "DELETE",
    path: "/api/peers/:name",
    summary: "End the link to another hub; what waits for it comes back to its senders",
    access: "operator",
    status: 200,
    response: z.object({ name: z.string() }),
    errors: ["PEER_NOT_FOUND"],
  },
  ping: {
    method: "POST",
    path: "/api/peers/:name/ping",
    summary: "Ask a peer now whether it is there",
    access: "operator",
    status: 200,
    response: peerView,
    errors: ["PEER_NOT_FOUND"],
  },
  agents: {
    method: "GET",
    path: "/api/peers/:name/agents",
    summary: "Who is on another hub, as it tells now",
    access: "operator",
    status: 200,
    response: z.object({ agents: z.array(directoryEntry) }),
    errors: ["PEER_NOT_FOUND", "PEER_UNREACHABLE", "PEER_REFUSED", "PEER_UNTRUSTED"],
  },
} as const satisfies Record<string, RouteContract>;
