import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { openServerSentEvents, openWebSocket } from "../fakes/event-streams.js";
import { createHubYard, launchHub, signalProcess } from "../fakes/hub-process.js";
import { drainInbox, memberAt, registerAgent } from "../fakes/member.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { patiently } from "../fakes/patiently.js";

const yard = createHubYard();
afterAll(() => yard.clear());

describe.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s", (signal) => {
  test("answers open waits, tells open streams, ends with 0 and takes hub.json away", async () => {
    const hub = await yard.start();
    const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    const wait = ann.call("GET", "/api/inbox?wait=60");
    const streams = [
      await openWebSocket(hub.url, { token: ann.token }),
      await openServerSentEvents(hub.url, { token: ann.token }),
    ];
    await Promise.all(streams.map((stream) => stream.until(({ type }) => type === "ready")));
    await patiently(async () => {
      const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
      expect(json["readers"]).toBe(3);
    });
    const said: unknown = JSON.parse(readFileSync(join(hub.home, "hub.json"), "utf8"));
    expect(said).toEqual({ url: hub.url, pid: hub.pid });

    signalProcess(hub.pid, signal);
    const answer = await wait;
    const end = await hub.ended;

    expect(answer).toMatchObject({
      status: 200,
      json: { messages: [{ type: "system", from: "hub", notice: "stop" }] },
    });
    expect(end).toMatchObject({ code: 0, signal: null, stderr: "" });
    for (const stream of streams) {
      expect(stream.frames.at(-1)).toMatchObject({ type: "dropped", reason: "the hub is stopping" });
    }
    expect(existsSync(join(hub.home, "hub.json"))).toBe(false);
    // A clean stop leaves the journal whole in one file.
    expect(readdirSync(hub.home).filter((name) => name.startsWith("huddle.db"))).toEqual(["huddle.db"]);
  });
});

test("a stop under load answers everything that it accepted, and nothing that it accepted is lost", async () => {
  const home = yard.home();
  const hub = await yard.start({ home, set: ["inbox.cap=100000"] });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const ben = await registerAgent(hub.http, hub.join, { name: "ben" });
  const accepted = new Set<string>();
  const statuses = new Set<number>();
  const senders = Array.from({ length: 16 }, async (_, sender) => {
    try {
      for (let n = 0; ; n++) {
        const id = `s${sender}-${n}`;
        const { status } = await ann.send("ben", "hello", { id });
        statuses.add(status);
        if (status !== 202) return;
        accepted.add(id);
      }
    } catch {
      // The door is closed.
    }
  });
  await patiently(() => expect(accepted.size).toBeGreaterThan(200));

  expect(await hub.stop()).toMatchObject({ code: 0 });
  await Promise.all(senders);
  const again = await yard.start({ home, set: ["inbox.cap=100000"] });
  const read = new Set((await drainInbox(memberAt(again.http, ben))).map(({ id }) => id));

  expect([...accepted].filter((id) => !read.has(id))).toEqual([]);
  expect([...statuses].filter((status) => status !== 202 && status !== 503)).toEqual([]);
});

test("a hub told to stop while it starts ends all the same, and the next one starts", async () => {
  const home = yard.home();
  for (const delay of [50, 150, 250, 350]) {
    const launch = launchHub({ home });
    await sleep(delay);
    signalProcess(launch.pid, "SIGTERM");
    await launch.ended;
  }

  const hub = await yard.start({ home });
  expect((await hub.http.call("GET", "/api/health", { token: hub.operator })).status).toBe(200);
});

test("a socket whose upgrade comes while the hub stops is refused, and does not keep the hub", async () => {
  const hub = await yard.start();
  const { ticket } = (await hub.http.call("POST", "/auth/ticket", { token: hub.operator })).json;
  // It never closes its own side.
  const late = connect({ port: hub.port, host: "127.0.0.1", allowHalfOpen: true });
  let answer = "";
  late.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  // All of the request but its last line: the hub lets what has begun finish, for a moment.
  late.write(
    `GET /api/events?ticket=${String(ticket)} HTTP/1.1\r\nHost: 127.0.0.1:${hub.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n`,
  );
  await hub.http.call("GET", "/api/health", { token: hub.operator });

  signalProcess(hub.pid, "SIGTERM");
  await vi.waitUntil(() => isRefused(hub.port), { timeout: PATIENCE_MS, interval: 5 });
  late.write("\r\n");

  expect(await hub.ended).toMatchObject({ code: 0 });
  late.destroy();
  expect(answer).toContain("SHUTTING_DOWN");
});

/** Whether nobody listens there any more. */
async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}
