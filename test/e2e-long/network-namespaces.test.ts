import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { eventually, spawnAgent } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { drainInbox, type Member, memberAt, registerAgent } from "../fakes/member.js";
import { createNetLab, type NetHost, whyNoNetwork } from "../fakes/net-lab.js";
import { patiently } from "../fakes/patiently.js";
import { patientCli } from "../fakes/run-cli.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* Three hubs on three machines, and a fourth that has only curl: network namespaces, with cables that can be pulled out. */

const missing = whyNoNetwork();
const yard = createHubYard();
const lab = createNetLab(yard);
const SECRET = "a-secret-that-all-of-them-share";
const PORT = 3847;

type Machine = { host: NetHost; hub: HubProcess };

const mirror = JSON.stringify([
  process.execPath,
  resolve("test", "fakes", "scripted-agent", "acp.mjs"),
  "--mirror",
]);
const settings = [
  "agent-comms.host=lan",
  `agent-comms.port=${PORT}`,
  `backends.scripted.acp=${mirror}`,
  'allowed_roots=["/"]',
];

/** With the configuration of document 004. */
function homeWith(name: string, peers: readonly { name: string; host: NetHost; label: string }[]): string {
  const home = yard.home();
  writeFileSync(join(home, "comms-secret"), `${SECRET}\n`);
  chmodSync(join(home, "comms-secret"), 0o600);
  const listed = peers.map(
    (peer) =>
      `    - {name: ${peer.name}, host: ${peer.host.address}, port: ${PORT}, label: ${JSON.stringify(peer.label)}}`,
  );
  writeFileSync(
    join(home, "huddle.yaml"),
    [
      "port: 0",
      "agent-comms:",
      "  enabled: true",
      "  secret: file:comms-secret",
      `  name: ${name}`,
      "  peers:",
      ...listed,
    ].join("\n"),
  );
  return home;
}

const startOn = async (host: NetHost, home: string): Promise<Machine> => ({
  host,
  hub: await host.startHub({ home, set: settings }),
});
const startAgain = ({ host, hub }: Machine) => startOn(host, hub.home);

/** A message of document 004, sent from a machine that has nothing but curl. */
function curl(from: NetHost, to: NetHost, message: object, headers: readonly string[] = []) {
  const { stdout, stderr } = from.run("curl", [
    "--silent",
    "--show-error",
    "--max-time",
    "30",
    "--header",
    "Content-Type: application/json",
    ...["Authorization: Bearer ".concat(SECRET), ...headers].flatMap((header) => ["--header", header]),
    "--data",
    JSON.stringify({
      from: "dave",
      type: "text",
      timestamp: new Date().toISOString(),
      messageId: `m-${Math.random()}`,
      ...message,
    }),
    `http://${to.address}:${PORT}/agent/message`,
  ]);
  return JSON.parse(stdout === "" ? `{"failed":${JSON.stringify(stderr)}}` : stdout) as Record<
    string,
    unknown
  >;
}

const wordsOf = (member: Member) => async () => (await member.inbox()).map(({ content }) => content);

let bmo: Machine;
let r2d2: Machine;
let c3po: Machine;
let dave: NetHost;
let ann: Member;
let bob: Member;
let cat: Member;

beforeEach(({ skip }) => skip(missing !== undefined, missing));

beforeAll(async () => {
  if (missing !== undefined) return;
  const hosts = {
    bmo: await lab.host("bmo"),
    r2d2: await lab.host("r2d2"),
    c3po: await lab.host("c3po"),
  };
  dave = await lab.host("dave");
  const asPeer = (name: keyof typeof hosts, label: string) => ({ name, host: hosts[name], label });
  const plain = { name: "dave", host: dave, label: "Dave" };
  const peers = { bmo: asPeer("bmo", "BMO"), r2d2: asPeer("r2d2", "R2"), c3po: asPeer("c3po", "Goldie") };
  [bmo, r2d2, c3po] = await Promise.all([
    startOn(hosts.bmo, homeWith("bmo", [peers.r2d2, peers.c3po, plain])),
    startOn(hosts.r2d2, homeWith("r2d2", [peers.bmo, peers.c3po])),
    startOn(hosts.c3po, homeWith("c3po", [peers.bmo, peers.r2d2])),
  ]);
  ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "ann" });
  bob = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "bob" });
  cat = await registerAgent(c3po.hub.http, c3po.hub.join, { name: "cat" });
});
afterAll(async () => {
  await yard.clear();
  await lab.clear();
});

test("each of document 004's success criteria, between machines", async () => {
  // 1 and 2: text both ways. All three know each other by their addresses.
  await ann.send("bob@r2d2", "Hey R2, I'm picking up the chunking fix", { id: "n-1" });
  expect(await bob.inbox("?wait=60")).toMatchObject([
    { from: "ann@bmo", content: expect.any(String) as unknown },
  ]);
  await bob.send("ann@bmo", "Go ahead", { reply_to: "n-1" });
  expect(await ann.inbox("?wait=60")).toMatchObject([{ from: "bob@r2d2", content: "Go ahead" }]);
  await cat.send("bob@r2d2", "And me?");
  await expect.poll(wordsOf(bob), { timeout: 60_000 }).toContain("And me?");

  // 3 and 6: an agent at work gets it afterwards, in order, under the sender's label.
  const gate = join(tempFolder(), "gate");
  await spawnAgent(r2d2.hub, { name: "hal", project: tempFolder() });
  const person = (hub: HubProcess, method: string, path: string, body?: object) =>
    hub.http.call(method, path, { token: hub.operator, ...(body === undefined ? {} : { body }) });
  await person(r2d2.hub, "POST", "/api/agents/hal/messages", { message: `!gate ${gate} !say done` });
  await eventually(async () => {
    const { json } = await person(r2d2.hub, "GET", "/api/agents/hal");
    return json["state"] === "busy" ? true : undefined;
  }, "hal is busy");
  expect(curl(bmo.host, r2d2.host, { from: "bmo", to: "hal", text: "first" })).toMatchObject({
    ok: true,
    queued: true,
  });
  expect(curl(bmo.host, r2d2.host, { from: "bmo", to: "hal", text: "second" })).toMatchObject({
    queued: true,
  });
  writeFileSync(gate, "");
  const told = await eventually(async () => {
    const text = JSON.stringify((await person(r2d2.hub, "GET", "/api/agents/hal/turns")).json);
    return text.includes("second") ? text : undefined;
  }, "hal was told");
  expect(told).toMatch(/\[Agent\] BMO: first.*\[Agent\] BMO: second/s);

  // 4: the secret.
  const status = (...more: string[]) =>
    dave.run("curl", ["--silent", ...more, `http://${bmo.host.address}:${PORT}/agent/status`]).stdout;
  expect(JSON.parse(status("--header", "Authorization: Bearer wrong-secret"))).toMatchObject({
    ok: false,
    code: "UNAUTHENTICATED",
  });
  // 5: what came through a tunnel.
  expect(curl(dave, bmo.host, { text: "hello" }, ["CF-Ray: 1"])).toMatchObject({
    code: "PEER_NOT_LOCAL",
  });
  // 7: presence.
  expect(JSON.parse(status("--header", `Authorization: Bearer ${SECRET}`))).toMatchObject({
    ok: true,
    name: "bmo",
    status: expect.stringMatching(/idle|busy/) as unknown,
  });
  const log = () => readFileSync(join(r2d2.hub.home, "logs", "agent-comms.log"), "utf8");
  await expect.poll(log, { timeout: 60_000 }).toContain('"direction":"received"');
});

test("a cable that is pulled out in the middle and put back loses nothing and doubles nothing", async () => {
  await drainInbox(bob);
  const sent: string[] = [];
  const got: string[] = [];
  for (let round = 0; round < 1; round++) {
    for (let n = 0; n < 20; n++) {
      const id = `cut-${round}-${n}`;
      expect((await ann.send("bob@r2d2", id, { id })).status).toBe(202);
      sent.push(id);
      if (n === 6) r2d2.host.unplug();
      if (n === 13) r2d2.host.plugIn();
    }
    r2d2.host.unplug();
    got.push(...(await drainInbox(bob)).map(({ content }) => content));
    r2d2.host.plugIn();
  }
  await vi.waitUntil(
    async () => {
      got.push(...(await drainInbox(bob)).map(({ content }) => content));
      return got.length >= sent.length;
    },
    { timeout: 180_000, interval: 200 },
  );
  expect(got).toEqual(sent);
});

test("either machine is killed under load: nothing is lost, nothing comes twice, and the order holds", async () => {
  const accepted: string[] = [];
  const got: string[] = [];
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 15; n++) {
      const id = `kill-${round}-${n}`;
      if ((await cat.send("bob@r2d2", id, { id })).status === 202) accepted.push(id);
    }
    if (round % 2 === 0) {
      await r2d2.hub.kill();
      r2d2 = await startAgain(r2d2);
      bob = memberAt(r2d2.hub.http, bob);
    } else {
      await c3po.hub.kill();
      c3po = await startAgain(c3po);
      cat = memberAt(c3po.hub.http, cat);
    }
    got.push(...(await drainInbox(bob)).map(({ content }) => content));
  }
  await vi.waitUntil(
    async () => {
      got.push(...(await drainInbox(bob)).map(({ content }) => content));
      return got.filter((text) => text.startsWith("kill-")).length >= accepted.length;
    },
    { timeout: 180_000, interval: 200 },
  );
  expect(got.filter((text) => text.startsWith("kill-"))).toEqual(accepted);
});

test("a machine that has only curl writes and is told so; what is none of its peers, and a proxy, are refused", async () => {
  await drainInbox(ann);
  expect(curl(dave, bmo.host, { text: "Hey BMO" })).toMatchObject({ ok: true, queued: false });
  expect(await ann.inbox("?wait=60")).toMatchObject([{ from: "dave", content: "Hey BMO", trust: "peer" }]);
  expect(curl(dave, r2d2.host, { text: "I am nobody's peer there" })).toMatchObject({
    code: "PEER_UNKNOWN",
  });
  for (const header of ["X-Forwarded-For: 10.77.0.9", "Via: 1.1 proxy", "CDN-Loop: cloudflare"])
    expect(curl(bmo.host, bmo.host, { from: "r2d2", text: "hello" }, [header])).toMatchObject({
      ok: false,
      code: "PEER_NOT_LOCAL",
    });
  // The hub's own routes are not on the network.
  const own = dave.run("curl", [
    "--silent",
    "--max-time",
    "5",
    `http://${bmo.host.address}:${bmo.hub.port}/api/health`,
  ]);
  expect(own.stdout).toBe("");
  const { stdout } = await patientCli(["peers"], { env: { HUDDLE_HOME: bmo.hub.home }, columns: 200 });
  expect(stdout).toMatch(/r2d2: key: first seen \d\d:\d\d, not verified \([a-z2-7]{32}\)/);
});

test("a request of one machine is claimed on another, and a task is handed over to a third", async () => {
  const asked = await ann.call("POST", "/api/requests", {
    body: { description: "Who has a Mac?", hubs: ["all"], timeout_seconds: 3600 },
  });
  const id = String(asked.json["request_id"]);
  const there = `/api/requests/${encodeURIComponent(`${id}@bmo`)}`;
  for (const member of [bob, cat])
    await expect
      .poll(async () => (await member.call("GET", there)).json["status"], { timeout: 60_000 })
      .toBe("open");
  const claims = await Promise.all(
    [bob, cat].map((member) =>
      patiently(async () => {
        const answer = await member.call("POST", `${there}/claim`);
        expect(answer.json["code"]).not.toBe("OWNER_UNREACHABLE");
        return answer;
      }),
    ),
  );
  const winners = [bob, cat].filter((_, i) => claims[i]?.json["claimed"] === true);
  expect(winners).toHaveLength(1);
  for (const winner of winners) await winner.call("POST", `${there}/answer`, { body: { message: "I have" } });
  await expect
    .poll(async () => (await ann.call("GET", `/api/requests/${id}`)).json, { timeout: 60_000 })
    .toMatchObject({ status: "answered", answer_text: "I have" });

  await drainInbox(cat);
  const handed = await ann.call("POST", "/api/agents/ann/handoff", {
    body: { to: "cat@c3po", task: "the login", summary: "The tests are left.", forward: true },
  });
  expect(handed.status).toBeLessThan(300);
  await expect
    .poll(async () => cat.inbox(), { timeout: 60_000 })
    .toContainEqual(expect.objectContaining({ type: "handoff", from: "ann@bmo" }));
  const eve = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "eve" });
  await eve.send("ann", "Is the login done?");
  await expect.poll(wordsOf(cat), { timeout: 60_000 }).toContain("Is the login done?");
});
