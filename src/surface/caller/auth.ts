import { LRUCache } from "lru-cache";
import type { Access } from "../../contract/http/route.js";
import { hashToken } from "../../hub/rules/credentials.js";
import { type Agent, HUMAN_ID } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { Viewer } from "../../model/viewer.js";
import type { TightViews } from "../../views/tight.js";

/** Whoever holds the credential. The sender of a message is this, whatever the body says. */
export type Caller = { kind: "operator" } | { kind: "join" } | { kind: "agent"; agent: Agent };

export type Authenticate = (authorization: string | undefined) => Caller;

export type Secrets = { operator: string; join: string };

const REMEMBERED = 5000;

export function createAuthenticate(views: TightViews, secrets: Secrets): Authenticate {
  const operator = hashToken(secrets.operator);
  const join = hashToken(secrets.join);
  /** Of headers that were valid once. Whether they still are is asked every time. */
  const hashes = new LRUCache<string, string>({ max: REMEMBERED });

  function hashOf(authorization: string): string {
    const token = /^Bearer +(\S{1,512}) *$/i.exec(authorization)?.[1];
    if (token === undefined) {
      throw new HubError("UNAUTHENTICATED", "A token is needed: send the header Authorization: Bearer TOKEN");
    }
    return hashToken(token);
  }
  return (authorization = "") => {
    // Comparing hashes: how long it takes says nothing about the token.
    const hash = hashes.get(authorization) ?? hashOf(authorization);
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

export function viewerOf(caller: Caller): Viewer {
  if (caller.kind === "operator") return { kind: "operator" };
  if (caller.kind === "join") throw new HubError("FORBIDDEN", "The join token can only register agents");
  return { kind: "agent", id: caller.agent.id, role: caller.agent.role };
}
