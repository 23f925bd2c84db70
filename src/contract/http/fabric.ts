import { z } from "zod";
import type { RouteContract } from "./route.js";

const time = z.string().nullable();

const contact = z.object({
  name: z.string().describe("What this hub calls it; its agents are `NAME@PEER`"),
  hub_id: z.string(),
  present: z
    .enum(["yes", "no", "unknown"])
    .describe(
      "Asked just now, of those that are watched (33.6); else as of the last time that it spoke or was asked. `unknown` without an answer within a second, and while this hub is not connected",
    ),
  last_contact: time,
  last_ack: time.describe("When it last acknowledged something, since this hub started"),
  waiting: z.number().describe("Messages that it has not acknowledged"),
  oldest_waiting: time,
});

const status = z.object({
  fabric: z.string().describe("What the fabric is called"),
  hub_id: z.string().describe("The fingerprint of this hub's key"),
  servers: z.array(z.string()),
  steward: z.boolean().describe("Whether this hub makes the streams"),
  expires: z.string().describe("When its admission ends"),
  connection: z
    .enum(["connected", "away", "refused", "twin"])
    .describe(
      "`refused`: the server answers and does not let this hub in. `twin`: another hub has this hub's key",
    ),
  since: time,
  problem: z.string().nullable().describe("What is wrong, also while it is connected"),
  warning: z
    .object({ text: z.string(), fix: z.string().describe("The command that renews it") })
    .nullable()
    .describe("What ends soon: this hub's admission, or at the steward a certificate of its servers"),
  mailbox: z.number().nullable().describe("Batches that wait for this hub; null while nobody can say"),
  contacts: z.array(contact),
});

export const fabricRoutes = {
  status: {
    method: "GET",
    path: "/api/fabric",
    summary: "This hub's place on the fabric: its connection, its mailbox, and what waits for whom",
    access: "operator",
    status: 200,
    response: z.object({ joined: status.nullable().describe("null: it has joined none") }),
  },
  request: {
    method: "POST",
    path: "/api/fabric/request",
    summary: "Make a line by which a steward can admit this hub; it carries no secret",
    access: "operator",
    status: 201,
    response: z.object({
      line: z.string().describe("For `huddle fabric admit` at the steward"),
      name: z.string(),
      hub_id: z.string(),
    }),
  },
  join: {
    method: "POST",
    path: "/api/fabric/join",
    summary: "Join a fabric with what its steward answered to a request",
    access: "operator",
    body: z.strictObject({
      line: z.string().min(1).max(20_000).describe("As `huddle fabric admit` printed it"),
    }),
    status: 201,
    response: status,
    errors: ["FABRIC_LINE_INVALID", "FABRIC_UNUSABLE", "PORT_TAKEN"],
  },
  leave: {
    method: "DELETE",
    path: "/api/fabric",
    summary: "Leave the fabric; what waits for hubs that only it reached comes back to its senders",
    access: "operator",
    status: 200,
    response: z.object({
      fabric: z.string(),
      removed: z.array(z.string()).describe("Peers that are none any more"),
    }),
    errors: ["FABRIC_NOT_FOUND"],
  },
} as const satisfies Record<string, RouteContract>;
