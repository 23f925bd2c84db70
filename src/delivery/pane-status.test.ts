import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";
import { answeredOnScreen, RuntimeError } from "../runtime/runtime.js";

/* What an agent in a pane is said to be at while its screen is the person's. */

async function openHeld() {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { id: bob } = await hub.spawn({ name: "bob" });
  const sent = await hub.send("human", bob, "hello");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().refuse(new RuntimeError("HELD", "the person has a draft", { state: "draft" }));
  await hub.until(() => hub.status(bob) === "waiting");
  return { hub, bob, sent, says: () => hub.views.roster.byId(bob)?.statusEvidence };
}

test("a draft that goes when its mail has been read already: nothing waits for the person any more", async () => {
  const { hub, bob, sent } = await openHeld();
  await hub.read(bob);
  await hub.ack(bob, sent.messageId);
  expect(hub.status(bob)).toBe("waiting");

  hub.runtime.agent().host.waiting?.(undefined);

  await hub.until(() => hub.status(bob) === "idle");
  expect(hub.state(bob)).toBe("idle");
});

test("a dialog that follows a draft, and a draft that follows a dialog, are what it waits for", async () => {
  const { hub, bob, says } = await openHeld();
  expect(says()).toBe("the person has a draft");

  const answer = hub.runtime.agent().askPermission();
  await hub.until(() => says() === "it asks: rm -r build");
  const [asked] = hub.happened("PermissionRequested");
  await hub.execute("answerPermission", {
    permission: asked?.data.permission.id ?? "",
    decision: "deny",
    by: "human",
  });
  await answer;
  await hub.until(() => hub.status(bob) === "idle");

  hub.runtime.agent().host.waiting?.({ on: "draft", words: "half a thought" });
  await hub.until(() => hub.status(bob) === "waiting");
  expect(says()).toBe("mail waits until the draft in its input box is gone");
});

test("a dialog that stands on after an interrupt is shown to the person, and the turn is still to stop", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  hub.runtime.heeds = false;
  const { id: bob } = await hub.spawn({ name: "bob" });
  await hub.send("human", bob, "hello");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  await hub.until(() => hub.state(bob) === "busy");
  await hub.send("human", bob, "stop", { attention: "interrupt" });
  await hub.until(() => hub.state(bob) === "cancelling");
  expect(await hub.runtime.agent().askPermission()).toBe("cancelled");

  const over = new AbortController();
  const stands = { tool: "dialog", title: "Remove it?", act: "dialog", details: {}, options: [] };
  void hub.runtime.agent().host.permission({ ...stands, stands: true, signal: over.signal });
  await hub.until(() => hub.status(bob) === "waiting");
  expect(hub.views.permissions.open()).toHaveLength(1);
  expect(hub.state(bob)).toBe("cancelling");

  over.abort(answeredOnScreen);
  await hub.until(() => hub.status(bob) === "busy");
  hub.runtime.turn().end({ stop: "cancelled" });
  await hub.until(() => hub.runtime.agent().turns.length === 2);
});
