import { describe, expect, test } from "vitest";
import { type CliWorld, cli as runAlone } from "../../test/fakes/run-cli.js";
import { type Script, scriptedHub } from "../../test/fakes/scripted-hub.js";

const NOW = Date.parse("2026-01-01T12:00:00.000Z");
const receipt = {
  delivered: true,
  target: "bob",
  message_id: "m1",
  seq: 7,
  state: "accepted",
  delayed_ms: 0,
};

async function hubWith(script: Script) {
  const hub = await scriptedHub(script);
  const cli = (argv: string[], world: CliWorld = {}) =>
    runAlone(argv, {
      now: NOW,
      ...world,
      env: { HUDDLE_URL: hub.url, HUDDLE_TOKEN: "secret", ...world.env },
    });
  return { hub, cli };
}

const agent = (name: string, more = {}) => ({
  id: `id-${name}`,
  name,
  status: "idle",
  state: "idle",
  since: new Date(NOW - 180_000).toISOString(),
  evidence: "registered",
  project: "/src",
  team: "main",
  model: null,
  backend: null,
  label: null,
  lastActive: new Date(NOW - 180_000).toISOString(),
  ...more,
});

const message = (content: string, more = {}) => ({
  id: "m1",
  seq: 1,
  type: "message",
  from: "bob",
  to: "user",
  content,
  timestamp: "2026-01-01T10:00:00.000Z",
  attention: "queue",
  source: "agent",
  trust: "local",
  conversation: "c-1",
  hop: 0,
  ...more,
});

describe("send", () => {
  test("to another hub claims no more than that it is on its way", async () => {
    const { cli } = await hubWith(() => ({ status: 202, json: { ...receipt, target: "bob@mini" } }));
    expect((await cli(["send", "bob@mini", "hi"])).stdout).toBe(
      "✓ It is on its way to bob@mini (m1)\n  If it cannot be delivered there, your inbox says so.\n",
    );
  });

  test("confirms that it arrived", async () => {
    const { hub, cli } = await hubWith(() => ({ status: 202, json: receipt }));
    const run = await cli(["send", "bob", "hi", "--reply-to", "m0", "--expires", "10m", "--id", "mine"]);
    expect(run).toEqual({ code: 0, stdout: "✓ bob has it in its inbox (m1)\n", stderr: "" });
    expect(hub.calls[0]?.body).toEqual({
      message: "hi",
      id: "mine",
      reply_to: "m0",
      expires_in_seconds: 600,
    });
  });

  test("says when it waits, and why", async () => {
    const held = { ...receipt, state: "held", reason: '"bob" is offline', delayed_ms: 3_500 };
    const { cli } = await hubWith(() => ({ status: 202, json: held }));
    expect((await cli(["send", "bob", "hi"])).stdout).toBe(
      '✓ bob has it in its inbox (m1)\n  It comes in 4 s.\n  It waits there: "bob" is offline.\n',
    );
  });

  test.each([
    ["a pipe", ["send", "bob"]],
    ["a dash", ["send", "bob", "-"]],
  ])("takes the text from %s, without its last line break", async (_, argv) => {
    const { hub, cli } = await hubWith(() => ({ status: 202, json: receipt }));
    await cli(argv, { stdin: "one\ntwo ü\n" });
    expect(hub.calls[0]?.body).toMatchObject({ message: "one\ntwo ü" });
  });

  test("does not send what is not text", async () => {
    const { hub, cli } = await hubWith(() => ({ status: 202, json: receipt }));
    expect(await cli(["send", "bob"], { stdin: Uint8Array.of(0xff, 0xfe) })).toMatchObject({ code: 2 });
    expect(hub.calls).toEqual([]);
  });

  test("--json prints the receipt, --quiet nothing", async () => {
    const { cli } = await hubWith(() => ({ status: 202, json: receipt }));
    expect(JSON.parse((await cli(["send", "bob", "hi", "--json"])).stdout)).toEqual(receipt);
    expect(await cli(["--quiet", "send", "bob", "hi"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("an unknown name is answered with the one that was meant, and those that exist", async () => {
    const details = { name: "pupet-dev", available: ["janus-dev", "puppet-dev"], did_you_mean: "puppet-dev" };
    const refusal = { error: "Agent not found", code: "AGENT_NOT_FOUND", delivered: false, ...details };
    const { cli } = await hubWith(() => ({ status: 404, json: refusal }));
    expect(await cli(["send", "pupet-dev", "hi"])).toEqual({
      code: 4,
      stdout: "",
      stderr: '✗ No agent is named "pupet-dev". Did you mean puppet-dev?\n  Known: janus-dev, puppet-dev\n',
    });
    const asJson = await cli(["send", "pupet-dev", "hi", "--json"]);
    expect(JSON.parse(asJson.stderr)).toEqual(refusal);
    expect(asJson.stdout).toBe("");
  });

  test("a message cannot both cut a turn and start none", async () => {
    const { hub, cli } = await hubWith(() => ({ status: 202, json: receipt }));
    const run = await cli(["send", "bob", "hi", "--interrupt", "--fyi"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain('"--fyi" cannot be used with option "--interrupt"');
    expect(hub.calls).toEqual([]);
  });

  test("a full inbox says when to try again", async () => {
    const refusal = { error: "The inbox is full", code: "INBOX_FULL" };
    const { cli } = await hubWith(() => ({ status: 429, json: refusal, headers: { "retry-after": "5" } }));
    expect(await cli(["send", "bob", "hi"])).toMatchObject({
      code: 6,
      stderr: "✗ The inbox is full.\n  Try again in 5 s.\n",
    });
  });

  test("when nobody knows whether it arrived, the id for another try is given", async () => {
    const { cli } = await hubWith(() => "reset");
    const run = await cli(["send", "bob", "hi", "--id", "mine", "--timeout", "2s"]);
    expect(run.code).toBe(3);
    expect(run.stderr).toContain("--id mine");
  });
});

describe("agents", () => {
  test("lists every page as a table", async () => {
    const pages: Script = ({ path }) => {
      const second = path.includes("cursor=c1");
      const agents = second
        ? [agent("zoe", { state: "dead", backend: "codex" })]
        : [agent("bob", { status: "streaming", state: "busy" })];
      return { status: 200, json: { agents, self: null, next: second ? null : "c1" } };
    };
    const { hub, cli } = await hubWith(pages);
    expect((await cli(["agents", "--team", "main"])).stdout).toBe(
      [
        "NAME  STATUS  FOR  UNREAD  ON",
        "bob   ● busy  3m   –       /src",
        "zoe   ✕ dead  3m   –       /src · codex",
        "",
      ].join("\n"),
    );
    expect(hub.calls.map(({ path }) => path)).toEqual([
      "/api/agents?limit=500&team=main",
      "/api/agents?limit=500&team=main&cursor=c1",
    ]);
  });

  test("what agents say of themselves cannot reach the terminal", async () => {
    const agents = [agent("bob", { project: "/\x1b[2J\u202e" })];
    const { cli } = await hubWith(() => ({ status: 200, json: { agents, self: null, next: null } }));
    expect((await cli(["agents"])).stdout).toContain("/\\x1b[2J\\u202e");
    const { stdout } = await cli(["agents", "--json"]);
    expect(stdout).not.toContain("\x1b");
    expect(stdout).not.toContain("\u202e");
  });

  test("colour is for terminals, unless it is refused", async () => {
    const { cli } = await hubWith(() => ({
      status: 200,
      json: { agents: [agent("bob")], self: null, next: null },
    }));
    expect((await cli(["agents"], { tty: true })).stdout).toContain("\x1b[");
    expect((await cli(["agents"])).stdout).not.toContain("\x1b[");
    expect((await cli(["agents", "--no-color"], { tty: true })).stdout).not.toContain("\x1b[");
    expect((await cli(["agents"], { tty: true, env: { NO_COLOR: "1" } })).stdout).not.toContain("\x1b[");
  });
});

describe("inbox", () => {
  const inbox =
    (...messages: unknown[]): Script =>
    ({ method, path }) => {
      if (path === "/api/needs-you") return { status: 200, json: { items: [] } };
      return method === "POST"
        ? { status: 200, json: { acknowledged: ["m1"], unknown: [] } }
        : { status: 200, json: { messages, more: false } };
    };

  test("shows who, when and what, with the text kept apart and harmless", async () => {
    const { hub, cli } = await hubWith(inbox(message("one\n\x1b]0;title\x07two\n12:00:00 mallory (m9)")));
    const { stdout } = await cli(["inbox", "--from", "bob"], { env: { TZ: "UTC" } });
    expect(stdout).toMatch(
      /^1 {2}bob {2}2h ago\n {3}one\n {3}\\x1b]0;title\\x07two\n {3}12:00:00 mallory \(m9\)\n\nhuddle reply 1 TEXT/,
    );
    expect(hub.calls.map(({ path }) => path)).toEqual(["/api/inbox?from=bob"]);
  });

  test("--ack marks what was shown as read", async () => {
    const { hub, cli } = await hubWith(inbox(message("hi")));
    expect(await cli(["inbox", "--ack"])).toMatchObject({ code: 0 });
    expect(hub.calls.at(-1)).toMatchObject({ path: "/api/inbox/ack", body: { ids: ["m1"] } });
  });

  test("what is on further pages is shown too, without an ack", async () => {
    const { hub, cli } = await hubWith(({ path }) => {
      if (path === "/api/needs-you") return { status: 200, json: { items: [] } };
      return path === "/api/inbox"
        ? { status: 200, json: { messages: [message("old")], more: true } }
        : { status: 200, json: { messages: [message("new", { id: "m2", seq: 2 })], more: false } };
    });
    const { stdout, stderr } = await cli(["inbox"]);
    expect(stdout).toMatch(/^1 .* old\n\n2 .* new\n/);
    expect(stderr).toBe("");
    expect(hub.calls.map(({ path }) => path)).toContain("/api/inbox?after=1");
  });

  test("an empty inbox is no error, a wait for nothing is", async () => {
    const { hub, cli } = await hubWith(inbox());
    expect(await cli(["inbox"])).toEqual({ code: 0, stdout: "No unread messages.\n", stderr: "" });
    expect(await cli(["inbox", "--wait", "50ms"])).toEqual({
      code: 7,
      stdout: "",
      stderr: "✗ No message came within 0.05 s.\n",
    });
    expect(hub.calls.at(2)?.path).toMatch(/^\/api\/inbox\?wait=0\.0/);
  });

  test("Ctrl-C ends a wait with 130 and without a word", async () => {
    const leave = new AbortController();
    const { cli } = await hubWith(() => {
      leave.abort(new Error("interrupted"));
      return new Promise(() => {});
    });
    expect(await cli(["inbox", "--wait", "60"], { signal: leave.signal })).toEqual({
      code: 130,
      stdout: "",
      stderr: "",
    });
  });
});

test("status shows what the hub says of itself", async () => {
  const health = {
    ok: true,
    version: "1.2.3",
    pid: 42,
    url: "http://127.0.0.1:9223",
    data: "/data",
    started: new Date(NOW - 3_700_000).toISOString(),
    agents: 3,
    unread: 5,
    readers: 1,
    totals: {},
    journal: { seq: 99, wal_bytes: 4_096 },
    memory_bytes: 92_549_120,
  };
  const { cli } = await hubWith(() => ({ status: 200, json: health }));
  const { stdout } = await cli(["status"]);
  expect(stdout).toContain("pid      42\n");
  expect(stdout).toContain("uptime   1h 1m\n");
  expect(stdout).toContain("journal  seq 99, WAL 4.1 kB\n");
  expect(JSON.parse((await cli(["status", "--json"])).stdout)).toMatchObject(health);
});

test("a token that the hub does not know is a denial", async () => {
  const { cli } = await hubWith(() => ({
    status: 401,
    json: { error: "No such token", code: "UNAUTHENTICATED" },
  }));
  expect(await cli(["status"])).toEqual({ code: 5, stdout: "", stderr: "✗ No such token.\n" });
});
