import { createServer, type IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { memberPeer, startFabricHub, TIMING } from "../../../test/fakes/fabric-yard.js";
import { freePort } from "../../../test/fakes/free-port.js";
import {
  type LinkedHub,
  peerAt,
  SECRET,
  startLinkedHub,
  startTwoHubs,
} from "../../../test/fakes/link-yard.js";
import { type NatsServer, startFabricServer } from "../../../test/fakes/nats-server.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { answered } from "../../contract/link/fabric.js";
import { inboxPrefix, rpcSubject } from "../../fabric/subjects.js";
import { systemClock } from "../../model/clock.js";
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

/** Where r2d2 was: whoever answers there now. `passed`: what got to somebody else by it. */
async function openDoor(to: number) {
  const door = {
    port: await freePort(),
    to,
    mode: "pass" as "pass" | "no such page" | "says nothing",
    passed: 0,
  };
  const server = createServer((incoming, answer) => {
    void (async () => {
      const body = await readAll(incoming);
      if (door.mode === "no such page") return answer.writeHead(404).end("<h1>Not found</h1>");
      door.passed++;
      const { authorization = "" } = incoming.headers;
      const passed = await fetch(`http://127.0.0.1:${door.to}${incoming.url}`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", authorization },
      });
      const said = await passed.text();
      if (door.mode === "pass") answer.writeHead(passed.status).end(said);
      return undefined;
    })();
  });
  await new Promise<void>((resolve) => server.listen(door.port, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return door;
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Two neighbours that are on a fabric too, with a door between them, and time that a test lets pass. */
async function startNeighbours({ isFar = true } = {}) {
  const server = await startFabricServer();
  const time = { passed: 0 };
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + time.passed };
  const { bmo, r2d2 } = await startTwoHubs({ clock, config: { calls: { answerMs: 1500, connectMs: 1500 } } });
  const door = await openDoor(r2d2.port);
  bmo.hub.setPeers([peerAt("r2d2", door.port, keyOf(r2d2))]);
  r2d2.hub.setPeers([peerAt("bmo", bmo.port, keyOf(bmo))]);
  if (isFar) await joinFabric(r2d2, server);
  await joinFabric(bmo, server);
  bmo.hub.post("r2d2", "near");
  await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(["near"]));
  expect(door.passed).toBeGreaterThan(0);
  return { bmo, r2d2, door, time };
}

const strangers = {
  "a hub with another secret": () => startLinkedHub("r2d2", { common: "another-secret-than-theirs" }),
  "a hub that is another and has the secret": () => startLinkedHub("r2d2", { common: SECRET }),
  "a hub that does not know it": async () => {
    const stranger = await startLinkedHub("c3po", { common: SECRET });
    stranger.hub.setPeers([peerAt("somebody", 1)]);
    return stranger;
  },
  "a web server": undefined,
} as const;

test.each(Object.entries(strangers))(
  "a neighbour's address has another owner, %s: mail goes over the fabric, once and in order, and to its address when it is back",
  async (_, start) => {
    const { bmo, r2d2, door, time } = await startNeighbours();
    if (start === undefined) door.mode = "no such page";
    else door.to = (await start()).port;

    bmo.hub.post("r2d2", "far-1", "far-2");
    await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(["near", "far-1", "far-2"]));
    expect(bmo.link.reports()[0]).toMatchObject({ reachable: "yes", distrusted: null });

    Object.assign(door, { mode: "pass", to: r2d2.port, passed: 0 });
    time.passed += 31_000;
    bmo.hub.post("r2d2", "near again");
    await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(["near", "far-1", "far-2", "near again"]));
    expect(r2d2.hub.got("bmo")).toEqual(["near", "far-1", "far-2", "near again"]);
    expect(door.passed).toBeGreaterThan(0);
  },
);

test("where the fabric does not know that hub either, a person is told what its address said", async () => {
  const { bmo, r2d2, door } = await startNeighbours({ isFar: false });
  const stranger = await startLinkedHub("r2d2", { common: "another-secret-than-theirs" });
  door.to = stranger.port;
  bmo.hub.post("r2d2", "waits");
  await patiently(() =>
    expect(bmo.link.reports()[0]).toMatchObject({ secret: "wrong", lastError: { code: "PEER_REFUSED" } }),
  );
  door.to = r2d2.port;
  await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(["near", "waits"]));
});

test("what a neighbour took without saying so goes over the fabric too, and counts once", async () => {
  const { bmo, r2d2, door } = await startNeighbours();
  door.mode = "says nothing";
  const before = r2d2.hub.batches.length;

  bmo.hub.post("r2d2", "one", "two");
  await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(["near", "one", "two"]));

  expect(r2d2.hub.batches.length).toBeGreaterThan(before + 1);
  expect(r2d2.hub.got("bmo")).toEqual(["near", "one", "two"]);
});
