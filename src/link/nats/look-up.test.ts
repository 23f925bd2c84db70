import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type FabricHub, memberPeer, startFabricHub } from "../../../test/fakes/fabric-yard.js";
import { type NatsServer, startFabricServer } from "../../../test/fakes/nats-server.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { refusal } from "../../../test/fakes/refusal.js";
import { createScriptedLinkHub } from "../../../test/fakes/scripted-link-hub.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { REGISTER_STREAM } from "../../fabric/subjects.js";
import type { DirectoryEntry } from "../../model/link.js";
import { ensureIdentity } from "../identity.js";
import { MOST_WATCHED } from "../watched.js";

/* Hubs of a fabric that are no peers of each other: who they are, who is there, and how mail gets to them. */

const agent = (name: string): DirectoryEntry => ({
  id: name,
  name,
  team: "main",
  label: null,
  status: "idle",
});

/** One that makes nobody its peer by itself. */
const startApart = (name: string, server: NatsServer) =>
  startFabricHub(name, server, { adopt: async () => {} });

/** One that makes nobody its peer but the hub of that name. */
async function startKnowingOnly(known: string, name: string, server: NatsServer): Promise<FabricHub> {
  const identity = ensureIdentity(join(tempFolder(), "hub.key"));
  const hub = createScriptedLinkHub(name, identity.id);
  return startFabricHub(name, server, {
    identity,
    hub,
    adopt: async ({ name: called, hub: id, key }) => {
      if (called === known) hub.setPeers([memberPeer(called, { id, publicKey: key })]);
    },
  });
}

const lookUp = ({ link }: FabricHub, { identity, hub }: FabricHub, limit = 50, after?: string) =>
  link
    .fabric()
    ?.lookUp({ id: identity.id, name: hub.self.name }, { limit, ...(after === undefined ? {} : { after }) });

test("a hub that is no peer is found, tells who is there in pages, and neither becomes a peer of the other", async () => {
  const server = await startFabricServer();
  const r2d2 = await startApart("r2d2", server);
  const bmo = await startApart("bmo", server);
  r2d2.hub.setAgents([agent("cleo"), agent("ann"), agent("bob")]);

  expect(await bmo.link.fabric()?.members()).toEqual({
    members: [{ id: r2d2.identity.id, name: "r2d2" }],
    isCut: false,
  });
  const first = await lookUp(bmo, r2d2, 2);
  expect(first).toMatchObject({ agents: [{ name: "ann" }, { name: "bob" }], next: "bob/main" });
  expect(await lookUp(bmo, r2d2, 2, first?.next)).toMatchObject({ agents: [{ name: "cleo" }] });
  const named = await bmo.link
    .fabric()
    ?.lookUp({ id: r2d2.identity.id, name: "r2d2" }, { limit: 5, name: "bob" });
  expect(named?.agents.map(({ name }) => name)).toEqual(["bob"]);
  expect([bmo.hub.peers(), r2d2.hub.peers()]).toEqual([[], []]);
});

test("a hub that was met by its id takes mail", async () => {
  const server = await startFabricServer();
  const r2d2 = await startFabricHub("r2d2", server);
  const bmo = await startFabricHub("bmo", server);
  bmo.hub.setPeers([]);
  expect(await bmo.link.fabric()?.meet(r2d2.identity.id)).toMatchObject({ name: "r2d2", origin: "fabric" });
  bmo.hub.post("r2d2", "hello");
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["hello"]));
});

test("a hub that is away is told from, and found again by its entry", async () => {
  const server = await startFabricServer();
  const r2d2 = await startApart("r2d2", server);
  const bmo = await startApart("bmo", server);
  await r2d2.link.close();
  expect(await bmo.link.fabric()?.members()).toMatchObject({ members: [{ name: "r2d2" }] });
  const refused = await refusal(Promise.resolve(lookUp(bmo, r2d2)));
  expect(refused).toMatchObject({
    code: "PEER_UNREACHABLE",
    message: '"r2d2" is not connected to the fabric now',
  });
});

test("while the server is away nobody can say which hubs there are, and that is said", async () => {
  const server = await startFabricServer();
  const bmo = await startApart("bmo", server);
  await server.kill();
  await patiently(() => expect(bmo.link.fabric()?.state().kind).toBe("away"));
  expect(await refusal(Promise.resolve(bmo.link.fabric()?.members()))).toMatchObject({
    code: "PEER_UNREACHABLE",
    message: expect.stringContaining("This hub is not connected to its fabric") as unknown,
  });
});

test("an entry that its own key did not sign is nobody", async () => {
  const server = await startFabricServer();
  const bmo = await startApart("bmo", server);
  const mallory = await server.connect();
  mallory.publish(`hud.v1.dir.${"a".repeat(32)}`, JSON.stringify({ v: 1, name: "mini" }));
  await mallory.flush();
  expect(await bmo.link.fabric()?.members()).toEqual({ members: [], isCut: false });
  await mallory.close();
});

test("of more than fifty hubs fifty are watched; one that writes takes the place of one that never did", {
  timeout: 300_000,
}, async () => {
  const server = await startFabricServer();
  const others: FabricHub[] = [];
  for (let n = 0; n < MOST_WATCHED + 5; n++) others.push(await startKnowingOnly("bmo", `hub-${n}`, server));
  const bmo = await startFabricHub("bmo", server);
  const isPeer = ({ hub }: FabricHub) => bmo.hub.peers().some(({ name }) => name === hub.self.name);
  const isKnown = ({ hub }: FabricHub) => bmo.link.knownDirectory(hub.self.name) !== undefined;
  await patiently(() => expect(others.filter(isKnown)).toHaveLength(MOST_WATCHED));
  expect(bmo.hub.peers()).toHaveLength(MOST_WATCHED);

  const [stranger] = others.filter((one) => !isPeer(one));
  if (stranger === undefined) throw new Error("everybody is a peer");
  stranger.hub.setPeers([memberPeer("bmo", bmo.identity)]);
  stranger.hub.post("bmo", "hello");
  await patiently(() => expect(bmo.hub.got(stranger.hub.self.name)).toEqual(["hello"]));
  await patiently(() => expect(isKnown(stranger)).toBe(true));
  expect(bmo.hub.peers()).toHaveLength(MOST_WATCHED + 1);
  expect(others.filter(isKnown)).toHaveLength(MOST_WATCHED);

  // What the one that gave way tells is not taken.
  const [former] = others.filter((one) => isPeer(one) && !isKnown(one));
  if (former === undefined) throw new Error("nobody gave way");
  former.hub.setAgents([agent("new")]);
  stranger.hub.setAgents([agent("new")]);
  await patiently(() =>
    expect(bmo.link.knownDirectory(stranger.hub.self.name)).toMatchObject([{ name: "new" }]),
  );
  expect(isKnown(former)).toBe(false);
});

test("a hub that has all the contacts it watches does not ask who else is there", async () => {
  const server = await startFabricServer();
  const wire = await server.connect();
  onTestFinished(() => wire.close());
  let listings = 0;
  wire.subscribe(`$JS.API.STREAM.INFO.${REGISTER_STREAM}`, {
    callback: (_, { data }) => void (data.length > 0 && listings++),
  });
  await wire.flush();
  const identity = ensureIdentity(join(tempFolder(), "hub.key"));
  const hub = createScriptedLinkHub("bmo", identity.id);
  hub.setPeers(
    Array.from({ length: MOST_WATCHED }, (_, n) =>
      memberPeer(`hub-${n}`, { id: ensureIdentity(join(tempFolder(), "hub.key")).id, publicKey: "" }),
    ),
  );

  await startFabricHub("r2d2", server);
  // The server has passed on what came before this.
  await wire.flush();
  expect(listings).toBe(1);
  await startFabricHub("bmo", server, { identity, hub });
  await wire.flush();
  expect(listings).toBe(1);
});
