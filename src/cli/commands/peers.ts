import type { PeerList } from "../../client/hub-client.js";
import { moment, relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import type { Colors } from "../output.js";
import { type Cell, renderTable } from "../table.js";
import { usageError } from "../usage-error.js";
import { wrapText } from "../wrap-text.js";

type Peer = PeerList["peers"][number];
type AddOptions = { label?: string; secret?: string };

const HEADER = ["PEER", "KIND", "ADDRESS", "REACHED", "SECRET", "CLOCK", "VERSION", "WAITING", "OLDEST"];
const PORT = 3847;
/** Clocks that are this far apart are worth a look. */
const SKEW_MS = 5000;

export const define: DefineCommand = (command, act) => {
  command
    .command("list", { isDefault: true })
    .description("list the other hubs, whether each is reached, and what waits for it")
    .action(() => act(list));
  command
    .command("invite")
    .description("print a line that links one other hub to this one; it works once, for ten minutes")
    .action(() => act(invite));
  command
    .command("join")
    .description("link this hub to the one that printed an invitation")
    .argument("<line>", "all of it, as printed")
    .option("--name <name>", "what to call the other hub here; default: what it calls itself")
    .action((line: string, { name }: { name?: string }) => act((cli) => join(cli, line, name)));
  command
    .command("add")
    .description("link a daemon, or a hub that has this hub in its own configuration")
    .argument("<name>", "what to call it here, and what it calls itself")
    .argument("<host>", `its host name or address; with :PORT unless that is ${PORT}`)
    .option("--label <label>", "how agents read it, such as R2")
    .option(
      "--secret <reference>",
      "where its secret is kept, as huddle secret set prints it; default: agent-comms.secret",
    )
    .action((name: string, host: string, options: AddOptions) => act((cli) => add(cli, name, host, options)));
  command
    .command("rm")
    .description("end a link; what waits for that hub comes back to its senders")
    .argument("<name>", "the peer")
    .action((name: string) => act((cli) => remove(cli, name)));
  command
    .command("ping")
    .description("ask a peer now whether it is there, and who is on it")
    .argument("<name>", "the peer")
    .action((name: string) => act((cli) => ping(cli, name)));
  command.addHelpText(
    "after",
    "\nWrite to an agent of another hub as NAME@PEER, to the person there as user@PEER, to a daemon by its name alone.",
  );
};

async function list(cli: CliContext): Promise<void> {
  const answer = await (await cli.client()).peers();
  const { colors } = cli.output;
  cli.output.result(answer, () => {
    const problem =
      answer.problem === null ? [] : [colors.red(`Links do not run: ${escapeLine(answer.problem)}`)];
    const self = answer.self === null ? [] : [wrapText(describeSelf(answer.self), cli.output.width)];
    if (answer.peers.length === 0) {
      return [
        ...problem,
        ...self,
        "No other hubs yet.\n  Link one: huddle peers invite here,\n  huddle peers join there.",
      ].join("\n");
    }
    const rows = answer.peers.map((peer) => row(peer, cli.io.now(), colors));
    const table = renderTable(
      HEADER.map((text) => ({ text, paint: colors.dim })),
      rows,
      cli.output.width,
    );
    return [...problem, ...self, table, ...answer.peers.flatMap((peer) => remarks(peer, cli.io.now()))].join(
      "\n",
    );
  });
}

/** What there is to say of a peer beside its row. */
function remarks({ name, key, hub_id, key_seen, last_error, distrusted }: Peer, now: number): string[] {
  const said = (text: string) => `${escapeLine(name)}: ${text}`;
  return [
    ...(last_error === null ? [] : [said(escapeLine(last_error.message))]),
    ...(distrusted === null || distrusted.message === last_error?.message
      ? []
      : [said(`refused ${relativeTime(Date.parse(distrusted.at), now)}: ${escapeLine(distrusted.message)}`)]),
    ...(key === "first_seen" ? [said(firstSeen(hub_id ?? "", key_seen, now))] : []),
  ];
}

function firstSeen(hubId: string, seen: string | null, now: number): string {
  const when = seen === null ? "" : ` ${moment(Date.parse(seen), now)}`;
  return `key: first seen${when}, not verified (${hubId}). Compare it with what huddle peers says there, or pair the two: huddle peers invite`;
}

function describeSelf({ name, host, port, hub_id }: NonNullable<PeerList["self"]>): string {
  const where = port === null ? "nothing listens: no peer has a secret yet" : `listens at ${host}:${port}`;
  return `This hub is ${escapeLine(name)}, ${where} (${hub_id})`;
}

function row(peer: Peer, now: number, colors: Colors): Cell[] {
  const isBad = peer.reachable === "no" || peer.secret === "wrong" || peer.secret === "missing";
  const skew = peer.clock_skew_ms;
  return [
    {
      text: escapeLine(peer.label === null ? peer.name : `${peer.name} (${peer.label})`),
      paint: colors.bold,
    },
    peer.kind,
    escapeLine(placeOf(peer)),
    { text: reachedWords(peer, now), paint: isBad ? colors.red : colors.green },
    peer.secret,
    skew === null
      ? "–"
      : Math.abs(skew) < SKEW_MS
        ? "same"
        : `${skew > 0 ? "+" : "−"}${Math.round(Math.abs(skew) / 1000)} s`,
    escapeLine(peer.version ?? "–"),
    String(peer.waiting),
    peer.oldest_waiting === null ? "–" : relativeTime(Date.parse(peer.oldest_waiting), now),
  ];
}

/** Some have no address: only the fabric reaches them. */
function placeOf({ host, port }: Peer): string {
  return host === "" ? "fabric" : `${host}:${port}`;
}

function reachedWords({ reachable, last_contact }: Peer, now: number): string {
  const when = last_contact === null ? "" : ` ${relativeTime(Date.parse(last_contact), now)}`;
  if (reachable === "unknown") return last_contact === null ? "not yet" : `it called${when}`;
  return reachable === "yes" ? `yes${when}` : last_contact === null ? "no" : `no, last${when}`;
}

async function invite(cli: CliContext): Promise<void> {
  const invitation = await (await cli.client()).invitePeer();
  cli.output.result(
    invitation,
    () =>
      `${invitation.line}\n${cli.output.colors.dim("Paste it at the other hub within ten minutes: huddle peers join LINE")}`,
  );
}

async function join(cli: CliContext, line: string, name: string | undefined): Promise<void> {
  const peer = await (await cli.client()).joinPeer({ line, ...(name === undefined ? {} : { name }) });
  cli.output.confirm(peer, () => linked(peer, cli));
}

async function add(
  cli: CliContext,
  name: string,
  place: string,
  { label, secret }: AddOptions,
): Promise<void> {
  const { host, port } = readPlace(place);
  const body = {
    name,
    host,
    port,
    ...(label === undefined ? {} : { label }),
    ...(secret === undefined ? {} : { secret }),
  };
  const peer = await (await cli.client()).addPeer(body);
  cli.output.confirm(peer, () => linked(peer, cli));
}

function linked(peer: Peer, { output: { colors }, io }: CliContext): string {
  const { name, kind, key, hub_id, key_seen } = peer;
  const shown = escapeLine(name);
  const write = kind === "hub" ? `huddle send NAME@${shown} TEXT` : `huddle send ${shown} TEXT`;
  return [
    `${colors.green("✓")} ${shown} (${escapeLine(placeOf(peer))}) is linked to this hub`,
    ...(key === "first_seen" ? [`  Its ${firstSeen(hub_id ?? "", key_seen, io.now())}`] : []),
    `  Write to it: ${write}`,
  ].join("\n");
}

/** `mini.local`, `mini.local:3847`, `[fe80::1]:3847`. */
function readPlace(place: string): { host: string; port: number } {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(place) ?? [];
  const host = six ?? four;
  if (host === undefined)
    throw usageError(`"${place}" is not a host: write mini.local, 192.168.1.7 or mini.local:${PORT}`);
  return { host, port: port === undefined ? PORT : Number(port) };
}

async function remove(cli: CliContext, name: string): Promise<void> {
  const removed = await (await cli.client()).removePeer(name);
  cli.output.confirm(
    removed,
    () => `${cli.output.colors.green("✓")} ${escapeLine(name)} is linked to this hub no more`,
  );
}

/** Exit code 1 when it is not there: scripts ask. */
async function ping(cli: CliContext, name: string): Promise<number> {
  const client = await cli.client();
  const peer = await client.pingPeer(name);
  const isThere = peer.reachable === "yes" && peer.secret !== "wrong";
  const agents = isThere && peer.kind === "hub" ? (await client.peerAgents(name)).agents : [];
  const { colors } = cli.output;
  cli.output.result({ ...peer, agents }, () => {
    const why = peer.last_error === null ? "" : `: ${escapeLine(peer.last_error.message)}`;
    if (!isThere) return `${colors.red("✗")} ${escapeLine(name)} is not reached${why}`;
    const known = agents.map(
      ({ address, status, person }) => `  ${escapeLine(address)}  ${person ? "the person there" : status}`,
    );
    return [`${colors.green("✓")} ${escapeLine(name)} is there`, ...known].join("\n");
  });
  return isThere ? 0 : 1;
}
