import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { startFabricHub } from "../../../test/fakes/fabric-yard.js";
import { startImpostor } from "../../../test/fakes/impostor-server.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { newConnectionSeed } from "../../fabric/request.js";
import { ensureIdentity, isSignedBy, readPublicKey } from "../identity.js";

/** A server that has whoever connects sign these words, and says what it got. */
async function startAskingServer(nonce: string) {
  const heard = new EventEmitter();
  const signed = once(heard, "signed").then(([sig]) => String(sig));
  const { host } = await startImpostor({ nonce }, (text, socket) => {
    const [, sig] = /"sig":"([^"]+)"/.exec(text) ?? [];
    if (sig === undefined) return;
    heard.emit("signed", sig);
    socket.end("-ERR 'Authorization Violation'\r\n");
  });
  return { url: `nats://${host}`, signed };
}

test("a server that has a hub sign what it likes gets nothing that the hub's own key signed", async () => {
  const text = 'huddle link batch\n[1,"me","you","e1",1]\n[]';
  const server = await startAskingServer(text);
  const identity = ensureIdentity(join(tempFolder(), "hub.key"));
  const seed = newConnectionSeed();
  const access = { servers: [server.url], user: { jwt: "jwt", seed } };
  const hub = startFabricHub("bmo", server, { identity, access, noWait: true });

  const sig = Buffer.from(await server.signed, "base64");

  const user = nkeys.fromSeed(new TextEncoder().encode(seed));
  expect(user.verify(Buffer.from(text), sig)).toBe(true);
  const own = readPublicKey(identity.publicKey);
  if (own === undefined) throw new Error("the hub's key cannot be read");
  expect(isSignedBy(own, text, identity.sign(text))).toBe(true);
  expect(isSignedBy(own, text, sig.toString("base64"))).toBe(false);
  await (await hub).link.close();
});
