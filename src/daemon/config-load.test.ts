import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkProperty } from "../../test/fakes/check-property.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { refusalOf } from "../../test/refusal-of.js";
import { HubError } from "../model/errors.js";
import { count, structured } from "./config-leaf.js";
import { type ConfigSources, loadConfig, loadConfigAs } from "./config-load.js";

function withFile(text: string | Uint8Array, overrides: readonly string[] = []): ConfigSources {
  const file = join(tempFolder(), "huddle.yaml");
  writeFileSync(file, text);
  return { file, overrides };
}

/** What is complained of, with the file's own path left out. */
function complaintsAbout(sources: ConfigSources): string[] {
  const { code, message } = refusalOf(() => loadConfig(sources));
  expect(code).toBe("CONFIG_INVALID");
  const [first = "", ...rest] = message.split("\n  ");
  const complaints = rest.length > 0 ? rest : [first.replace("The configuration is wrong: ", "")];
  return complaints.map((line) => line.replaceAll(sources.file, "F"));
}

test("without a file every key has its default, durations in milliseconds and sizes in bytes", () => {
  const { config, origins } = loadConfig({ file: join(tmpdir(), "no", "such", "huddle.yaml") });
  expect(config).toMatchObject({
    host: "127.0.0.1",
    port: 9223,
    http: { body_limit: 1_048_576, request_timeout: 30_000, json_keys: 10_000 },
    inbox: { cap: 1000, wait_max: 120_000 },
    agents: { rename_grace: 86_400_000 },
    log: { level: "info" },
  });
  expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
});

test.each([
  ["is empty", ""],
  ["holds only comments", "# port: 1\n"],
  ["has a section whose lines are all commented out", "http:\n  # body_limit: 1MiB\n"],
  ["starts with a byte order mark", "\ufeffport: 9223\n"],
])("a file that %s leaves the defaults", (_, text) => {
  expect(loadConfig(withFile(text)).config).toEqual(loadConfig({ file: "/nowhere/huddle.yaml" }).config);
});

test("--set stands over the file, a later one over an earlier one, and both over the defaults", () => {
  const sources = withFile("port: 1\nhttp:\n  body_limit: 2MiB\n  connections: 5\n", [
    "http.body_limit=3MiB",
    "inbox.wait_max=60s",
    "port=2",
    "port=0",
  ]);
  const { config, origins } = loadConfig(sources);
  expect(config.port).toBe(0);
  expect(config.http).toMatchObject({ body_limit: 3 * 1024 ** 2, connections: 5, json_depth: 64 });
  expect(config.inbox.wait_max).toBe(60_000);
  expect(origins).toMatchObject({
    port: "--set",
    "http.body_limit": "--set",
    "http.connections": "file",
    "http.json_depth": "default",
    "inbox.wait_max": "--set",
  });
});

test("every problem is named at once, with its place and what to write", () => {
  const text = ["prot: 1", "http:", "  body_limit: lots", "  request_timeout: 30", "presence: soon"].join(
    "\n",
  );
  expect(complaintsAbout(withFile(text, ["port=70000", "logs.level=info"]))).toEqual([
    '--set "logs.level=info": logs.level: is not a known key; did you mean log.level?',
    '--set "port=70000": port: must be between 0 and 65535, not 70000',
    'F:3:15: http.body_limit: "lots" is not a size; write it like 512KiB, 1MiB, 64kB or 65536',
    "F:4:20: http.request_timeout: 30 has no unit; write 30s or 30ms",
    "F:5:11: presence: must hold keys of its own, indented below it",
    "F:1:1: prot: is not a known key; did you mean port?",
  ]);
});

test("the problems are data too", () => {
  const sources = withFile("port: 70000\n");
  expect(refusalOf(() => loadConfig(sources)).details).toEqual({
    problems: [
      { where: `${sources.file}:1:7`, key: "port", message: "must be between 0 and 65535, not 70000" },
    ],
  });
});

test.each([
  ["offline_after: 1s", "F:1:1: offline_after: is not a known key; did you mean presence.offline_after?"],
  ["http:\n  bodylimit: 1", "F:2:3: http.bodylimit: is not a known key; did you mean http.body_limit?"],
  ["cooldwn: { quick: 3s }", "F:1:1: cooldwn: is not a known key; did you mean cooldown?"],
  ["zebra: 1", "F:1:1: zebra: is not a known key; `huddle config show` lists them"],
  [
    "http.body_limit: 1MiB",
    "F:1:1: http.body_limit: is a path, and YAML takes it for one name; " +
      "write body_limit: on its own line, indented below http:",
  ],
  ["__proto__: {port: 1}", "F:1:1: __proto__: is not a known key; `huddle config show` lists them"],
  ["<<: {port: 1}", 'F:1:1: "<<": is not a known key; `huddle config show` lists them'],
  ['"\\e[31m\\u202e": 1', 'F:1:1: "\\u001b[31m\\u202e": is not a known key; `huddle config show` lists them'],
])("the unknown key in %j is pointed at", (text, complaint) => {
  expect(complaintsAbout(withFile(text))).toEqual([complaint]);
});

test.each([
  ["port:", "F:1:1: port: has no value; give it one or remove it"],
  ["port: '9223'", 'F:1:7: port: "9223" is not a whole number; write it like 9223, without quotes'],
  ["port: 1.5", "F:1:7: port: 1.5 is not a whole number; write it like 9223, without quotes"],
  ["port: .nan", "F:1:7: port: null is not a whole number; write it like 9223, without quotes"],
  ["port: -1", "F:1:7: port: must be between 0 and 65535, not -1"],
  ["agents: {rename_grace: 366d}", "F:1:24: agents.rename_grace: must be between 0s and 365d, not 366d"],
  ["presence: {dead_after: 0s}", "F:1:24: presence.dead_after: must be between 1ms and 24d, not 0s"],
  [
    "presence: {dead_after: 25 days}",
    'F:1:24: presence.dead_after: "25 days" is not a duration; write it like 500ms, 30s, 15m, 24h or 1d',
  ],
  [
    "log: {level: loud}",
    'F:1:14: log.level: "loud" is not one of trace, debug, info, warn, error, fatal, silent',
  ],
  ["journal: {wal_soft: 64MiB}", "F:1:21: journal.wal_soft: must not be larger than journal.wal_cap"],
])("the bad value in %j is pointed at", (text, complaint) => {
  expect(complaintsAbout(withFile(text))).toEqual([complaint]);
});

test.each(["127.0.0.1", "127.8.9.10", "::1", "localhost"])("the loopback address %s is accepted", (host) => {
  expect(loadConfig(withFile(`host: ${host}\n`)).config.host).toBe(host);
});

test.each([
  "0.0.0.0",
  '"::"',
  "192.168.1.4",
  "127.1",
  "127.0.0.1.evil.com",
  "localhost.evil.com",
  '"::ffff:10.0.0.1"',
  '""',
  "1",
])("the address %s is refused, and a tunnel advised", (host) => {
  const [complaint] = complaintsAbout(withFile(`host: ${host}\n`));
  expect(complaint).toContain("F:1:7: host: ");
  expect(complaint).toContain(
    "binding beyond loopback needs a secret, which this version does not have; use a tunnel",
  );
});

test.each([
  ["a list", "- port: 1", 'F:1:1: must hold keys, such as "port: 9223", not a list'],
  ["a single value", "port", 'F:1:1: must hold keys, such as "port: 9223", not a single value'],
  ["duplicate keys", "port: 1\nhost: ::1\nport: 2", 'F:3:1: "port" is given twice; keep one of them'],
  ["a tab", "http:\n\tbody_limit: 1", "F:2:1: a tab is used to indent; use spaces"],
  ["two documents", "port: 1\n---\nport: 2", "F:2:1: a second document starts here; keep one, without ---"],
  [
    "an alias",
    "port: &p 1\nhost: *p",
    "F:2:7: *p is an alias, which is not allowed here; write the value out",
  ],
  ["a loop", "http: &h [*h]", "F:1:11: *h is an alias, which is not allowed here; write the value out"],
  [
    "an escape",
    "port: *\u001b",
    "F:1:7: *\\u001b is an alias, which is not allowed here; write the value out",
  ],
  ["a tag", "port: !secret 1", "F:1:7: Unresolved tag: !secret; remove the tag"],
  ["a list for a key", "? [port]\n: 1", "F:1:3: a key must be a plain word"],
])("a file with %s is refused at its place", (_, text, complaint) => {
  expect(complaintsAbout(withFile(text))).toContain(complaint);
});

test("broken YAML is refused at its place, together with what is wrong on the command line", () => {
  const complaints = complaintsAbout(withFile("port: [1\n", ["port", "=1", "http=1", "port=[1"]));
  expect(complaints[0]).toMatch(/^F:\d+:\d+: this is not valid YAML: /);
  expect(complaints.slice(1)).toEqual([
    '--set "port": write it as key=value, such as --set port=9300',
    '--set "=1": write it as key=value, such as --set port=9300',
    '--set "http=1": http: is a section; set one of its keys, such as http.body_limit',
    expect.stringMatching(/^--set "port=\[1": port: this is not valid YAML: /),
  ]);
});

test("aliases that multiply are refused without being followed", () => {
  const levels = Array.from(
    { length: 30 },
    (_, n) => `a${n}: &a${n} [${n === 0 ? "x" : `*a${n - 1},`.repeat(9)}]`,
  );
  expect(complaintsAbout(withFile(levels.join("\n")))[0]).toContain("is an alias");
});

test.each([
  [
    "nested a hundred thousand deep",
    `port: ${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    "nested too deeply",
  ],
  ["of two megabytes", `# ${"x".repeat(2_000_000)}`, "larger than 1MiB"],
  ["in another encoding", Uint8Array.of(0x70, 0xff, 0xfe), "is not UTF-8 text"],
])("a file %s is refused", (_, text, problem) => {
  expect(complaintsAbout(withFile(text)).join("\n")).toContain(problem);
});

test("a folder in the file's place is refused", () => {
  const file = join(tempFolder(), "huddle.yaml");
  mkdirSync(file);
  expect(complaintsAbout({ file })).toEqual([
    "F: is not a file; remove it, or write the settings into a file there",
  ]);
});

test.skipIf(process.geteuid?.() !== 0)("a file that this user may not read is refused, not ignored", () => {
  const sources = withFile("port: 1\n");
  process.seteuid?.(65534);
  try {
    expect(complaintsAbout(sources)).toEqual([expect.stringMatching(/^F: cannot be read .* ls -l F$/)]);
  } finally {
    process.seteuid?.(0);
  }
});

test("a key can have an inner shape, which --set can reach into", () => {
  const schema = z.strictObject({
    port: count(1, "A port.", 0, 9),
    backends: structured(z.record(z.string(), z.strictObject({ command: z.string() })), {}, "Backends."),
  });
  const sources = withFile("backends:\n  codex: {command: a}\n", [
    "backends.qwen.command=b",
    "backends.codex.command=c",
  ]);
  expect(loadConfigAs(schema, sources)).toEqual({
    config: { port: 1, backends: { codex: { command: "c" }, qwen: { command: "b" } } },
    origins: { port: "default", backends: "--set" },
  });
  const wrong = withFile("backends:\n  codex: {comand: a}\n", ["backends.__proto__.polluted=yes"]);
  expect(() => loadConfigAs(schema, wrong)).toThrow(
    /huddle\.yaml:2:11: backends\.codex\.comand: is not a known key/,
  );
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("no text and no override crashes the reader", () => {
  const pieces = fc.constantFrom(
    "port",
    "http",
    ":",
    " ",
    "\n",
    "  ",
    "- ",
    "[",
    "{",
    "&a",
    "*a",
    "!x",
    "'",
    '"',
    "=",
    "1",
    "~",
    "\0",
    "?",
    "|",
    "%YAML 1.1",
    "---",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 20 }).map((all) => all.join("")),
  );
  checkProperty(
    fc.property(text, fc.array(text, { maxLength: 2 }), (file, overrides) => {
      try {
        loadConfig(withFile(file, overrides));
      } catch (error) {
        expect(error).toBeInstanceOf(HubError);
      }
    }),
    { runs: 300 },
  );
});
