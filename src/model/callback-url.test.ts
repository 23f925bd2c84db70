import { expect, test } from "vitest";
import { callbackStart, findCallbackPeer } from "./callback-url.js";

const peers = [
  { name: "r2d2", host: "mini.local", port: 3847 },
  { name: "here", host: "127.0.0.1", port: 8080 },
  { name: "v4", host: "192.168.1.7", port: 3847 },
  { name: "v6", host: "fd00::7", port: 3847 },
  { name: "web", host: "web.local", port: 80 },
];

test.each([
  ["http://mini.local:3847", "r2d2"],
  ["http://mini.local:3847/", "r2d2"],
  ["http://mini.local:3847/agent/message?a=b&c=@d#e", "r2d2"],
  ["http://MINI.local:3847/x", "r2d2"],
  ["http://127.0.0.1:8080/hook", "here"],
  ["http://192.168.1.7:3847/hook", "v4"],
  ["http://[fd00::7]:3847/hook", "v6"],
  ["http://web.local/hook", "web"],
  ["http://web.local:80/hook", "web"],
])("%s is a callback to %s", (url, name) => {
  expect(findCallbackPeer(url, peers)?.name).toBe(name);
});

test("every peer is called by how its URLs begin", () => {
  for (const peer of peers) expect(findCallbackPeer(`${callbackStart(peer)}x`, peers)).toBe(peer);
});

/** Ways to mean a machine that is no peer, a peer by another name, or to look like one. */
const astray = [
  // Nobody's.
  "http://evil.example/",
  "http://evil.example:3847/",
  "http://mini.local.evil.example:3847/",
  "http://evil-mini.local:3847/",
  "http://mini.locale:3847/",
  "http://local:3847/",
  "http://localhost:8080/",
  "http://localhost:3847/",
  // Another port of a peer.
  "http://mini.local/",
  "http://mini.local:80/",
  "http://mini.local:22/",
  "http://mini.local:38470/",
  "http://mini.local:03847/",
  "http://mini.local:+3847/",
  "http://mini.local:/",
  "http://web.local:8080/",
  "http://127.0.0.1/",
  "http://127.0.0.1:9223/api/health",
  // Loopback and the like, in numbers.
  "http://2130706433:8080/",
  "http://017700000001:8080/",
  "http://0x7f000001:8080/",
  "http://0x7f.0.0.1:8080/",
  "http://0177.0.0.1:8080/",
  "http://127.1:8080/",
  "http://127.0.1:8080/",
  "http://127.0.0.01:8080/",
  "http://127.0.0.2:8080/",
  "http://127.0.0.1.:8080/",
  "http://0:8080/",
  "http://0.0.0.0:8080/",
  "http://[::1]:8080/",
  "http://[::]:8080/",
  "http://[::ffff:127.0.0.1]:8080/",
  "http://[::ffff:7f00:1]:8080/",
  "http://[0:0:0:0:0:ffff:127.0.0.1]:8080/",
  "http://[::127.0.0.1]:8080/",
  "http://[64:ff9b::7f00:1]:8080/",
  "http://127.0.0.1.nip.io:8080/",
  // A peer's address, written otherwise.
  "http://3232235783:3847/",
  "http://0xc0a80107:3847/",
  "http://0300.0250.01.07:3847/",
  "http://192.168.263:3847/",
  "http://192.168.1.7.:3847/",
  "http://192.168.1.007:3847/",
  "http://[::ffff:192.168.1.7]:3847/",
  "http://[fd00:0:0:0:0:0:0:7]:3847/",
  "http://[fd00::7%25eth0]:3847/",
  "http://fd00::7:3847/",
  // Clouds' metadata, link-local, multicast.
  "http://169.254.169.254/latest/meta-data/",
  "http://169.254.169.254:3847/",
  "http://2852039166/",
  "http://[fe80::1]:3847/",
  "http://[fd00:ec2::254]/",
  "http://metadata.google.internal/",
  "http://224.0.0.1:3847/",
  "http://255.255.255.255:3847/",
  // Somebody's name before, a dot behind, escapes within.
  "http://mini.local:3847@evil.example/",
  "http://mini.local@evil.example:3847/",
  "http://user:pass@mini.local:3847/",
  "http://user@mini.local:3847/",
  "http://@mini.local:3847/",
  "http://:@mini.local:3847/",
  "http://mini.local.:3847/",
  "http://mini.local%2eevil.example:3847/",
  "http://mini%2elocal:3847/",
  "http://mini.local%00.evil.example:3847/",
  "http://mini.local%23@evil.example:3847/",
  "http://mini。local:3847/",
  "http://ｍini.local:3847/",
  "http://mіni.local:3847/",
  "http://127。0。0。1:8080/",
  "http://①②⑦.0.0.1:8080/",
  // What parsers read in two ways.
  "http://mini.local:3847\\@evil.example/",
  "http://evil.example\\@mini.local:3847/",
  "http:\\\\mini.local:3847/",
  "http:/mini.local:3847/",
  "http:mini.local:3847/",
  "http:///mini.local:3847/",
  "http://mini.local:3847 @evil.example/",
  "http://mini.local:3847/\r\nX-Header: x",
  "http://mini.local:3847/a b",
  "http://mini.local:3847\t/",
  " http://mini.local:3847/",
  "http://mini.local:3847/é",
  // Other schemes.
  "https://mini.local:3847/",
  "ftp://mini.local:3847/",
  "file:///etc/passwd",
  "gopher://mini.local:3847/",
  "unix:/run/docker.sock",
  "javascript:alert(1)",
  "//mini.local:3847/",
  "mini.local:3847/",
  "",
];

test("there are enough of them, and no two are the same", () => {
  expect(new Set(astray).size).toBe(astray.length);
  expect(astray.length).toBeGreaterThanOrEqual(80);
});

test.each(astray)("%j is no peer's", (url) => {
  expect(findCallbackPeer(url, peers)).toBeUndefined();
});
