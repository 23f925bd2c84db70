import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { connect, jwtAuthenticator } from "@nats-io/transport-node";
import { afterAll, expect, test } from "vitest";
import { inboxPrefix } from "../../src/fabric/subjects.js";
import { ensureIdentity, type Identity } from "../../src/link/identity.js";
import { createMembers } from "../../src/link/nats/members.js";
import { createSealer } from "../../src/link/nats/seal.js";
import { systemClock } from "../../src/model/clock.js";
import { makeFabric, type TestFabric } from "../fakes/fabric-steward.js";
import { startFabricHub } from "../fakes/fabric-yard.js";
import { createHubYard } from "../fakes/hub-process.js";
import { createSides, freePort, linked, type Side } from "../fakes/hub-sides.js";
import { registerAgent } from "../fakes/member.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { patiently } from "../fakes/patiently.js";
import { patientCli } from "../fakes/run-cli.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* A fabric with more hubs than one watches: who is no contact is found by name, written to, and listed. */

const yard = createHubYard();
afterAll(() => yard.clear());
const { startSide, pairOfHubs } = createSides(yard);

const as = (side: Side) => ({ env: { HUDDLE_HOME: side.hub.home } });
const newIdentity = () => {
  const file = join(tempFolder(), "hub.key");
  return { file, identity: ensureIdentity(file) };
};

async function letIn(side: Side, { folder }: TestFabric, ...more: string[]): Promise<void> {
  const requested = await patientCli(["fabric", "request"], as(side));
  const admitted = await patientCli(["fabric", "admit", `--folder=${folder}`, ...more], {
    stdin: requested.stdout,
  });
  const joined = await patientCli(["fabric", "join"], { ...as(side), stdin: admitted.stdout });
  expect(joined, joined.stderr).toMatchObject({ code: 0 });
}

/** A hub that said who it is, and is not there any more. */
async function leaveEntry(fabric: TestFabric, identity: Identity, name: string): Promise<void> {
  const { servers, ca, user } = fabric.admit(identity);
  const connection = await connect({
    servers: [...servers],
    tls: { ca: ca ?? "" },
    authenticator: jwtAuthenticator(user?.jwt ?? "", new TextEncoder().encode(user?.seed)),
    inboxPrefix: inboxPrefix(identity.id),
  });
  const sealer = createSealer(identity);
  const self = { name };
  await createMembers({
    identity,
    sealer,
    self,
    clock: systemClock,
    answerMs: PATIENCE_MS,
    ignored() {},
  }).announce(connection);
  await connection.close();
}

/** A key whose hub meets fifty of these before it comes to the one that is not to be a contact: members are met in a ring, by id. */
function keyFarFrom(id: string, others: readonly string[]): string {
  for (;;) {
    const { file, identity } = newIdentity();
    const between = others.filter((one) =>
      identity.id < id ? identity.id < one && one < id : one > identity.id || one < id,
    );
    if (between.length >= 50) return file;
  }
}

async function startSideWith(name: string, keyFile: string): Promise<Side> {
  const home = join(tempFolder(), name);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  copyFileSync(keyFile, join(home, "hub.key"));
  const port = await freePort();
  return { hub: await yard.start({ home, set: linked(name, port) }), name, port };
}

const GHOSTS = 100;

/** r2d2 and bmo have fifty contacts each, none of which is there, and not each other. */
async function largeFabric() {
  const fabric = await makeFabric();
  const r2d2 = await startSide("r2d2");
  await letIn(r2d2, fabric, "--steward");
  const ghosts = Array.from({ length: GHOSTS }, () => newIdentity().identity);
  for (const [n, ghost] of ghosts.entries()) await leaveEntry(fabric, ghost, `ghost-${n}`);
  // It meets them as it connects again.
  await r2d2.hub.stop();
  const full = { ...r2d2, hub: await yard.start({ home: r2d2.hub.home, set: linked("r2d2", r2d2.port) }) };
  await patiently(async () => expect(await contactsOf(full)).toHaveLength(50), 5 * PATIENCE_MS);
  const asked = await patientCli(["fabric", "request", "--json"], as(full));
  const { hub_id: id } = JSON.parse(asked.stdout) as { hub_id: string };
  const bmo = await startSideWith(
    "bmo",
    keyFarFrom(
      id,
      ghosts.map((ghost) => ghost.id),
    ),
  );
  await letIn(bmo, fabric);
  await patiently(async () => expect(await contactsOf(bmo)).toHaveLength(50), 5 * PATIENCE_MS);
  const ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "ann" });
  const bob = await registerAgent(full.hub.http, full.hub.join, { name: "bob" });
  return { fabric, bmo, r2d2: full, id, ann, bob };
}

async function contactsOf(side: Side): Promise<string[]> {
  const { json } = await side.hub.http.call("GET", "/api/peers", { token: side.hub.operator });
  return (json["peers"] as { name: string }[]).map(({ name }) => name);
}

type Listed = {
  agents: { name: string; hub: string | null }[];
  problems: { hub: string | null; kind: string; problem: string }[];
  next: string | null;
};

async function listFrom(side: Side, ...more: string[]): Promise<Listed> {
  const { stdout, stderr, code } = await patientCli(["agents", "--everywhere", "--json", ...more], as(side));
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Listed;
}

const namesOf = ({ agents }: Listed) => agents.map(({ name }) => name);

test("a hub that is no contact is listed, found by name and by id, and gets mail; one that is away is named, and its mail waits", async () => {
  const { bmo, r2d2, id, ann, bob } = await largeFabric();
  expect(await contactsOf(bmo)).not.toContain("r2d2");

  const listed = await listFrom(bmo, "--limit=500");
  expect(namesOf(listed)).toEqual(["ann", "bob@r2d2", "user@r2d2"]);
  expect(listed.next).toBeNull();
  expect(listed.problems).toHaveLength(GHOSTS);
  expect(listed.problems).toContainEqual({
    hub: "ghost-99",
    kind: "no_answer",
    problem: '"ghost-99" is not connected to the fabric now',
  });
  // One agent at a time it is the same list.
  const paged: string[] = [];
  let next: string | null = null;
  do {
    const page: Listed = await listFrom(bmo, "--limit=1", ...(next === null ? [] : [`--cursor=${next}`]));
    paged.push(...namesOf(page));
    next = page.next;
  } while (next !== null);
  expect(paged).toEqual(namesOf(listed));
  // Who only looked is nobody's contact.
  expect(await contactsOf(r2d2)).not.toContain("bmo");

  const mistyped = await ann.send("bobb@r2d2", "Hello");
  expect(mistyped).toMatchObject({
    status: 404,
    json: { code: "AGENT_NOT_FOUND", did_you_mean: "bob@r2d2", available: ["bob@r2d2", "user@r2d2"] },
  });
  expect((await ann.send("bob@r2d3", "Hello")).json).toMatchObject({
    code: "HUB_NOT_FOUND",
    error: 'No hub "r2d3" is linked to this one or on its fabric. Did you mean r2d2?',
  });
  expect(await contactsOf(bmo)).toHaveLength(50);

  expect((await ann.send("bob@r2d2", "Hello", { id: "hello" })).status).toBe(202);
  expect(await bob.inbox("?wait=60")).toMatchObject([{ from: "ann@bmo", content: "Hello", trust: "peer" }]);
  await bob.send("ann@bmo", "Hello back", { reply_to: "hello" });
  expect(await ann.inbox("?wait=60")).toMatchObject([{ from: "bob@r2d2", content: "Hello back" }]);
  expect((await ann.send(`bob@${id}`, "By your id")).status).toBe(202);
  expect(await bob.inbox("?wait=60")).toMatchObject([{ content: "By your id" }]);

  await r2d2.hub.stop();
  const away = await patientCli(["agents", "--everywhere", "--limit=500"], as(bmo));
  expect(away.stdout).toContain('hub r2d2 did not answer: "r2d2" is not connected to the fabric now');
  const strangers = listed.problems.map(({ hub }) => hub ?? "");
  const known = new Set(await contactsOf(bmo));
  const stranger = strangers.find((hub) => !known.has(hub)) ?? "";
  expect((await ann.send(`user@${stranger}`, "When you are back", { id: "later" })).status).toBe(202);
  expect(await contactsOf(bmo)).toContain(stranger);
});

test("a hub that lies about who is there is cut, and two that call themselves the same are told apart by their ids", async () => {
  const fabric = await makeFabric();
  const bmo = await startSide("bmo");
  await letIn(bmo, fabric, "--steward");
  const ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "ann" });
  const [liar, twin] = [newIdentity().identity, newIdentity().identity];
  for (const identity of [liar, twin]) {
    const { hub } = await startFabricHub("mini", fabric.server, {
      identity,
      access: fabric.admit(identity),
      // It is asked and asks nobody, so it becomes nobody's contact.
      adopt: async () => {},
    });
    const agent = { team: "main", label: null, status: "idle" as const };
    const bad = ["\u001b[2Jmallory", "Not A Name", "eve"].map((name) => ({ id: name, name, ...agent }));
    hub.setAgents(identity === liar ? [...bad, ...bad] : [{ id: "zoe", name: "zoe", ...agent }]);
  }

  const listed = await listFrom(bmo);
  expect(namesOf(listed).sort()).toEqual(["ann", `eve@${liar.id}`, `zoe@${twin.id}`].sort());
  expect(listed.problems).toEqual([
    { hub: liar.id, kind: "cut", problem: "5 of those that it lists are no agents, and were left out" },
  ]);
  const ambiguous = await ann.send("zoe@mini", "Which one?");
  expect(ambiguous).toMatchObject({ status: 409, json: { code: "NAME_AMBIGUOUS" } });
  expect(ambiguous.json["available"]).toEqual([`zoe@${liar.id}`, `zoe@${twin.id}`].sort());
});

test("hubs that are linked by their addresses are listed too, and one that is away is named", async () => {
  const { bmo, r2d2 } = await pairOfHubs();
  expect(namesOf(await listFrom(bmo))).toEqual(["ann", "bob@r2d2", "user@r2d2"]);
  await r2d2.hub.kill();
  const away = await listFrom(bmo);
  expect(namesOf(away)).toEqual(["ann"]);
  expect(away.problems).toMatchObject([
    {
      hub: "r2d2",
      kind: "no_answer",
      problem: expect.stringContaining("cannot be reached (ECONNREFUSED)") as unknown,
    },
  ]);
});
