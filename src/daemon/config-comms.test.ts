import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { refusalOf } from "../../test/refusal-of.js";
import { loadConfig } from "./config-load.js";
import { describeConfig } from "./describe-config.js";
import { listenAddress } from "./lan-address.js";

function load(text: string, overrides: readonly string[] = []) {
  const file = join(tempFolder(), "huddle.yaml");
  writeFileSync(file, text);
  return { file, load: () => loadConfig({ file, overrides }) };
}

function complaints(text: string, overrides: readonly string[] = []): string[] {
  const { file, load: read } = load(text, overrides);
  const { code, message } = refusalOf(read);
  expect(code).toBe("CONFIG_INVALID");
  return message
    .replace("The configuration is wrong: ", "")
    .split("\n  ")
    .map((line) => line.replaceAll(file, "F"))
    .filter((line) => !line.startsWith("The configuration has"));
}

test("the configuration of document 004 works as written", () => {
  const { config } = load(
    [
      "agent-comms:",
      "  enabled: true",
      "  secret: keychain:credential-agent-comms-secret",
      "  peers:",
      "    - name: r2d2",
      "      host: chrissys-mac-mini.local",
      "      port: 3847",
    ].join("\n"),
  ).load();

  expect(config["agent-comms"]).toMatchObject({
    enabled: true,
    secret: "keychain:credential-agent-comms-secret",
    peers: [{ name: "r2d2", host: "chrissys-mac-mini.local", port: 3847 }],
  });
});

test("without the section nothing is enabled, and every key has its default", () => {
  expect(load("").load().config["agent-comms"]).toEqual({
    enabled: false,
    secret: "none",
    name: "machine",
    agent: "none",
    host: "lan",
    port: 3847,
    interrupt: false,
    rate: 0,
    body_limit: 1_048_576,
    connections: 64,
    inbox_share: 500,
    peers: [],
  });
});

test("a peer may have a secret and a label of its own, and port 3847 unless it says so", () => {
  const text = "agent-comms: {enabled: true, peers: [{name: r2, host: 10.0.0.7, secret: env:R2, label: R2}]}";
  expect(load(text).load().config["agent-comms"].peers).toEqual([
    { name: "r2", host: "10.0.0.7", port: 3847, secret: "env:R2", label: "R2" },
  ]);
});

test("enabled without a secret is refused, with the way out", () => {
  expect(complaints("agent-comms:\n  enabled: true\n")).toEqual([
    "F:2:12: agent-comms.enabled: needs a secret: run `huddle secret set agent-comms --generate`, and write what it prints as agent-comms.secret",
  ]);
  expect(
    complaints(
      "agent-comms:\n  enabled: true\n  peers: [{name: r2, host: h, secret: env:R2}, {name: c3, host: i}]\n",
    ),
  ).toHaveLength(1);
});

test("two peers of one name are refused where the second one stands", () => {
  const text =
    "agent-comms:\n  peers:\n    - {name: r2, host: a}\n    - {name: c3, host: b}\n    - {name: r2, host: c}\n";
  expect(complaints(text)).toEqual([
    'F:5:14: agent-comms.peers.2.name: "r2" is the name of peer 1 already; give each peer a name of its own',
  ]);
});

test.each([
  ["name: R2D2, host: h", '"R2D2" is not a name'],
  ["name: hub, host: h", '"hub" is reserved'],
  ["name: a/b, host: h", '"a/b" is not a name'],
  ["host: h", "must be a text"],
  ["name: r2", "must be a host name or an address"],
  ["name: r2, host: 'http://h'", "must be a host name or an address alone"],
  ["name: r2, host: 'h:3847'", "must be a host name or an address alone"],
  ["name: r2, host: user@h", "must be a host name or an address alone"],
  ["name: r2, host: h.", "must be a host name or an address alone"],
  ["name: r2, host: ''", "must be a host name or an address alone"],
  ["name: r2, host: h, port: 0", "must be between 1 and 65535"],
  ["name: r2, host: h, port: '3847'", "must be a whole number"],
  ["name: r2, host: h, label: user", 'reads like "user"'],
  ["name: r2, host: h, hots: x", "is not a known key"],
])("a peer with %s is refused: %s", (peer, problem) => {
  const [line = "", ...others] = complaints(`agent-comms:\n  peers:\n    - {${peer}}\n`);
  expect(line).toContain(problem);
  expect(line).toMatch(/^F:3:\d+: agent-comms\.peers\.0/);
  expect(others).toEqual([]);
});

test.each([
  ["secret: S3CRET-that-was-pasted", []],
  ["secret: 'vault:S3CRET-that-was-pasted'", []],
  ["peers: [{name: r2, host: h, secret: S3CRET-that-was-pasted}]", []],
  ["port: 1", ["agent-comms.secret=S3CRET-that-was-pasted"]],
  ["port: 1", ["agent-comms.peers=[{name: r2, host: h, secret: S3CRET-that-was-pasted}]"]],
])("a secret in place of its reference is refused and not repeated: %s %j", (line, overrides) => {
  const said = complaints(`agent-comms:\n  ${line}\n`, overrides).join("\n");
  expect(said).toContain("must say where the secret is kept, not the secret itself");
  expect(said).not.toContain("S3CRET");
});

test("what is shown of it has references and no more", () => {
  const { config, origins } = load("agent-comms: {enabled: true, secret: env:COMMS}").load();
  const rows = describeConfig(config, origins).filter(({ key }) => key.startsWith("agent-comms."));
  expect(rows.map(({ key, value, origin }) => [key, value, origin]).slice(0, 4)).toEqual([
    ["agent-comms.enabled", "true", "file"],
    ["agent-comms.secret", "env:COMMS", "file"],
    ["agent-comms.name", "machine", "default"],
    ["agent-comms.agent", "none", "default"],
  ]);
});

const at = (address: string, internal = false) =>
  ({ address, internal, family: "IPv4", netmask: "", mac: "", cidr: null }) as const;

test.each([
  ["the first private address", { lo: [at("127.0.0.1", true)], eth0: [at("192.168.1.5")] }, "192.168.1.5"],
  [
    "not that of a bridge, if there is another",
    { docker0: [at("172.17.0.1")], en0: [at("10.1.2.3")] },
    "10.1.2.3",
  ],
  ["no public one", { eth0: [at("8.8.4.4")] }, "127.0.0.1"],
  ["loopback without a network", { lo: [at("127.0.0.1", true)] }, "127.0.0.1"],
])("lan is %s", (_, interfaces, address) => {
  expect(listenAddress("lan", () => interfaces)).toBe(address);
});

test("an address that is written down is taken as it is", () => {
  expect(listenAddress("10.9.8.7", () => ({}))).toBe("10.9.8.7");
});
