import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../../test/fakes/hosted-hub.js";
import { needsYouRoutes } from "../../contract/http/needs-you.js";
import type { HubPorts } from "../ports.js";
import { listNeeds } from "./needs-you.js";

function needsOf(hub: HostedHub) {
  const hosting = { tmuxOf: () => undefined } as unknown as HubPorts["hosting"];
  const limits = { conversation: { hops: 2, messages: 100, unattended: 200 } } as HubPorts["limits"];
  const ports = { views: hub.views, now: hub.now, wall: hub.clock.wall, hosting, limits };
  return needsYouRoutes.list.response.parse({ items: listNeeds(ports) }).items;
}

async function busyAgent(hub: HostedHub) {
  const { id } = await hub.spawn({ name: "bob" });
  hub.runtime.obey = "take";
  await hub.send("human", id, "work");
  await hub.until(() => hub.state(id) === "busy");
  return id;
}

function ask(hub: HostedHub, details: unknown) {
  return hub.runtime.agent().host.permission({
    tool: "shell",
    title: "a long one",
    act: "execute",
    details,
    options: [
      { id: "yes", label: "Yes", grants: "once" },
      { id: "rule", label: "Always allow npm", grants: "always" },
      { id: "no", label: "No", grants: "deny" },
    ],
    signal: new AbortController().signal,
  });
}

test("a permission has all that is decided upon, however long, with its folder, turn, policy and options", async () => {
  const hub = await openHostedHub();
  await busyAgent(hub);
  const command = `echo ${"x".repeat(100_000)}; rm -rf build`;
  void ask(hub, { input: { command } });
  await hub.until(() => needsOf(hub).length === 1);

  const [need] = needsOf(hub);
  expect(need?.text.endsWith('; rm -rf build"}}')).toBe(true);
  expect(need?.facts).toEqual({
    about: "permission",
    tool: "shell",
    act: "execute",
    title: "a long one",
    details: { input: { command } },
    options: [
      { id: "yes", label: "Yes", grants: "once" },
      { id: "rule", label: "Always allow npm", grants: "always" },
      { id: "no", label: "No", grants: "deny" },
    ],
    folder: hub.project,
    backend: "scripted",
    runtime: "acp",
    policy: "ask",
    turn: hub.runtime.turn().prompt.turn,
    turn_for: ["user"],
  });
});

test("what is too long to be kept whole can only be denied", async () => {
  const hub = await openHostedHub();
  await busyAgent(hub);
  const answer = ask(hub, { input: { command: "x".repeat(2_000_000) } });
  await hub.until(() => needsOf(hub).length === 1);

  const [need] = needsOf(hub);
  expect(need?.actions.map(({ action }) => action)).toEqual(["deny"]);
  expect(need?.facts).toMatchObject({ details: { characters: 2_000_024 } });
  await hub.execute("answerPermission", { permission: need?.id ?? "", decision: "deny", by: "human" });
  expect(await answer).toEqual({ option: "no" });
});

test("a policy that allows all answers it, however long it is", async () => {
  const hub = await openHostedHub();
  await hub.spawn({ name: "bob", permissions: "allow-all" });
  await hub.until(() => hub.runtime.agents.length === 1);

  expect(await ask(hub, { input: "x".repeat(2_000_000) })).toEqual({ option: "yes" });
});

test("a paused conversation names who takes part, how far they came, how it began and what waits", async () => {
  const hub = await openHostedHub({
    limits: { conversation: { hops: 2, messages: 100, causeMs: 60_000, unattended: 1000 } },
  });
  const ann = await hub.register("ann");
  const ben = await hub.register("ben");
  const say = async (from: string, to: string, text: string) => {
    await hub.send(from, to, text);
    await hub.read(to);
  };
  await say(ann, ben, "charged_total or total_charged?");
  await say(ben, ann, "Either.");
  await say(ann, ben, "Which?");
  await say(ben, ann, "Either works, what do you prefer?");

  const [need] = needsOf(hub).filter(({ kind }) => kind === "budget");
  expect(need?.facts).toMatchObject({
    about: "conversation",
    participants: ["ben", "ann"],
    hops_most: 2,
    messages_most: 100,
    held: 1,
    first: { from: "ann", to: "ben", text: "charged_total or total_charged?" },
    last: { from: "ben", to: "ann", text: "Either works, what do you prefer?" },
  });
});
