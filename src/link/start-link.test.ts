import { expect, test } from "vitest";
import { peerAt, SECRET, startLinkedHub, startTwoHubs } from "../../test/fakes/link-yard.js";
import { patiently } from "../../test/fakes/patiently.js";
import { refusal } from "../../test/fakes/refusal.js";
import { createTestClock } from "../../test/fakes/test-clock.js";
import { systemTimers } from "./timers.js";

/** A busy machine takes its time. */
test("two hubs that know each other by name, address and secret hand mail to each other, in order", async () => {
  const { bmo, r2d2 } = await startTwoHubs({ mailPerBatch: 3 });

  bmo.hub.post("r2d2", "1", "2", "3", "4", "5", "6", "7");
  r2d2.hub.post("bmo", "a", "b");

  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["1", "2", "3", "4", "5", "6", "7"]));
  await patiently(() => expect(bmo.hub.got("r2d2")).toEqual(["a", "b"]));
  await patiently(() => expect(bmo.hub.taken("r2d2")).toHaveLength(7));
});

test("what people are told of a peer that answers", async () => {
  const { bmo } = await startTwoHubs();

  expect(bmo.link.reports()).toMatchObject([{ name: "r2d2", reachable: "unknown", secret: "unknown" }]);
  const report = await bmo.link.ping("r2d2");

  expect(report).toMatchObject({
    reachable: "yes",
    secret: "matched",
    version: "0.1.0-test",
    lastError: null,
  });
  expect(Math.abs(report.clockSkewMs ?? Number.NaN)).toBeLessThan(30_000);
});

test("a peer's clock that is an hour ahead shows, and changes nothing", async () => {
  const ahead = { wall: () => Date.now() + 3_600_000, monotonic: () => performance.now() };
  const r2d2 = await startLinkedHub("r2d2", { common: SECRET, clock: ahead });
  const bmo = await startLinkedHub("bmo", { common: SECRET, peers: [peerAt("r2d2", r2d2.port)] });
  r2d2.hub.setPeers([peerAt("bmo", bmo.port)]);

  bmo.hub.post("r2d2", "hello");

  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["hello"]));
  const { clockSkewMs } = await bmo.link.ping("r2d2");
  expect(clockSkewMs).toBeGreaterThan(3_500_000);
  expect(clockSkewMs).toBeLessThan(3_700_000);
});

test("a wrong secret is told as such, the mail waits, and goes once it is right", async () => {
  const { bmo, r2d2 } = await startTwoHubs();
  bmo.secrets.set("r2d2", "an old one");
  bmo.hub.post("r2d2", "hello");

  await patiently(() => expect(bmo.link.reports()[0]?.secret).toBe("wrong"));
  expect(bmo.link.reports()[0]).toMatchObject({ reachable: "yes", lastError: { code: "PEER_REFUSED" } });
  expect(bmo.link.reports()[0]?.waitingSince).not.toBeNull();
  expect(r2d2.hub.got("bmo")).toEqual([]);

  bmo.secrets.delete("r2d2");
  bmo.hub.setPeers(bmo.hub.peers());
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["hello"]));
  await patiently(() =>
    expect(bmo.link.reports()[0]).toMatchObject({ secret: "matched", waitingSince: null }),
  );
});

test("a peer's agents can be asked for", async () => {
  const { bmo } = await startTwoHubs();
  expect(await bmo.link.directory("r2d2")).toMatchObject([{ name: "ana", status: "idle" }]);
  expect(await refusal(bmo.link.directory("c3po"))).toMatchObject({ code: "HUB_NOT_FOUND" });
});

test("another hub with the secret, the name and the address of a peer is not that peer once its key was seen", async () => {
  const { bmo, r2d2 } = await startTwoHubs();
  await bmo.link.ping("r2d2");
  const imposter = await startLinkedHub("r2d2", { common: SECRET, peers: [peerAt("bmo", bmo.port)] });

  bmo.hub.setPeers([peerAt("r2d2", imposter.port)]);
  expect((await bmo.link.ping("r2d2")).lastError).toMatchObject({ code: "PEER_UNTRUSTED" });
  imposter.hub.post("bmo", "I am r2d2");
  await patiently(() => expect(imposter.link.reports()[0]?.lastError?.message).toMatch(/another key/));
  expect(bmo.hub.got("r2d2")).toEqual([]);

  r2d2.hub.post("bmo", "so am I");
  await patiently(() => expect(bmo.hub.got("r2d2")).toEqual(["so am I"]));
});

test("without any secret nothing listens, and it listens once there is a peer that has one", async () => {
  const bmo = await startLinkedHub("bmo");
  expect(bmo.link.port()).toBeUndefined();

  bmo.secrets.set("r2d2", "its own");
  bmo.hub.setPeers([peerAt("r2d2", 1)]);
  await patiently(() => expect(bmo.link.port()).toBeGreaterThan(0));

  bmo.secrets.clear();
  bmo.hub.setPeers([]);
  await patiently(() => expect(bmo.link.port()).toBeUndefined());
});

test("a port that is taken is refused with what to do", async () => {
  const bmo = await startLinkedHub("bmo", { common: SECRET });
  const second = startLinkedHub("r2d2", { common: SECRET, config: { port: bmo.port } });
  expect(await refusal(second)).toMatchObject({ code: "PORT_TAKEN" });
});

test("a secret that no header can carry is told, and does no harm", async () => {
  const { bmo } = await startTwoHubs();
  bmo.secrets.set("r2d2", "two\nlines");
  const { lastError } = await bmo.link.ping("r2d2");
  expect(lastError).toMatchObject({ code: "PEER_UNREACHABLE" });
  expect(lastError?.message).not.toContain("lines");
});

/** Pauses between tries are short; what is asked for by a peer is kept to all the same. */
const soon = (ms: number, run: () => void) => systemTimers(Math.min(ms, 5), run);

test("a peer that sends more than it may is slowed down, and loses nothing", async () => {
  const clock = createTestClock();
  const bmo = await startLinkedHub("bmo", { common: SECRET, after: soon });
  const r2d2 = await startLinkedHub("r2d2", {
    common: SECRET,
    clock,
    config: { rate: 5 },
    peers: [peerAt("bmo", bmo.port)],
  });
  bmo.hub.setPeers([peerAt("r2d2", r2d2.port)]);
  const texts = Array.from({ length: 12 }, (_, n) => String(n));

  bmo.hub.post("r2d2", ...texts);

  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(texts.slice(0, 5)));
  await patiently(() =>
    expect(bmo.link.reports()[0]?.lastError?.message).toMatch(/may send 5 messages a minute/),
  );
  expect(bmo.link.reports()[0]).toMatchObject({ reachable: "yes", secret: "matched" });
  clock.advance(61_000);
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(texts.slice(0, 10)));
  clock.advance(61_000);
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(texts));
  expect(bmo.hub.refused).toEqual([]);
});

test("what is too large for a peer comes back to its sender, and what waits behind it goes on", async () => {
  const bmo = await startLinkedHub("bmo", { common: SECRET, after: soon });
  const r2d2 = await startLinkedHub("r2d2", {
    common: SECRET,
    config: { bodyBytes: 4096 },
    peers: [peerAt("bmo", bmo.port)],
  });
  bmo.hub.setPeers([peerAt("r2d2", r2d2.port)]);
  const many = Array.from({ length: 40 }, (_, n) => `${n} ${"x".repeat(300)}`);

  bmo.hub.post("r2d2", ...many, "y".repeat(10_000), "last");

  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual([...many, "last"]));
  expect(bmo.hub.refused).toMatchObject([
    { text: "y".repeat(10_000), reason: expect.stringMatching(/413.*larger than 4096 bytes/) as unknown },
  ]);
});

test("a hub that was restored from a copy is told at its next start what it lacks, before anybody writes", async () => {
  const { bmo, r2d2 } = await startTwoHubs();
  bmo.hub.sentTo.set("r2d2", { epoch: "e1", acked: 7 });

  await r2d2.link.ping("bmo");

  await patiently(() => expect(r2d2.hub.batches.at(0)).toMatchObject({ epoch: "e1", low: 8, frames: [] }));
});

test("it is told too when the other one starts", async () => {
  const r2d2 = await startLinkedHub("r2d2", { common: SECRET });
  const bmo = await startLinkedHub("bmo", {
    common: SECRET,
    peers: [peerAt("r2d2", r2d2.port)],
    prepare: (hub) => hub.sentTo.set("r2d2", { epoch: "e1", acked: 7 }),
  });
  r2d2.hub.setPeers([peerAt("bmo", bmo.port)]);

  await bmo.link.ping("r2d2");

  await patiently(() => expect(r2d2.hub.batches.at(0)).toMatchObject({ epoch: "e1", low: 8, frames: [] }));
});

test("a hub that has everything is sent nothing when it calls", async () => {
  const { bmo, r2d2 } = await startTwoHubs();
  bmo.hub.post("r2d2", "hello");
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["hello"]));
  bmo.hub.sentTo.set("r2d2", { epoch: "e1", acked: 1 });

  await r2d2.link.ping("bmo");
  await bmo.link.ping("r2d2");

  expect(r2d2.hub.batches.map(({ frames }) => frames.length)).toEqual([1]);
});

test("a hub that has this one's own key is refused, and told as such", async () => {
  const bmo = await startLinkedHub("bmo", { common: SECRET });
  bmo.hub.setPeers([peerAt("r2d2", bmo.port), peerAt("bmo", bmo.port)]);

  const { reachable, lastError, distrusted } = await bmo.link.ping("r2d2");

  expect({ reachable, code: lastError?.code }).toEqual({ reachable: "no", code: "PEER_UNTRUSTED" });
  expect(distrusted?.message).toMatch(/this hub's own key/);
});

test("two hubs that use one key are found out: the one that started last counts, and the person is told", async () => {
  const { bmo, r2d2 } = await startTwoHubs();
  r2d2.hub.post("bmo", "from the first");
  await patiently(() => expect(bmo.hub.got("r2d2")).toEqual(["from the first"]));
  const clone = await startLinkedHub("r2d2", {
    common: SECRET,
    config: { identity: r2d2.identity },
    peers: [peerAt("bmo", bmo.port)],
  });
  clone.hub.post("bmo", "from the first", "from its clone");
  await patiently(() => expect(bmo.hub.got("r2d2")).toEqual(["from the first", "from its clone"]));

  r2d2.hub.post("bmo", "from the first again");

  await patiently(() => expect(r2d2.link.reports()[0]?.lastError?.message).toMatch(/runs twice/));
  expect(bmo.link.reports()[0]?.distrusted?.message).toMatch(/two hubs have its key/);
  expect(bmo.hub.got("r2d2")).toEqual(["from the first", "from its clone"]);
});

test("whoever comes with the secret of a peer and another key is told of, and stays so when the peer itself calls again", async () => {
  const { bmo, r2d2 } = await startTwoHubs();
  await bmo.link.ping("r2d2");
  const imposter = await startLinkedHub("r2d2", { common: SECRET, peers: [peerAt("bmo", bmo.port)] });

  imposter.hub.post("bmo", "I am r2d2");
  await patiently(() =>
    expect(bmo.link.reports()[0]?.distrusted?.message).toMatch(/another key than before/),
  );
  await bmo.link.ping("r2d2");

  expect(bmo.link.reports()[0]).toMatchObject({ reachable: "yes", lastError: null });
  expect(bmo.link.reports()[0]?.distrusted).not.toBeNull();
  expect(r2d2.hub.got("bmo")).toEqual([]);
});

test("it is told of also where the key of the peer is written down, and before it sends anything", async () => {
  const { bmo, r2d2 } = await startTwoHubs();
  const { id: hubId, publicKey } = r2d2.identity;
  bmo.hub.setPeers([peerAt("r2d2", r2d2.port, { hubId, publicKey })]);

  await startLinkedHub("r2d2", { common: SECRET, peers: [peerAt("bmo", bmo.port)] });

  const distrusted = () => bmo.link.reports()[0]?.distrusted?.message;
  await patiently(() => expect(distrusted()).toMatch(/shows another key than before/));
});
