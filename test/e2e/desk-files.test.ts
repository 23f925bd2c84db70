import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { sendRaw } from "../fakes/raw-socket.js";

/* PROTOCOL 7.5: the page of the desk and its parts, open to every browser. */

const yard = createHubYard();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start();
});
afterAll(() => yard.clear());

const get = (path: string, headers: Record<string, string> = {}) => hub.http.call("GET", path, { headers });

test("the page may load nothing but what this origin serves", async () => {
  const { status, headers } = await get("/");

  expect(status).toBe(200);
  const policy = String(headers["content-security-policy"]).split("; ");
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    expect.stringMatching(/^style-src 'self' 'nonce-[\w-]{22}'$/),
    "font-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ws://127.0.0.1:${hub.port}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ]);
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(headers["permissions-policy"]).toContain("camera=()");
});

test("the page names the nonce of its own answer", async () => {
  const [one, other] = [await get("/"), await get("/")];
  const nonceOf = ({ headers }: typeof one) =>
    /'nonce-([\w-]+)'/.exec(String(headers["content-security-policy"]))?.[1] ?? "none";

  expect(one.text).toContain(`nonce="${nonceOf(one)}"`);
  expect(nonceOf(other)).not.toBe(nonceOf(one));
});

test("every part of the page is there, with its type, to be kept for good", async () => {
  const { text } = await get("/");
  const parts = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");

  expect(parts.length).toBeGreaterThanOrEqual(3);
  for (const path of parts) {
    const { status, headers } = await get(path);
    expect({ path, status, type: headers["content-type"] }).toEqual({
      path,
      status: 200,
      type: typeOf(path),
    });
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
  }
});

function typeOf(path: string): string | undefined {
  if (path.endsWith(".js")) return "text/javascript; charset=utf-8";
  if (path.endsWith(".css")) return "text/css; charset=utf-8";
  return path.endsWith(".svg") ? "image/svg+xml" : undefined;
}

test.each([
  "/assets/../index.html",
  "/assets/../../main.js",
  "/assets/..%2f..%2fmain.js",
  "/assets/%2e%2e%2findex.html",
  "/assets/..%5c..%5cmain.js",
  "/assets/....//index.html",
  "/assets//etc/passwd",
  "/assets/%2fetc%2fpasswd",
  "/assets/index.html",
  "/assets/",
  "/assets",
  "/assets/.",
  "/assets/..",
  "/assets/%00",
  "/assets/%c0%ae%c0%ae%c0%afmain.js",
  "/assets/__proto__",
  "/assets/constructor",
  "/.vite/manifest.json",
  "/index.html",
  "/web/index.html",
])("nothing else is served: GET %s", async (path) => {
  const answer = await sendRaw(hub.port, [
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${hub.port}\r\nConnection: close\r\n\r\n`,
  ]);

  expect(answer.text).toMatch(/^HTTP\/1\.1 40[14] /);
  expect(answer.text).not.toContain("<!doctype");
});

test("a page of another site gets neither the page nor its parts", async () => {
  const foreign = await get("/", { origin: "http://evil.example" });
  const rebound = await get("/", { host: "evil.example" });

  expect([foreign.status, rebound.status]).toEqual([403, 403]);
});
