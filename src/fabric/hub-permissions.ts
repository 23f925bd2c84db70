import { REGISTER_STREAM } from "./subjects.js";

/*
 * What the server lets a hub do: read its own mailbox and registers, and publish under its own name. The server puts the hub's id, which
 * is the name in its user JWT, where `{{name()}}` stands: so one template serves every hub, and no server is touched when one joins.
 */

const me = "{{name()}}";

/* Whichever stream has its mailbox: of all others the hub's own subjects are none. */
const publish = [
  `hud.v1.link.*.*.${me}`,
  `hud.v1.ack.*.${me}`,
  `hud.v1.rpc.*.${me}`,
  `hud.v1.dir.${me}`,
  `$JS.API.CONSUMER.MSG.NEXT.*.${me}`,
  `$JS.API.CONSUMER.INFO.*.${me}`,
  `$JS.API.CONSUMER.CREATE.*.${me}.hud.v1.link.*.${me}.*`,
  `$JS.ACK.*.${me}.>`,
  // Its own newest frame in a mailbox, what others acknowledged of its frames, and who somebody is.
  `$JS.API.DIRECT.GET.*.hud.v1.link.*.*.${me}`,
  `$JS.API.DIRECT.GET.*.hud.v1.ack.${me}.*`,
  `$JS.API.DIRECT.GET.${REGISTER_STREAM}.hud.v1.dir.*`,
  // Which hubs there are. What a stream's subjects are is said to whoever may ask about it, so nobody may of the others: they say who writes to whom.
  `$JS.API.STREAM.INFO.${REGISTER_STREAM}`,
];

const subscribe = [`_INBOX.${me}.>`, `hud.v1.ack.${me}.*`, `hud.v1.rpc.${me}.*`];

/** A steward makes the streams too. It may not change, delete or empty them, nor read anybody's mail. */
const stewardOnly = ["CREATE", "INFO"].map((verb) => `$JS.API.STREAM.${verb}.*`);

export type FabricRole = "hub" | "steward";

/** In the words of NATS account JWTs. */
export function permissionsOf(role: FabricRole) {
  return {
    pub: { allow: role === "steward" ? [...publish, ...stewardOnly] : publish },
    sub: { allow: subscribe },
    resp: { max: 1, ttl: 30_000_000_000 },
    subs: -1,
    data: -1,
    payload: -1,
  };
}
