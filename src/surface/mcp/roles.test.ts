import { expect, test } from "vitest";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { isOrchestrator } from "./roles.js";

test("the person and orchestrators may do what an orchestrator may; agents and the join token may not", async () => {
  const hub = openTestHub();
  const callerAs = async (role: "agent" | "orchestrator") => {
    const agent = hub.views.roster.byId(await hub.register(undefined, { role }));
    if (agent === undefined) throw new Error("it did not register");
    return { kind: "agent", agent } as const;
  };

  expect(isOrchestrator({ kind: "operator" })).toBe(true);
  expect(isOrchestrator(await callerAs("orchestrator"))).toBe(true);
  expect(isOrchestrator(await callerAs("agent"))).toBe(false);
  expect(isOrchestrator({ kind: "join" })).toBe(false);
});
