import { expect, test } from "vitest";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { refusalOf } from "../../../test/refusal-of.js";
import type { Access } from "../../contract/http/route.js";
import { hashToken } from "../../hub/rules/credentials.js";
import { HUMAN_ID } from "../../model/agent.js";
import { type Caller, checkAccess, createAuthenticate, memberId, viewerOf } from "./auth.js";
import { checkSender } from "./check-sender.js";
import { createDeskTokens } from "./desk-tokens.js";

const secrets = { operator: "operator-token", join: "join-token" };
const desk = createDeskTokens({ operator: secrets.operator, lifeMs: 60_000, wall: () => 1_000_000 });

async function openDoor() {
  const hub = openTestHub();
  const alice = await hub.register("alice", { credential: hashToken("alice-token") });
  return { hub, alice, authenticate: createAuthenticate(hub.views, secrets, desk) };
}

const operator: Caller = { kind: "operator" };
const join: Caller = { kind: "join" };

async function anAgent(role: "agent" | "orchestrator" = "agent"): Promise<Caller> {
  const hub = openTestHub();
  const agent = hub.views.roster.byId(await hub.register("alice", { role }));
  if (agent === undefined) throw new Error("alice did not register");
  return { kind: "agent", agent };
}

test("a token says who calls", async () => {
  const { authenticate, alice } = await openDoor();

  expect(authenticate("Bearer operator-token")).toEqual({ kind: "operator" });
  expect(authenticate("Bearer join-token")).toEqual({ kind: "join" });
  expect(authenticate("Bearer alice-token")).toMatchObject({ kind: "agent", agent: { id: alice } });
  // The same header again, which is remembered.
  expect(authenticate("Bearer alice-token")).toMatchObject({ kind: "agent", agent: { id: alice } });
});

test("the scheme may be written in any case, with spaces around the token", async () => {
  const { authenticate } = await openDoor();

  for (const header of ["bearer alice-token", "BEARER   alice-token", "Bearer alice-token  "])
    expect(authenticate(header).kind, header).toBe("agent");
});

const refused = [
  undefined,
  "",
  "Bearer",
  "Bearer ",
  "alice-token",
  "Basic alice-token",
  "xBearer alice-token",
  "Beareralice-token",
  "Bearer alice-token more",
  "Bearer alice-toke",
  "Bearer operator-tokens",
  `Bearer ${"a".repeat(513)}`,
];

test("anything but a whole token of ours is refused", async () => {
  const { authenticate } = await openDoor();

  for (const header of refused)
    expect(refusalOf(() => authenticate(header)).code, header).toBe("UNAUTHENTICATED");
});

test("what is no token and what is a wrong one are told apart", async () => {
  const { authenticate } = await openDoor();

  expect(refusalOf(() => authenticate(undefined)).message).toContain("A token is needed");
  expect(refusalOf(() => authenticate("Basic x")).message).toContain("A token is needed");
  expect(refusalOf(() => authenticate(`Bearer ${"a".repeat(512)}`)).message).toContain("not valid");
});

test("a remembered token ends with its agent", async () => {
  const { hub, authenticate, alice } = await openDoor();
  authenticate("Bearer alice-token");

  await hub.deregister(alice);

  expect(refusalOf(() => authenticate("Bearer alice-token")).code).toBe("UNAUTHENTICATED");
});

test.each<[Access, { operator: boolean; join: boolean; agent: boolean }]>([
  ["any", { operator: true, join: true, agent: true }],
  ["join", { operator: true, join: true, agent: false }],
  ["member", { operator: true, join: false, agent: true }],
  ["operator", { operator: true, join: false, agent: false }],
])("a route for %s lets in whom it should, and nobody else", async (access, allowed) => {
  const callers = [operator, join, await anAgent()];
  const outcomes = Object.fromEntries(
    callers.map((caller) => {
      try {
        checkAccess(caller, access);
        return [caller.kind, true];
      } catch {
        return [caller.kind, refusalOf(() => checkAccess(caller, access)).code !== "FORBIDDEN"];
      }
    }),
  );
  expect(outcomes).toEqual(allowed);
});

test("a refusal says which token is needed and which was sent", async () => {
  const agent = await anAgent();

  expect(refusalOf(() => checkAccess(agent, "operator")).message).toBe(
    "This needs the operator's token; yours is an agent's",
  );
  expect(refusalOf(() => checkAccess(join, "member")).message).toBe(
    "This needs an agent's token, or the operator's; yours is the join token",
  );
  expect(refusalOf(() => checkAccess(agent, "join")).message).toBe(
    "This needs the join token, or the operator's; yours is an agent's",
  );
});

test("the operator stands for the person, an agent for itself, the join token for nobody", async () => {
  const agent = await anAgent("orchestrator");
  const id = agent.kind === "agent" ? agent.agent.id : "";

  expect(memberId(operator)).toBe(HUMAN_ID);
  expect(memberId(agent)).toBe(id);
  expect(refusalOf(() => memberId(join)).code).toBe("FORBIDDEN");
  expect(viewerOf(operator)).toEqual({ kind: "operator" });
  expect(viewerOf(agent)).toEqual({ kind: "agent", id, role: "orchestrator" });
  expect(refusalOf(() => viewerOf(join)).code).toBe("FORBIDDEN");
});

test("a sender may be repeated, by name or id, and never be another", async () => {
  const agent = await anAgent();
  const id = agent.kind === "agent" ? agent.agent.id : "";

  for (const own of [undefined, "alice", id]) expect(() => checkSender(agent, own)).not.toThrow();
  for (const own of [undefined, "user", "human"]) expect(() => checkSender(operator, own)).not.toThrow();
  for (const [caller, claimed, sender] of [
    [agent, "bob", "alice"],
    [agent, "user", "alice"],
    [agent, "", "alice"],
    [operator, "alice", "user"],
    [operator, "", "user"],
  ] as const) {
    const refused = refusalOf(() => checkSender(caller, claimed));
    expect(refused).toMatchObject({ code: "SENDER_MISMATCH", details: { sender } });
  }
});
