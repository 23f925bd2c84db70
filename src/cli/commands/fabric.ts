import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import type { FabricStatus } from "../../client/hub-client.js";
import { relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { readPasted } from "../read-pasted.js";
import { renderTable } from "../table.js";
import { takeSignals } from "../take-signals.js";
import { usageError } from "../usage-error.js";

type Place = { folder?: string };
type InitOptions = Place & { name?: string; host?: string[]; port?: string };
type AdmitOptions = Place & { steward?: true; days?: string };

const PORT = 4222;
const FOLDER = "--folder <path>";
const FOLDER_IS = "where the fabric's keys are; default: fabric in huddle's configuration folder";

export const define: DefineCommand = (command, act) => {
  command
    .command("status", { isDefault: true })
    .description("show this hub's place on the fabric: the connection, its mailbox, and what waits for whom")
    .action(() => act(status));
  command
    .command("list")
    .description("list the hubs of the fabric: all that were admitted, or those that this hub knows")
    .option(FOLDER, FOLDER_IS)
    .action((options: Place) => act((cli) => list(cli, options)));
  command
    .command("request")
    .description("print a line by which a steward admits this hub; it carries no secret")
    .action(() => act(request));
  command
    .command("join")
    .description("join with the line that the steward printed")
    .argument("[line]", "all of it; default: from a pipe")
    .action((line: string | undefined) => act((cli) => join_(cli, line)));
  command
    .command("leave")
    .description("leave the fabric; what waits for hubs that only it reached comes back to its senders")
    .action(() => act(leave));
  command
    .command("init")
    .description("make a new fabric: its keys, and the configuration of its server")
    .option("--name <name>", "what to call it; default: this machine's name")
    .option("--host <host...>", "how hubs reach the server; default: this machine's address")
    .option("--port <port>", `default: ${PORT}`)
    .option(FOLDER, FOLDER_IS)
    .action((options: InitOptions) => act((cli) => init(cli, options)));
  command
    .command("up")
    .description("run the fabric's server here (nats-server), and make its streams")
    .option(FOLDER, FOLDER_IS)
    .action((options: Place) => act((cli) => up(cli, options)));
  command
    .command("admit")
    .description("admit the hub that printed a request; prints the line that it joins with")
    .argument("[line]", "all of it; default: from a pipe")
    .option("--steward", "it may make the fabric's streams too")
    .option("--days <days>", "how long the admission is good; default: 90")
    .option(FOLDER, FOLDER_IS)
    .action((line: string | undefined, options: AdmitOptions) => act((cli) => admit(cli, line, options)));
  command
    .command("revoke")
    .description("shut a hub out")
    .argument("<hub>", "its name or id, as huddle fabric list shows them")
    .option(FOLDER, FOLDER_IS)
    .action((hub: string, options: Place) => act((cli) => revoke(cli, hub, options)));
  command.addHelpText(
    "after",
    "\nA fabric links many hubs through one server: hubs call out, and mail waits there for those that are away.",
  );
};

const folderOf = ({ paths }: CliContext, { folder }: Place) => folder ?? join(paths.config, "fabric");

async function init(cli: CliContext, options: InitOptions): Promise<void> {
  const { initFabric } = await import("../../fabric/steward.js");
  const folder = folderOf(cli, options);
  const name = options.name ?? hostname().split(".")[0] ?? "fabric";
  if (!/^[\w .-]{1,60}$/.test(name))
    throw usageError(`"${name}" is not a name: use letters, digits, - and .`);
  const hosts = options.host ?? [lanAddress()];
  const port = readNumber(options.port, PORT, 65_535, "--port");
  const bad = hosts.find((host) => !/^[A-Za-z0-9.:-]{1,253}$/.test(host));
  if (bad !== undefined) throw usageError(`"${bad}" is not a host: write fabric.example.org or 192.168.1.7`);
  const record = initFabric(folder, { name, hosts, port }, cli.io.now());
  cli.output.confirm({ folder, name: record.name, hosts, port }, () =>
    [
      `${cli.output.colors.green("✓")} The fabric ${record.name} was made in ${folder}`,
      "  Keep its keys folder to yourself, and in a backup: whoever has it admits hubs.",
      "  Run its server: huddle fabric up",
      "  Let this hub in: huddle fabric request | huddle fabric admit --steward | huddle fabric join",
    ].join("\n"),
  );
}

function lanAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}

async function up(cli: CliContext, options: Place): Promise<number> {
  const [{ readFabric }, { findNatsServer, runServer }, { keepStreams }] = await Promise.all([
    import("../../fabric/steward.js"),
    import("../../fabric/run-server.js"),
    import("../../fabric/keep-streams.js"),
  ]);
  const folder = folderOf(cli, options);
  const record = readFabric(folder);
  const program = findNatsServer(cli.io.env["PATH"], folder);
  // The server must not be left behind, whatever ends this command.
  const { signal: stopped, release } = takeSignals(cli.io);
  const ended = new AbortController();
  const streams = keepStreams(folder, record, AbortSignal.any([stopped, ended.signal]), () =>
    cli.output.note(`The fabric ${record.name} runs on port ${record.port}. Ctrl-C ends it.`),
  );
  try {
    return await runServer(program, folder, stopped);
  } finally {
    ended.abort();
    await streams;
    release();
  }
}

async function admit(cli: CliContext, pasted: string | undefined, options: AdmitOptions): Promise<void> {
  const [{ admitHub }, { checkRequest }, { readRequest, writeAdmission }] = await Promise.all([
    import("../../fabric/steward.js"),
    import("../../fabric/request.js"),
    import("../../fabric/lines.js"),
  ]);
  const days = readNumber(options.days, 90, 3650, "--days");
  const request = readRequest(await readPasted(cli, pasted, "huddle fabric request"));
  checkRequest(request);
  const asSteward = options.steward === true;
  const admission = admitHub(folderOf(cli, options), request, { asSteward, days }, cli.io.now());
  const line = writeAdmission(admission);
  const { name, hub } = request;
  cli.output.result({ line, name, hub_id: hub, expires: admission.expires, steward: asSteward }, () => line);
  cli.output.note(
    `${escapeLine(name)} (${hub}) is admitted until ${admission.expires.slice(0, 10)}. There: huddle fabric join LINE`,
  );
}

async function revoke(cli: CliContext, hub: string, options: Place): Promise<void> {
  const { revokeHub } = await import("../../fabric/steward.js");
  const folder = folderOf(cli, options);
  const [member] = revokeHub(folder, hub, cli.io.now());
  cli.output.confirm({ name: member?.name, hub_id: member?.hub }, () =>
    [
      `${cli.output.colors.green("✓")} ${escapeLine(member?.name ?? hub)} is admitted no more`,
      "  A server that huddle fabric up runs shuts it out at once.",
      `  In a container: docker compose kill -s HUP nats, in ${folder}`,
    ].join("\n"),
  );
}

async function request(cli: CliContext): Promise<void> {
  const made = await (await cli.client()).requestFabric();
  cli.output.result(made, () => made.line);
  cli.output.note(`For the fabric's steward: huddle fabric admit LINE. This hub is ${made.hub_id}`);
}

async function join_(cli: CliContext, pasted: string | undefined): Promise<number> {
  const line = await readPasted(cli, pasted, "huddle fabric admit");
  const joined = await (await cli.client()).joinFabric({ line });
  cli.output.confirm(joined, () => describe(joined, cli));
  return joined.connection === "connected" ? 0 : 1;
}

async function leave(cli: CliContext): Promise<void> {
  const left = await (await cli.client()).leaveFabric();
  cli.output.confirm(left, () => {
    const gone =
      left.removed.length === 0 ? "" : `; linked no more: ${left.removed.map(escapeLine).join(", ")}`;
    return `${cli.output.colors.green("✓")} This hub left the fabric ${escapeLine(left.fabric)}${gone}`;
  });
}

/** Exit code 1 while it is not connected: scripts ask. */
async function status(cli: CliContext): Promise<number> {
  const { joined } = await (await cli.client()).fabric();
  cli.output.result({ joined }, () =>
    joined === null
      ? "This hub has joined no fabric.\n  Make one: huddle fabric init\n  Join one: huddle fabric request"
      : describe(joined, cli),
  );
  return joined === null || joined.connection === "connected" ? 0 : 1;
}

type Joined = NonNullable<FabricStatus["joined"]>;

const HEADER = ["HUB", "PRESENT", "LAST ACK", "WAITING", "OLDEST", "ID"];

function describe(joined: Joined, { output, io }: CliContext): string {
  const { colors, width } = output;
  const ago = (time: string | null) => (time === null ? "–" : relativeTime(Date.parse(time), io.now()));
  const { connection, problem, mailbox, contacts } = joined;
  const isUp = connection === "connected";
  const mark = isUp ? colors.green("✓") : colors.red("✗");
  const state = isUp
    ? `connected ${ago(joined.since)}`
    : `not connected${problem === null ? "" : `: ${escapeLine(problem)}`}`;
  const lines = [
    `${mark} On the fabric ${escapeLine(joined.fabric)}${joined.steward ? " as a steward" : ""}: ${state}`,
    `  Server: ${joined.servers.map(escapeLine).join(", ")}`,
    `  This hub: ${joined.hub_id}, admitted until ${joined.expires.slice(0, 10)}`,
    `  Mailbox: ${mailbox === null ? "unknown" : mailbox === 0 ? "empty" : `${mailbox} waiting`}`,
  ];
  if (contacts.length === 0) return [...lines, "  No other hubs yet."].join("\n");
  const rows = contacts.map((one) => [
    { text: escapeLine(one.name), paint: colors.bold },
    one.present === "yes" ? { text: "yes", paint: colors.green } : one.present === "no" ? "no" : "not asked",
    ago(one.last_ack),
    String(one.waiting),
    ago(one.oldest_waiting),
    one.hub_id,
  ]);
  const head = HEADER.map((text) => ({ text, paint: colors.dim }));
  return [...lines, renderTable(head, rows, width)].join("\n");
}

async function list(cli: CliContext, options: Place): Promise<void> {
  const { hasFabric, readFabric } = await import("../../fabric/steward.js");
  const folder = folderOf(cli, options);
  if (options.folder === undefined && !hasFabric(folder)) {
    const { joined } = await (await cli.client()).fabric();
    const contacts = joined?.contacts ?? [];
    cli.output.result({ hubs: contacts }, () =>
      contacts.length === 0
        ? "No other hubs yet."
        : contacts.map((one) => `${escapeLine(one.name)}  ${one.hub_id}`).join("\n"),
    );
    return;
  }
  const { name, members } = readFabric(folder);
  const now = cli.io.now();
  const stateOf = ({ revoked, expires }: (typeof members)[number]) =>
    revoked !== undefined
      ? `revoked ${relativeTime(Date.parse(revoked), now)}`
      : Date.parse(expires) < now
        ? "expired"
        : `until ${expires.slice(0, 10)}`;
  cli.output.result({ fabric: name, members }, () => {
    if (members.length === 0) return `No hub was admitted to ${escapeLine(name)} yet.`;
    const rows = members.map((one) => [
      escapeLine(one.name),
      one.hub,
      one.steward === true ? "steward" : "hub",
      relativeTime(Date.parse(one.admitted), now),
      stateOf(one),
    ]);
    const head = ["HUB", "ID", "ROLE", "ADMITTED", "STATE"].map((text) => ({
      text,
      paint: cli.output.colors.dim,
    }));
    return renderTable(head, rows, cli.output.width);
  });
}

function readNumber(text: string | undefined, usual: number, most: number, what: string): number {
  const number = text === undefined ? usual : Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw usageError(`${what} is a whole number from 1 to ${most}`);
}
