import { join } from "node:path";
import { expect, test } from "vitest";
import { peerAt, SECRET, startLinkedHub, startTwoHubs } from "../../test/fakes/link-yard.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { refusalOf } from "../../test/refusal-of.js";
import { ensureIdentity, readPublicKey } from "./identity.js";
import { createRpcGuard, encodeRpc } from "./rpc-proof.js";

const claim = (request: string) => ({ request, by: { id: "a1", name: "ana", team: "main" } });

/** Two hubs that know each other's keys, and how anybody with the secret talks to the second one. */
async function startAcquainted() {
  const { bmo, r2d2 } = await startTwoHubs();
  await bmo.link.ping("r2d2");
  await r2d2.link.ping("bmo");
  async function say(body: string) {
    const answer = await fetch(`http://127.0.0.1:${r2d2.port}/agent/rpc`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", authorization: `Bearer ${SECRET}` },
    });
    const { code } = (await answer.json()) as { code?: string };
    return { status: answer.status, code };
  }
  const words = { v: 1, kind: "claim", origin: bmo.identity.id, from: "bmo", ...claim("req-1") };
  return { bmo, r2d2, say, words };
}

test("a claim is signed, and so are all that follow it", async () => {
  const { bmo, r2d2 } = await startAcquainted();
  expect(await bmo.link.claim("r2d2", claim("req-1"))).toEqual({ claimed: true, status: "claimed" });
  expect(await bmo.link.claim("r2d2", claim("req-2"))).toEqual({ claimed: true, status: "claimed" });
  expect([...r2d2.hub.claims.keys()]).toEqual(["req-1", "req-2"]);
});

test("who has the secret, and not the key, claims nothing in the name of a peer whose key is known; the person hears of it", async () => {
  const { r2d2, say, words } = await startAcquainted();
  const thief = ensureIdentity(join(tempFolder(), "thief.key"));
  const proof = { dest: r2d2.identity.id, to: "guessed", run: "thief", n: 1 };

  expect(await say(JSON.stringify(words))).toEqual({ status: 403, code: "PEER_UNTRUSTED" });
  expect(await say(encodeRpc(thief, words, proof))).toEqual({ status: 403, code: "PEER_UNTRUSTED" });
  expect(r2d2.hub.claims.size).toBe(0);
  expect(r2d2.link.reports()[0]?.distrusted?.message).toContain("signed wrongly");
  expect(await say(JSON.stringify({ ...words, kind: "directory" }))).toMatchObject({ status: 200 });
});

test("a hub that started anew is pinged, and asked again; what was signed for it before is not taken any more", async () => {
  const { bmo, r2d2, say, words } = await startAcquainted();
  await bmo.link.claim("r2d2", claim("req-1"));
  await r2d2.link.close();
  const anew = await startLinkedHub("r2d2", {
    common: SECRET,
    config: { identity: r2d2.identity },
    peers: [peerAt("bmo", bmo.port)],
  });
  bmo.hub.setPeers([peerAt("r2d2", anew.port)]);
  await anew.link.ping("bmo");

  expect(await bmo.link.claim("r2d2", claim("req-2"))).toMatchObject({ claimed: true });
  expect([...anew.hub.claims.keys()]).toEqual(["req-2"]);
  await expect(say(JSON.stringify(words))).rejects.toThrow();
});

test("of what is signed each number is good once, for one hub and one run of it, and nothing in it can be changed", () => {
  const [bmo, r2d2] = [ensureIdentity(join(tempFolder(), "a")), ensureIdentity(join(tempFolder(), "b"))];
  const key = readPublicKey(bmo.publicKey);
  if (key === undefined) throw new Error("no key");
  const peer = peerAt("bmo", 1);
  const guard = createRpcGuard({ id: r2d2.id, run: "now" });
  const proof = { dest: r2d2.id, to: "now", run: "r1", n: 1 };
  const signed = (changed: Partial<typeof proof> = {}) =>
    JSON.parse(encodeRpc(bmo, { kind: "claim", request: "req-1" }, { ...proof, ...changed })) as {
      kind: string;
      proof: typeof proof;
      sig: string;
    };
  const check = (call: ReturnType<typeof signed>) => guard.check(peer, call, call, key);
  const codeOf = (call: ReturnType<typeof signed>) => refusalOf(() => check(call)).code;

  check(signed({ n: 300 }));
  check(signed({ n: 299 }));
  expect(codeOf(signed({ n: 300 }))).toBe("RPC_STALE");
  expect(codeOf(signed({ n: 44 }))).toBe("RPC_STALE");
  check(signed({ n: 45 }));
  expect(codeOf(signed({ n: 301, to: "before" }))).toBe("RPC_STALE");
  expect(codeOf(signed({ n: 301, dest: bmo.id }))).toBe("PEER_UNTRUSTED");
  expect(codeOf({ ...signed({ n: 301 }), kind: "presence" })).toBe("PEER_UNTRUSTED");
  check(signed({ n: 1, run: "r2" }));
});
