import { jetstreamManager } from "@nats-io/jetstream";
import { expect } from "vitest";
import { linkStreamOf, type StreamCount } from "../../src/fabric/link-streams.js";
import { linkSubject } from "../../src/fabric/subjects.js";
import { type FabricHub, memberPeer, SHORT, startFabricHub } from "./fabric-yard.js";
import { type NatsServer, startFabricServer, TEST_STREAMS } from "./nats-server.js";
import { patiently } from "./patiently.js";

/* Two scripted hubs on a real server. What was posted and what came is held against each other outside both. */

export type FabricPair = { server: NatsServer; bmo: FabricHub; r2d2: FabricHub };

type PairOptions = {
  mailPerBatch?: number;
  isSteward?: boolean;
  streams?: StreamCount;
  /** Before its streams are made. */
  onServer?: (server: NatsServer) => Promise<void>;
};

/** Two hubs that know each other; `isSteward`: they make the streams. */
export async function startPair({
  streams = TEST_STREAMS,
  onServer,
  ...options
}: PairOptions = {}): Promise<FabricPair> {
  const server = await startFabricServer({ streams, onServer });
  const settings = { timing: SHORT, streams: { count: streams }, ...options };
  const r2d2 = await startFabricHub("r2d2", server, settings);
  const bmo = await startFabricHub("bmo", server, settings);
  bmo.hub.setPeers([memberPeer("r2d2", r2d2.identity)]);
  r2d2.hub.setPeers([memberPeer("bmo", bmo.identity)]);
  return { server, bmo, r2d2 };
}

/** A hub that was closed comes back, with all that it had. */
export function comeBack(server: NatsServer, { identity, hub }: FabricHub): Promise<FabricHub> {
  return startFabricHub(hub.self.name, server, { timing: SHORT, identity, hub });
}

/** All of it came there, once and in order, and the sender knows. */
export async function expectAll({ bmo, r2d2 }: Omit<FabricPair, "server">, texts: readonly string[]) {
  await patiently(() => expect(r2d2.hub.got("bmo")).toEqual(texts));
  await patiently(() => expect(bmo.hub.taken("r2d2")).toEqual(texts));
}

export const numbers = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => String(from + n));

/** The stream of its mailbox. */
export const streamOf = ({ identity }: FabricHub, count: StreamCount = TEST_STREAMS) =>
  linkStreamOf(identity.id, count);

type Manager = Awaited<ReturnType<typeof jetstreamManager>>;

export async function manage<T>(server: NatsServer, act: (manager: Manager) => Promise<T>): Promise<T> {
  const connection = await server.connect();
  try {
    return await act(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}

/** How many batches of a hub lie on the server. */
export function waitingIn(server: NatsServer, hub: FabricHub, count?: StreamCount): Promise<number> {
  return manage(server, async (manager) => {
    const filter = linkSubject(hub.identity.id, "*");
    const { state } = await manager.streams.info(streamOf(hub, count), { subjects_filter: filter });
    return Object.values(state.subjects ?? {}).reduce((sum, one) => sum + one, 0);
  });
}
