import { join } from "node:path";
import { connect, jwtAuthenticator, type NatsConnection } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { makeFabric, type TestFabric } from "../../../test/fakes/fabric-steward.js";
import {
  connected,
  type FabricHub,
  memberPeer,
  SHORT,
  startFabricHub,
  TIMING,
} from "../../../test/fakes/fabric-yard.js";
import { startServerIn } from "../../../test/fakes/nats-server.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { createAuthority } from "../../fabric/certificates.js";
import { linkStreamOf } from "../../fabric/link-streams.js";
import { SERVER_CONF } from "../../fabric/server-files.js";
import { initFabric, renewCertificates } from "../../fabric/steward.js";
import {
  ACK_STREAM,
  ackSubject,
  linkSubject,
  memberSubject,
  REGISTER_STREAM,
  rpcSubject,
} from "../../fabric/subjects.js";
import { ensureIdentity, type Identity } from "../identity.js";
import type { FabricAccess } from "./fabric-connection.js";

/* A real server with the accounts, permissions and certificates that `huddle fabric init` makes, and members that want more than theirs. */

const DAY_MS = 24 * 60 * 60_000;
const newIdentity = () => ensureIdentity(join(tempFolder(), "hub.key"));

async function hubsOn(fabric: TestFabric, timing = TIMING) {
  const [one, two] = [newIdentity(), newIdentity()];
  const r2d2 = await startFabricHub("r2d2", fabric.server, {
    identity: one,
    access: fabric.admit(one, { asSteward: true }),
    isSteward: true,
    streams: { count: fabric.streams },
    timing,
  });
  const bmo = await startFabricHub("bmo", fabric.server, {
    identity: two,
    access: fabric.admit(two),
    timing,
  });
  bmo.hub.setPeers([memberPeer("r2d2", one)]);
  r2d2.hub.setPeers([memberPeer("bmo", two)]);
  return { bmo, r2d2 };
}

/** A member with a client of its own making. */
async function openMember(access: FabricAccess, identity: Identity): Promise<NatsConnection> {
  const { jwt, seed } = access.user ?? { jwt: "", seed: "" };
  const connection = await connect({
    servers: [...access.servers],
    tls: { ca: access.ca ?? "" },
    authenticator: jwtAuthenticator(jwt, new TextEncoder().encode(seed)),
    inboxPrefix: `_INBOX.${identity.id}`,
  });
  onTestFinished(() => connection.close());
  return connection;
}

test("hubs that were admitted write to each other, over TLS and with no more rights than they need", async () => {
  const { bmo, r2d2 } = await hubsOn(await makeFabric());
  bmo.hub.post("r2d2", "one", "two");
  r2d2.hub.post("bmo", "three");
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["one", "two"]));
  await patiently(() => expect(bmo.hub.got("r2d2")).toEqual(["three"]));
  expect([...bmo.log, ...r2d2.log]).toEqual([]);
});

test("a hub that nobody linked becomes a peer when it writes, since the steward let it in", async () => {
  const { bmo, r2d2 } = await hubsOn(await makeFabric());
  r2d2.hub.setPeers([]);
  bmo.hub.post("r2d2", "hello");
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["hello"]));
  expect(r2d2.hub.peers()).toMatchObject([{ name: "bmo", hubId: bmo.identity.id, origin: "fabric" }]);
});

test("the server keeps every member to its own subjects, mailbox and registers", async () => {
  const fabric = await makeFabric();
  const { bmo, r2d2 } = await hubsOn(fabric);
  const eve = newIdentity();
  const member = await openMember(fabric.admit(eve), eve);
  const [her, his] = [r2d2.identity.id, bmo.identity.id];
  const [hers, own] = [her, eve.id].map((id) => linkStreamOf(id, fabric.streams));

  const refused = await refusals(member, [
    // In another's name.
    linkSubject(her, his),
    ackSubject(his, her),
    rpcSubject(her, his),
    `hud.v1.dir.${his}`,
    // Another's mail.
    `$JS.API.CONSUMER.MSG.NEXT.${hers}.${her}`,
    `$JS.API.CONSUMER.CREATE.${hers}.${eve.id}.${linkSubject(her, "*")}`,
    `$JS.API.CONSUMER.CREATE.${own}.${her}.${linkSubject(eve.id, "*")}`,
    `$JS.API.CONSUMER.CREATE.${hers}.${eve.id}`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${hers}.${eve.id}`,
    `$JS.API.CONSUMER.CREATE.${hers}`,
    `$JS.API.DIRECT.GET.${hers}.${linkSubject(her, his)}`,
    `$JS.API.DIRECT.GET.${hers}`,
    `$JS.API.STREAM.MSG.GET.${hers}`,
    `$JS.ACK.${hers}.${her}.1.1.1.1.1`,
    // Everybody's.
    `$JS.API.STREAM.INFO.${hers}`,
    `$JS.API.STREAM.INFO.${ACK_STREAM}`,
    `$JS.API.DIRECT.GET.${ACK_STREAM}.${ackSubject(his, her)}`,
    `$JS.API.DIRECT.GET.${ACK_STREAM}`,
    `$JS.API.CONSUMER.CREATE.${ACK_STREAM}.${eve.id}.hud.v1.ack.>`,
    `$JS.API.CONSUMER.CREATE.${ACK_STREAM}.${eve.id}`,
    `$JS.API.STREAM.PURGE.${hers}`,
    `$JS.API.STREAM.DELETE.${hers}`,
    "$JS.API.STREAM.CREATE.EVE",
    `$JS.API.STREAM.UPDATE.${REGISTER_STREAM}`,
    `$JS.API.CONSUMER.CREATE.${REGISTER_STREAM}.${eve.id}`,
    `$JS.API.CONSUMER.DELETE.${hers}.${her}`,
    `_INBOX.${her}.x`,
  ]);
  expect(refused).toEqual([]);

  for (const subject of [linkSubject(her, "*"), ackSubject(his, "*"), `_INBOX.${her}.>`, ">", "$SYS.>"]) {
    const subscription = member.subscribe(subject);
    await expect(subscription.closed, subject).resolves.toMatchObject({ name: "PermissionViolationError" });
  }
});

test("what a member may ask about the streams says who is there, and not who writes to whom", async () => {
  const fabric = await makeFabric();
  const { bmo, r2d2 } = await hubsOn(fabric);
  bmo.hub.post("r2d2", "one");
  await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(["one"]));
  const eve = newIdentity();
  const member = await openMember(fabric.admit(eve), eve);

  const asked = JSON.stringify({ subjects_filter: ">" });
  const { state } = (await member.request(`$JS.API.STREAM.INFO.${REGISTER_STREAM}`, asked)).json<{
    state: { subjects: Record<string, number> };
  }>();
  expect(Object.keys(state.subjects).sort()).toEqual(
    [bmo, r2d2].map(({ identity }) => memberSubject(identity.id)).sort(),
  );
});

test("a steward may make streams, and not change or remove any", async () => {
  const fabric = await makeFabric();
  await hubsOn(fabric);
  const eve = newIdentity();
  const steward = await openMember(fabric.admit(eve, { asSteward: true }), eve);
  const refused = await refusals(
    steward,
    [REGISTER_STREAM, ACK_STREAM, linkStreamOf(eve.id, fabric.streams)].flatMap((stream) =>
      ["UPDATE", "DELETE", "PURGE", "MSG.DELETE", "MSG.GET"].map(
        (verb) => `$JS.API.STREAM.${verb}.${stream}`,
      ),
    ),
  );
  expect(refused).toEqual([]);
});

test("a member cannot fill the registers with what is larger than an entry", async () => {
  const fabric = await makeFabric();
  await hubsOn(fabric);
  const eve = newIdentity();
  const member = await openMember(fabric.admit(eve), eve);
  for (const subject of [memberSubject(eve.id), ackSubject(newIdentity().id, eve.id)]) {
    const said = (await member.request(subject, "x".repeat(5000))).json();
    expect(said).toMatchObject({ error: { description: "message size exceeds maximum allowed" } });
  }
});

/** Those of the subjects that the server let somebody publish on. */
async function refusals(member: NatsConnection, subjects: readonly string[]): Promise<string[]> {
  const seen = new Set<string>();
  const following = (async () => {
    for await (const status of member.status())
      if (status.type === "error" && "subject" in status.error) seen.add(String(status.error.subject));
  })();
  for (const subject of subjects) member.publish(subject, "x");
  await member.flush();
  await patiently(() => expect(subjects.filter((subject) => !seen.has(subject))).toEqual([])).catch(() => {});
  void following;
  return subjects.filter((subject) => !seen.has(subject));
}

test("a forged frame is not taken, whatever the server lets through", async () => {
  const fabric = await makeFabric();
  const { bmo, r2d2 } = await hubsOn(fabric);
  const eve = newIdentity();
  const member = await openMember(fabric.admit(eve), eve);
  bmo.hub.post("r2d2", "real");
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["real"]));

  // Reply subjects are the sender's choice: the server itself answers on another's, and is not believed.
  member.publish(linkSubject(r2d2.identity.id, eve.id), "x", {
    reply: ackSubject(bmo.identity.id, r2d2.identity.id),
  });
  member.publish(rpcSubject(r2d2.identity.id, eve.id), "x", {
    reply: linkSubject(bmo.identity.id, r2d2.identity.id),
  });
  await member.flush();
  bmo.hub.post("r2d2", "more");
  r2d2.hub.post("bmo", "back");

  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["real", "more"]));
  await patiently(() => expect(bmo.hub.got("r2d2")).toEqual(["back"]));
});

test("a hub that is revoked is shut out at once, and says so", async () => {
  const fabric = await makeFabric();
  const { bmo, r2d2 } = await hubsOn(fabric);
  fabric.revoke(bmo.identity);
  await patiently(() => expect(stateOf(bmo)).toMatchObject({ kind: "away", refused: true }));
  bmo.hub.post("r2d2", "too late");
  await patiently(() =>
    expect(bmo.link.reports()[0]).toMatchObject({
      // The other hub was not asked, and has no part in it.
      reachable: "no",
      secret: expect.not.stringContaining("wrong") as unknown,
      lastError: {
        code: "PEER_REFUSED",
        message: expect.stringContaining(
          "its admission was revoked, has expired, or is of another fabric",
        ) as unknown,
      },
    }),
  );
  expect(r2d2.hub.got("bmo")).toEqual([]);
  // On a busy machine the server's reload may have cut everybody.
  await connected(r2d2.link);
});

test("an admission that has expired is refused, and a new one takes the hub back", async () => {
  const fabric = await makeFabric();
  const { bmo, r2d2 } = await hubsOn(fabric);
  await bmo.link.close();
  const access = fabric.admit(bmo.identity, { days: 1, now: Date.now() - 2 * DAY_MS });
  const { identity, hub } = bmo;
  const late = await startFabricHub("bmo", fabric.server, { identity, hub, access, noWait: true });
  await patiently(() => expect(stateOf(late)).toMatchObject({ kind: "away", refused: true }));
  await late.link.close();

  hub.post("r2d2", "waited");
  await startFabricHub("bmo", fabric.server, { identity, hub, access: fabric.admit(identity) });
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["waited"]));
});

test("an admission that ends while its hub is connected shuts it out, and a new one takes it back with its mail", async () => {
  const fabric = await makeFabric();
  const { bmo, r2d2 } = await hubsOn(fabric);
  await bmo.link.close();
  const { identity, hub } = bmo;
  const short = await connectBriefly();
  await patiently(() => expect(stateOf(short)).toMatchObject({ kind: "away", refused: true }));
  hub.post("r2d2", "late");
  await patiently(() => expect(short.link.reports()[0]?.lastError).toMatchObject({ code: "PEER_REFUSED" }));
  await short.link.close();
  expect(r2d2.hub.got("bmo")).toEqual([]);
  await startFabricHub("bmo", fabric.server, { identity, hub, access: fabric.admit(identity) });
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["late"]));

  /** On a busy machine it takes a while to connect: then more time is left. */
  async function connectBriefly(seconds = 3): Promise<FabricHub> {
    const access = fabric.admit(identity, { days: 1, now: Date.now() - DAY_MS + seconds * 1000 });
    const opened = await startFabricHub("bmo", fabric.server, { identity, hub, access, noWait: true });
    if (stateOf(opened)?.kind === "connected") return opened;
    await opened.link.close();
    return connectBriefly(seconds * 2);
  }
});

test("a server with a certificate of any other authority is told nothing", async () => {
  const fabric = await makeFabric();
  const identity = newIdentity();
  const { certificate: ca } = createAuthority("another", Date.now());
  const access = { ...fabric.admit(identity), ca };
  const hub = await startFabricHub("bmo", fabric.server, { identity, access, noWait: true });
  await patiently(() =>
    expect(stateOf(hub)).toMatchObject({
      kind: "away",
      refused: true,
      problem: expect.stringContaining("has no certificate of this fabric") as unknown,
    }),
  );
});

test("somebody else answers where the server of connected hubs was: it is told nothing, status says so, and mail waits until the server is back", async () => {
  const fabric = await makeFabric();
  const { bmo, r2d2 } = await hubsOn(fabric, SHORT);
  bmo.hub.post("r2d2", "before");
  await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(["before"]));

  await fabric.server.kill();
  bmo.hub.post("r2d2", "waits");
  const other = tempFolder();
  initFabric(other, { name: "other", hosts: ["127.0.0.1"], port: fabric.server.port }, Date.now());
  const impostor = await startServerIn(other, SERVER_CONF, fabric.server.port);
  await patiently(() =>
    expect(stateOf(bmo)).toMatchObject({
      kind: "away",
      refused: true,
      problem: expect.stringContaining("has no certificate of this fabric") as unknown,
    }),
  );
  await impostor.kill();
  await fabric.server.start();

  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["before", "waits"]));
  await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(["before", "waits"]));
});

test("a server whose certificate has expired is told nothing, until the steward renews it", async () => {
  const fabric = await makeFabric(Date.now() - 11 * 365 * DAY_MS);
  const identity = newIdentity();
  const access = fabric.admit(identity);
  const hub = await startFabricHub("bmo", fabric.server, { identity, access, noWait: true });
  await patiently(() =>
    expect(stateOf(hub)).toMatchObject({
      kind: "away",
      refused: true,
      problem: expect.stringContaining("has expired. The steward renews it: huddle fabric renew") as unknown,
    }),
  );

  renewCertificates(fabric.folder, Date.now());
  fabric.server.reload();

  await connected(hub.link);
});

const stateOf = ({ link }: FabricHub) => link.fabric()?.state();

test("hubs of one fabric find each other by themselves", async () => {
  const fabric = await makeFabric();
  const identities = [newIdentity(), newIdentity(), newIdentity()];
  const hubs: FabricHub[] = [];
  for (const [n, identity] of identities.entries())
    hubs.push(
      await startFabricHub(`hub-${n}`, fabric.server, {
        identity,
        access: fabric.admit(identity, { asSteward: n === 0 }),
        isSteward: n === 0,
        streams: { count: fabric.streams },
      }),
    );
  for (const [n, { hub }] of hubs.entries())
    await patiently(() =>
      expect(
        hub
          .peers()
          .map(({ name }) => name)
          .sort(),
      ).toEqual(["hub-0", "hub-1", "hub-2"].filter((_, other) => other !== n)),
    );
});
