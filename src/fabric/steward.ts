import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type FabricAdmission,
  type FabricRecord,
  type FabricRequest,
  fabricRecord,
} from "../contract/link/fabric.js";
import { HubError } from "../model/errors.js";
import { createServerCertificate } from "./certificates.js";
import { streamsOf, usualStreams } from "./link-streams.js";
import { userJwt } from "./nats-jwt.js";
import {
  composeFile,
  type FabricServer,
  replicasOf,
  SERVER_CONF,
  serverConf,
  serversOf,
  serverUrls,
} from "./server-files.js";
import { createStewardKeys, readStewardKeys, type StewardKeys } from "./steward-keys.js";

/** An admission is good for so long; then the hub asks for another. */
const DAYS = 90;
const DAY_MS = 24 * 60 * 60_000;
const RECORD = "fabric.json";

type NewFabric = Pick<FabricRecord, "name" | "hosts" | "port"> &
  Partial<Pick<FabricRecord, "cluster" | "streams">>;

/** Makes the keys and the configuration of the servers of a new fabric in a folder. */
export function initFabric(folder: string, fabric: NewFabric, now: number): FabricRecord {
  if (hasFabric(folder))
    throw new HubError(
      "FABRIC_EXISTS",
      `${folder} has a fabric already. Run it: huddle fabric up. For another one choose another folder: --folder`,
      { folder },
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keys = createStewardKeys(folder, fabric.name, now);
  const streams = fabric.streams ?? usualStreams(fabric);
  const record: FabricRecord = {
    v: 1,
    ...fabric,
    streams,
    created: new Date(now).toISOString(),
    members: [],
  };
  for (const server of serversOf(record)) {
    const place = join(folder, server.folder);
    mkdirSync(join(place, "keys"), { recursive: true, mode: 0o700 });
    certifyServer(place, server, keys, now);
    writeFileSync(join(place, "compose.yaml"), composeFile(record, server));
    if (server.folder !== "") copyFileSync(join(folder, "ca.pem"), join(place, "ca.pem"));
  }
  save(folder, record, keys, now);
  return record;
}

function certifyServer(place: string, { hosts }: FabricServer, { authority }: StewardKeys, now: number) {
  const names = [...new Set([...hosts, "localhost", "127.0.0.1"])];
  const { certificate, key } = createServerCertificate(authority, names, now);
  replace(join(place, "keys", "server.key"), key);
  replace(join(place, "server.pem"), certificate);
}

/** New certificates of the same authority, before the old ones end. Hubs notice nothing; servers have to read their configuration again. */
export function renewCertificates(folder: string, now: number): FabricServer[] {
  const record = readFabric(folder);
  const keys = readStewardKeys(folder);
  const servers = serversOf(record);
  for (const server of servers) certifyServer(join(folder, server.folder), server, keys, now);
  save(folder, record, keys, now);
  return servers;
}

export function hasFabric(folder: string): boolean {
  return existsSync(join(folder, RECORD));
}

export function readFabric(folder: string): FabricRecord {
  const file = join(folder, RECORD);
  if (!existsSync(file))
    throw new HubError(
      "FABRIC_NOT_FOUND",
      `There is no fabric in ${folder}. Make one: huddle fabric init. If it is elsewhere: --folder`,
      { folder },
    );
  const read = fabricRecord.safeParse(parse(readFileSync(file, "utf8")));
  if (read.success) return read.data;
  throw new HubError("FABRIC_UNUSABLE", `${file} cannot be read. Restore the fabric's folder from a backup`);
}

type Admitting = { asSteward: boolean; days?: number | undefined };

/** Lets a hub in, or longer. Touches no server: what it gets is signed by a key that the server knows. */
export function admitHub(
  folder: string,
  request: FabricRequest,
  { asSteward: isAsked, days = DAYS }: Admitting,
  now: number,
): FabricAdmission {
  const record = readFabric(folder);
  const before = record.members.find((one) => one.user === request.user);
  // Whoever renews an admission need not know what it was.
  const asSteward = isAsked || before?.steward === true;
  const keys = readStewardKeys(folder);
  const expiresAt = now + days * DAY_MS;
  const user = { user: request.user, account: keys.account.getPublicKey(), name: request.hub, expiresAt };
  const jwt = userJwt(asSteward ? keys.stewards : keys.hubs, user, now);
  const expires = new Date(expiresAt).toISOString();
  const steward = asSteward ? { steward: true as const } : {};
  const { name, hub } = request;
  const member = {
    name,
    hub,
    user: request.user,
    admitted: new Date(now).toISOString(),
    expires,
    ...steward,
  };
  const others = record.members.filter((one) => one.user !== request.user);
  if (before?.revoked !== undefined) throw revokedKey(name);
  writeRecord(folder, { ...record, members: [...others, member] });
  return {
    v: 1,
    fabric: record.name,
    hub,
    servers: serverUrls(record),
    ca: keys.authority.certificate,
    jwt,
    expires,
    ...steward,
    ...(record.cluster === undefined ? {} : { replicas: replicasOf(record) }),
    ...(asSteward ? { streams: streamsOf(record) } : {}),
  };
}

function revokedKey(name: string): HubError {
  return new HubError(
    "FABRIC_REVOKED",
    `The connection key of "${name}" was revoked. If it may come back, it needs a new one: huddle fabric leave there, then huddle fabric request`,
  );
}

/** Shuts a hub out, by its name or id. The server has to read its configuration again. */
export function revokeHub(folder: string, which: string, now: number): FabricRecord["members"] {
  const record = readFabric(folder);
  const found = record.members.filter(
    ({ name, hub, revoked }) => revoked === undefined && [name, hub].includes(which),
  );
  const hubs = new Set(found.map(({ hub }) => hub));
  if (hubs.size !== 1) {
    const available = record.members
      .filter(({ revoked }) => revoked === undefined)
      .map(({ name, hub }) => `${name} ${hub}`);
    const problem =
      hubs.size === 0 ? `No hub "${which}" is admitted` : `Several hubs are called "${which}": use the id`;
    throw new HubError("FABRIC_MEMBER_NOT_FOUND", problem, { available });
  }
  const revoked = new Date(now).toISOString();
  // Whatever it was called and whichever keys it had before.
  const members = record.members.map((one) =>
    hubs.has(one.hub) && one.revoked === undefined ? { ...one, revoked } : one,
  );
  save(folder, { ...record, members }, readStewardKeys(folder), now);
  return members.filter(({ hub }) => hubs.has(hub));
}

function save(folder: string, record: FabricRecord, keys: StewardKeys, now: number): void {
  for (const server of serversOf(record))
    replace(join(folder, server.folder, SERVER_CONF), serverConf(record, server, keys, now));
  writeRecord(folder, record);
}

function writeRecord(folder: string, record: FabricRecord): void {
  replace(join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`);
}

/** All of it or nothing, should the disk be full. */
function replace(file: string, content: string): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
