import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServerSentEvents, openWebSocket, Refused } from "../fakes/event-streams.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { sendRaw } from "../fakes/raw-socket.js";

/* Web pages that drive the local hub: cross-site requests, WebSocket hijack, DNS rebinding. PORT stands for the hub's. */

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;

beforeAll(async () => {
  hub = await yard.start();
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
});
afterAll(() => yard.clear());

const foreignOrigins = [
  "null",
  "",
  "http://localhost.evil.com",
  "http://localhost.evil.com:PORT",
  "http://127.0.0.1.evil.com:PORT",
  "http://evil.com",
  "https://evil.com:PORT",
  "https://localhost:PORT",
  "https://127.0.0.1:PORT",
  "http://localhost",
  "http://127.0.0.1",
  "http://localhost:1",
  "http://localhost:PORT0",
  "http://localhost:PORT.evil.com",
  "http://localhost:PORT/",
  "http://localhost:PORT@evil.com",
  "http://user@localhost:PORT",
  "http://0.0.0.0:PORT",
  "http://[::]:PORT",
  "http://127.0.0.2:PORT",
  "http://2130706433:PORT",
  "http://localhost.:PORT",
  "ws://localhost:PORT",
  "file://",
  "chrome-extension://abcdefghijklmnop",
  "vscode-webview://1234",
  "http://localhost:PORT, http://evil.com",
];
const ownOrigins = [
  "http://127.0.0.1:PORT",
  "http://localhost:PORT",
  "http://[::1]:PORT",
  "HTTP://LOCALHOST:PORT",
];

const withPort = (text: string) => text.replaceAll("PORT", String(hub.port));

describe("a WebSocket", () => {
  test.each(foreignOrigins)(
    'from origin "%s" is refused before the upgrade, token or not',
    async (origin) => {
      const headers = { origin: withPort(origin) };
      const ticket = await newTicket();

      for (const attempt of [{ token: ann.token }, { token: hub.operator }, { query: `?ticket=${ticket}` }]) {
        await expect(openWebSocket(hub.url, { ...attempt, headers })).rejects.toMatchObject({
          status: 403,
          code: "ORIGIN_NOT_ALLOWED",
        });
      }
    },
  );

  test.each(ownOrigins)(
    'from the hub\'s own origin "%s" opens with a token and not without',
    async (origin) => {
      const headers = { origin: withPort(origin) };

      await expect(openWebSocket(hub.url, { headers })).rejects.toMatchObject({ status: 401 });
      const stream = await openWebSocket(hub.url, { headers, token: ann.token });
      await stream.until(({ type }) => type === "ready");
      stream.close();
    },
  );
});

describe("server-sent events", () => {
  test.each(foreignOrigins.slice(0, 5))('from origin "%s" are refused', async (origin) => {
    const headers = { origin: withPort(origin) };

    await expect(openServerSentEvents(hub.url, { token: ann.token, headers })).rejects.toBeInstanceOf(
      Refused,
    );
  });
});

const pairs: { host: string; origin?: string; status: number; code?: string }[] = [
  ...["127.0.0.1:PORT", "localhost:PORT", "[::1]:PORT", "LOCALHOST:PORT"].map((host) => ({
    host,
    status: 200,
  })),
  ...["http://127.0.0.1:PORT", "http://localhost:PORT", "http://[::1]:PORT"].map((origin) => ({
    host: "localhost:PORT",
    origin,
    status: 200,
  })),
  ...[
    "evil.com",
    "evil.com:PORT",
    "localhost",
    "127.0.0.1",
    "localhost:1",
    "localhost:PORT0",
    "localhost.evil.com:PORT",
    "127.0.0.1.nip.io:PORT",
    "0.0.0.0:PORT",
    "127.0.0.2:PORT",
    "2130706433:PORT",
    "0x7f.1:PORT",
    "localhost.:PORT",
    "[::]:PORT",
    "[::ffff:127.0.0.1]:PORT",
    "user@localhost:PORT",
    "localhost:PORT@evil.com",
    "localhost:PORT:PORT",
    "localhost:PORT/x",
  ].map((host) => ({ host, status: 403, code: "HOST_NOT_ALLOWED" })),
  // A rebound name: the page and the host agree, and are still not us.
  { host: "evil.com:PORT", origin: "http://evil.com:PORT", status: 403, code: "HOST_NOT_ALLOWED" },
  { host: "evil.com:PORT", origin: "http://localhost:PORT", status: 403, code: "HOST_NOT_ALLOWED" },
  ...foreignOrigins
    .filter((origin) => origin !== "")
    .map((origin) => ({ host: "127.0.0.1:PORT", origin, status: 403, code: "ORIGIN_NOT_ALLOWED" })),
];

describe("a request", () => {
  test.each(pairs)(
    "with Host $host and Origin $origin answers $status",
    async ({ host, origin, status, code }) => {
      const answer = await sendRaw(hub.port, [
        `GET /api/health HTTP/1.1\r\nHost: ${withPort(host)}\r\nAuthorization: Bearer ${hub.operator}\r\n` +
          `${origin === undefined ? "" : `Origin: ${withPort(origin)}\r\n`}Connection: close\r\n\r\n`,
      ]);

      expect({ status: answer.status, code: answer.json["code"] }).toEqual({ status, code });
    },
  );

  test.each([
    ["no Host", "GET /api/health HTTP/1.1\r\n"],
    ["an empty Host", "GET /api/health HTTP/1.1\r\nHost:\r\n"],
    ["two Hosts, the second ours", "GET /api/health HTTP/1.1\r\nHost: evil.com\r\nHost: localhost:PORT\r\n"],
    ["HTTP/1.0 and no Host", "GET /api/health HTTP/1.0\r\n"],
    ["an absolute target elsewhere", "GET http://evil.com/api/health HTTP/1.1\r\nHost: evil.com\r\n"],
  ])("with %s is refused", async (_, head) => {
    const answer = await sendRaw(hub.port, [
      `${withPort(head)}Authorization: Bearer ${hub.operator}\r\nConnection: close\r\n\r\n`,
    ]);

    expect([400, 403]).toContain(answer.status);
  });

  test("never gets a header that opens it to other pages", async () => {
    const origin = `http://localhost:${hub.port}`;
    const answers = [
      await ann.call("GET", "/api/health", { headers: { origin } }),
      await ann.call("OPTIONS", "/api/health", {
        headers: { origin, "access-control-request-method": "GET" },
      }),
      await hub.http.call("OPTIONS", "/api/agents", { headers: { origin: "http://evil.com" } }),
    ];

    for (const { headers } of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 405, 403]);
  });
});

async function newTicket(): Promise<string> {
  const { json } = await ann.call("POST", "/auth/ticket");
  return String(json["ticket"]);
}
