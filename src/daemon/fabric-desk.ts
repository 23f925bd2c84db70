import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HuddlePaths } from "../client/paths.js";
import type { FabricAdmission } from "../contract/link/fabric.js";
import { type Ending, findAdmissionEnding, findCertificateEndings } from "../fabric/endings.js";
import type { ExecuteCommand } from "../hub/deciders.js";
import type { MailboxCount } from "../link/nats/count-mailbox.js";
import type { Fabric } from "../link/nats/fabric.js";
import type { RunningLink } from "../link/start-link.js";
import type { Clock } from "../model/clock.js";
import { HubError } from "../model/errors.js";
import type { FabricDesk, FabricStatus } from "../model/fabric-desk.js";
import type { Membership } from "./fabric-membership.js";
import type { createPeerDesk } from "./peer-desk.js";

type FabricDeskPorts = {
  membership: Membership;
  peers: ReturnType<typeof createPeerDesk>;
  paths: Pick<HuddlePaths, "data" | "config">;
  execute: ExecuteCommand;
  clock: Pick<Clock, "wall">;
};

/** Whoever joins is told whether it worked, if that is known within this time. */
const FIRST_TRY_MS = 8000;

/** So long others have to say that they are there. */
const ASK_MS = 1000;

/** This hub's place on the fabric. Nothing of NATS is loaded before it joins one. */
export function createFabricDesk(ports: FabricDeskPorts): FabricDesk {
  const { membership, peers, paths, execute, clock } = ports;

  async function identity() {
    const { ensureIdentity } = await import("../link/identity.js");
    return ensureIdentity(join(paths.data, "hub.key"));
  }

  async function describe(admission: FabricAdmission): Promise<FabricStatus> {
    const { id: hubId } = await identity();
    // Where links could not be started, `problem` says why.
    const link = await peers.running().catch(() => undefined);
    const fabric = link?.fabric();
    const isConnected = fabric?.state().kind === "connected";
    const [count, silent] = await Promise.all([
      fabric?.mailbox(),
      isConnected && link !== undefined ? askAll(link) : new Set<string>(),
    ]);
    const known = peers.list().filter((peer) => peer.hubId !== null);
    return {
      fabric: admission.fabric,
      hubId,
      servers: admission.servers,
      isSteward: admission.steward === true,
      expiresAt: Date.parse(admission.expires),
      ...describeConnection(fabric, peers.problem(), count),
      warning: findEnding(admission) ?? null,
      mailbox: count?.kind === "counted" ? count.waiting : null,
      contacts: known.map(({ name, hubId: id, host, reachable, lastContactAt, waiting, oldestAt }) => ({
        name,
        hubId: id ?? "",
        // Who was there before may be gone by now.
        presence: silent.has(name) || !(isConnected || host !== "") ? "unknown" : reachable,
        lastContactAt,
        lastAckAt: fabric?.lastAckOf(id ?? "") ?? null,
        waiting,
        oldestAt,
      })),
    };
  }

  /** Asks all that are watched whether they are there. Those that have said nothing yet; one that sleeps is asked once a minute, by the link. */
  async function askAll(link: RunningLink): Promise<ReadonlySet<string>> {
    const asked = peers.list().filter(({ name, hubId }) => hubId !== null && link.isWatched(name));
    const silent = new Set(asked.map(({ name }) => name));
    const asking = asked.map(({ name }) => link.ping(name).finally(() => silent.delete(name)));
    await Promise.race([Promise.allSettled(asking), sleep(ASK_MS, undefined, { ref: false })]);
    return new Set(silent);
  }

  /** The nearest to this hub first. */
  function findEnding({ expires }: FabricAdmission): Ending | undefined {
    const keys = join(paths.config, "fabric");
    const isOwn = existsSync(join(keys, "fabric.json"));
    const now = clock.wall();
    return findAdmissionEnding(Date.parse(expires), isOwn, now) ?? findCertificateEndings(keys, now)[0];
  }

  /** An admission that could never work is refused before it takes the place of one that does. */
  async function check(admission: FabricAdmission): Promise<void> {
    const [{ id }, { connectionKeyOf, userOf }] = await Promise.all([
      identity(),
      import("../fabric/request.js"),
    ]);
    if (admission.hub !== id)
      throw new HubError(
        "FABRIC_LINE_INVALID",
        `This admission is for another hub (${admission.hub}); this is ${id}`,
      );
    if (userOf(admission.jwt) !== connectionKeyOf(membership.seed()))
      throw new HubError(
        "FABRIC_LINE_INVALID",
        "This admission is for a connection key that this hub has no more. Ask again: huddle fabric request",
      );
  }

  return {
    async status() {
      const admission = membership.read();
      return admission && describe(admission);
    },
    async request() {
      const [own, { makeRequest, newConnectionSeed }, { writeRequest }] = await Promise.all([
        identity(),
        import("../fabric/request.js"),
        import("../fabric/lines.js"),
      ]);
      const request = makeRequest(own, peers.ownName, membership.seed(newConnectionSeed));
      return { line: writeRequest(request), name: peers.ownName, hubId: own.id };
    },
    async join(line) {
      const { readAdmission } = await import("../fabric/lines.js");
      const admission = readAdmission(line);
      await check(admission);
      membership.keep(admission);
      await peers.useFabric();
      const fabric = (await peers.running()).fabric();
      await Promise.race([fabric?.tried, sleep(FIRST_TRY_MS, undefined, { ref: false })]);
      return describe(admission);
    },
    async leave() {
      const admission = membership.read();
      if (admission === undefined) throw new HubError("FABRIC_NOT_FOUND", "This hub has joined no fabric");
      membership.forget();
      await peers.useFabric();
      const removed = peers.list().filter(({ origin }) => origin === "fabric");
      for (const { name } of removed) await execute("removePeer", { name });
      return { fabric: admission.fabric, removed: removed.map(({ name }) => name) };
    },
  };
}

function describeConnection(
  fabric: Fabric | undefined,
  problem: string | undefined,
  count: MailboxCount | undefined,
): Pick<FabricStatus, "connection" | "since" | "problem"> {
  const state = fabric?.state();
  switch (state?.kind) {
    case "connected":
      return {
        connection: "connected",
        since: state.since,
        problem: count?.kind === "unknown" ? count.problem : null,
      };
    case "twin":
      return { connection: "twin", since: state.since, problem: TWIN };
    case "away":
      return { connection: state.refused ? "refused" : "away", since: state.since, problem: state.problem };
    default:
      return { connection: "away", since: null, problem: problem ?? null };
  }
}

const TWIN =
  "another hub on the fabric has this hub's key, as after a copy of its data, and was there first. In the copy stop the hub, remove hub.key, and join again";
