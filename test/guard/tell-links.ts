import { frameDigest } from "../../src/views/frame-digest.js";
import { peerNamed } from "../fakes/linked-hubs.js";
import type { TestHub } from "../fakes/test-hub.js";

/** Mail to another hub and from it, frames of an epoch that it does not know, one that it cannot fill any more, its end. */
export async function linkHubs(
  hub: TestHub,
  ann: string,
  say: (words: string) => string = (words) => words,
): Promise<void> {
  const peer = peerNamed("r2d2", { label: "R2" });
  await hub.execute("addPeer", { peer });
  await hub.execute("addPeer", { peer: { ...peer, port: 3848 } });
  await hub.sendTo(ann, "bob@r2d2", say("Which port?"));
  const sent = await hub.execute("numberFrames", { peer: "r2d2" });
  const [first] = sent?.frames ?? [];
  if (sent === undefined || first?.kind !== "mail") throw new Error("nothing waits for r2d2");
  const ack = { epoch: sent.epoch, upTo: first.n, digest: frameDigest(first) };
  await hub.execute("acknowledgeFrames", { peer: "r2d2", ack });
  const bob = { id: "their-bob", name: "bob", team: "main" };
  const mail = {
    ...first.mail,
    id: "m-bob",
    from: bob,
    to: { id: ann },
    content: say("3848"),
    replyTo: first.mail.id,
  };
  const status = {
    ...mail,
    id: "m-idle",
    type: "status" as const,
    typed: { kind: "status", status: "busy" } as const,
  };
  const frames = [
    { n: 3, kind: "mail", mail },
    { n: 4, kind: "mail", mail: status },
    { n: 5, kind: "mail", mail: { ...mail, id: "m-lost", to: { name: "nobody-there" } } },
  ] as const;
  await hub.execute("receiveFrames", { peer: "r2d2", batch: { epoch: "e-1", low: 3, frames } });
  await hub.sendTo(ann, "eve@r2d2", say("Never mind")); // Waits until the end.
  await hub.execute("numberFrames", { peer: "r2d2" });
  await hub.execute("addPeer", { peer: peerNamed("chip", { kind: "plain" }) });
  await hub.execute("removePeer", { name: "chip" });
}
