import type { LinkMail, Party } from "../../src/model/link.js";
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
  await workTogether(hub, ann, { bob, mail, say });
  await hub.sendTo(ann, "eve@r2d2", say("Never mind")); // Waits until the end.
  await hub.execute("numberFrames", { peer: "r2d2" });
  await hub.execute("addPeer", { peer: peerNamed("chip", { kind: "plain" }) });
  await hub.execute("removePeer", { name: "chip" });
}

type Together = { bob: Party; mail: LinkMail; say: (words: string) => string };

/** Requests of both hubs, work that both are on, and a handoff that mail follows. */
async function workTogether(hub: TestHub, ann: string, { bob, mail, say }: Together): Promise<void> {
  const asked = await hub.ask(ann, "Who knows the port?", { hubs: ["r2d2"] });
  await hub.execute("claimForPeer", { peer: "r2d2", request: asked, by: bob });
  const request = {
    id: "req-theirs",
    state: "open",
    from: bob,
    description: "And the host?",
    timeoutMs: 60_000,
    expiresInMs: 50_000,
    nudges: 0,
    conversation: "c-theirs",
    hop: 0,
  } as const;
  const claim = { kind: "coordination", action: "claim", task: "the port" } as const;
  const claimed = { ...mail, id: "m-claim", type: "coordination" as const, typed: claim };
  const { replyTo: _, ...unasked } = claimed;
  const batch = {
    epoch: "e-1",
    low: 6,
    frames: [
      { n: 6, kind: "request", request },
      { n: 7, kind: "mail", mail: unasked },
    ],
  } as const;
  await hub.execute("receiveFrames", { peer: "r2d2", batch });
  await hub.work(ann, "claim", "the port");
  const handoff = { task: "the port", summary: say("It is 3848."), owes: [], forward: true };
  await hub.execute("handOff", { by: ann, agent: ann, to: "bob@r2d2", ...handoff });
  await hub.execute("updateAgent", { agent: ann, forward: false });
}
