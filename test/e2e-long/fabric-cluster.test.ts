import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectAsSteward } from "../../src/fabric/keep-streams.js";
import { linkStreamOf, streamsOf } from "../../src/fabric/link-streams.js";
import { SERVER_CONF, serversOf } from "../../src/fabric/server-files.js";
import { readFabric } from "../../src/fabric/steward.js";
import { createHubYard } from "../fakes/hub-process.js";
import { createSides, freePort, type Side } from "../fakes/hub-sides.js";
import { as, fabricStatus, initFabric, ledgerOf, letIn, sendMany } from "../fakes/hubs-on-fabric.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { type NatsServer, startServerIn } from "../fakes/nats-server.js";
import { patiently } from "../fakes/patiently.js";
import { patientCli } from "../fakes/run-cli.js";

/* Three servers with the configuration that `huddle fabric init --cluster` makes, each with an address of its own, and two hubs. */

const HOSTS = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
/** An election takes seconds, on a busy machine more. */
const ELECTION_MS = 240_000;

const yard = createHubYard();
const { startSide } = createSides(yard);
const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
  await yard.clear();
});

let folder: string;
let servers: Map<string, NatsServer>;
let bmo: Side;
let r2d2: Side;
let ann: Member;
let bob: Member;
const sent: string[] = [];
const ledger = ledgerOf(() => bob);
const send = async (round: string, count: number) =>
  void sent.push(...(await sendMany(ann, "bob@r2d2", round, count)));

beforeAll(async () => {
  const options = [...HOSTS.map((host) => `--host=${host}`), `--cluster=${await freePort()}`];
  const made = await initFabric(options, yard.home());
  folder = made.folder;
  const started = serversOf(readFabric(folder)).map(async (server) => {
    const onEnd = (end: () => Promise<void>) => void ends.push(end);
    const place = join(folder, server.folder);
    return [server.name, await startServerIn(place, SERVER_CONF, made.port, { onEnd })] as const;
  });
  servers = new Map(await Promise.all(started));
  [bmo, r2d2] = await Promise.all([startSide("bmo"), startSide("r2d2")]);
  await letIn(bmo, folder, { more: ["--steward"] });
  await letIn(r2d2, folder);
  ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "ann" });
  bob = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "bob" });
  await patiently(
    async () => expect((await patientCli(["peers"], as(bmo))).stdout).toMatch(/^r2d2 +hub +fabric +yes /m),
    ELECTION_MS,
  );
});

/** The servers that keep the mailbox that all goes to: who leads them, and whether all of them have everything. */
async function mailboxes(): Promise<{ leader: string; replicas: number; areCurrent: boolean }> {
  const record = readFabric(folder);
  const id = record.members.find(({ name }) => name === "r2d2")?.hub ?? "";
  const connection = await connectAsSteward(folder, record);
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { cluster, config } = await manager.streams.info(linkStreamOf(id, streamsOf(record)));
    const others = cluster?.replicas ?? [];
    const areCurrent = others.length === 2 && others.every((one) => one.current && one.offline !== true);
    return { leader: cluster?.leader ?? "", replicas: config.num_replicas, areCurrent };
  } finally {
    await connection.close();
  }
}

const whenCurrent = () =>
  patiently(async () => {
    const found = await mailboxes();
    expect(found).toMatchObject({ areCurrent: true, replicas: 3 });
    return found;
  }, ELECTION_MS);

function serverNamed(name: string): NatsServer {
  const server = servers.get(name);
  if (server === undefined) throw new Error(`no server is named ${name}`);
  return server;
}

test("the leader of the mailboxes is killed under load, twice: mail goes on after the election, and comes once and in order", async () => {
  for (const round of ["first", "second"]) {
    await send(`${round}-before`, 10);
    const { leader } = await whenCurrent();

    const killed = serverNamed(leader).kill();
    await send(`${round}-under`, 20);
    await killed;
    await send(`${round}-after`, 10);

    // While it is still gone. Who answers for the servers may be elected after who leads the mailboxes.
    await ledger.expectAll(sent);
    await patiently(async () => expect((await mailboxes()).leader).not.toBe(leader), ELECTION_MS);
    await serverNamed(leader).start();
  }
});

test("two of three servers are killed: status says what is wrong, mail waits, and comes when they are back", async () => {
  const { leader } = await whenCurrent();
  // Nothing of before waits for its receipt any more.
  await patiently(async () => expect((await fabricStatus(bmo)).stdout).toMatch(/^r2d2 .* 0 /m), ELECTION_MS);
  const [left, ...gone] = [leader, ...[...servers.keys()].filter((name) => name !== leader)];
  expect(left).toBe(leader);
  await Promise.all(gone.map((name) => serverNamed(name).kill()));
  await send("waits", 10);

  const told = await patiently(async () => {
    const { code, stdout } = await fabricStatus(bmo);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/connected .*, but the server .* most of .*servers must run/) as unknown,
    });
    return stdout;
  }, ELECTION_MS);
  expect(told).toContain("Mail waits in the hubs, and goes on by itself afterwards.");
  expect(told).toMatch(/^r2d2 .* 10 /m);

  await Promise.all(gone.map((name) => serverNamed(name).start()));
  await ledger.expectAll(sent);
  await patiently(async () => expect(await fabricStatus(bmo)).toMatchObject({ code: 0 }), ELECTION_MS);
});
