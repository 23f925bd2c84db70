import { isIP } from "node:net";
import type { FabricRecord } from "../contract/link/fabric.js";
import { accountJwt, operatorJwt } from "./nats-jwt.js";
import type { StewardKeys } from "./steward-keys.js";
import { STREAM_SIZES } from "./streams.js";

/* What nats-server reads. Everything about who may do what is inside, signed; a hub that joins changes none of it. */

export const SERVER_CONF = "huddle-nats.conf";

export function serverConf(record: FabricRecord, keys: StewardKeys, now: number): string {
  const account = keys.account.getPublicKey();
  const system = keys.system.getPublicKey();
  const signers = { hub: keys.hubs.getPublicKey(), steward: keys.stewards.getPublicKey() };
  const jwt = accountJwt(
    keys.operator,
    { account, name: record.name, signers, revoked: revokedIn(record) },
    now,
  );
  // A server that runs takes no other operator, not even the same one signed again.
  const created = Date.parse(record.created);
  const systemJwt = accountJwt(keys.operator, { account: system, name: "system" }, created);
  return `# Made by huddle fabric. It is written anew by huddle fabric revoke: make changes of your own in a file that you include.
# Paths are below the folder in which the server starts.
server_name: "${record.name}"
listen: "${record.hosts.every(isLoopback) ? "127.0.0.1" : "0.0.0.0"}:${record.port}"
max_payload: 2MB
max_pending: 64MB
ping_interval: "20s"
ping_max: 2

tls {
  cert_file: "server.pem"
  key_file: "keys/server.key"
}

jetstream {
  store_dir: "jetstream"
  max_file: ${Math.ceil((STREAM_SIZES.linkBytes + STREAM_SIZES.registerBytes) / 1024 ** 2)}MB
}

operator: ${operatorJwt(keys.operator, record.name, created)}
system_account: ${system}
resolver: MEMORY
resolver_preload: {
  ${account}: ${jwt}
  ${system}: ${systemJwt}
}
`;
}

const isLoopback = (host: string) => host === "localhost" || host.startsWith("127.");

/** A JWT of that key that was made before is void; one that is made later is not. */
function revokedIn({ members }: FabricRecord): Record<string, number> {
  return Object.fromEntries(
    members.flatMap(({ user, revoked }) =>
      revoked === undefined ? [] : [[user, Math.floor(Date.parse(revoked) / 1000)]],
    ),
  );
}

export function composeFile({ port }: FabricRecord): string {
  return `# docker compose up -d, in this folder. The streams are made by a hub that was admitted as a steward.
services:
  nats:
    image: nats:2.10-alpine
    command: ["-c", "${SERVER_CONF}"]
    working_dir: /fabric
    volumes:
      - ./:/fabric
    ports:
      - "${port}:${port}"
    restart: unless-stopped
`;
}

export function serverUrls({ hosts, port }: Pick<FabricRecord, "hosts" | "port">): string[] {
  return hosts.map((host) => `tls://${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
}
