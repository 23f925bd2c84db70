import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";
import { HUMAN_ID } from "../model/agent.js";
import { RuntimeError } from "../runtime/runtime.js";

/* An agent that a person started, with a bridge of its own, in a pane that was adopted. */

const how = {
  by: HUMAN_ID,
  pane: { target: "%1", pid: 7 },
  backend: "scripted",
  permissions: "ask" as const,
};

async function adopted(): Promise<{ hub: HostedHub; ann: string; ana: string }> {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const [ann, ana] = [await hub.register("ann"), await hub.register("ana")];
  await hub.execute("adoptPane", { ...how, agent: ana });
  await hub.until(() => hub.state(ana) === "idle");
  return { hub, ann, ana };
}

test("it keeps the token of its bridge, and long mail is pointed at", async () => {
  const { hub, ann, ana } = await adopted();

  await hub.send(ann, ana, "long ".repeat(60));
  await hub.until(() => hub.runtime.agent().turns.length === 1);

  expect(hub.happened("CredentialIssued").filter(({ data }) => data.replaces === true)).toEqual([]);
  expect(hub.runtime.turn().prompt.line).toContain("call check_messages");
  expect(hub.runtime.turn().prompt.file).toBeUndefined();
});

test("its process ended: it is let go, is not tried again, and its mail waits", async () => {
  const { hub, ann, ana } = await adopted();
  const { messageId } = await hub.send(ann, ana, "hello");
  await hub.until(() => hub.runtime.agent().turns.length === 1);

  hub.runtime.agent().exit(0);
  await hub.until(() => hub.views.roster.byId(ana)?.runtime === null);

  expect(hub.happened("PaneLetGo")).toMatchObject([
    { data: { reason: "closed", why: 'its process ended (code 0): "the script says exit"' } },
  ]);
  expect(hub.state(ana)).toBeUndefined();
  expect(hub.receipt(messageId).state).toBe("accepted");
  expect(hub.happened("AgentCrashed")).toEqual([]);
  await hub.execute("adoptPane", { ...how, agent: ana });
  await hub.until(() => hub.runtime.agents.length === 2 && hub.runtime.agent().turns.length === 1);
});

test("a pane that is not there when the hub comes back is let go, and its mail waits", async () => {
  const { hub, ann, ana } = await adopted();
  const { messageId } = await hub.send(ann, ana, "hello");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.failing.push(new RuntimeError("TARGET_INVALID", "tmux has no such pane"));

  const next = await hub.crash();
  await next.until(() => next.views.roster.byId(ana)?.runtime === null);

  expect(next.views.roster.byId(ana)?.goneAt).toBeNull();
  expect(next.receipt(messageId).state).toBe("accepted");
});

test("after a stop of the hub its pane is taken up again, though no mail waits", async () => {
  const { hub, ana } = await adopted();
  await hub.hosting.end("drain");
  await hub.until(() => hub.status(ana) === "dormant");

  const next = await hub.crash();
  await next.until(() => next.state(ana) === "idle");

  expect(next.runtime.agents).toHaveLength(2);
});

test("what it read by itself before the pane was ready is not wanted there, and not given back", async () => {
  const { hub, ann, ana } = await adopted();
  const { messageId } = await hub.send(ann, ana, "hello");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  const { prompt, refuse } = hub.runtime.turn();
  expect(prompt.isRead?.()).toBe(false);

  await hub.execute("offerMessages", { agent: ana, route: "inbox" });
  expect(prompt.isRead?.()).toBe(true);
  refuse(new RuntimeError("HELD", "it was read"));
  await hub.until(() => hub.state(ana) === "idle");

  expect(hub.happened("MessagesReturned")).toEqual([]);
  expect(hub.receipt(messageId).state).toBe("offered");
  expect(hub.status(ana)).toBe("idle");
});
