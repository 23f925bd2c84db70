import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CliWorld, cli as runAlone } from "../../../test/fakes/run-cli.js";
import { type Script, scriptedHub } from "../../../test/fakes/scripted-hub.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";

const NOW = Date.parse("2026-03-02T12:00:00.000Z");

async function hubWith(script: Script) {
  const hub = await scriptedHub(script);
  const cli = (argv: string[], world: CliWorld = {}) =>
    runAlone(argv, { now: NOW, ...world, env: { HUDDLE_URL: hub.url, HUDDLE_TOKEN: "secret" } });
  return { hub, cli };
}

const message = (content: string, more = {}) => ({
  id: "m1",
  seq: 1,
  type: "message",
  from: "bob",
  to: "alice",
  content,
  timestamp: "2026-03-02T11:57:00.000Z",
  conversation: "m1",
  hop: 0,
  attention: "queue",
  source: "agent",
  trust: "local",
  ...more,
});
const page = (messages: unknown[], next: unknown = null) => ({ status: 200, json: { messages, next } });

test("log shows what was found as a table, and nothing that moves the cursor", async () => {
  const { hub, cli } = await hubWith(() => page([message("two\nlines \u001b[2J")]));
  const run = await cli(["log", "two", "from:bob"]);
  expect(run).toEqual({
    code: 0,
    stdout: "WHEN    FROM  TO     TYPE     ID  TEXT\n3m ago  bob   alice  message  m1  two lines \\x1b[2J\n",
    stderr: "",
  });
  expect(hub.calls[0]?.path).toBe("/api/search?q=two+from%3Abob&limit=50");
});

test("log goes on through short pages, and says when there is more", async () => {
  const { hub, cli } = await hubWith((_, nth) =>
    nth === 1 ? page([], "9") : page([message("one"), message("two")], "5"),
  );
  const run = await cli(["log", "x", "--limit", "2"]);
  expect(hub.calls[1]?.path).toBe("/api/search?q=x&limit=2&cursor=9");
  expect(run.stderr).toBe("There are more: --limit 4 shows them.\n");
});

test("log says when nothing matches; with --json it is one document", async () => {
  const { cli } = await hubWith(() => page([]));
  expect((await cli(["log", "x"])).stdout).toBe("Nothing matches.\n");
  expect((await cli(["log", "x", "--json"])).stdout).toBe('{"messages":[],"turns":[],"next":null}\n');
});

test("a query that the hub refuses is a usage error", async () => {
  const refused = { status: 400, json: { error: 'type: there is no "foo"', code: "INVALID_INPUT" } };
  const { cli } = await hubWith(() => refused);
  expect(await cli(["log", "type:foo"])).toEqual({
    code: 2,
    stdout: "",
    stderr: '✗ type: there is no "foo".\n',
  });
});

test("export follows the pages to their end, one JSON object per line", async () => {
  const { hub, cli } = await hubWith((_, nth) =>
    nth === 1 ? page([message("one")], 7) : page([message("two")]),
  );
  const run = await cli(["export", "--since", "10m"]);
  expect(
    run.stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { content: string }).content),
  ).toEqual(["one", "two"]);
  expect(hub.calls.map(({ path }) => path)).toEqual([
    "/api/messages?limit=500&turns=true&since=2026-03-02T11%3A50%3A00.000Z",
    "/api/messages?limit=500&turns=true&since=2026-03-02T11%3A50%3A00.000Z&after=7",
  ]);
});

test("as Markdown: a heading for each day, and no text can leave its quotation", async () => {
  const yesterday = { timestamp: "2026-03-01T23:59:00.000Z", from: "a_b", id: "m0" };
  const nasty = "hi\n# not a heading\n<script>x</script> ![i](http://evil)\r\n\n---\u2028";
  const { cli } = await hubWith(() =>
    page([message("first", yesterday), message(nasty, { reply_to: "m0" })]),
  );
  expect((await cli(["export", "--format", "md"])).stdout).toBe(
    [
      "# 2026-03-01",
      "",
      "## a\\_b → alice",
      "",
      "*23:59:00 UTC, message, id `m0`*",
      "",
      "> first",
      "",
      "# 2026-03-02",
      "",
      "## bob → alice",
      "",
      "*11:57:00 UTC, message, id `m1`, answers `m0`*",
      "",
      "> hi",
      "> # not a heading",
      "> &lt;script>x&lt;/script> \\![i](http://evil)",
      ">",
      "> ---\\u2028",
      "",
    ].join("\n"),
  );
});

test("export --out writes a new file for this user only, and never over another", async () => {
  const { cli } = await hubWith(() => page([message("one")]));
  const file = join(tempFolder(), "out.jsonl");
  expect(await cli(["export", "--out", file])).toEqual({
    code: 0,
    stdout: `✓ 1 message is in ${file}\n`,
    stderr: "",
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain('"content":"one"');

  writeFileSync(file, "precious");
  expect(await cli(["export", "--out", file])).toMatchObject({ code: 1, stdout: "" });
  expect(readFileSync(file, "utf8")).toBe("precious");
});

test("backup sends an absolute path and shows what was written", async () => {
  const done = { file: "/b/copy.db", bytes: 4096, events: 7, seq: 9 };
  const { hub, cli } = await hubWith(() => ({ status: 200, json: done }));
  const run = await cli(["backup", "copy.db"]);
  expect(run.stdout).toBe("✓ /b/copy.db is written and sound (7 events up to 9, 4.1 kB)\n");
  expect(hub.calls[0]?.body).toEqual({ file: join(process.cwd(), "copy.db") });
});

test("prune sends a moment, and says why something stayed", async () => {
  const { hub, cli } = await hubWith(() => ({
    status: 200,
    json: { events: 12, first: 13, kept_by: "unfinished" },
  }));
  const run = await cli(["prune", "--before", "90d", "--yes"]);
  expect(run.stdout).toBe(
    "✓ 12 events are deleted; the journal begins at 13\n" +
      "  Mail that waits and open requests keep their events, and all after them.\n",
  );
  expect(hub.calls[0]?.body).toEqual({ before: "2025-12-02T12:00:00.000Z" });
});

test.each([
  [["prune"]],
  [["prune", "--before", "soon"]],
  [["export", "--since", "2026-99-99"]],
  [["export", "--format", "xml"]],
])("%j is a usage error", async (argv) => {
  const { hub, cli } = await hubWith(() => page([]));
  expect((await cli(argv)).code).toBe(2);
  expect(hub.calls).toEqual([]);
});
