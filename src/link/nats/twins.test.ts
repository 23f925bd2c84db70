import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { comeBack, expectAll, numbers, startPair } from "../../../test/fakes/fabric-pair.js";
import {
  connected,
  type FabricHub,
  memberPeer,
  SHORT,
  startFabricHub,
} from "../../../test/fakes/fabric-yard.js";
import { startFabricServer } from "../../../test/fakes/nats-server.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { createScriptedLinkHub } from "../../../test/fakes/scripted-link-hub.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { openWire } from "../../../test/fakes/wire.js";
import { inboxPrefix } from "../../fabric/subjects.js";
import { ensureIdentity } from "../identity.js";

/* Two hubs with one key, as after a copy of a machine. Only one of them takes part. */

const kindOf = ({ link }: FabricHub) => link.fabric()?.state().kind;
const claim = (request: string) => ({ request, by: { id: "a1", name: "ana", team: "main" } });

test("of two that start at the same moment one serves and the other says that it does not, each time", async () => {
  const server = await startFabricServer();
  const bmo = await startFabricHub("bmo", server, { timing: SHORT });
  for (const round of numbers(0, 6)) {
    const identity = ensureIdentity(join(tempFolder(), "hub.key"));
    bmo.hub.setPeers([memberPeer("r2d2", identity)]);
    const start = () =>
      startFabricHub("r2d2", server, { timing: { ...SHORT, twinMs: 200 }, identity, noWait: true });
    const both = await Promise.all([start(), start()]);
    const kinds = () => both.map((one) => String(kindOf(one))).sort();
    await patiently(() => expect(kinds()).toEqual(["connected", "twin"]));

    await patiently(() => bmo.link.claim("r2d2", claim(`req-${round}`)));
    // It is looked for again and again, and stays so.
    for (let look = 0; look < 3; look++)
      expect(await bmo.link.claim("r2d2", claim(`again-${round}-${look}`))).toMatchObject({ claimed: true });
    expect(kinds()).toEqual(["connected", "twin"]);
    const [serving, waiting] = kindOf(both[0]) === "connected" ? both : [both[1], both[0]];
    expect(serving.hub.claims.size).toBe(4);
    expect(waiting.hub.claims.size).toBe(0);
    expect(waiting.log.join()).toContain("another hub on the fabric has this hub's key");
    await Promise.all(both.map(({ link }) => link.close()));
  }
});

test("a hub that served, and finds on its return that another has its place, answers nothing and reads nothing", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();
  const wire = await openWire(server.port);
  const { identity, hub } = r2d2;
  const first = await startFabricHub(
    "r2d2",
    { url: `nats://127.0.0.1:${wire.port}` },
    {
      timing: SHORT,
      identity,
      hub,
    },
  );
  bmo.hub.post("r2d2", "one");
  await expectAll({ bmo, r2d2 }, ["one"]);

  wire.cut();
  await patiently(() => expect(kindOf(first)).toBe("away"));
  const copy = createScriptedLinkHub("r2d2", identity.id);
  const second = await startFabricHub("r2d2", server, { timing: SHORT, identity, hub: copy });
  await connected(second.link);
  copy.setPeers([memberPeer("bmo", bmo.identity)]);
  wire.mend();
  await patiently(() => expect(kindOf(first)).toBe("twin"));

  const eyes = await server.connect();
  onTestFinished(() => eyes.close());
  const answers = new Map<string, number>();
  eyes.subscribe(`${inboxPrefix(bmo.identity.id)}.>`, {
    callback(_, message) {
      if (message.string().startsWith('{"v":1,"kind":"answer"'))
        answers.set(message.subject, (answers.get(message.subject) ?? 0) + 1);
    },
  });
  await eyes.flush();
  for (const n of numbers(0, 5))
    expect(await bmo.link.claim("r2d2", claim(n))).toMatchObject({ claimed: true });
  expect([hub.claims.size, copy.claims.size]).toEqual([0, 5]);
  for (let n = 0; n < 10; n++) expect((await bmo.link.ping("r2d2")).lastError).toBeNull();
  await patiently(() => expect(answers.size).toBeGreaterThanOrEqual(10));
  await eyes.flush();
  expect(new Set(answers.values())).toEqual(new Set([1]));
  bmo.hub.post("r2d2", "two");
  await patiently(() => expect(copy.got("bmo")).toEqual(["two"]));
  expect(hub.got("bmo")).toEqual(["one"]);

  await second.link.close();
  await connected(first.link);
  await first.link.close();
  await comeBack(server, r2d2);
});
