import { isIP } from "node:net";
import type { FabricRecord } from "../contract/link/fabric.js";
import { accountJwt, operatorJwt } from "./nats-jwt.js";
import type { StewardKeys } from "./steward-keys.js";
import { STREAM_SIZES } from "./streams.js";

/* What nats-server reads. Everything about who may do what is inside, signed; a hub that joins changes none of it. */

export const SERVER_CONF = "huddle-nats.conf";

/** For one client that does not read as fast as it is sent to; beyond that the server drops its connection. */
export const MAX_PENDING_BYTES = 64 * 1024 ** 2;

/** One server of a fabric. `folder`: below the fabric's, with all that this server needs and nothing that others must not have. */
export type FabricServer = { name: string; folder: string; hosts: readonly string[] };

export function serversOf({ name, hosts, cluster }: FabricRecord): FabricServer[] {
  // Newer servers take no spaces there.
  const plain = name.replaceAll(" ", "-");
  if (cluster === undefined) return [{ name: plain, folder: "", hosts }];
  return hosts.map((host, n) => ({ name: `${plain}-${n + 1}`, folder: serverFolder(n + 1), hosts: [host] }));
}

const serverFolder = (number: number) => `server-${number}`;

/** How many servers keep each stream. */
export const replicasOf = ({ cluster }: FabricRecord) => (cluster === undefined ? 1 : 3);

export function serverConf(
  record: FabricRecord,
  server: FabricServer,
  keys: StewardKeys,
  now: number,
): string {
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
server_name: "${server.name}"
listen: "${listenHost(server)}:${record.port}"
max_payload: 2MB
max_pending: ${MAX_PENDING_BYTES / 1024 ** 2}MB
ping_interval: "20s"
ping_max: 2

tls {
  cert_file: "server.pem"
  key_file: "keys/server.key"
}

jetstream {
  store_dir: "jetstream"
  max_file: ${Math.ceil((STREAM_SIZES.linkBytes + STREAM_SIZES.ackBytes + STREAM_SIZES.registerBytes) / 1024 ** 2)}MB
}
${clusterConf(record, server)}
operator: ${operatorJwt(keys.operator, record.name, created)}
system_account: ${system}
resolver: MEMORY
resolver_preload: {
  ${account}: ${jwt}
  ${system}: ${systemJwt}
}
`;
}

/** Each server takes only others that have a certificate of the fabric, and is taken by them for its own. */
function clusterConf({ name, hosts, cluster }: FabricRecord, server: FabricServer): string {
  if (cluster === undefined) return "";
  const routes = hosts.map((host) => `"nats-route://${inUrl(host)}:${cluster.port}"`);
  return `
cluster {
  name: "${name.replaceAll(" ", "-")}"
  listen: "${listenHost(server)}:${cluster.port}"
  no_advertise: true
  routes: [${routes.join(", ")}]
  tls {
    cert_file: "server.pem"
    key_file: "keys/server.key"
    ca_file: "ca.pem"
    verify: true
  }
}
`;
}

const isLoopback = (host: string) => host === "localhost" || host.startsWith("127.");

function listenHost({ hosts }: Pick<FabricServer, "hosts">): string {
  const [first = ""] = hosts;
  if (!hosts.every(isLoopback)) return "0.0.0.0";
  return hosts.length === 1 && first !== "localhost" ? first : "127.0.0.1";
}

const inUrl = (host: string) => (isIP(host) === 6 ? `[${host}]` : host);

/** A JWT of that key that was made before is void; one that is made later is not. */
function revokedIn({ members }: FabricRecord): Record<string, number> {
  return Object.fromEntries(
    members.flatMap(({ user, revoked }) =>
      revoked === undefined ? [] : [[user, Math.floor(Date.parse(revoked) / 1000)]],
    ),
  );
}

/** In a container a server listens on every address of its own, and the port is opened only where it should be reached. */
export function composeFile({ port, cluster }: FabricRecord, { hosts }: FabricServer): string {
  const outside = hosts.every(isLoopback) ? "127.0.0.1:" : "";
  const ports = [port, ...(cluster === undefined ? [] : [cluster.port])];
  return `# docker compose up -d, in this folder. The streams are made by a hub that was admitted as a steward.
services:
  nats:
    image: nats:2.10-alpine
    command: ["-c", "${SERVER_CONF}", "--addr", "0.0.0.0"]
    working_dir: /fabric
    volumes:
      - ./:/fabric
    ports:
${ports.map((one) => `      - "${outside}${one}:${one}"`).join("\n")}
    restart: unless-stopped
`;
}

export function serverUrls({ hosts, port }: Pick<FabricRecord, "hosts" | "port">): string[] {
  return hosts.map((host) => `tls://${inUrl(host)}:${port}`);
}
