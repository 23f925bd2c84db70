import { describe, expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";
import { runtimeKinds } from "../model/hosting.js";
import { vendors } from "../runtime/vendors/vendors.js";

/** What its bridge was last started with. */
function toolsOf(hub: HostedHub): string | undefined {
  const { bridge } = hub.runtime.agent().launch;
  return bridge[bridge.indexOf("--tools") + 1];
}

describe("the set of tools", () => {
  test.each([
    ["asked for", { tools: "agent", backend: { tools: "tabs" } }, "sessions", "sessions"],
    ["the backend's", { tools: "agent", backend: { tools: "tabs" } }, undefined, "tabs"],
    ["everybody's", { tools: "agent" }, undefined, "agent"],
    ["the hub's own", {}, undefined, "huddle"],
  ] as const)("is what is %s", async (_, options, asked, got) => {
    const hub = await openHostedHub(options);
    const { id: bob } = await hub.spawn({ name: "bob", tools: asked });
    await hub.until(() => hub.state(bob) === "idle");

    expect(toolsOf(hub)).toBe(got);
    expect(hub.views.roster.byId(bob)?.tools).toBe(got);
  });

  test.each(runtimeKinds)(
    "reaches the bridge under %s, and again when the hub was restarted",
    async (kind) => {
      const hub = await openHostedHub({ runtime: createScriptedRuntime(kind) });
      const { id: bob } = await hub.spawn({ name: "bob", tools: "sessions" });
      await hub.until(() => hub.state(bob) === "idle");
      expect(toolsOf(hub)).toBe("sessions");

      const next = await hub.crash();
      await next.send("human", bob, "Go on.");
      await next.until(() => next.runtime.agents.length === 2);
      expect(toolsOf(next)).toBe("sessions");
    },
  );

  test.each(Object.values(vendors))(
    "$vendor: its wiring hands all of the bridge's arguments on",
    async (vendor) => {
      const hub = await openHostedHub();
      await hub.spawn({ name: "bob", tools: "tabs" });
      const { launch } = hub.runtime.agent();
      for (const wiring of [vendor.wire(launch), vendor.acpWire(launch)]) {
        const made = Object.values(wiring.overlay?.files ?? {}).map((make) => make(undefined));
        expect(JSON.stringify({ ...wiring, made })).toMatch(/--tools\W+tabs\W+--identity/);
      }
    },
  );
});

test("a prompt for tools that go by sessions says whom to call back", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob", tools: "sessions" });
  const ann = await hub.register("ann");
  await hub.send(ann, bob, "Look at the parser.");
  await hub.until(() => hub.runtime.agent().turns.length === 1);

  expect(hub.runtime.turn().prompt.text).toMatch(
    new RegExp(
      `^\\[From agent "ann"\\]:\\nLook at the parser\\.\\n\\[end MSG_ANN_[0-9a-f]{8} mark\\]\\n\\(Huddle: source: agent; fromSession: ${ann}\\)$`,
    ),
  );
});
