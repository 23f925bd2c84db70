import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SERVER_CONF } from "../../src/fabric/server-files.js";
import { freePort } from "../fakes/free-port.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { as, fabricStatus, initFabric, ledgerOf, letIn, sendMany } from "../fakes/hubs-on-fabric.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { startServerIn } from "../fakes/nats-server.js";
import { createNetLab, type NetHost, whyNoNetwork } from "../fakes/net-lab.js";
import { patiently } from "../fakes/patiently.js";
import { patientCli } from "../fakes/run-cli.js";

/*
 * A cluster of three servers on three machines, and hubs on four others. The network between the servers is cut so that one of them is
 * alone with its two hubs. Every machine and every process goes on: only the servers do not hear of each other.
 */

const missing = whyNoNetwork();
/** Until servers that hear nothing of each other have noticed, and until they have found each other again. */
const ELECTION_MS = 240_000;
const SERVERS = ["one", "two", "three"];
/** Which server each hub knows. */
const HUBS = { bmo: "one", hal: "one", r2d2: "two", c3po: "three" } as const;
type Name = keyof typeof HUBS;
const NAMES = Object.keys(HUBS) as Name[];

type Machine = { hub: HubProcess; agent: Member };

const yard = createHubYard();
const lab = createNetLab(yard);
const ends: (() => Promise<void>)[] = [];
let alone: NetHost;
let together: NetHost[];
let machines: Record<Name, Machine>;
/** By sender and receiver, outside of all hubs: what was accepted there, and must come here. */
const sent = new Map<string, { from: string; to: Name; texts: string[] }>();
const ledgers = new Map<Name, ReturnType<typeof ledgerOf>>();

beforeEach(({ skip }) => skip(missing !== undefined, missing));

beforeAll(async () => {
  if (missing !== undefined) return;
  const hosts: NetHost[] = [];
  for (const name of SERVERS) hosts.push(await lab.host(name));
  const options = [...hosts.map(({ address }) => `--host=${address}`), `--cluster=${await freePort()}`];
  const { folder, port } = await initFabric(options, yard.home());
  const onEnd = (end: () => Promise<void>) => void ends.push(end);
  await Promise.all(
    hosts.map(({ under }, n) =>
      startServerIn(join(folder, `server-${n + 1}`), SERVER_CONF, port, { under, onEnd }),
    ),
  );
  const [first, ...others] = hosts;
  if (first === undefined) throw new Error("there are no servers");
  alone = first;
  together = others;
  const places = new Map<Name, NetHost>();
  for (const name of NAMES) places.set(name, await lab.host(name, { isApart: true }));
  const hubs = await Promise.all(
    NAMES.map(async (name) => ({ name, hub: await startHub(places.get(name), name) })),
  );
  const started: [Name, Machine][] = [];
  for (const { name, hub } of hubs) {
    const server = hosts[SERVERS.indexOf(HUBS[name])]?.address ?? "";
    await letIn({ hub }, folder, { server, more: ["--steward"] });
    started.push([name, { hub, agent: await registerAgent(hub.http, hub.join, { name: `ann-${name}` }) }]);
  }
  machines = Object.fromEntries(started) as Record<Name, Machine>;
  for (const name of NAMES)
    ledgers.set(
      name,
      ledgerOf(() => machines[name].agent),
    );
  await writeAll("before", 3);
  await expectAll();
}, 600_000);

afterAll(async () => {
  for (const end of ends) await end();
  await yard.clear();
  await lab.clear();
});

async function startHub(host: NetHost | undefined, name: Name): Promise<HubProcess> {
  if (host === undefined) throw new Error(`${name} has no machine`);
  return host.startHub({ set: [`agent-comms.name=${name}`] });
}

async function writeAll(round: string, count: number): Promise<void> {
  const pairs = NAMES.flatMap((from) => NAMES.filter((to) => to !== from).map((to) => ({ from, to })));
  await Promise.all(pairs.map(({ from, to }) => write(from, to, round, count)));
}

async function write(from: Name, to: Name, round: string, count: number): Promise<void> {
  const { agent } = machines[from];
  const kept = sent.get(`${from} ${to}`) ?? { from: `${agent.name}@${from}`, to, texts: [] };
  sent.set(`${from} ${to}`, kept);
  kept.texts.push(...(await sendMany(agent, `ann-${to}@${to}`, `${from}-${to}-${round}`, count)));
}

/** Of every pair that these are: all of it, once and in order. */
async function expectAll(of: readonly Name[] = NAMES): Promise<void> {
  for (const [pair, { from, to, texts }] of sent)
    if (pair.split(" ").every((name) => of.some((one) => one === name)))
      await ledgers.get(to)?.expectAll(texts, from);
}

function cut() {
  for (const other of together) {
    alone.block(other);
    other.block(alone);
  }
}

function heal() {
  for (const other of together) {
    alone.unblock(other);
    other.unblock(alone);
  }
}

test("one of three servers is cut off with its hubs: there mail waits and status says why, the others go on, and after healing all of it comes, once and in order", async () => {
  const { bmo, hal, r2d2 } = machines;
  // Nothing of before waits for its receipt any more.
  await patiently(async () => {
    const { stdout } = await fabricStatus(bmo);
    for (const name of NAMES) if (name !== "bmo") expect(stdout).toMatch(new RegExp(`^${name} .* 0 `, "m"));
  }, ELECTION_MS);
  cut();
  await writeAll("cut", 5);

  // The larger part elects leaders for what the other one led, and goes on.
  await expectAll(["r2d2", "c3po"]);
  const told = await patiently(async () => {
    const { code, stdout } = await fabricStatus(bmo);
    expect(stdout).toMatch(/connected .*, but the server .* most of .*servers must run/);
    expect(code).toBe(1);
    return stdout;
  }, ELECTION_MS);
  expect(told).toContain("Mail waits in the hubs, and goes on by itself afterwards.");
  for (const name of ["hal", "r2d2", "c3po"]) expect(told).toMatch(new RegExp(`^${name} .* 5 `, "m"));
  // Hubs at that server still hear of each other: only what has to be kept waits.
  await registerAgent(hal.hub.http, hal.hub.join, { name: "late" });
  await patiently(async () => expect((await patientCli(["agents"], as(bmo))).stdout).toContain("late@hal"));
  await ledgers.get("hal")?.read();
  await patiently(async () => expect(await fabricStatus(r2d2)).toMatchObject({ code: 0 }), ELECTION_MS);

  heal();
  await writeAll("healed", 3);
  await expectAll();
  await patiently(async () => expect(await fabricStatus(bmo)).toMatchObject({ code: 0 }), ELECTION_MS);
}, 900_000);
