import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../../model/agent.js";
import type { PermissionDecision, PermissionGrant } from "../../model/permission.js";

/** An agent that asked leave, and offers these answers. */
async function openAsked(...offers: PermissionGrant[]) {
  const hub = openTestHub();
  const agent = await hub.register("hal");
  await hub.execute("requestPermission", {
    agent,
    turn: null,
    id: "p1",
    tool: "bash",
    title: "rm -rf build",
    act: "execute",
    details: {},
    options: offers.map((grants) => ({ id: `option-${grants}`, label: grants, grants })),
  });
  const answer = (decision: PermissionDecision, permission = "p1") =>
    hub.execute("answerPermission", { permission, decision, by: HUMAN_ID });
  const outcome = () => hub.views.permissions.byId("p1")?.outcome;
  return { hub, agent, answer, outcome };
}

test("an answer is carried out by the option that the agent offers for it", async () => {
  const { answer, outcome } = await openAsked("once", "always", "deny");

  expect(await answer("always")).toMatchObject({ permission: "p1", outcome: "always" });
  expect(outcome()).toBe("always");
});

test("what the agent does not offer cannot be allowed, and the question stays open", async () => {
  const { answer, outcome } = await openAsked("always", "deny");

  expect(await refusal(answer("once"))).toMatchObject({
    code: "INVALID_INPUT",
    details: { offers: ["always", "deny"] },
  });
  expect(outcome()).toBeNull();
});

test("it can always be denied: an agent that offers no way to say so is cancelled", async () => {
  const { answer, outcome } = await openAsked("once");

  expect(await answer("deny")).toMatchObject({ outcome: "cancelled" });
  expect(outcome()).toBe("cancelled");
});

test("it is answered once, and only what was asked can be answered", async () => {
  const { answer, outcome } = await openAsked("once", "deny");
  await answer("deny");

  expect(await refusal(answer("once"))).toMatchObject({
    code: "PERMISSION_ANSWERED",
    details: { outcome: "deny" },
  });
  expect(outcome()).toBe("deny");
  expect(await refusal(answer("once", "p2"))).toMatchObject({
    code: "PERMISSION_NOT_FOUND",
    details: { open: [] },
  });
});

test("what an agent that left had asked for is cancelled, and cannot be answered any more", async () => {
  const { hub, agent, answer, outcome } = await openAsked("once", "deny");

  await hub.deregister(agent);

  expect(outcome()).toBe("cancelled");
  expect((await refusal(answer("once"))).code).toBe("PERMISSION_ANSWERED");
});
