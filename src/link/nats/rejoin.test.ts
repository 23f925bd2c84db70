import { expect, test } from "vitest";
import { comeBack, expectAll, startPair } from "../../../test/fakes/fabric-pair.js";
import { connected, SHORT } from "../../../test/fakes/fabric-yard.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { type Fabric, type FabricPorts, openFabric } from "./fabric.js";

/* A hub joins a fabric while it is on it, as when its admission is renewed, and leaves. */

async function startJoining() {
  const pair = await startPair();
  const opened: Fabric[] = [];
  const join = () =>
    pair.bmo.link.useFabric((ports: FabricPorts) => {
      const fabric = openFabric(ports, {
        access: { servers: [pair.server.url] },
        isSteward: false,
        adopt: async () => {},
        timing: SHORT,
      });
      opened.push(fabric);
      return fabric;
    });
  return { ...pair, opened, join };
}

test("of those who join at the same time none stays open after the hub has left", async () => {
  const { bmo, opened, join } = await startJoining();
  await Promise.all([join(), join(), bmo.link.useFabric(undefined), join()]);
  await bmo.link.useFabric(undefined);
  expect(opened.map((fabric) => fabric.state().kind)).toEqual(["closed", "closed", "closed"]);
  expect(bmo.link.fabric()).toBeUndefined();

  await Promise.all([join(), bmo.link.close()]);
  expect(opened.every((fabric) => fabric.state().kind === "closed")).toBe(true);
});

test("a hub that joins anew in the middle of its mail does not say that it stops, and the mail goes", async () => {
  const { server, bmo, r2d2, join } = await startJoining();
  await r2d2.link.close();
  bmo.hub.post("r2d2", "one");
  for (let round = 0; round < 3; round++) {
    const before = bmo.hub.asked();
    await patiently(() => expect(bmo.hub.asked()).toBeGreaterThan(before));
    await join();
    await connected(bmo.link);
  }
  expect(bmo.log).not.toContain("what waits for a peer could not be handed over");
  expect(bmo.link.reports()[0]?.lastError).toMatchObject({ code: "PEER_UNREACHABLE" });

  await comeBack(server, r2d2);
  await expectAll({ bmo, r2d2 }, ["one"]);
});
