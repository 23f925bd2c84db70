import { expect, onTestFinished, test } from "vitest";
import { memberPeer, startFabricHub, TIMING } from "../../../test/fakes/fabric-yard.js";
import { freePort } from "../../../test/fakes/free-port.js";
import { type LinkedHub, peerAt, startTwoHubs } from "../../../test/fakes/link-yard.js";
import { type NatsServer, startFabricServer } from "../../../test/fakes/nats-server.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { answered } from "../../contract/link/fabric.js";
import { inboxPrefix, rpcSubject } from "../../fabric/subjects.js";
import { openFabric } from "./fabric.js";
import { readSaid } from "./said.js";
import { createSealer } from "./seal.js";

/* What a hub asks is signed with a number that is good once, whichever way it goes. */

const claim = (request: string) => ({ request, by: { id: "a1", name: "ana", team: "main" } });

async function joinFabric({ link }: LinkedHub, server: NatsServer): Promise<void> {
  await link.useFabric((ports) =>
    openFabric(ports, {
      access: { servers: [server.url] },
      isSteward: false,
      adopt: async () => {},
      timing: TIMING,
    }),
  );
  await link.fabric()?.tried;
}

const keyOf = ({ identity }: LinkedHub) => ({ hubId: identity.id, publicKey: identity.publicKey });

test("a hub that is claimed from at its address, then over the fabric, then at its address again, takes every claim", async () => {
  const server = await startFabricServer();
  const { bmo, r2d2 } = await startTwoHubs();
  const near = peerAt("r2d2", r2d2.port, keyOf(r2d2));
  bmo.hub.setPeers([near]);
  r2d2.hub.setPeers([peerAt("bmo", bmo.port, keyOf(bmo))]);
  await joinFabric(r2d2, server);
  await joinFabric(bmo, server);
  for (const request of ["near-1", "near-2", "near-3"])
    expect(await bmo.link.claim("r2d2", claim(request))).toMatchObject({ claimed: true });

  // Nobody answers at its address now.
  bmo.hub.setPeers([{ ...near, port: await freePort() }]);
  for (const request of ["far-1", "far-2"])
    expect(await bmo.link.claim("r2d2", claim(request))).toMatchObject({ claimed: true });
  await bmo.link.useFabric(undefined);
  bmo.hub.setPeers([near]);
  expect(await bmo.link.claim("r2d2", claim("near-4"))).toMatchObject({ claimed: true });
  expect([...r2d2.hub.claims.keys()]).toEqual(["near-1", "near-2", "near-3", "far-1", "far-2", "near-4"]);
});

test("a claim that whoever runs the server recorded is refused when it is said again, also after the hub started anew", async () => {
  const server = await startFabricServer();
  const r2d2 = await startFabricHub("r2d2", server);
  const bmo = await startFabricHub("bmo", server);
  bmo.hub.setPeers([memberPeer("r2d2", r2d2.identity)]);
  r2d2.hub.setPeers([memberPeer("bmo", bmo.identity)]);
  const wire = await server.connect();
  onTestFinished(() => wire.close());
  const recorded: Uint8Array[] = [];
  const subject = rpcSubject(r2d2.identity.id, bmo.identity.id);
  wire.subscribe(subject, { callback: (_, { data }) => void recorded.push(data) });
  await wire.flush();
  expect(await bmo.link.claim("r2d2", claim("req-1"))).toMatchObject({ claimed: true });
  await patiently(() => expect(recorded.length).toBeGreaterThan(0));
  await wire.flush();
  const said = [...recorded];

  await r2d2.link.close();
  const anew = await startFabricHub("r2d2", server, { identity: r2d2.identity });
  anew.hub.setPeers([memberPeer("bmo", bmo.identity)]);
  await bmo.link.close();
  const statuses: number[] = [];
  const inbox = `${inboxPrefix(bmo.identity.id)}.again`;
  const sealer = createSealer(bmo.identity);
  wire.subscribe(inbox, {
    callback(_, { data }) {
      const opened = sealer.open("answer", r2d2.identity.id, data);
      const head = opened.kind === "opened" ? readSaid(answered, opened.content)?.head : undefined;
      statuses.push(head?.status ?? 0);
    },
  });
  for (const payload of said) wire.publish(subject, payload, { reply: inbox });
  await patiently(() => expect(statuses).toHaveLength(said.length));

  expect(statuses).toContain(409);
  expect(anew.hub.claims.size).toBe(0);
});
