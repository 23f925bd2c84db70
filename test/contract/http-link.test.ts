import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHttpLink } from "../../src/link/http/http-link.js";
import { ensureIdentity } from "../../src/link/identity.js";
import { createKnownHubs } from "../../src/link/known-hubs.js";
import type { Heard } from "../../src/link/link.js";
import { systemTimers } from "../../src/link/timers.js";
import { systemClock } from "../../src/model/clock.js";
import { type Mishap, openBadWire, openRawPeer } from "../fakes/bad-wire.js";
import { freePort } from "../fakes/free-port.js";
import { peerAt, SECRET, startLinkedHub, startTwoHubs } from "../fakes/link-yard.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { patiently } from "../fakes/patiently.js";
import { createRandom } from "../fakes/random.js";
import { tempFolder } from "../fakes/temp-folder.js";
import { type LinkUnderTest, linkContract } from "./link.js";

/** So that a test of silence does not take long. */
const SHORT = { answerMs: 1000, connectMs: 1000 };
/** As long as an honest peer on a busy machine may need. */
const PATIENT = { answerMs: PATIENCE_MS, connectMs: PATIENCE_MS };

const newIdentity = () => ensureIdentity(join(tempFolder(), "hub.key"));

const http: LinkUnderTest = {
  async open({ isShort, ...options } = {}) {
    const secret = "secret" in options ? options.secret : SECRET;
    const r2d2 = await startLinkedHub("r2d2", { common: SECRET, peers: [peerAt("bmo", 1)] });
    const identity = newIdentity();
    const heard: Heard[] = [];
    const link = createHttpLink({
      identity,
      self: { id: identity.id, name: "bmo", version: "0.1.0-test" },
      secrets: { common: () => secret, of: () => secret },
      known: createKnownHubs(),
      onHeard: (_, one) => heard.push(one),
      clock: systemClock,
      limits: isShort === true ? SHORT : PATIENT,
    });
    onTestFinished(() => link.close());
    return { link, peer: peerAt("r2d2", r2d2.port), hub: r2d2.hub, heard };
  },
  async wrongPeer(how) {
    const { publicKey, id } = newIdentity();
    const known = { hubId: id, publicKey };
    if (how === "absent") return peerAt("ghost", await freePort(), known);
    return peerAt("wrong", await openRawPeer(answers[how], { hangUp: how === "breaks off" }), known);
  },
  async otherKey() {
    const r2d2 = await startLinkedHub("r2d2", { common: SECRET, peers: [peerAt("bmo", 1)] });
    const { publicKey, id } = newIdentity();
    return { peer: peerAt("r2d2", r2d2.port, { hubId: id, publicKey }), identity: r2d2.identity };
  },
};

const head = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, ...headers, "", ""].join("\r\n");

const answers = {
  silent: undefined,
  garbage: "SSH-2.0-OpenSSH_9.2\r\n",
  "breaks off": `${head("200 OK", "content-length: 100")}{"ok":true`,
  "giant answer": `${head("200 OK", "content-length: 50000000")}${"x".repeat(5_000_000)}`,
  "endless answer": `${head("200 OK", "transfer-encoding: chunked")}1\r\n{\r\n`,
  redirects: head("307 Temporary Redirect", "location: http://127.0.0.1:1/agent/link", "content-length: 0"),
  fails: `${head("500 Internal Server Error", "content-length: 2")}{}`,
} as const;

describe("the link over HTTP", () => linkContract(http));

describe("over a bad wire", () => {
  const mishaps: Mishap[] = ["none", "request lost", "answer lost", "500", "twice", "garbage"];

  test.each([1, 2, 3])("everything arrives once and in order (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const soon = (ms: number, run: () => void) => systemTimers(Math.min(ms, 5), run);
    const r2d2 = await startLinkedHub("r2d2", { common: SECRET });
    const wire = await openBadWire(r2d2.port, () => random.pick(mishaps));
    const bmo = await startLinkedHub("bmo", {
      common: SECRET,
      mailPerBatch: 4,
      after: soon,
      peers: [peerAt("r2d2", wire)],
    });
    r2d2.hub.setPeers([peerAt("bmo", bmo.port)]);
    const texts = Array.from({ length: 100 }, (_, index) => String(index));

    for (const text of texts) bmo.hub.post("r2d2", text);

    await patiently(() => expect(bmo.hub.taken("r2d2").length).toBe(texts.length));
    expect(r2d2.hub.got("bmo")).toEqual(texts);
  });

  test("a peer that fails every other time gets everything", async () => {
    const soon = (ms: number, run: () => void) => systemTimers(Math.min(ms, 5), run);
    const { bmo, r2d2 } = await startTwoHubs({ after: soon, mailPerBatch: 1 });
    bmo.hub.setPeers([
      peerAt("r2d2", await openBadWire(r2d2.port, (call) => (call % 2 === 0 ? "500" : "none"))),
    ]);

    bmo.hub.post("r2d2", "a", "b", "c", "d");

    await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(["a", "b", "c", "d"]));
  });
});
