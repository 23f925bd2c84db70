import { expect, test } from "vitest";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { endSaidTurn } from "./end-said-turn.js";

test("an agent that said it was busy is idle when its turn ended, and one that said otherwise stays so", async () => {
  const hub = openTestHub();
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];
  const say = (from: string, to: string, status: "busy" | "offline") =>
    hub.execute("sendMessage", { from, to: { id: to }, type: "status", typed: { kind: "status", status } });
  await say(ann, bob, "busy");
  await say(bob, ann, "offline");
  const failures: unknown[] = [];
  const ports = {
    roster: hub.views.roster,
    execute: hub.execute,
    onError: (error: unknown) => failures.push(error),
  };

  endSaidTurn(ann, ports);
  endSaidTurn(bob, ports);
  await hub.settled();

  expect(hub.views.roster.byId(ann)).toMatchObject({
    status: "idle",
    statusEvidence: "its hooks tell of the end of a turn",
  });
  expect(hub.views.roster.byId(bob)).toMatchObject({ status: "offline", statusEvidence: "it says so" });
  expect(failures).toEqual([]);
});
