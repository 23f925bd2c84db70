import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import type { FabricRecord } from "../../contract/link/fabric.js";
import { counted, relativeTime, shortSpan } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { readPasted } from "../read-pasted.js";
import { renderFabric } from "../render-fabric.js";
import { renderTable } from "../table.js";
import { takeSignals } from "../take-signals.js";
import { usageError } from "../usage-error.js";

type Place = { folder?: string };
type InitOptions = Place & {
  name?: string;
  host?: string[];
  port?: string;
  cluster?: string | true;
  streams?: string;
};
type UpOptions = Place & { server?: string };
type AdmitOptions = Place & { steward?: true; days?: string };

const PORT = 4222;
const CLUSTER_PORT = 6222;
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
    .option(
      "--cluster [port]",
      `a server for each of three or five hosts, which keep three copies of all mail and reach each other at this port; default: ${CLUSTER_PORT}`,
    )
    .option(
      "--streams <count>",
      "over how many streams mailboxes are spread: 1, 2, 4, 8, 16 or 32; default: 16, of a cluster 4",
    )
    .option(FOLDER, FOLDER_IS)
    .action((options: InitOptions) => act((cli) => init(cli, options)));
  command
    .command("up")
    .description("run the fabric's server here (nats-server), and make its streams")
    .option("--server <number>", "which one of a cluster")
    .option(FOLDER, `${FOLDER_IS}; of a cluster also a server's own, such as server-2`)
    .action((options: UpOptions) => act((cli) => up(cli, options)));
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
  command
    .command("renew")
    .description("renew the certificates of the fabric's servers; hubs notice nothing")
    .option(FOLDER, FOLDER_IS)
    .action((options: Place) => act((cli) => renew(cli, options)));
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
  const cluster = options.cluster === undefined ? {} : { cluster: readCluster(hosts, options.cluster) };
  const streams = options.streams === undefined ? {} : { streams: await readStreams(options.streams) };
  const record = initFabric(folder, { name, hosts, port, ...cluster, ...streams }, cli.io.now());
  const run =
    record.cluster === undefined
      ? ["  Run its server: huddle fabric up"]
      : [
          `  Bring each server its folder, and nothing else: ${hosts.map((host, n) => `server-${n + 1} to ${host}`).join(", ")}`,
          "  Run it there: huddle fabric up --folder server-2. Here: huddle fabric up --server 1",
        ];
  cli.output.confirm({ folder, name: record.name, hosts, port, ...cluster, streams: record.streams }, () =>
    [
      `${cli.output.colors.green("✓")} The fabric ${record.name} was made in ${folder}`,
      "  Keep its keys folder to yourself, and in a backup: whoever has it admits hubs.",
      ...run,
      "  Let this hub in: huddle fabric request | huddle fabric admit --steward | huddle fabric join",
    ].join("\n"),
  );
}

function readCluster(hosts: readonly string[], port: string | true) {
  if (![3, 5].includes(new Set(hosts).size) || new Set(hosts).size !== hosts.length)
    throw usageError(
      "A cluster has three or five servers, each with an address of its own: --host a.example.org b.example.org c.example.org --cluster",
    );
  return { port: readNumber(port === true ? undefined : port, CLUSTER_PORT, 65_535, "--cluster") };
}

async function readStreams(text: string) {
  const { STREAM_COUNTS } = await import("../../fabric/link-streams.js");
  const found = STREAM_COUNTS.find((count) => String(count) === text);
  if (found === undefined) throw usageError(`--streams is one of ${STREAM_COUNTS.join(", ")}`);
  return found;
}

function lanAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
}

async function up(cli: CliContext, options: UpOptions): Promise<number> {
  const [{ hasFabric, readFabric }, { findNatsServer, hasServer, runServer }, { keepStreams }] =
    await Promise.all([
      import("../../fabric/steward.js"),
      import("../../fabric/run-server.js"),
      import("../../fabric/keep-streams.js"),
    ]);
  const folder = folderOf(cli, options);
  // A server's own folder has none of the keys that make streams: stewards do.
  const isOnlyServer = !hasFabric(folder) && hasServer(folder);
  const record = isOnlyServer ? undefined : readFabric(folder);
  const place = record === undefined ? folder : join(folder, await serverPlace(record, options));
  const program = findNatsServer(cli.io.env["PATH"], place);
  // The server must not be left behind, whatever ends this command.
  const { signal: stopped, release } = takeSignals(cli.io);
  const ended = new AbortController();
  if (record === undefined) cli.output.note(`The server of ${folder} runs. Ctrl-C ends it.`);
  const streams =
    record === undefined
      ? undefined
      : keepStreams(folder, record, AbortSignal.any([stopped, ended.signal]), {
          onMade: () =>
            cli.output.note(`The fabric ${record.name} runs on port ${record.port}. Ctrl-C ends it.`),
          onTrouble: (reason) =>
            cli.output.note(
              `The fabric's streams cannot be made: ${escapeLine(reason)}. It is tried again; without them mail waits in the hubs`,
            ),
        });
  try {
    await runServer(program, place, stopped);
    return 0;
  } finally {
    ended.abort();
    await streams;
    release();
  }
}

/** Below the fabric's folder. */
async function serverPlace(record: FabricRecord, { server }: UpOptions): Promise<string> {
  const { serversOf } = await import("../../fabric/server-files.js");
  const servers = serversOf(record);
  if (record.cluster === undefined && server !== undefined)
    throw usageError("This fabric has one server: leave --server out");
  if (record.cluster !== undefined && server === undefined)
    throw usageError(`Which of the ${servers.length} servers runs here? Say --server 1`);
  return servers[readNumber(server, 1, servers.length, "--server") - 1]?.folder ?? "";
}

async function renew(cli: CliContext, options: Place): Promise<void> {
  const { renewCertificates } = await import("../../fabric/steward.js");
  const folder = folderOf(cli, options);
  const servers = renewCertificates(folder, cli.io.now());
  cli.output.confirm({ folder, servers: servers.map(({ name }) => name) }, () =>
    [
      `${cli.output.colors.green("✓")} ${counted(servers.length, "certificate")} renewed`,
      ...afterwards(folder, servers),
    ].join("\n"),
  );
}

/** What is left to do once the configuration of servers was written anew. */
function afterwards(folder: string, servers: readonly { folder: string }[]): string[] {
  return [
    ...(servers.length === 1
      ? []
      : ["  Bring each of the other servers its folder again: server-1, server-2 and so on."]),
    "  A server that huddle fabric up runs reads it at once.",
    `  In a container: docker compose kill -s HUP nats, in ${servers.length === 1 ? folder : "its folder"}`,
  ];
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
  const wanted = { asSteward: options.steward === true, days };
  const admission = admitHub(folderOf(cli, options), request, wanted, cli.io.now());
  const isSteward = admission.steward === true;
  const line = writeAdmission(admission);
  const { name, hub } = request;
  cli.output.result({ line, name, hub_id: hub, expires: admission.expires, steward: isSteward }, () => line);
  cli.output.note(
    `${escapeLine(name)} (${hub}) is admitted${isSteward ? " as a steward" : ""} until ${admission.expires.slice(0, 10)}. There: huddle fabric join LINE`,
  );
}

async function revoke(cli: CliContext, hub: string, options: Place): Promise<void> {
  const [{ readFabric, revokeHub }, { serversOf }] = await Promise.all([
    import("../../fabric/steward.js"),
    import("../../fabric/server-files.js"),
  ]);
  const folder = folderOf(cli, options);
  const revoked = revokeHub(folder, hub, cli.io.now());
  const member = revoked.find(({ name }) => name === hub) ?? revoked.at(-1);
  const servers = serversOf(readFabric(folder));
  cli.output.confirm({ name: member?.name, hub_id: member?.hub }, () =>
    [
      `${cli.output.colors.green("✓")} ${escapeLine(member?.name ?? hub)} is admitted no more`,
      ...afterwards(folder, servers),
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
  cli.output.confirm(joined, () => renderFabric(joined, cli));
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

/** Exit code 1 while it is not connected or something is wrong: scripts ask. */
async function status(cli: CliContext): Promise<number> {
  const { joined } = await (await cli.client()).fabric();
  cli.output.result({ joined }, () =>
    joined === null
      ? "This hub has joined no fabric.\n  Make one: huddle fabric init\n  Join one: huddle fabric request"
      : renderFabric(joined, cli),
  );
  const isWell = joined === null || (joined.connection === "connected" && joined.problem === null);
  return isWell ? 0 : 1;
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
        : `until ${expires.slice(0, 10)}${endsSoon(Date.parse(expires) - now)}`;
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

const SOON_MS = 14 * 24 * 60 * 60_000;
const endsSoon = (left: number) => (left < SOON_MS ? `, in ${shortSpan(left)}` : "");

function readNumber(text: string | undefined, usual: number, most: number, what: string): number {
  const number = text === undefined ? usual : Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw usageError(`${what} is a whole number from 1 to ${most}`);
}
