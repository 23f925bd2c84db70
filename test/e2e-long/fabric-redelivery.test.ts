import { expect, test } from "vitest";
import { comeBack, expectAll, numbers, startPair, waitingIn } from "../fakes/fabric-pair.js";
import { SHORT, startFabricHub } from "../fakes/fabric-yard.js";
import { patiently } from "../fakes/patiently.js";
import { openWire } from "../fakes/wire.js";

/* The server hands out again, after thirty seconds, what was not acknowledged to it: so this test takes as long. */

test("a hub dies after it stored a batch and before it said so: the batch comes again, and counts once", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();
  const cable = await openWire(server.port);
  const { identity, hub } = r2d2;
  // It asks for its mail, and from then on nothing that it says gets out.
  cable.stallAfter("$JS.API.CONSUMER.MSG.NEXT");
  const dying = await startFabricHub(
    "r2d2",
    { url: `nats://127.0.0.1:${cable.port}` },
    {
      timing: SHORT,
      identity,
      hub,
      noTry: true,
    },
  );
  await patiently(() => expect(cable.held()).toBeGreaterThan(0));
  bmo.hub.post("r2d2", ...numbers(0, 5));
  await patiently(() => expect(hub.got("bmo")).toEqual(numbers(0, 5)));
  cable.cut();
  await dying.link.close();
  expect(await waitingIn(server, r2d2)).toBe(1);
  expect(bmo.hub.taken("r2d2")).toEqual([]);

  const before = hub.batches.length;
  await comeBack(server, r2d2);

  await expectAll({ bmo, r2d2 }, numbers(0, 5));
  expect(hub.batches.length).toBeGreaterThan(before);
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(0));
});
