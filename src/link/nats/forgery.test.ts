import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  comeBack,
  expectAll,
  type FabricPair,
  numbers,
  startPair,
  waitingIn,
} from "../../../test/fakes/fabric-pair.js";
import type { FabricHub } from "../../../test/fakes/fabric-yard.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { answered, asked } from "../../contract/link/fabric.js";
import { ackSubject, inboxPrefix, linkSubject, rpcSubject } from "../../fabric/subjects.js";
import { ensureIdentity } from "../identity.js";
import { encodeBatch, signAck } from "../sign-batch.js";
import { newMark, writeSaid } from "./said.js";
import { createSealer } from "./seal.js";

/*
 * Whoever runs the server can publish anything anywhere. It has no accounts here, so that a connection may do what it likes, and eve, who has
 * a key of her own, is at it. What counts is what hubs take, keep and say by it.
 */

async function startWithEve() {
  const pair = await startPair();
  const wire = await pair.server.connect();
  onTestFinished(() => wire.close());
  const identity = ensureIdentity(join(tempFolder(), "hub.key"));
  return { ...pair, wire, eve: { identity, sealer: createSealer(identity) } };
}

const addressOf = ({ identity }: FabricHub) => ({ id: identity.id, box: createSealer(identity).own.box });

const asBatch = (body: string) => writeSaid(asked, { re: newMark(), path: "/agent/link" }, body);

/** One message, as a batch of eve's that says that it is from somebody else. */
function forgedBatch(origin: FabricHub, dest: FabricHub, eve: { identity: FabricHub["identity"] }): string {
  const frames = [{ n: 1, kind: "mail" as const, mail: MAIL }];
  const batch = { epoch: "e1", low: 1, frames };
  const as = { ...eve.identity, id: origin.identity.id, publicKey: origin.identity.publicKey };
  return asBatch(encodeBatch(as, { dest: dest.identity.id, from: "bmo", batch }));
}

const MAIL = {
  id: "m-forged",
  type: "message" as const,
  from: { id: "a1", name: "ana", team: "main" },
  to: {},
  content: "forged",
  attention: "queue" as const,
  at: Date.parse("2026-01-05T09:00:00Z"),
  conversation: "c-forged",
  hop: 0,
};

test("a batch in another's name, changed on its way, or meant for another hub is not taken, and does not stay", async () => {
  const { server, bmo, r2d2, wire, eve } = await startWithEve();
  const subject = linkSubject(r2d2.identity.id, bmo.identity.id);
  const recorded: Uint8Array[] = [];
  wire.subscribe(linkSubject("*", bmo.identity.id), {
    callback: (_, { data }) => void recorded.push(data),
  });
  await wire.flush();
  bmo.hub.post("r2d2", "real");
  await expectAll({ bmo, r2d2 }, ["real"]);
  await patiently(() => expect(recorded.length).toBeGreaterThan(0));
  const [real = new Uint8Array()] = recorded;
  const changed = Buffer.from(real);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  const posing = createSealer({ ...eve.identity, id: bmo.identity.id });
  const to = addressOf(r2d2);
  const forged: [string, Uint8Array][] = [
    // Her own seal on another's subject, another's name over her seal, and an honest seal around another's name.
    [subject, eve.sealer.seal("batch", to, forgedBatch(bmo, r2d2, eve))],
    [subject, posing.seal("batch", to, forgedBatch(bmo, r2d2, eve))],
    [
      linkSubject(r2d2.identity.id, eve.identity.id),
      eve.sealer.seal("batch", to, forgedBatch(bmo, r2d2, eve)),
    ],
    [subject, changed],
    // What bmo sent to r2d2, back to bmo and from eve.
    [linkSubject(bmo.identity.id, r2d2.identity.id), real],
    [linkSubject(r2d2.identity.id, eve.identity.id), real],
  ];

  for (const [where, payload] of forged) wire.publish(where, payload);
  await wire.flush();
  bmo.hub.post("r2d2", "more");
  r2d2.hub.post("bmo", "back");

  await expectAll({ bmo, r2d2 }, ["real", "more"]);
  await patiently(() => expect(bmo.hub.got("r2d2")).toEqual(["back"]));
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(0));
  await patiently(async () => expect(await waitingIn(server, bmo)).toBe(0));
  expect(r2d2.hub.got("bmo")).toEqual(["real", "more"]);
  expect(JSON.stringify(r2d2.hub.batches)).not.toContain("forged");
});

test("an ack that its hub did not give empties no outbox", async () => {
  const { server, bmo, r2d2, wire, eve } = await startWithEve();
  await r2d2.link.close();
  bmo.hub.post("r2d2", ...numbers(0, 5));
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(1));
  const ack = { epoch: "e1", upTo: 5, digest: "0".repeat(64) };
  const sig = signAck({ ...eve.identity, id: r2d2.identity.id }, bmo.identity.id, ack);
  const body = JSON.stringify({ ok: true, ack, at: Date.now(), version: "0.1.0", sig });
  const said = writeSaid(answered, { re: newMark(), status: 200 }, body);
  const posing = createSealer({ ...eve.identity, id: r2d2.identity.id });

  const before = bmo.hub.asked();
  for (const sealer of [eve.sealer, posing])
    wire.publish(ackSubject(bmo.identity.id, r2d2.identity.id), sealer.seal("ack", addressOf(bmo), said));
  await wire.flush();
  // It looks at what lies in the register, where these are now, and goes on.
  await patiently(() => expect(bmo.hub.asked()).toBeGreaterThan(before + 2));
  expect(bmo.hub.taken("r2d2")).toEqual([]);

  await comeBack(server, r2d2);
  await expectAll({ bmo, r2d2 }, numbers(0, 5));
});

test("a question whose answer is to go to another's subject is not answered there", async () => {
  const { bmo, r2d2, wire, eve } = await startWithEve();
  const led: string[] = [];
  const elsewhere = [
    linkSubject(bmo.identity.id, r2d2.identity.id),
    ackSubject(bmo.identity.id, r2d2.identity.id),
    `${inboxPrefix(bmo.identity.id)}.x`,
  ];
  for (const subject of elsewhere) wire.subscribe(subject, { callback: () => void led.push(subject) });
  const ask = () =>
    eve.sealer.seal("ask", addressOf(r2d2), writeSaid(asked, { re: newMark(), path: "/agent/status" }, ""));
  const question = rpcSubject(r2d2.identity.id, eve.identity.id);

  for (const reply of elsewhere) wire.publish(question, ask(), { reply });
  // They are answered in turn: when this one is, those would have been.
  const own = `${inboxPrefix(eve.identity.id)}.x`;
  let answers = 0;
  wire.subscribe(own, { callback: () => void answers++ });
  wire.publish(question, ask(), { reply: own });
  await patiently(() => expect(answers).toBe(1));
  await wire.flush();

  expect(led).toEqual([]);
});

test("an answer of the server's own, led to a subject of acks or of a mailbox, changes nothing", async () => {
  const pair: FabricPair = await startWithEve();
  const { server, bmo, r2d2 } = pair;
  const wire = await server.connect();
  onTestFinished(() => wire.close());
  await r2d2.link.close();
  bmo.hub.post("r2d2", "waits");
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(1));
  const before = bmo.hub.asked();

  for (const reply of [
    ackSubject(bmo.identity.id, r2d2.identity.id),
    linkSubject(bmo.identity.id, r2d2.identity.id),
  ])
    wire.publish(linkSubject(r2d2.identity.id, r2d2.identity.id), "x", { reply });
  await wire.flush();

  await patiently(() => expect(bmo.hub.asked()).toBeGreaterThan(before + 2));
  expect(bmo.hub.taken("r2d2")).toEqual([]);
  await patiently(async () => expect(await waitingIn(server, bmo)).toBe(0));
  await comeBack(server, r2d2);
  await expectAll(pair, ["waits"]);
});

test("an answer that was recorded is none to another question", async () => {
  const { bmo, r2d2, wire } = await startWithEve();
  const recorded: Uint8Array[] = [];
  const hearing = wire.subscribe(`${inboxPrefix(bmo.identity.id)}.>`, {
    callback(_, message) {
      if (message.string().startsWith('{"v":1,"kind":"answer"')) recorded.push(message.data);
    },
  });
  await wire.flush();
  const claim = (request: string) =>
    bmo.link.claim("r2d2", { request, by: { id: "a1", name: "ana", team: "main" } });
  expect(await claim("one")).toMatchObject({ claimed: true });
  await patiently(() => expect(recorded.length).toBeGreaterThan(0));
  hearing.unsubscribe();
  await r2d2.link.close();

  // Whoever runs the server says all of it again, the last first.
  wire.subscribe(rpcSubject(r2d2.identity.id, bmo.identity.id), {
    callback: (_, message) => recorded.toReversed().forEach((payload) => void message.respond(payload)),
  });
  await wire.flush();
  await expect(claim("two")).rejects.toMatchObject({
    code: "PEER_UNTRUSTED",
    message: expect.stringContaining("answered another question than was asked") as unknown,
  });
});
