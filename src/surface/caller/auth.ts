import { LRUCache } from "lru-cache";
import type { Access } from "../../contract/http/route.js";
import { hashToken } from "../../hub/rules/credentials.js";
import { type Agent, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { Viewer } from "../../model/viewer.js";
import type { TightViews } from "../../views/tight.js";
import type { DeskTokens } from "./desk-tokens.js";

/**
 * Whoever holds the credential. The sender of a message is this, whatever the body says. `deskUntil`: the operator's desk, by
 * a token of its own that is good until then, in wall time.
 */
export type Caller =
  | { kind: "operator"; deskUntil?: number }
  | { kind: "join" }
  | { kind: "agent"; agent: Agent };

export type Authenticate = (authorization: string | undefined) => Caller;

export type Secrets = { operator: string; join: string };

const REMEMBERED = 5000;

export function createAuthenticate(views: TightViews, secrets: Secrets, desk: DeskTokens): Authenticate {
  const operator = hashToken(secrets.operator);
  const join = hashToken(secrets.join);
  /** Of headers that were valid once. Whether they still are is asked every time. */
  const hashes = new LRUCache<string, string>({ max: REMEMBERED });

  function tokenIn(authorization: string): string {
    const token = /^Bearer +(\S{1,512}) *$/i.exec(authorization)?.[1];
    if (token === undefined) {
      throw new HubError("UNAUTHENTICATED", "A token is needed: send the header Authorization: Bearer TOKEN");
    }
    return token;
  }

  function authenticateDesk(token: string): Caller {
    const deskUntil = desk.check(token);
    if (deskUntil !== undefined) return { kind: "operator", deskUntil };
    throw new HubError(
      "UNAUTHENTICATED",
      "The desk was opened too long ago, or the operator's token is another now. Run `huddle ui` to open it again",
    );
  }

  return (authorization = "") => {
    const known = hashes.get(authorization);
    const token = known === undefined ? tokenIn(authorization) : "";
    if (token.startsWith("hud_desk_")) return authenticateDesk(token);
    // Comparing hashes: how long it takes says nothing about the token.
    const hash = known ?? hashToken(token);
    if (hash === operator) return { kind: "operator" };
    if (hash === join) return { kind: "join" };
    const agent = views.roster.byCredential(hash);
    if (agent === undefined) {
      throw new HubError("UNAUTHENTICATED", "This token is not valid, or its agent has left; register again");
    }
    hashes.set(authorization, hash);
    return { kind: "agent", agent };
  };
}

export function checkAccess(caller: Caller, access: Access): void {
  const allowed =
    access === "any" ||
    caller.kind === "operator" ||
    (access === "join" && caller.kind === "join") ||
    (access === "member" && caller.kind === "agent");
  if (allowed) return;
  const needed = {
    join: "the join token, or the operator's",
    member: "an agent's token, or the operator's",
    operator: "the operator's token",
    open: "no token",
  }[access];
  throw new HubError("FORBIDDEN", `This needs ${needed}; yours is ${describe(caller)}`);
}

function describe(caller: Caller): string {
  return caller.kind === "agent" ? "an agent's" : `the ${caller.kind} token`;
}

/** The inbox and the sender that a caller stands for: the operator is the person. */
export function memberId(caller: Caller): string {
  if (caller.kind === "join") throw new HubError("FORBIDDEN", "The join token can only register agents");
  return caller.kind === "operator" ? HUMAN_ID : caller.agent.id;
}

/** Whether the person acts from a browser. */
export function isDesk(caller: Caller): boolean {
  return caller.kind === "operator" && caller.deskUntil !== undefined;
}

export function viewerOf(caller: Caller): Viewer {
  if (caller.kind === "operator") return { kind: "operator" };
  if (caller.kind === "join") throw new HubError("FORBIDDEN", "The join token can only register agents");
  return { kind: "agent", id: caller.agent.id, role: caller.agent.role };
}
