import { expect, test } from "vitest";
import { openBadWire } from "../../../test/fakes/bad-wire.js";
import { startLinkedHub } from "../../../test/fakes/link-yard.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { refusal } from "../../../test/fakes/refusal.js";
import { createTestClock } from "../../../test/fakes/test-clock.js";
import { readInviteLine, writeInviteLine } from "./invite-line.js";

/** Two hubs that know nothing of each other, and have no secret. */
async function startStrangers(options: Parameters<typeof startLinkedHub>[1] = {}) {
  const bmo = await startLinkedHub("bmo", options);
  const r2d2 = await startLinkedHub("r2d2");
  return { bmo, r2d2 };
}

test("one pasted line pairs two hubs: names, keys and a secret that both share, and mail goes both ways", async () => {
  const { bmo, r2d2 } = await startStrangers();

  const { line } = await bmo.link.invite();
  const peer = await r2d2.link.join(line);

  expect(peer).toMatchObject({ name: "bmo", kind: "hub", hubId: bmo.identity.id, origin: "paired" });
  expect(bmo.hub.peers()).toMatchObject([
    { name: "r2d2", hubId: r2d2.identity.id, publicKey: r2d2.identity.publicKey, port: r2d2.link.port() },
  ]);
  expect(r2d2.secrets.get("bmo")).toBe(bmo.secrets.get("r2d2"));
  expect(r2d2.secrets.get("bmo")).toMatch(/^[A-Za-z0-9_-]{43}$/);
  bmo.hub.post("r2d2", "hello");
  r2d2.hub.post("bmo", "hello back");
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["hello"]));
  await patiently(() => expect(bmo.hub.got("r2d2")).toEqual(["hello back"]));
});

test("a line is short enough to paste, and says no more than it must", async () => {
  const { bmo } = await startStrangers();
  const { line } = await bmo.link.invite();
  expect(line.length).toBeGreaterThanOrEqual(72);
  expect(line.length).toBeLessThanOrEqual(110);
  expect(readInviteLine(` ${line}\n`)).toEqual({
    host: "127.0.0.1",
    port: bmo.link.port(),
    hub: bmo.identity.id,
    secret: expect.stringMatching(/^[\w-]{22}$/) as unknown,
  });
});

test("a line works once", async () => {
  const { bmo, r2d2 } = await startStrangers();
  const c3po = await startLinkedHub("c3po");
  const { line } = await bmo.link.invite();
  await r2d2.link.join(line);

  expect(await refusal(c3po.link.join(line))).toMatchObject({
    code: "PEER_REFUSED",
    details: { status: 403, peer_code: "INVITE_INVALID" },
  });
  expect(await refusal(r2d2.link.join(line))).toMatchObject({ code: "PEER_REFUSED" });
  expect(bmo.hub.peers().map(({ name }) => name)).toEqual(["r2d2"]);
  expect(c3po.hub.peers()).toEqual([]);
});

test("a line is worth nothing after ten minutes", async () => {
  const clock = createTestClock();
  const { bmo, r2d2 } = await startStrangers({ clock, common: "so that it listens on" });
  const { line } = await bmo.link.invite();
  clock.advance(10 * 60_000 + 1);
  expect(await refusal(r2d2.link.join(line))).toMatchObject({ details: { peer_code: "INVITE_INVALID" } });
});

test("whoever guesses is slowed down, gets in nowhere, and does not keep others from being paired", async () => {
  const { bmo, r2d2 } = await startStrangers();
  const vader = await startLinkedHub("vader");
  const { line } = await bmo.link.invite();
  const wrong = writeInviteLine({ ...readInviteLine(line), secret: "A".repeat(22) });
  const refused: unknown[] = [];
  for (let n = 0; n < 30; n++) refused.push((await refusal(vader.link.join(wrong))).details["peer_code"]);

  expect(refused.slice(0, 20)).toEqual(Array(20).fill("INVITE_INVALID"));
  expect(refused.slice(20)).toEqual(Array(10).fill("RATE_LIMITED"));
  expect(bmo.hub.peers()).toEqual([]);
  await r2d2.link.join(line);
  expect(bmo.hub.peers().map(({ name }) => name)).toEqual(["r2d2"]);
});

test("whoever answers in place of the hub that invited is found out, and nothing is stored", async () => {
  const { bmo, r2d2 } = await startStrangers();
  const vader = await startLinkedHub("vader");
  const { line } = await bmo.link.invite();
  const theirs = await vader.link.invite();
  const swapped = writeInviteLine({ ...readInviteLine(theirs.line), hub: bmo.identity.id });

  expect(await refusal(r2d2.link.join(swapped))).toMatchObject({ code: "PEER_REFUSED" });
  const elsewhere = { ...readInviteLine(line), port: vader.link.port() ?? 0 };
  expect(await refusal(r2d2.link.join(writeInviteLine(elsewhere)))).toMatchObject({ code: "PEER_REFUSED" });
  expect([r2d2.hub.peers(), vader.hub.peers()]).toEqual([[], []]);
});

test("the one-time secret and the shared one never travel", async () => {
  const { bmo, r2d2 } = await startStrangers();
  const { line } = await bmo.link.invite();
  const seen: string[] = [];
  const wire = await openBadWire(
    bmo.link.port() ?? 0,
    () => "none",
    (bytes) => seen.push(bytes),
  );
  await r2d2.link.join(writeInviteLine({ ...readInviteLine(line), port: wire }));

  expect(seen.length).toBeGreaterThanOrEqual(2);
  expect(seen.join()).toContain(r2d2.identity.publicKey);
  expect(seen.join()).not.toContain(readInviteLine(line).secret);
  expect(seen.join()).not.toContain(r2d2.secrets.get("bmo") ?? "?");
});

test("a peer of the same name gets another one, and one that is paired again keeps its own", async () => {
  const bmo = await startLinkedHub("bmo");
  const first = await startLinkedHub("r2d2");
  const second = await startLinkedHub("r2d2");
  await first.link.join((await bmo.link.invite()).line);
  await second.link.join((await bmo.link.invite()).line);
  await first.link.join((await bmo.link.invite()).line, { name: "box" });

  expect(bmo.hub.peers().map(({ name, hubId }) => [name, hubId])).toEqual([
    ["r2d2-2", second.identity.id],
    ["r2d2", first.identity.id],
  ]);
  expect(first.hub.peers().map(({ name }) => name)).toEqual(["bmo", "box"]);
});

test("the listener is there for an invitation only as long as that is open", async () => {
  const { bmo, r2d2 } = await startStrangers();
  expect(bmo.link.port()).toBeUndefined();
  await bmo.link.invite();
  expect(bmo.link.port()).toBeGreaterThan(0);
  await refusal(r2d2.link.join("huddle://127.0.0.1:1/x/y"));
  expect(r2d2.link.port()).toBeUndefined();
});

test.each([
  "",
  "hello",
  "huddle://127.0.0.1/abc/def",
  `huddle://127.0.0.1:99999/${"a".repeat(32)}/${"b".repeat(22)}`,
  `huddle://127.0.0.1:0/${"a".repeat(32)}/${"b".repeat(22)}`,
  `huddle://a b:1/${"a".repeat(32)}/${"b".repeat(22)}`,
  `huddle://host:1/${"a".repeat(31)}/${"b".repeat(22)}`,
  `huddle://host:1/${"a".repeat(32)}/${"b".repeat(21)}`,
])("%j is no invitation", async (line) => {
  const { r2d2 } = await startStrangers();
  expect(await refusal(r2d2.link.join(line))).toMatchObject({ code: "INVITE_INVALID" });
});

test("a line may name an IPv6 address or a host", () => {
  const parts = { port: 3847, hub: "a".repeat(32), secret: "b".repeat(22) };
  for (const host of ["fe80::1", "chrissys-mac-mini.local", "192.168.1.20"])
    expect(readInviteLine(writeInviteLine({ ...parts, host }))).toEqual({ ...parts, host });
});

test("a hub does not join itself", async () => {
  const { bmo } = await startStrangers();
  const { line } = await bmo.link.invite();
  expect(await refusal(bmo.link.join(line))).toMatchObject({ code: "INVITE_INVALID" });
});
