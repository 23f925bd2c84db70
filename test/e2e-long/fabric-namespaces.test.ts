import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { SERVER_CONF } from "../../src/fabric/server-files.js";
import { createCaller } from "../fakes/http-call.js";
import { createHubYard, type HubProcess, signalProcess } from "../fakes/hub-process.js";
import { as, fabricStatus, initFabric, ledgerOf, letIn, sendMany } from "../fakes/hubs-on-fabric.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { type NatsServer, startServerIn } from "../fakes/nats-server.js";
import { createNetLab, type NetHost, whyNoNetwork } from "../fakes/net-lab.js";
import { patiently } from "../fakes/patiently.js";
import { patientCli } from "../fakes/run-cli.js";

/*
 * Five hubs on five machines that reach a sixth with the server, and not each other: network namespaces, with cables that can be pulled
 * out, and hubs that sleep as a laptop does.
 */

const missing = whyNoNetwork();
const NAMES = ["bmo", "r2d2", "c3po", "hal", "eve"] as const;
/** Until a hub that hears nothing from the server any more takes it for gone: twice 20 s and more, which is longer than a batch is lent. */
const STALE_MS = 240_000;

type Name = (typeof NAMES)[number];
type Machine = { name: Name; host: NetHost; hub: HubProcess; agent: Member };

const yard = createHubYard();
const lab = createNetLab(yard);
const ends: (() => Promise<void>)[] = [];
let broker: NetHost;
let server: NatsServer;
let machines: Record<Name, Machine>;
/** By sender and receiver: what was accepted there, and must come here. */
const sent = new Map<string, string[]>();
const ledgers = new Map<Name, ReturnType<typeof ledgerOf>>();

beforeEach(({ skip }) => skip(missing !== undefined, missing));

beforeAll(async () => {
  if (missing !== undefined) return;
  broker = await lab.host("broker");
  const { folder, port } = await initFabric([`--host=${broker.address}`], yard.home());
  const conf = join(folder, SERVER_CONF);
  // It gives up on a hub that says nothing within seconds, where usually it takes a minute or more.
  writeFileSync(conf, readFileSync(conf, "utf8").replace('ping_interval: "20s"', 'ping_interval: "1s"'));
  server = await startServerIn(folder, SERVER_CONF, port, {
    under: broker.under,
    onEnd: (end) => void ends.push(end),
  });
  const started: [Name, Machine][] = [];
  for (const name of NAMES) started.push([name, await startMachine(name, folder)]);
  machines = Object.fromEntries(started) as Record<Name, Machine>;
  for (const machine of all())
    ledgers.set(
      machine.name,
      ledgerOf(() => machine.agent),
    );
  await Promise.all(all().map(knowsAll));
});

afterAll(async () => {
  for (const end of ends) await end();
  await yard.clear();
  await lab.clear();
});

async function startMachine(name: Name, folder: string): Promise<Machine> {
  const host = await lab.host(name, { isApart: true });
  const hub = await host.startHub({ set: [`agent-comms.name=${name}`] });
  await letIn({ hub }, folder, name === "bmo" ? { more: ["--steward"] } : {});
  // A hub that wakes closes connections that were idle, maybe as they are used again.
  const http = createCaller(hub.url, 64, false);
  return { name, host, hub, agent: await registerAgent(http, hub.join, { name: `ann-${name}` }) };
}

const all = () => NAMES.map((name) => machines[name]);
const others = (name: Name) => all().filter((one) => one.name !== name);

const knowsAll = (machine: Machine) =>
  patiently(async () => {
    const { stdout } = await patientCli(["peers"], { ...as(machine), columns: 200 });
    for (const { name } of others(machine.name))
      expect(stdout).toMatch(new RegExp(`^${name} +hub +fabric`, "m"));
  });

async function write(from: Machine, to: Machine, round: string, count: number): Promise<void> {
  const pair = `${from.agent.name}@${from.name} ${to.name}`;
  const accepted = await sendMany(
    from.agent,
    `${to.agent.name}@${to.name}`,
    `${from.name}-${to.name}-${round}`,
    count,
  );
  sent.set(pair, [...(sent.get(pair) ?? []), ...accepted]);
}

/** From each of these to each of those. */
const writeAll = (from: readonly Machine[], to: readonly Machine[], round: string, count: number) =>
  Promise.all(
    from.map(async (one) => {
      for (const other of to) if (other !== one) await write(one, other, round, count);
    }),
  );

/** Of every pair: all of it, once and in order. */
async function expectAll(): Promise<void> {
  for (const [pair, texts] of sent) {
    const [from = "", to = ""] = pair.split(" ");
    await ledgers.get(NAMES.find((name) => name === to) ?? "bmo")?.expectAll(texts, from);
  }
}

function sleep({ hub }: Machine) {
  onTestFinished(() => signalProcess(hub.pid, "SIGCONT"));
  signalProcess(hub.pid, "SIGSTOP");
}

const wake = ({ hub }: Machine) => signalProcess(hub.pid, "SIGCONT");

test("five hubs that reach only the server write to each other, in all pairs", async () => {
  const { bmo, r2d2 } = machines;
  expect([broker, r2d2.host].map((other) => bmo.host.reaches(other))).toEqual([true, false]);

  await writeAll(all(), all(), "all", 5);

  await expectAll();
});

test("a hub sleeps, one loses its cable and one both, until all are given up: the others go on, status says what is wrong, and all of it comes", async () => {
  const { bmo, r2d2, c3po, hal, eve } = machines;
  await writeAll(all(), all(), "eve", 3);
  sleep(r2d2);
  sleep(eve);
  eve.host.unplug();
  c3po.host.unplug();
  const cut = await fabricStatus(c3po);
  expect(cut).toMatchObject({ code: 1 });
  expect(cut.stdout).toMatch(/connected .*, but the server does not answer. Check this machine's network/);
  // The one that is cut off takes mail for others as before.
  await writeAll([bmo, c3po, hal], all(), "away", 10);

  const gone = await patiently(async () => {
    const { code, stdout } = await fabricStatus(c3po);
    expect(stdout).toMatch(/^✗ On the fabric home: not connected for \d+[sm]: /);
    expect(code).toBe(1);
    return stdout;
  }, STALE_MS);
  expect(gone).toContain("Mail waits in this hub, which tries again by itself. Check this machine's network");
  expect(gone).toMatch(/^bmo .* 1\d /m);
  const seen = await fabricStatus(bmo);
  expect(seen.code).toBe(0);
  for (const name of ["r2d2", "c3po", "eve"])
    expect(seen.stdout).toMatch(new RegExp(`^${name} .* 1\\d `, "m"));

  c3po.host.plugIn();
  wake(r2d2);
  eve.host.plugIn();
  wake(eve);
  await writeAll(all(), all(), "back", 3);
  await expectAll();
  expect((await fabricStatus(c3po)).code).toBe(0);
});

/** When a try to send ended, after that time, with all of it on the server and not taken. */
const lay = (machine: Machine, to: Machine, since: number) =>
  patiently(async () => {
    const { json } = await machine.agent.call("GET", "/api/peers", { token: machine.hub.operator });
    const peers = json["peers"] as { name: string; last_error: { message: string; at: string } | null }[];
    const { message = "", at = "" } = peers.find(({ name }) => name === to.name)?.last_error ?? {};
    expect(message).toContain("it waits on the fabric");
    expect(Date.parse(at)).toBeGreaterThan(since);
    return Date.parse(at);
  }, STALE_MS);

/** What was written is on the server: the first try may have begun before, the second not. */
async function writeToSleeper(from: Machine, to: Machine, round: string): Promise<void> {
  await write(from, to, round, 3);
  await lay(from, to, await lay(from, to, Date.now()));
}

test("two hubs of which one always sleeps exchange mail", async () => {
  const { hal, eve } = machines;
  sleep(eve);
  await writeToSleeper(hal, eve, "question");
  sleep(hal);
  wake(eve);
  await ledgers.get("eve")?.expectAll(sent.get("ann-hal@hal eve") ?? [], "ann-hal@hal");
  await writeToSleeper(eve, hal, "answer");
  sleep(eve);
  wake(hal);
  await ledgers.get("hal")?.expectAll(sent.get("ann-eve@eve hal") ?? [], "ann-eve@eve");
  wake(eve);
  await expectAll();
});

test("while the server is gone every hub says so and takes mail, and goes on when it is back", async () => {
  const { bmo } = machines;
  await server.kill();
  await writeAll(all(), all(), "alone", 3);
  await patiently(async () => {
    const { code, stdout } = await fabricStatus(bmo);
    expect({ code, stdout }).toMatchObject({ code: 1 });
    expect(stdout).toMatch(/not connected for \d+s: tls:\/\/.* cannot be reached \(ECONNREFUSED\)/);
    expect(stdout).toContain("that the server runs: huddle fabric up, where it is");
    // Nobody can say who is there now.
    expect(stdout).toMatch(/^r2d2 +unknown /m);
  });

  await server.start();

  await expectAll();
});
