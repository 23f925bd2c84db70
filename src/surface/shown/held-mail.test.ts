import { expect, test } from "vitest";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { pacedLimits } from "../../../test/fakes/test-journal.js";
import { heldRoutes } from "../../contract/http/held.js";
import type { AgentId } from "../../model/agent.js";
import { silentPair } from "../../views/traffic.js";
import { countReasons, findHeld, viewHeld } from "./held-mail.js";

const SECOND = 1000;

async function openPair() {
  const hub = openTestHub({ limits: pacedLimits });
  const [ann, ben] = [await hub.register("ann"), await hub.register("ben")];
  const ports = { views: hub.views, now: hub.now, wall: hub.clock.wall, seqBefore: hub.events.seqBefore };
  /** As if these were who was written to lately. */
  const look = (...to: AgentId[]) => {
    const found = findHeld(
      to.map((one) => ({ ...silentPair(ann, one), minutes: [] })),
      ports,
    );
    return heldRoutes.list.response.parse({
      held: found.flatMap((one) => viewHeld(one, ports)),
      total: found.length,
      reasons: countReasons(found),
    });
  };
  return { hub, ann, ben, look };
}

test("what a cooldown holds is told with its words and when it is due", async () => {
  const { hub, ann, ben, look } = await openPair();
  await hub.send(ann, ben, "one");
  await hub.send(ann, ben, "two");

  const { held, total, reasons } = look();
  expect(total).toBe(1);
  expect(held).toMatchObject([{ from: "ann", to: "ben", text: "two", reason: "cooldown" }]);
  expect(Date.parse(held[0]?.until ?? "") - hub.clock.wall()).toBe(2 * SECOND);
  expect(reasons).toEqual([{ reason: "cooldown", messages: 1 }]);
});

test("what comes after a held one waits behind it for the same reason; what goes the other way does not", async () => {
  const { hub, ann, ben, look } = await openPair();
  await hub.execute("decidePair", { by: "human", from: ann, to: ben, action: "pause" });
  await hub.send(ann, ben, "held");
  await hub.execute("openRequest", { from: ann, description: "behind it", timeoutMs: 60 * SECOND });
  await hub.send(ben, ann, "back");

  expect(look().held.map(({ text, reason, until, behind }) => ({ text, reason, until, behind }))).toEqual([
    { text: "held", reason: "paused", until: null, behind: undefined },
    { text: "behind it", reason: "paused", until: null, behind: true },
  ]);
});

test("mail for somebody who is not there waits, with why; once they are back it does not", async () => {
  const { hub, ann, ben, look } = await openPair();
  await hub.send(ann, ben, "are you there?");
  expect(look(ben).total).toBe(0);

  await hub.execute("pauseAgents", { agent: ben, by: "human" });
  expect(look(ben).held).toMatchObject([{ text: "are you there?", reason: "away", why: '"ben" is paused' }]);
  expect(look().total).toBe(0);
  hub.clock.advance(11 * 60 * SECOND);
  expect(look(ben).total).toBe(0);
});
