import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { type HubTarget, locateHub } from "../client/connect.js";
import { createClient } from "../client/http-client.js";
import { readIdentityFile, writeIdentity } from "../client/identity-file.js";
import { nodeSocket } from "../client/node-socket.js";
import { HubError } from "../model/errors.js";
import { createAgent, type HuddleAgent } from "./agent.js";
import type { FieldsOf } from "./call-ops.js";
import { type HubLink, type LinkState, openHubLink } from "./hub-link.js";
import { createInbox } from "./inbox.js";

export type ConnectOptions = {
  /** Where the hub is; default: `HUDDLE_URL`, else the hub that runs in this home. */
  url?: string;
  /**
   * Whoever this is: an agent's token, or the operator's. With `name`: who may register it. Default: `HUDDLE_TOKEN`,
   * `HUDDLE_TOKEN_FILE`, else the operator's token of this home.
   */
  token?: string;
  /**
   * A file that makes it the same agent each time, with its inbox: `huddle identity NAME` writes one. Without that file, the
   * agent is registered and the file written.
   */
  identity?: string;
  /** How long an answer may take, the time to reconnect included; default 30,000. */
  timeoutMs?: number;
  /** Told when the connection is lost, and when it is there again. */
  onState?: (state: LinkState) => void;
} & FieldsOf<"register_agent">;

const TIMEOUT_MS = 30_000;

/**
 * Connects to a hub, as one agent: the one of `identity` or `token`, or one that is registered now under `name`. With neither, as
 * the person.
 */
export async function connect(options: ConnectOptions = {}): Promise<HuddleAgent> {
  const { url, token, identity, timeoutMs = TIMEOUT_MS, onState = () => {}, ...register } = options;
  const locate = (known = token): HubTarget => {
    const env = known === undefined ? process.env : { ...process.env, HUDDLE_TOKEN: known };
    return locateHub({ env, home: homedir(), hub: url });
  };
  const own = await findSelf(locate, { identity, register, timeoutMs });

  let link: HubLink | undefined;
  // Nobody waits for these answers: what a new connection needs is asked again there.
  const quietly = (op: string, fields: object) =>
    void link?.ask({ op, fields, again: false, timeoutMs }).catch(() => {});
  const inbox = createInbox({
    setWindow: (window) => quietly("mail", { window }),
    ack: async (ids) => link?.ask({ op: "ack", fields: { ids }, again: true, timeoutMs }),
  });
  link = openHubLink({
    // Asked for each connection: a restarted hub may be somewhere else.
    open: nodeSocket(() => locate(own.token)),
    onMail: inbox.take,
    onReady: inbox.restart,
    onState,
    onClosed: inbox.close,
  });
  try {
    const { id, name } = await link.ready;
    return createAgent({ link, inbox, self: { id, name }, timeoutMs });
  } catch (error) {
    // If the hub cannot be reached for that either, why the connection failed is still what matters.
    await own.undo().catch(() => {});
    throw identity === undefined ? error : withAdvice(error, identity);
  }
}

type Who = { identity: string | undefined; register: FieldsOf<"register_agent">; timeoutMs: number };

/** `token`: of the agent that this is; undefined: whoever holds the one that was given or found. `undo`: what was made here goes again. */
type Self = { token: string | undefined; undo: () => Promise<void> };

async function findSelf(locate: () => HubTarget, { identity, register, timeoutMs }: Who): Promise<Self> {
  const kept = identity === undefined ? undefined : readIdentityFile(identity);
  if (kept !== undefined || (identity === undefined && Object.keys(register).length === 0))
    return { token: kept?.token, undo: async () => {} };
  const target = locate();
  const client = createClient({ ...target, timeoutMs });
  try {
    const { id, name, token } = await client.register(register);
    const undo = () => deregister({ url: target.url, token, timeoutMs }, id);
    if (identity === undefined) return { token, undo };
    await keep(identity, { url: target.url, name, token }, undo);
    return { token, undo: () => undo().then(() => rmSync(identity, { force: true })) };
  } finally {
    client.close();
  }
}

/** By itself: whoever may register an agent need not be able to remove one. */
async function deregister(
  self: { url: string; token: string; timeoutMs: number },
  id: string,
): Promise<void> {
  const client = createClient(self);
  try {
    await client.deregister(id);
  } finally {
    client.close();
  }
}

/** A token that could not be kept is nobody's: it is shown once. */
async function keep(
  file: string,
  identity: { url: string; name: string; token: string },
  undo: () => Promise<void>,
): Promise<void> {
  try {
    writeIdentity(file, identity);
  } catch (error) {
    await undo();
    throw error;
  }
}

function withAdvice(error: unknown, file: string): unknown {
  if (!(error instanceof HubError) || error.code !== "UNAUTHENTICATED") return error;
  const sentence = `The hub does not know the agent of ${file}, or it has left. Remove the file to register a new one`;
  return new HubError("UNAUTHENTICATED", sentence, { file }, { cause: error });
}
