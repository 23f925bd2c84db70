import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";

async function endRefused(permissions: "ask" | "deny", refused: readonly string[]) {
  const hub = await openHostedHub();
  hub.runtime.obey = "take";
  const { id: bob } = await hub.spawn({ name: "bob", permissions, message: "tidy up" });
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().end({ refused });
  await hub.until(() => hub.happened("TurnEnded").length === 1 && hub.state(bob) === "idle");
  return hub.inbox("human");
}

test("what an agent was not let do is told to the person, with the exact command and the way to allow it", async () => {
  const told = await endRefused("ask", ["rm -rf build", "curl example.org"]);
  expect(told).toEqual([
    [
      "Agent bob was not allowed to do this, and could ask nobody (scripted, acp):",
      '  "rm -rf build"',
      '  "curl example.org"',
      "To be asked next time: huddle spawn scripted --runtime acp. To allow all: huddle spawn scripted --permissions allow-all.",
    ].join("\n"),
  ]);
});

test("whoever chose that everything is denied is not told", async () => {
  expect(await endRefused("deny", ["rm -rf build"])).toEqual([]);
});
