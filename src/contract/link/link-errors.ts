import type { ErrorContract } from "../error-contract.js";

/** The refusals between hubs. */
export const linkErrors = {
  PEER_UNKNOWN: {
    status: 403,
    exit: "denied",
    fix: "Add whoever calls to `agent-comms.peers` under the name that it calls itself, or pair the two: `huddle peers invite`",
  },
  PEER_NOT_LOCAL: {
    status: 403,
    exit: "denied",
    fix: "Call from the same network, and not through a tunnel or proxy: exclude `/agent/*` there",
  },
  PEER_UNTRUSTED: {
    status: 403,
    exit: "denied",
    beside: "`peer`",
    fix: "Its key is not the one that is known, or a signature is wrong. If the other hub was set up anew, remove the peer and pair again: `huddle peers rm NAME`, `huddle peers invite`",
  },
  RPC_STALE: {
    status: 409,
    exit: "failed",
    beside: "`peer`",
    fix: "Hubs do it by themselves: ask for the hub's run by a ping, sign again with it and a new number, and call again",
  },
  PEER_UNREACHABLE: {
    status: 502,
    exit: "unreachable",
    beside: "`peer`, `status?`: what it answered",
    fix: "Nothing is lost: it is tried again. `huddle peers` says why; check that the other hub runs, its address and the firewall",
  },
  PEER_REFUSED: {
    status: 502,
    exit: "failed",
    beside: "`peer`, `status`: what it answered, `peer_code?`",
    fix: "The sentence has the other hub's reason. With 401, give both the same secret: `huddle secret set`",
  },
  INVITE_INVALID: {
    status: 403,
    exit: "denied",
    fix: "Make a new invitation at the other hub: `huddle peers invite`. It works once, for ten minutes",
  },
  FABRIC_LINE_INVALID: {
    status: 400,
    exit: "usage",
    fix: "Paste all of the line: `huddle fabric request` prints it at the hub that joins, `huddle fabric admit` at the steward",
  },
  FABRIC_EXISTS: {
    exit: "failed",
    beside: "`folder`",
    fix: "Run the fabric that is there: `huddle fabric up`; or choose another folder: `--folder`",
  },
  FABRIC_NOT_FOUND: {
    status: 404,
    exit: "not found",
    fix: "At a steward: `huddle fabric init`, or `--folder` with the place of its keys. At another hub: `huddle fabric request`",
  },
  FABRIC_UNUSABLE: {
    status: 409,
    exit: "failed",
    fix: "The sentence names the file or program, and what to do about it",
  },
  FABRIC_MEMBER_NOT_FOUND: {
    exit: "not found",
    beside: "`available`",
    fix: "See who is admitted: `huddle fabric list`",
  },
  FABRIC_REVOKED: {
    exit: "denied",
    fix: "If that hub may come back: `huddle fabric leave` there, then `huddle fabric request`, which makes a new connection key",
  },
} as const satisfies Record<string, ErrorContract>;
