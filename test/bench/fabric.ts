import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { readRequest, writeAdmission } from "../../src/fabric/lines.js";
import { admitHub, initFabric } from "../../src/fabric/steward.js";
import { freePort } from "../fakes/hub-sides.js";
import { drainInbox, type Member, memberAt, registerAgent } from "../fakes/member.js";
import type { BenchHub, Lab } from "./lab.js";
import { checkOrder, pairOfHubs, person, settings, until, writeMany } from "./links.js";
import type { Measurement, Row } from "./row.js";
import { median, type Pair, summarize } from "./statistics.js";
import { within } from "./within.js";

/* What the fabric costs, against linked hubs that call each other over HTTP, in the same run. */

type Side = { hub: BenchHub; name: string; peerPort: number };
type Two = { bmo: Side; r2d2: Side; ann: Member; bob: Member };

export const fabric: Measurement = {
  name: "fabric",
  async run(lab) {
    const pairs = { http: await pairOfHubs(lab), fabric: await pairOnFabric(lab) };
    return [await latency(lab, pairs), await drain(lab, pairs)];
  },
};

async function pairOnFabric(lab: Lab): Promise<Two> {
  const folder = lab.folder();
  initFabric(folder, { name: "bench", hosts: ["127.0.0.1"], port: await freePort() }, Date.now());
  const server = spawn(process.execPath, ["dist/main.js", "fabric", "up", `--folder=${folder}`], {
    stdio: "ignore",
  });
  lab.onClose(async () => {
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    await ended;
  });
  const [bmo, r2d2] = [await startSide(lab, "bmo"), await startSide(lab, "r2d2")];
  for (const { hub } of [bmo, r2d2]) {
    const { json } = await person(hub, "POST", "/api/fabric/request");
    const admitted = admitHub(folder, readRequest(String(json["line"])), { asSteward: true }, Date.now());
    await person(hub, "POST", "/api/fabric/join", { line: writeAdmission(admitted) });
  }
  const ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "ann" });
  const bob = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "bob" });
  const peers = async () => ((await person(bmo.hub, "GET", "/api/peers")).json["peers"] as unknown[]).length;
  await until(peers, (n) => n === 1);
  return { bmo, r2d2, ann, bob };
}

async function startSide(lab: Lab, name: string): Promise<Side> {
  const peerPort = await freePort();
  return { hub: await lab.hub({ set: settings(name, peerPort) }), name, peerPort };
}

/** One message at a time, from the call to a reader that waits for it. */
async function latency(lab: Lab, pairs: Record<"http" | "fabric", Two>): Promise<Row> {
  const warmUp = 30;
  const rounds: Pair[] = [];
  for (let n = 0; n < warmUp; n++) for (const two of [pairs.http, pairs.fabric]) await sendAndRead(two);
  for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
    const times = { http: [] as number[], fabric: [] as number[] };
    for (let n = 0; n < (lab.quick ? 20 : 60); n++) {
      times.http.push(await sendAndRead(pairs.http));
      times.fabric.push(await sendAndRead(pairs.fabric));
    }
    rounds.push({ anchor: median(times.http), ours: median(times.fabric) });
  }
  return {
    what: "Send until a reader at another hub of the fabric has it, p50",
    against: "the same between hubs that call each other over HTTP",
    unit: "ms",
    ...summarize(rounds),
    limit: { on: "ratio", is: "at most", bound: 2 },
  };
}

async function sendAndRead({ ann, bob }: Two): Promise<number> {
  const reading = bob.inbox("?wait=60");
  await sleep(5);
  const start = performance.now();
  const sending = ann.send("bob@r2d2", "x".repeat(200));
  const messages = await within(20_000, "a message of another hub", reading);
  const took = performance.now() - start;
  await sending;
  await bob.ack(messages.map(({ id }) => id));
  await sleep(20);
  return took;
}

/** Mail that waited for a hub until it came back. */
async function drain(lab: Lab, pairs: Record<"http" | "fabric", Two>): Promise<Row> {
  const count = lab.quick ? 2000 : 10_000;
  const rates = {
    http: await drainOne(lab, pairs.http, count),
    fabric: await drainOne(lab, pairs.fabric, count),
  };
  return {
    what: `${count.toLocaleString("en")} messages that waited for a hub of the fabric go out, in order`,
    against: "the same between hubs that call each other over HTTP",
    unit: "/s",
    ...summarize([{ anchor: rates.http, ours: rates.fabric }]),
    limit: { on: "ratio", is: "at least", bound: 1 },
  };
}

async function drainOne(lab: Lab, { r2d2, ann, bob }: Two, count: number): Promise<number> {
  await lab.stop(r2d2.hub);
  await writeMany(ann, count);
  const back = await lab.hub({ home: r2d2.hub.home, set: settings(r2d2.name, r2d2.peerPort) });
  const reader = memberAt(back.http, bob);
  const unread = async () => Number((await reader.call("GET", "/api/health")).json["unread"] ?? 0);
  const began = await until(unread, (n) => n > 0);
  const ended = await until(unread, (n) => n >= count);
  checkOrder(
    (await drainInbox(reader)).map(({ content }) => content),
    count,
  );
  return ((ended.n - began.n) * 1000) / (ended.at - began.at);
}
