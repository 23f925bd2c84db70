import { expect, test } from "vitest";
import { peerAt, SECRET, startLinkedHub, startTwoHubs } from "../../test/fakes/link-yard.js";
import { patiently } from "../../test/fakes/patiently.js";
import type { DirectoryEntry } from "../model/link.js";

const agent = (id: string, status: DirectoryEntry["status"] = "idle"): DirectoryEntry => ({
  id,
  name: id,
  team: "main",
  label: null,
  status,
});

test("a hub knows who is on the other, and hears of each change there", async () => {
  const { bmo, r2d2 } = await startTwoHubs();
  const known = () => bmo.link.knownDirectory("r2d2")?.map(({ name, status }) => `${name} ${status}`);
  await patiently(() => expect(known()).toEqual(["ana idle"]));

  r2d2.hub.setAgents([agent("ana", "busy"), agent("ben")]);
  await patiently(() => expect(known()).toEqual(["ana busy", "ben idle"]));
  r2d2.hub.setAgents([agent("ben")]);
  await patiently(() => expect(known()).toEqual(["ben idle"]));
});

test("more than fits into one call is asked for as a whole", async () => {
  const { bmo, r2d2 } = await startTwoHubs();
  await patiently(() => expect(bmo.link.knownDirectory("r2d2")?.length).toBe(1));
  r2d2.hub.setAgents(Array.from({ length: 200 }, (_, n) => agent(`agent-${n}`)));
  await patiently(() => expect(bmo.link.knownDirectory("r2d2")?.length).toBe(200));
});

test("where nothing changes nothing is said, and one that is away is asked once", async () => {
  const timers: number[] = [];
  const { hub, link } = await startLinkedHub("bmo", {
    common: SECRET,
    peers: Array.from({ length: 50 }, (_, n) => peerAt(`away-${n}`, 1)),
    after(ms) {
      timers.push(ms);
      return () => {};
    },
  });
  await patiently(() => expect(link.reports().filter(({ reachable }) => reachable === "no").length).toBe(50));
  hub.setAgents([agent("ben")]);
  expect(timers).toEqual([]);
  expect(link.knownDirectory("away-0")).toBeUndefined();
});

test("a claim is decided by the hub that is asked, and the same one asked again is the same claim", async () => {
  const { bmo, r2d2 } = await startTwoHubs();
  const by = (name: string) => ({ request: "req-1", by: { id: name, name, team: "main" } });
  expect(await bmo.link.claim("r2d2", by("ann"))).toEqual({ claimed: true, status: "claimed" });
  expect(await bmo.link.claim("r2d2", by("ann"))).toEqual({ claimed: true, status: "claimed" });
  expect(await bmo.link.claim("r2d2", by("eve"))).toEqual({ claimed: false, status: "claimed", by: "ann" });
  expect([...r2d2.hub.claims]).toEqual([["req-1", "ann"]]);
});
