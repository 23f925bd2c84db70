import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWebSocket } from "../fakes/event-streams.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { sendRaw } from "../fakes/raw-socket.js";

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;

beforeAll(async () => {
  hub = await yard.start({ set: ["events.readers=200"] });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
});
afterAll(() => yard.clear());

const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n`;
const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
const head = (line = "GET /api/events HTTP/1.1") =>
  `${line}\r\nHost: localhost:${hub.port}\r\nAuthorization: Bearer ${ann.token}\r\n`;

describe("an upgrade with", () => {
  test.each([
    ["no key", () => `${head()}${upgrade}Sec-WebSocket-Version: 13\r\n\r\n`, [400]],
    [
      "a short key",
      () => `${head()}${upgrade}Sec-WebSocket-Key: abc\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      [400],
    ],
    ["no version", () => `${head()}${upgrade}${key}\r\n`, [400, 426]],
    ["version 99", () => `${head()}${upgrade}${key}Sec-WebSocket-Version: 99\r\n\r\n`, [400, 426]],
    ["another protocol", () => `${head()}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`, [400, 426]],
    [
      "method POST",
      () => `${head("POST /api/events HTTP/1.1")}${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`,
      [400, 405],
    ],
    [
      "another path",
      () => `${head("GET /api/inbox HTTP/1.1")}${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`,
      [404],
    ],
    [
      "a path outside",
      () => `${head("GET //evil.com/api/events HTTP/1.1")}${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`,
      [400, 404],
    ],
    [
      "no path",
      () => `${head("GET http: HTTP/1.1")}${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`,
      [400, 404],
    ],
    [
      "after in words",
      () => `${head("GET /api/events?after=now HTTP/1.1")}${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`,
      [400],
    ],
    [
      "after in the future",
      () =>
        `${head("GET /api/events?after=99999999 HTTP/1.1")}${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`,
      [400],
    ],
    [
      "an unknown parameter",
      () => `${head("GET /api/events?x=1 HTTP/1.1")}${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`,
      [400],
    ],
  ])("%s is refused in the 400s and the hub goes on", async (_, request, statuses) => {
    const { status, text } = await sendRaw(hub.port, [request()]);

    expect(statuses, text).toContain(status);
    await expectAlive();
  });
});

/** A client's frame: header, mask of zeros, payload. */
function frame(firstByte: number, payload: Buffer, { masked = true, claims = payload.length } = {}): Buffer {
  const mask = masked ? 0x80 : 0;
  const header =
    claims < 126
      ? Buffer.from([firstByte, mask | claims])
      : claims < 65_536
        ? Buffer.from([firstByte, mask | 126, claims >> 8, claims & 255])
        : Buffer.concat([Buffer.from([firstByte, mask | 127]), bigEndian(claims)]);
  return Buffer.concat([header, masked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
}

function bigEndian(n: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(n));
  return bytes;
}

const TEXT = 0x81;
const BINARY = 0x82;
const PING = 0x89;

describe("a socket that sends", () => {
  test.each([
    ["a frame of 5 kB", [frame(TEXT, Buffer.alloc(5000, "x"))], 1009],
    ["a frame that claims 1 GB", [frame(TEXT, Buffer.alloc(10), { claims: 1e9 })], 1009],
    ["a frame that claims 2^62 bytes", [frame(TEXT, Buffer.alloc(10), { claims: 2 ** 62 })], 1009],
    [
      "fragments that add up to 8 kB",
      [frame(0x01, Buffer.alloc(4000)), frame(0x80, Buffer.alloc(4000))],
      1009,
    ],
    ["an unmasked frame", [frame(TEXT, Buffer.from("x"), { masked: false })], 1002],
    ["an unknown opcode", [frame(0x8b, Buffer.from("x"))], 1002],
    ["reserved bits", [frame(0xf1, Buffer.from("x"))], 1002],
    ["invalid UTF-8", [frame(TEXT, Buffer.from([0xff, 0xfe]))], 1007],
    ["a ping of 200 bytes", [frame(PING, Buffer.alloc(200))], 1002],
    ["a close with code 1", [frame(0x88, Buffer.from([0, 1]))], 1002],
    ["a continuation of nothing", [frame(0x80, Buffer.from("x"))], 1002],
    ["plain HTTP", [Buffer.from("GET / HTTP/1.1\r\n\r\n")], 1002],
  ])("%s is closed, and the hub goes on", async (_, frames, code) => {
    const socket = await upgraded();
    for (const bytes of frames) socket.write(bytes);

    expect(await closeCodeOf(socket)).toBe(code);
    await expectAlive();
  });

  test.each([
    ["text", frame(TEXT, Buffer.from('{"type":"hello"}'))],
    ["binary", frame(BINARY, randomBytes(1000))],
    ["pings", frame(PING, Buffer.from("hi"))],
  ])("%s within the limit is not listened to, and still gets its events", async (_, bytes) => {
    const stream = await openWebSocket(hub.url, { token: ann.token });
    const socket = await upgraded();
    for (let i = 0; i < 50; i++) socket.write(bytes);
    await hub.http.call("POST", "/api/agents/ann/messages", {
      token: hub.operator,
      body: { message: "event" },
    });

    await stream.until(({ type }) => type === "MessageAccepted");
    expect(socket.destroyed).toBe(false);
    socket.destroy();
    stream.close();
  });

  test("garbage, 200 times over, never brings the hub down or leaves a reader behind", async () => {
    const seeds = chooseSeeds();
    for (let round = 0; round < 20; round++) {
      const random = createRandom((seeds[round % seeds.length] ?? 0) + round);
      const sockets = await Promise.all(Array.from({ length: 10 }, () => upgraded()));
      for (const socket of sockets) {
        socket.write(random.bytes(1 + random.int(300)));
        socket.end();
      }
      await Promise.all(sockets.map((socket) => new Promise((done) => socket.once("close", done).resume())));
    }

    await expectAlive();
    await expect
      .poll(
        async () => (await hub.http.call("GET", "/api/health", { token: hub.operator })).json["readers"],
        {
          timeout: PATIENCE_MS,
        },
      )
      .toBe(0);
  });
});

test("more streams than the cap are refused with 429, and closing one makes room", async () => {
  const own = await yard.start({ set: ["events.readers=3"] });
  const open = () => openWebSocket(own.url, { token: own.operator });
  const streams = await Promise.all([open(), open(), open()]);

  await expect(open()).rejects.toMatchObject({ status: 429, code: "TOO_MANY_READERS" });

  streams[0]?.close();
  await expect
    .poll(
      () =>
        open().then(
          () => "open",
          () => "refused",
        ),
      { timeout: PATIENCE_MS },
    )
    .toBe("open");
});

function upgraded(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(hub.port, "127.0.0.1");
    socket.once("error", reject);
    socket.write(`${head()}${upgrade}${key}Sec-WebSocket-Version: 13\r\n\r\n`);
    socket.once("data", (bytes) => {
      socket.off("error", reject).on("error", () => {});
      if (bytes.toString("latin1").startsWith("HTTP/1.1 101")) resolve(socket);
      else reject(new Error(bytes.toString("latin1")));
    });
  });
}

/** The code of the close frame that the hub sends before it hangs up. */
function closeCodeOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on("data", (bytes) => chunks.push(bytes));
    socket.once("close", () => {
      const bytes = Buffer.concat(chunks);
      const at = bytes.lastIndexOf(0x88);
      resolve(at === -1 ? 0 : bytes.readUInt16BE(at + 2));
    });
    socket.resume();
  });
}

async function expectAlive(): Promise<void> {
  const { status, json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
  expect({ status, pid: json["pid"] }).toEqual({ status: 200, pid: hub.pid });
}
