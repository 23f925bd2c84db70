import { type StreamCount, streamsOf } from "../../src/fabric/link-streams.js";
import { makeRequest, newConnectionSeed } from "../../src/fabric/request.js";
import { SERVER_CONF } from "../../src/fabric/server-files.js";
import { admitHub, initFabric, revokeHub } from "../../src/fabric/steward.js";
import type { Identity } from "../../src/link/identity.js";
import type { FabricAccess } from "../../src/link/nats/fabric-connection.js";
import { freePort } from "./free-port.js";
import { type NatsServer, startServerIn } from "./nats-server.js";
import { tempFolder } from "./temp-folder.js";

/** A fabric as `huddle fabric init` makes it, with its server: accounts, permissions and certificates. */
export type TestFabric = {
  folder: string;
  server: NatsServer;
  /** Over how many its mailboxes are spread. */
  streams: StreamCount;
  /** As `huddle fabric admit` does. Each call makes a connection key of its own. */
  admit(identity: Identity, options?: { asSteward?: boolean; days?: number; now?: number }): FabricAccess;
  revoke(identity: Identity): void;
};

/** `made`: as one that was made some time ago, since what is signed anew differs by the second. */
export async function makeFabric(made = Date.now() - 60_000): Promise<TestFabric> {
  const folder = tempFolder();
  const port = await freePort();
  const record = initFabric(folder, { name: "home", hosts: ["127.0.0.1"], port }, made);
  const server = await startServerIn(folder, SERVER_CONF, port);
  return {
    folder,
    server,
    streams: streamsOf(record),
    admit(identity, { asSteward = false, days, now = Date.now() } = {}) {
      const seed = newConnectionSeed();
      const request = makeRequest(identity, "somebody", seed);
      const { servers, ca, jwt } = admitHub(folder, request, { asSteward, days }, now);
      return { servers, ca, user: { jwt, seed } };
    },
    revoke(identity) {
      revokeHub(folder, identity.id, Date.now());
      server.reload();
    },
  };
}
