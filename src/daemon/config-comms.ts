import { isIP } from "node:net";
import { z } from "zod";
import { parseAddress } from "../model/address.js";
import { HubError } from "../model/errors.js";
import { checkLabel } from "../model/label.js";
import { checkAgentName } from "../model/names.js";
import { bytes, count, structured, yesNo } from "./config-leaf.js";
import { section } from "./config-section.js";
import { parseReference } from "./secret-store/secret-reference.js";

/* The keys of document 004: what other hubs, and plain daemons of that document, may do here, and who they are. */

/** What `secret` says while there is none, and `host` while the machine's own address is meant. */
export const NO_SECRET = "none";
/** What `name` says while the machine's own is meant. */
export const MACHINE_NAME = "machine";
export const LAN_HOST = "lan";
/** And `agent`, while nobody was chosen. */
export const NO_AGENT = "none";

const PORT = 3847;

/** Whatever stands there may be the secret itself: it is never repeated. */
const WHERE_IT_IS =
  "must say where the secret is kept, not the secret itself: keychain:NAME, env:NAME or file:PATH, as `huddle secret set NAME` prints it";

const reference = z
  .string({ error: WHERE_IT_IS })
  .refine((text) => parseReference(text) !== undefined, WHERE_IT_IS);

/** In the words in which a name or a label is refused everywhere else. */
function passing(check: (text: string) => void) {
  return z.string({ error: "must be a text; quote it" }).superRefine((text, context) => {
    try {
      check(text);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      context.addIssue({ code: "custom", message: error.message });
    }
  });
}

const peerHost = z
  .string({ error: "must be a host name or an address; quote it" })
  .refine(
    (host) =>
      isIP(host) !== 0 ||
      /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/i.test(host),
    "must be a host name or an address alone, such as mini.local or 192.168.1.7: no http://, port, path or dot at its end",
  );

const peer = z.strictObject(
  {
    name: passing(checkAgentName),
    host: peerHost,
    port: z
      .int({ error: "must be a whole number, without quotes" })
      .min(1, "must be between 1 and 65535")
      .max(65_535, "must be between 1 and 65535")
      .default(PORT),
    secret: reference.optional(),
    label: passing(checkLabel).optional(),
  },
  {
    error: (issue) =>
      issue.code === "invalid_type"
        ? "must be a peer, such as {name: r2d2, host: mini.local, port: 3847}"
        : undefined,
  },
);

const peers = z
  .array(peer, { error: "must be a list of peers, each with name, host and port" })
  .max(1000, "must be at most 1000 peers")
  .superRefine((all, context) => {
    const first = new Map<string, number>();
    all.forEach(({ name }, index) => {
      const before = first.get(name);
      if (before === undefined) first.set(name, index);
      else
        context.addIssue({
          code: "custom",
          path: [index, "name"],
          message: `"${name}" is the name of peer ${before + 1} already; give each peer a name of its own`,
        });
    });
  });

export const agentComms = section({
  enabled: yesNo(false, "Whether other hubs and daemons may write to agents of this one. Needs a secret."),
  secret: structured(
    z
      .string({ error: WHERE_IT_IS })
      .refine((text) => text === NO_SECRET || parseReference(text) !== undefined, WHERE_IT_IS),
    NO_SECRET,
    "Where the secret is kept that peers share with this hub: keychain:NAME, env:NAME or file:PATH. `huddle secret set` makes one.",
  ),
  name: structured(
    passing(checkAgentName),
    MACHINE_NAME,
    "What this hub calls itself to others; machine is the machine's own name.",
  ),
  agent: structured(
    z
      .string({ error: "must be the name of an agent; quote it" })
      .refine(isLocal, "must be an agent of this hub, such as ann or red/ann, or user for yourself"),
    NO_AGENT,
    "Who receives a peer's mail that names nobody; none: the only agent there is, else you.",
  ),
  host: structured(
    z
      .string({ error: "must be an address of this machine; quote it" })
      .refine(
        (text) => text === LAN_HOST || isIP(text) !== 0,
        "must be lan, or an address of this machine, such as 192.168.1.5 or 127.0.0.1",
      ),
    LAN_HOST,
    "Address that peers reach this hub at; lan is the machine's own on the local network, or loopback where it has none.",
  ),
  port: count(PORT, "Port that peers reach this hub at; 0 picks a free one.", 0, 65_535),
  interrupt: yesNo(
    false,
    "Whether a peer's mail may interrupt an agent; otherwise it waits for its turn to end.",
  ),
  rate: count(
    0,
    "Most messages of one peer within a minute; further ones of a daemon answer 429 RATE_LIMITED, those of a hub wait there. 0 sets no limit.",
    0,
    1_000_000,
  ),
  body_limit: bytes(
    "1MiB",
    "Largest request of a peer that brings mail; a larger one answers 413, and its sender is told.",
    "1KiB",
    "256MiB",
  ),
  connections: count(64, "Most connections of peers open at once; a further one is closed.", 1, 100_000),
  inbox_share: count(
    500,
    "Most undelivered messages of one peer in one inbox, further ones are refused and their senders told; and most requests that it has open here, further ones are not shown.",
    1,
    1_000_000,
  ),
  peers: structured(
    peers,
    [],
    "The other hubs and daemons, each with name, host and port, and if need be a secret and a label of its own.",
  ),
}).superRefine(({ enabled, secret, peers: all }, context) => {
  if (!enabled || secret !== NO_SECRET) return;
  if (all.length > 0 && all.every((one) => one.secret !== undefined)) return;
  context.addIssue({
    code: "custom",
    path: ["enabled"],
    message:
      "needs a secret: run `huddle secret set agent-comms --generate`, and write what it prints as agent-comms.secret",
  });
});

/** The same rules for a peer that is added while the hub runs. Its name and label are the hub's to check. */
export function checkPeerPlace(place: { host: string; secret: string | undefined }): void {
  const read = peer.pick({ host: true, secret: true }).safeParse(place);
  if (read.success) return;
  const problems = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new HubError("INVALID_INPUT", problems.join("; "));
}

function isLocal(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && address.hub === undefined;
}

/** Every reference to a secret in the configuration, with the key that has it. */
export function usedReferences({
  secret,
  peers: all,
}: z.infer<typeof agentComms>): { key: string; reference: string }[] {
  return [
    ...(secret === NO_SECRET ? [] : [{ key: "agent-comms.secret", reference: secret }]),
    ...all.flatMap((one) =>
      one.secret === undefined
        ? []
        : [{ key: `agent-comms.peers.${one.name}.secret`, reference: one.secret }],
    ),
  ];
}
