import { expect, test } from "vitest";
import { cli } from "../../../test/fakes/run-cli.js";
import { type Script, type Serve, say, scriptedHub } from "../../../test/fakes/scripted-hub.js";
import { containing } from "../../../test/fakes/text-matching.js";

const NOW = Date.parse("2026-01-01T12:00:00.000Z");
const ready = { type: "ready", seq: 0, first: 1 };
const at = "2026-01-01T12:00:00.000Z";

const sent = (seq: number, from: string, to: string, type = "message") => ({
  seq,
  at,
  type: "MessageAccepted",
  sessionId: to,
  data: {
    message: {
      id: `m${seq}`,
      type,
      from,
      fromName: from,
      to: [{ agent: to, name: to }],
      toName: to,
      content: `nr ${seq}`,
      attention: "queue",
      source: "agent",
      trust: "local",
      conversation: `m${seq}`,
      hop: 0,
    },
  },
});
const seen = (seq: number, agent: string) => ({
  seq,
  at,
  type: "MessagesSeen",
  sessionId: agent,
  data: { agent, evidence: "ack", deliveries: [] },
});

const roster: Script = ({ path }) =>
  path.startsWith("/api/agents?")
    ? { status: 200, json: { agents: [], self: null, next: null } }
    : {
        status: 200,
        json: {
          id: "bob",
          name: "bob",
          status: "idle",
          state: "idle",
          since: at,
          evidence: "",
          runtime: null,
          permissions: null,
          parent: null,
          role: "agent",
          project: null,
          team: "main",
          model: null,
          backend: null,
          label: null,
          lastActive: at,
        },
      };

/** Follows until `lines` lines are printed, then presses Ctrl-C. */
async function tail(argv: string[], lines: number, ...connections: Serve[]) {
  const hub = await scriptedHub(roster, ...connections);
  const leave = new AbortController();
  const run = await cli(["tail", ...argv], {
    env: { HUDDLE_URL: hub.url, HUDDLE_TOKEN: "secret" },
    now: NOW,
    signal: leave.signal,
    onPrint: (text) => text.split("\n").length > lines && leave.abort(),
  });
  return {
    ...run,
    lines: run.stdout
      .replace(/^\d\d:\d\d:\d\d /gm, "")
      .trimEnd()
      .split("\n"),
    hub,
  };
}

test("messages go by until Ctrl-C; their steps are left out", async () => {
  const run = await tail([], 2, (socket) =>
    say(socket, ready, sent(1, "amy", "bob"), seen(2, "bob"), sent(3, "bob", "amy")),
  );
  expect(run.lines).toEqual(["amy → bob  nr 1", "bob → amy  nr 3"]);
  expect(run).toMatchObject({ code: 130, stderr: "" });
});

test("--json is one frame per line, of every type", async () => {
  const frames = [sent(1, "amy", "bob"), seen(2, "bob")];
  const run = await tail(["--json"], 2, (socket) => say(socket, ready, ...frames));
  expect(
    run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(frames);
});

test("an agent's name leaves what concerns it", async () => {
  const run = await tail(["bob"], 2, (socket) =>
    say(socket, ready, sent(1, "amy", "zoe"), sent(2, "bob", "zoe"), sent(3, "zoe", "bob")),
  );
  expect(run.lines).toEqual(["bob → zoe  nr 2", "zoe → bob  nr 3"]);
});

test("--type takes types of events and of messages", async () => {
  const all: Serve = (socket) =>
    say(socket, ready, sent(1, "amy", "bob"), seen(2, "bob"), sent(3, "amy", "bob", "request"));
  expect((await tail(["--type", "messagesseen"], 1, all)).lines).toEqual(["bob has read 0 messages"]);
  expect((await tail(["--type", "request"], 1, all)).lines).toEqual(["amy → bob  request: nr 3"]);
  const typo = await tail(["--type", "requst"], 1, all);
  expect(typo).toMatchObject({ code: 2, stderr: containing("Did you mean request?") });
});

test("--since asks the hub to begin earlier", async () => {
  const run = await tail(["--since", "10m"], 1, (socket) => say(socket, ready, sent(1, "amy", "bob")));
  expect(run.hub.streams.map(({ path }) => path)).toEqual(["/api/events?since=2026-01-01T11%3A50%3A00.000Z"]);
});

test("a --since that is no time is named", async () => {
  const run = await tail(["--since", "yesterday"], 1);
  expect(run).toMatchObject({ code: 2, stderr: containing('--since does not take "yesterday"') });
});

test("a hub that restarts is waited for, and nothing is missed or shown twice", async () => {
  const run = await tail(
    ["--since", "10m"],
    2,
    (socket) => {
      say(socket, ready, sent(1, "amy", "bob"));
      setTimeout(() => socket.close(4008, "the hub is stopping"), 20);
    },
    (socket) => say(socket, ready, sent(1, "amy", "bob"), sent(2, "bob", "amy")),
  );
  expect(run.lines).toEqual(["amy → bob  nr 1", "bob → amy  nr 2"]);
  expect(run.hub.streams.at(-1)?.path).toBe("/api/events?after=1");
  expect(run.stderr).toMatch(/the hub is stopping; reconnecting…\nConnected again\.\n$/);
});
