import type { NatsConnection } from "@nats-io/transport-node";
import { linkSubject } from "../../src/fabric/subjects.js";
import type { Identity } from "../../src/link/identity.js";
import { type FabricAccess, openFabricConnection } from "../../src/link/nats/fabric-connection.js";
import { createMailbox } from "../../src/link/nats/mailbox.js";
import { createMembers } from "../../src/link/nats/members.js";
import { createSealer } from "../../src/link/nats/seal.js";
import { systemTimers } from "../../src/link/timers.js";
import { systemClock } from "../../src/model/clock.js";

const ANSWER_MS = 30_000;
const log = { info() {}, warn() {} };

type Leaving = { name: string; identity: Identity; access: FabricAccess };

/** A hub comes to the fabric, says who it is, and goes. Its mailbox stays: empty, or with a kilobyte that nobody takes. */
export async function leaveMailbox({ name, identity, access }: Leaving, withMail: boolean): Promise<void> {
  const members = createMembers({
    identity,
    sealer: createSealer(identity),
    self: { name },
    clock: systemClock,
    ignored() {},
    answerMs: ANSWER_MS,
  });
  let opened = () => {};
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const ends = {
    hub: identity.id,
    isCluster: false,
    handle: async () => "later" as const,
    onOpen(connection: NatsConnection) {
      void members.announce(connection).then(opened);
    },
    onFailed() {},
    log,
    after: systemTimers,
  };
  const mailbox = createMailbox(ends);
  const fabric = openFabricConnection({
    access,
    hub: identity.id,
    clock: systemClock,
    log,
    after: systemTimers,
    random: Math.random,
    onConnected: (connection) => mailbox.read(connection),
    onAway() {},
  });
  await isOpen;
  await mailbox.close();
  const connection = fabric.now();
  if (connection === undefined) throw new Error(`${name} lost its connection`);
  const own = linkSubject(identity.id, identity.id);
  if (withMail) await connection.request(own, Buffer.alloc(1024), { timeout: ANSWER_MS });
  await fabric.close();
}
