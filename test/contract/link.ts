import { describe, expect, test } from "vitest";
import type { Identity } from "../../src/link/identity.js";
import type { Heard, Link } from "../../src/link/link.js";
import type { Batch, Frame } from "../../src/model/link.js";
import type { Peer } from "../../src/model/peer.js";
import { refusal } from "../fakes/refusal.js";
import { linkMail, type ScriptedLinkHub } from "../fakes/scripted-link-hub.js";

/* What the outbox relies on of a link, as src/link/link.ts obliges every adapter. */

/** How a peer can be wrong: each is told from a peer that stored what it was sent. */
const wrongPeers = [
  "absent",
  "silent",
  "garbage",
  "breaks off",
  "giant answer",
  "endless answer",
  "redirects",
  "fails",
] as const;

export type LinkUnderTest = {
  /** A link of the hub `bmo`, and an honest hub `r2d2` that it reaches; `secret`: the one that bmo shows; `isShort`: it gives up soon. */
  open(options?: { secret?: string | undefined; isShort?: true }): Promise<{
    link: Link;
    peer: Peer;
    hub: ScriptedLinkHub;
    heard: Heard[];
  }>;
  /** A peer that is wrong in that way. Its key is known. */
  wrongPeer(how: (typeof wrongPeers)[number]): Promise<Peer>;
  /** A hub that is honest and has another key than `peer` says. */
  otherKey(): Promise<{ peer: Peer; identity: Identity }>;
};

export function linkContract({ open, wrongPeer, otherKey }: LinkUnderTest): void {
  const batch = (from: number, ...texts: string[]): Batch => ({
    epoch: "e1",
    low: from,
    frames: texts.map((text, index) => {
      const n = from + index;
      return { n, kind: "mail", mail: linkMail(text, `m-${n}`) };
    }),
  });

  test("a batch is acknowledged once it is stored, and the peer is heard of", async () => {
    const { link, peer, hub, heard } = await open();

    const ack = await link.send(peer, batch(1, "one", "two"));

    expect(ack).toMatchObject({ epoch: "e1", upTo: 2 });
    expect(hub.got("bmo")).toEqual(["one", "two"]);
    expect(heard.at(-1)).toMatchObject({ version: "0.1.0-test", skewMs: expect.any(Number) as unknown });
  });

  test("frames arrive as they were, with what the other side does not know, so that their digests agree", async () => {
    const { link, peer, hub } = await open();
    const later = { later: { z: 1, a: [2] } };
    const odd: Frame = { n: 1, kind: "void", ...later };
    const sent: Batch = { epoch: "e1", low: 1, frames: [odd] };
    const came: Batch[] = [];
    const receive = hub.receiveFrames;
    hub.receiveFrames = (from, frames) => {
      came.push(frames);
      return receive(from, frames);
    };

    await link.send(peer, sent);

    expect(JSON.stringify(came)).toBe(JSON.stringify([sent]));
  });

  test("a batch that is sent again is the same batch, and a gap is told", async () => {
    const { link, peer, hub } = await open();
    await link.send(peer, batch(1, "one", "two"));

    expect(await link.send(peer, batch(1, "one", "two"))).toMatchObject({ upTo: 2 });
    expect(await link.send(peer, batch(5, "five"))).toMatchObject({ upTo: 2, want: 3 });
    expect(hub.got("bmo")).toEqual(["one", "two"]);
  });

  test("a large batch goes through", async () => {
    const { link, peer, hub } = await open();
    const long = "é\n".repeat(100_000);
    await link.send(peer, batch(1, long, long));
    expect(hub.got("bmo")).toEqual([long, long]);
  });

  test("what hubs ask each other is answered", async () => {
    const { link, peer, hub } = await open();
    expect(await link.request(peer, "ping")).toMatchObject({ hub: hub.self.id, name: "r2d2" });
    expect(await link.request(peer, "directory")).toMatchObject({ agents: [{ name: "ana" }] });
    expect(await link.request(peer, "status")).toMatchObject({ name: "r2d2", status: "idle" });
  });

  test("a message of document 004 is taken, and `queued` says that the agent is busy", async () => {
    const { link, peer, hub } = await open();
    const message = { from: "bmo", type: "text", text: "hi", timestamp: "2026-02-03T10:00:00Z" } as const;

    expect(await link.sendPlain(peer, { ...message, messageId: "m1" })).toEqual({ ok: true, queued: false });
    hub.isBusy = true;
    expect(await link.sendPlain(peer, { ...message, messageId: "m2" })).toEqual({ ok: true, queued: true });
    expect(hub.got("bmo")).toEqual(["hi", "hi"]);
  });

  describe.each(wrongPeers)("a peer that is wrong: %s", (how) => {
    test("is no success, whatever is sent", async () => {
      const { link } = await open({ isShort: true });
      const peer = await wrongPeer(how);
      const message = { from: "bmo", type: "text", text: "hi", timestamp: "2026-02-03T10:00:00Z" } as const;

      const outcomes = await Promise.all(
        [
          link.send(peer, batch(1, "one")),
          link.request(peer, "ping"),
          link.sendPlain(peer, { ...message, messageId: "m1" }),
        ].map(refusal),
      );

      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ code: "PEER_UNREACHABLE", details: { peer: peer.name } });
    });
  });

  test.each([["wrong"], [undefined]])(
    "the secret %s is refused, with its status, and nothing is stored",
    async (secret) => {
      const { link, peer, hub } = await open({ secret });
      const refused = await refusal(link.send(peer, batch(1, "one")));
      expect(refused).toMatchObject({ code: "PEER_REFUSED", details: { status: 401 } });
      expect(hub.got("bmo")).toEqual([]);
    },
  );

  test("a hub with another key than the known one is not trusted, though it has the secret", async () => {
    const { link } = await open({ isShort: true });
    const { peer } = await otherKey();
    expect(await refusal(link.request(peer, "ping"))).toMatchObject({ code: "PEER_UNTRUSTED" });
    // It refuses what is meant for another, or its answer is signed by another, or that is no answer: nothing counts as taken.
    expect((await refusal(link.send(peer, batch(1, "one")))).code).toMatch(
      /^PEER_(UNTRUSTED|REFUSED|UNREACHABLE)$/,
    );
  });

  test("closing rejects what is under way at once, and whatever comes later", async () => {
    const { link, peer } = await open();
    const waiting = link.send(await wrongPeer("silent"), batch(1, "one"));
    const outcome = refusal(waiting);

    await link.close();

    expect(await outcome).toMatchObject({ code: "SHUTTING_DOWN" });
    expect(await refusal(link.request(peer, "ping"))).toMatchObject({ code: "SHUTTING_DOWN" });
    expect(await refusal(link.send(peer, batch(1, "one")))).toMatchObject({ code: "SHUTTING_DOWN" });
  });
}
