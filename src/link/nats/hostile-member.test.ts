import { join } from "node:path";
import { headers } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { comeBack, expectAll, numbers, startPair, waitingIn } from "../../../test/fakes/fabric-pair.js";
import {
  connected,
  type FabricHub,
  memberPeer,
  SHORT,
  startFabricHub,
} from "../../../test/fakes/fabric-yard.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { answered } from "../../contract/link/fabric.js";
import { ackSubject, linkSubject, memberSubject, rpcSubject } from "../../fabric/subjects.js";
import { ensureIdentity } from "../identity.js";
import { newMark, writeSaid } from "./said.js";
import { createSealer } from "./seal.js";

/*
 * Eve is a member. She says what no hub would say, on her own subjects, and leads the server's own answers to those of others. What comes of
 * it is nothing: hubs go on, and nobody is blamed for it.
 */

async function startWithEve() {
  const pair = await startPair();
  const wire = await pair.server.connect();
  onTestFinished(() => wire.close());
  const identity = ensureIdentity(join(tempFolder(), "hub.key"));
  const eve = { id: identity.id, identity, sealer: createSealer(identity) };
  return {
    ...pair,
    wire,
    eve,
    /** The server acknowledges what she puts into a mailbox, and says so wherever she wants. */
    async leadServerTo(subject: string) {
      wire.publish(linkSubject(pair.r2d2.identity.id, eve.id), "x", { reply: subject });
      await wire.flush();
    },
  };
}

const addressOf = ({ identity }: FabricHub) => ({ id: identity.id, box: createSealer(identity).own.box });

const stateOf = ({ link }: FabricHub) => link.fabric()?.state();

const NOT_TAKEN: unknown = expect.stringContaining("has not taken it yet");

/** What says that all is well, and is not. */
const ODD_ACKS = {
  "no line": "x",
  "no number": writeSaid(answered, { re: newMark(), status: 200 }, "{}"),
  "another shape": `${JSON.stringify({ re: 7 })}\n{}`,
};

test("an ack of a member that is none does not make a hub deaf", async () => {
  const { bmo, r2d2, wire, eve } = await startWithEve();
  const before = stateOf(bmo);
  const subject = ackSubject(bmo.identity.id, eve.id);
  for (const odd of Object.values(ODD_ACKS))
    wire.publish(subject, eve.sealer.seal("ack", addressOf(bmo), odd));
  wire.publish(rpcSubject(bmo.identity.id, eve.id), "x", { reply: `_INBOX.${eve.id}.x` });
  await wire.flush();

  r2d2.hub.post("bmo", "still there?");
  await patiently(() => expect(bmo.hub.got("r2d2")).toEqual(["still there?"]));
  await patiently(() => expect(r2d2.hub.taken("bmo")).toEqual(["still there?"]));
  // On the same connection.
  expect(stateOf(bmo)).toEqual(before);
  expect(bmo.log.join()).toContain("something on the fabric was ignored: it is no ack");
});

test("the server's own answer in a register of acks is no ack: mail goes out, also of a hub that was started anew", async () => {
  const { server, bmo, r2d2, leadServerTo } = await startWithEve();
  bmo.hub.post("r2d2", "one");
  await expectAll({ bmo, r2d2 }, ["one"]);
  await leadServerTo(ackSubject(bmo.identity.id, r2d2.identity.id));
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(0));

  await bmo.link.close();
  await comeBack(server, bmo);
  bmo.hub.post("r2d2", "two");

  await expectAll({ bmo, r2d2 }, ["one", "two"]);
});

test.each(Object.entries(ODD_ACKS))(
  "what its hub sealed, and is no ack, is none in the register either: %s",
  async (_, odd) => {
    const { server, bmo, r2d2, wire } = await startWithEve();
    wire.publish(
      ackSubject(bmo.identity.id, r2d2.identity.id),
      createSealer(r2d2.identity).seal("ack", addressOf(bmo), odd),
    );
    await wire.flush();
    await bmo.link.close();
    await comeBack(server, bmo);

    bmo.hub.post("r2d2", "one");

    await expectAll({ bmo, r2d2 }, ["one"]);
  },
);

test("a forged ack ends no wait, and its hub is not the one that is blamed", async () => {
  const { server, bmo, r2d2, wire, eve } = await startWithEve();
  await r2d2.link.close();
  bmo.hub.post("r2d2", ...numbers(0, 5));
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(1));
  const said = writeSaid(answered, { re: newMark(), status: 200 }, "{}");
  const posing = createSealer({ ...eve.identity, id: r2d2.identity.id });

  const before = bmo.hub.asked();
  for (const sealer of [eve.sealer, posing])
    wire.publish(ackSubject(bmo.identity.id, r2d2.identity.id), sealer.seal("ack", addressOf(bmo), said));
  await wire.flush();
  await patiently(() => expect(bmo.hub.asked()).toBeGreaterThan(before + 2));

  expect(bmo.link.reports()[0]).toMatchObject({ distrusted: null, lastError: { code: "PEER_UNREACHABLE" } });
  expect(bmo.log.join()).toContain(
    "whoever acknowledged in its name did not sign with the key that is known",
  );
  await comeBack(server, r2d2);
  await expectAll({ bmo, r2d2 }, numbers(0, 5));
});

test("a directory entry that is overwritten makes its hub unknown, not untrusted, until it says again who it is", async () => {
  const { server, r2d2, leadServerTo } = await startWithEve();
  await leadServerTo(memberSubject(r2d2.identity.id));

  const cleo = await startFabricHub("cleo", server, { timing: SHORT });
  cleo.hub.setPeers([memberPeer("r2d2", r2d2.identity)]);
  expect(await cleo.link.ping("r2d2")).toMatchObject({
    distrusted: null,
    lastError: {
      code: "PEER_UNREACHABLE",
      message: expect.stringContaining("is not on the fabric") as unknown,
    },
  });
  cleo.hub.post("r2d2", "hello");
  await r2d2.link.close();
  await comeBack(server, r2d2);

  await patiently(() => expect(r2d2.hub.got("cleo")).toEqual(["hello"]));
  expect(cleo.link.reports()[0]?.distrusted).toBeNull();
});

test.each([404, 500])(
  "a member whose entry has a status of its own making, %i, hides no other",
  async (code) => {
    const { bmo, r2d2, wire, eve } = await startWithEve();
    wire.publish(memberSubject(eve.id), "x", { headers: headers(code, "gone") });
    await wire.flush();
    expect((await bmo.link.fabric()?.members())?.members).toContainEqual({
      id: r2d2.identity.id,
      name: "r2d2",
    });
  },
);

test("an ack that lies in its register does not say that its hub is there: one that sleeps is left alone", async () => {
  const { server, bmo, r2d2, wire } = await startWithEve();
  bmo.hub.post("r2d2", "one");
  await expectAll({ bmo, r2d2 }, ["one"]);
  await r2d2.link.close();
  // It is still connected, and sleeps.
  let questions = 0;
  wire.subscribe(rpcSubject(r2d2.identity.id, bmo.identity.id), { callback: () => void questions++ });
  await wire.flush();
  await bmo.link.close();
  const late = await comeBack(server, bmo);
  await connected(late.link);

  bmo.hub.post("r2d2", "two");
  await patiently(() => {
    expect(questions).toBeGreaterThan(0);
    expect(late.link.reports()[0]).toMatchObject({ reachable: "no", lastError: { message: NOT_TAKEN } });
  });
  const { lastContactAt } = late.link.reports()[0] ?? {};
  const [before, asked] = [bmo.hub.asked(), questions];
  await patiently(() => expect(bmo.hub.asked()).toBeGreaterThan(before + 3));

  expect(late.link.reports()[0]).toMatchObject({ reachable: "no", lastContactAt });
  expect(questions).toBe(asked);
  await late.link.close();
});
