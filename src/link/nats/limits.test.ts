import { nanos } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import {
  comeBack,
  expectAll,
  manage,
  numbers,
  startPair,
  streamOf,
  waitingIn,
} from "../../../test/fakes/fabric-pair.js";
import { memberPeer, SHORT, startFabricHub } from "../../../test/fakes/fabric-yard.js";
import { type NatsServer, startFabricServer } from "../../../test/fakes/nats-server.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { openWire as openCable } from "../../../test/fakes/wire.js";
import { MAX_PENDING_BYTES } from "../../fabric/server-files.js";
import { BATCH_BYTES } from "../../fabric/streams.js";
import { linkSubject, rpcSubject } from "../../fabric/subjects.js";
import { systemClock } from "../../model/clock.js";

/* Where the server keeps no more, keeps it no longer, or gives it twice. */

/** So long the client waits for an answer about a mailbox, and some more. */
const QUESTION_MS = 5500;

async function openWire(server: NatsServer) {
  const wire = await server.connect();
  onTestFinished(() => wire.close());
  return wire;
}

test("a server that is full says so; the rest waits with its sender, and goes when there is room", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();
  const stream = streamOf(r2d2);
  const { config } = await manage(server, (manager) => manager.streams.info(stream));
  await manage(server, (manager) => manager.streams.update(stream, { max_bytes: 1000 }));

  bmo.hub.post("r2d2", ...numbers(0, 30));
  await patiently(() =>
    expect(bmo.link.reports()[0]?.lastError?.message).toContain(
      "has a mailbox that takes no more (maximum bytes",
    ),
  );
  expect(bmo.hub.taken("r2d2")).toEqual([]);

  await manage(server, (manager) => manager.streams.update(stream, { max_bytes: config.max_bytes }));
  await comeBack(server, r2d2);
  await expectAll({ bmo, r2d2 }, numbers(0, 30));
});

test("what lay on the server for too long, and is gone, is sent again", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();
  const stream = streamOf(r2d2);
  const keep = (ms: number) =>
    manage(server, (manager) =>
      manager.streams.update(stream, { max_age: nanos(ms), duplicate_window: nanos(Math.min(ms, 120_000)) }),
    );
  bmo.hub.post("r2d2", ...numbers(0, 5));
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(1));
  // Its sender is not there when it goes.
  await bmo.link.close();
  await keep(500);
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(0));
  await keep(24 * 60 * 60_000);

  await comeBack(server, r2d2);
  await comeBack(server, bmo);

  await expectAll({ bmo, r2d2 }, numbers(0, 5));
});

test("a batch that is handed out again, as after a death between storing and acknowledging, counts once", async () => {
  const { server, bmo, r2d2 } = await startPair();
  const wire = await openWire(server);
  const subject = linkSubject(r2d2.identity.id, bmo.identity.id);
  const recorded: Uint8Array[] = [];
  wire.subscribe(subject, { callback: (_, { data }) => void recorded.push(data) });
  await wire.flush();
  bmo.hub.post("r2d2", "one", "two");
  await expectAll({ bmo, r2d2 }, ["one", "two"]);
  const taken = r2d2.hub.batches.length;

  // What is put there again is recorded too.
  const first = recorded.slice();
  for (const payload of first) wire.publish(subject, payload);
  await wire.flush();
  await patiently(() => expect(r2d2.hub.batches.length).toBeGreaterThan(taken));
  bmo.hub.post("r2d2", "three");

  await expectAll({ bmo, r2d2 }, ["one", "two", "three"]);
  await patiently(async () => expect(await waitingIn(server, r2d2)).toBe(0));
});

test("a hub asks for no more at once than the server holds for one that does not read", async () => {
  const { server, r2d2 } = await startPair();
  const wire = await openWire(server);
  const asked: number[] = [];
  wire.subscribe(`$JS.API.CONSUMER.MSG.NEXT.*.${r2d2.identity.id}`, {
    callback: (_, message) => void asked.push(message.json<{ batch: number }>().batch),
  });
  await wire.flush();

  await r2d2.link.close();
  await comeBack(server, r2d2);

  await patiently(() => expect(asked).not.toEqual([]));
  for (const batch of asked) expect(batch * BATCH_BYTES).toBeLessThan(MAX_PENDING_BYTES);
});

test("a hub that hears a question and says nothing, as one that sleeps, is not asked again at once", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();
  const wire = await openWire(server);
  let questions = 0;
  wire.subscribe(rpcSubject(r2d2.identity.id, bmo.identity.id), { callback: () => void questions++ });
  await wire.flush();
  const claim = () => bmo.link.claim("r2d2", { request: "r", by: { id: "a1", name: "ana", team: "main" } });

  await expect(claim()).rejects.toThrow("r2d2");
  const asked = questions;
  await expect(claim()).rejects.toThrow(
    "did not answer a moment ago, and is not asked again within a minute",
  );
  await wire.flush();

  expect(asked).toBeGreaterThan(0);
  expect(questions).toBe(asked);
});

test("a mailbox is read again soon after a connection whose first questions got no answer", async () => {
  const { server, bmo, r2d2 } = await startPair();
  await r2d2.link.close();
  const cable = await openCable(server.port);
  const back = await startFabricHub(
    "r2d2",
    { url: `nats://127.0.0.1:${cable.port}` },
    {
      timing: SHORT,
      identity: r2d2.identity,
      hub: r2d2.hub,
    },
  );
  bmo.hub.post("r2d2", "one");
  await expectAll({ bmo, r2d2 }, ["one"]);
  const before = back.link.fabric()?.state();

  // What greets the server goes through, and nothing after it until the client has given up its questions.
  cable.stallAfter("PING");
  cable.cut();
  cable.mend();
  await patiently(() => {
    const state = back.link.fabric()?.state();
    if (state?.kind !== "connected" || before?.kind !== "connected") throw new Error("not connected");
    expect(state.since).toBeGreaterThan(before.since);
  });
  const at = Date.now();
  await patiently(() => expect(Date.now() - at).toBeGreaterThan(QUESTION_MS));
  cable.release();

  bmo.hub.post("r2d2", "two");
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["one", "two"]), 20_000);
  await back.link.close();
});

test("closing does not wait for the answers of a server that gives none", async () => {
  const { server, r2d2 } = await startPair();
  await r2d2.link.close();
  const cable = await openCable(server.port);
  cable.stallAfter("$JS.API.STREAM.INFO");
  const opening = await startFabricHub(
    "r2d2",
    { url: `nats://127.0.0.1:${cable.port}` },
    {
      timing: { ...SHORT, answerMs: QUESTION_MS },
      identity: r2d2.identity,
      hub: r2d2.hub,
      noTry: true,
    },
  );
  await patiently(() => expect(cable.held()).toBeGreaterThan(0));
  let isClosed = false;
  const closing = opening.link.close().then(() => {
    isClosed = true;
  });
  await patiently(() => expect(isClosed).toBe(true), QUESTION_MS - 1000);
  await closing;
});

test("when a hub last acknowledged something is told by the clock of whoever tells it", async () => {
  const server = await startFabricServer();
  const ahead = { ...systemClock, wall: () => Date.now() + 3_600_000 };
  const r2d2 = await startFabricHub("r2d2", server, { clock: ahead });
  const bmo = await startFabricHub("bmo", server);
  bmo.hub.setPeers([memberPeer("r2d2", r2d2.identity)]);
  const before = Date.now();
  bmo.hub.post("r2d2", "one");
  await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(["one"]));

  const at = bmo.link.fabric()?.lastAckOf(r2d2.identity.id);
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
});
