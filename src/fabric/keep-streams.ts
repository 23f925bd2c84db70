import { setTimeout as sleep } from "node:timers/promises";
import { jwtAuthenticator, type NatsConnection, nkeys } from "@nats-io/transport-node";
import type { FabricRecord } from "../contract/link/fabric.js";
import { HubError } from "../model/errors.js";
import { connectEncrypted } from "./connect-encrypted.js";
import { streamsOf } from "./link-streams.js";
import { userJwt } from "./nats-jwt.js";
import { replicasOf, serverUrls } from "./server-files.js";
import { readStewardKeys } from "./steward-keys.js";
import { ensureStreams } from "./streams.js";
import { inboxPrefix } from "./subjects.js";

const NAME = "fabric-up";
const HOUR_MS = 60 * 60_000;
const AGAIN_MS = 1000;
const LOOK_MS = 5000;
/** The server starts, or starts again: that is no trouble before so many tries. */
const TRIES = 4;

/** What is told to whoever runs the server. */
type Told = {
  onMade: () => void;
  /** They cannot be made, and why: once for each reason. */
  onTrouble: (reason: string) => void;
};

/** Makes the fabric's streams, and again whenever they are gone, until `signal`. */
export async function keepStreams(
  folder: string,
  record: FabricRecord,
  signal: AbortSignal,
  { onMade, onTrouble }: Told,
): Promise<void> {
  let isTold = false;
  let vain = 0;
  let trouble: string | undefined;
  while (!signal.aborted) {
    try {
      const connection = await connectAsSteward(folder, record);
      try {
        while (!signal.aborted) {
          await ensureStreams(connection, { replicas: replicasOf(record), count: streamsOf(record) });
          if (!isTold) onMade();
          isTold = true;
          vain = 0;
          trouble = undefined;
          await sleep(LOOK_MS, undefined, { signal });
        }
      } finally {
        await connection.close();
      }
    } catch (error) {
      vain++;
      const reason = explain(error);
      const isLasting = vain >= TRIES || error instanceof HubError;
      if (!signal.aborted && isLasting && trouble !== reason) {
        trouble = reason;
        onTrouble(reason);
      }
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return `${message}${code}`;
}

/** With a key that is made for it, and is good for an hour. */
export function connectAsSteward(folder: string, record: FabricRecord): Promise<NatsConnection> {
  const keys = readStewardKeys(folder);
  const user = nkeys.createUser();
  const now = Date.now();
  const account = keys.account.getPublicKey();
  const jwt = userJwt(
    keys.stewards,
    { user: user.getPublicKey(), account, name: NAME, expiresAt: now + HOUR_MS },
    now,
  );
  // The server of this machine is reached without the network, whatever hubs call it.
  const own = record.cluster === undefined ? [`tls://127.0.0.1:${record.port}`] : [];
  return connectEncrypted({
    servers: [...own, ...serverUrls(record)],
    noRandomize: true,
    tls: { ca: keys.authority.certificate },
    authenticator: jwtAuthenticator(jwt, user.getSeed()),
    inboxPrefix: inboxPrefix(NAME),
    reconnect: false,
  });
}
