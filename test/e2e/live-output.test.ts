import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type LiveFrame, liveFrame } from "../../src/contract/http/live.js";
import type { TurnView } from "../../src/contract/http/turns.js";
import { Refused } from "../fakes/event-streams.js";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { openLive } from "../fakes/live-stream.js";
import { registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";
import { hubSocket, tmux } from "../fakes/scripted-pane.js";

let yard: HubYard;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(() => yard.clear());

const timeout = 90_000;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const look = (hub: HubProcess, query = "") => openLive(hub.url, query, bearer(hub.operator));
const spawn = (hub: HubProcess, name: string) => spawnAgent(hub, { name, project: yard.home() });
const began = (frame: LiveFrame) => "state" in frame && frame.state === "began";
const ended = (frame: LiveFrame) => "state" in frame && frame.state === "ended";

async function tell(hub: HubProcess, name: string, message: string): Promise<string> {
  const answer = await hub.http.call("POST", `/api/agents/${name}/messages`, {
    token: hub.operator,
    body: { message },
  });
  expect(answer.status).toBe(202);
  return String(answer.json["message_id"]);
}

async function turnsOf(hub: HubProcess, name: string, query = ""): Promise<TurnView[]> {
  const { json } = await hub.http.call("GET", `/api/agents/${name}/turns${query}`, { token: hub.operator });
  return json["turns"] as TurnView[];
}

const endedTurn = (hub: HubProcess, name: string) =>
  eventually(
    async () => (await turnsOf(hub, name)).find((turn) => turn.ended !== null),
    `${name} ended a turn`,
  );

test("what an agent says and does is told as it happens, at most ten times a second, and then is in the journal", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  const bob = await spawn(hub, "bob");
  const stream = await look(hub, "?agent=bob");

  const message = await tell(
    hub,
    "bob",
    "!think hm !call in_progress !stream 150 !call completed !plan !usage 0.5 !say done",
  );
  const begin = await stream.until(began);
  await stream.until((frame) => "part" in frame && frame.part.kind === "text");
  const [open] = await turnsOf(hub, "bob");
  const end = await stream.until(ended);
  const [turn] = await turnsOf(hub, "bob");

  const of = { agent: "bob", id: bob.id, turn: turn?.turn };
  expect(begin).toMatchObject({ ...of, messages: [message] });
  expect(end).toMatchObject({ ...of, stop: "end_turn" });
  expect(open).toMatchObject({ turn: of.turn, seq: null, ended: null, stop: null, messages: [message] });
  expect(turn).toMatchObject({
    stop: "end_turn",
    messages: [message],
    thoughts: "hm",
    tools: [{ title: "Read a file", status: "done", act: "read", offset: 0 }],
    plan: [{ text: "Look", status: "in_progress" }],
    usage: { cost_usd: 0.5 },
  });
  expect(turn?.text).toMatch(/^tick 1 tick 2 .* tick 150 done$/);
  expect(turn?.tools[0]?.ms).toBeGreaterThanOrEqual(150 * 20);
  expect(stream.textOf(String(of.turn))).toBe(turn?.text);
  const kinds = new Set(stream.frames.flatMap(({ frame }) => ("part" in frame ? [frame.part.kind] : [])));
  expect([...kinds].sort()).toEqual(["plan", "text", "thought", "tool", "usage"]);
  // 150 pieces went by; the beginning, the end and what is left at the end come beside the ten a second.
  const seconds = ((stream.frames.at(-1)?.at ?? 0) - (stream.frames[0]?.at ?? 0)) / 1000;
  expect(stream.frames.length).toBeLessThanOrEqual(Math.ceil(seconds) * 10 + 10);
  stream.close();
  await hub.stop();
});

test("who joins in the middle of a turn first gets what it has so far, and then the rest", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  await spawn(hub, "bob");
  await spawn(hub, "silent");
  const early = await look(hub);
  await tell(hub, "bob", "!think first !call in_progress !stream 120");
  await early.until((frame) => "part" in frame && frame.part.kind === "text" && frame.part.offset > 50);

  const late = await look(hub, "?agent=bob");
  await late.until(ended);
  await early.until(ended);
  const [turn] = await turnsOf(hub, "bob");

  expect(late.frames.slice(0, 4).map(({ frame }) => frame)).toMatchObject([
    { type: "ready" },
    { state: "began", under_way: true, turn: turn?.turn },
    { part: { kind: "thought", offset: 0, text: "first" } },
    { part: { kind: "text", offset: 0 } },
  ]);
  expect(late.textOf(turn?.turn ?? "")).toBe(turn?.text);
  expect(early.textOf(turn?.turn ?? "")).toBe(turn?.text);
  expect(late.frames.filter(({ frame }) => began(frame))).toHaveLength(1);
  early.close();
  late.close();
  await hub.stop();
});

test("live output is the operator's: others are refused before the socket opens, and a ticket opens it once", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const refusal = (query: string, headers: Record<string, string>) =>
    openLive(hub.url, query, headers).then(
      () => "opened",
      (error: unknown) =>
        error instanceof Refused ? `${error.status} ${String(error.code)}` : String(error),
    );

  expect(await refusal("", bearer(ann.token))).toBe("403 FORBIDDEN");
  expect(await refusal("?agent=ann", bearer(ann.token))).toBe("403 FORBIDDEN");
  expect(await refusal("", bearer(hub.join))).toBe("403 FORBIDDEN");
  expect(await refusal("", {})).toBe("401 UNAUTHENTICATED");
  expect(await refusal("", { ...bearer(hub.operator), origin: "http://evil.example" })).toBe(
    "403 ORIGIN_NOT_ALLOWED",
  );
  expect(await refusal("?agent=nobody", bearer(hub.operator))).toBe("404 AGENT_NOT_FOUND");
  expect(await refusal("?agents=bob", bearer(hub.operator))).toBe("400 INVALID_INPUT");
  const ticketOf = async (token: string) => {
    const { json } = await hub.http.call("POST", "/auth/ticket", { token });
    return String(json["ticket"]);
  };
  const ticket = await ticketOf(hub.operator);
  expect(await refusal(`?ticket=${ticket}`, {})).toBe("opened");
  expect(await refusal(`?ticket=${ticket}`, {})).toBe("401 UNAUTHENTICATED");
  expect(await refusal(`?ticket=${await ticketOf(ann.token)}`, {})).toBe("403 FORBIDDEN");
  await hub.stop();
});

test("a reader that stops reading is dropped and told why; the others go on, and so do the agents", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard, {
    set: ["events.buffer=64KiB", "events.stall=1s", "events.linger=5m"],
  });
  const names = ["a", "b", "c", "d"];
  await Promise.all(names.map((name) => spawn(hub, name)));
  const [slow, quick] = [await look(hub), await look(hub)];
  slow.pause();

  await Promise.all(names.map((name) => tell(hub, name, "!pour 450 !say done")));
  await Promise.all(
    names.map((name) =>
      quick.until((frame) => ended(frame) && "agent" in frame && frame.agent === name, 60_000),
    ),
  );
  slow.resume();
  const dropped = await slow.until((frame) => "type" in frame && frame.type === "dropped", 60_000);

  expect(dropped).toMatchObject({ reason: expect.stringContaining("slow reader") as unknown });
  expect((await slow.ended).code).toBe(4008);
  expect(quick.frames.some(({ frame }) => "type" in frame && frame.type === "dropped")).toBe(false);
  // 9 MB went by for each agent: nobody was sent more than the ends of it.
  expect(Math.max(...quick.frames.map(({ bytes }) => bytes))).toBeLessThan(140 * 1024);
  quick.close();
  await hub.stop();
});

test("a hub that dies in the middle of a turn ends it when it is back; what was live is not made up for", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  await spawn(hub, "bob");
  const stream = await look(hub);
  await tell(hub, "bob", "!stream 100 !say done");
  const first = await stream.until((frame) => "part" in frame && frame.part.kind === "text");
  await hub.kill();

  const again = await startHostingHub(yard, { home: hub.home });
  const back = await look(again);
  const second = await back.until(ended, 60_000);
  const turns = await turnsOf(again, "bob");

  if (!("turn" in first) || !("turn" in second)) throw new Error("no turns");
  expect(second.turn).not.toBe(first.turn);
  expect(turns).toMatchObject([
    { turn: second.turn, stop: "end_turn", messages: [expect.any(String)] },
    { turn: first.turn, stop: "hub_restart", text: "", messages: [expect.any(String)] },
  ]);
  expect(back.textOf(second.turn)).toBe(turns[0]?.text);
  back.close();
  await again.stop();
});

test("what an agent had said when it died, was killed or the hub stopped is kept", { timeout }, async () => {
  const hub = await startHostingHub(yard, { set: ["hosting.shutdown_within=1s"] });
  for (const name of ["dies", "stopped"]) await spawn(hub, name);
  const killed = (await spawn(hub, "gone")).id;
  const stream = await look(hub);
  await tell(hub, "dies", "!say last words !exit 1");
  for (const name of ["gone", "stopped"]) await tell(hub, name, "!say so far !hang");
  for (const name of ["gone", "stopped"]) {
    await stream.until((frame) => "part" in frame && frame.agent === name);
  }
  expect(await endedTurn(hub, "dies")).toMatchObject({ stop: "died", text: "last words" });
  await hub.http.call("POST", "/api/agents/gone/kill", { token: hub.operator });
  expect(await endedTurn(hub, killed)).toMatchObject({ stop: "died", text: "so far" });
  await hub.stop();

  const again = await startHostingHub(yard, { home: hub.home });
  expect(await endedTurn(again, "stopped")).toMatchObject({ stop: "hub_stop", text: "so far" });
  await again.stop();
});

test("a turn of 300 KB is cut at 256 KB, visibly", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  await spawn(hub, "bob");
  await tell(hub, "bob", `!say begin !repeat ${300 * 1024} !say the end`);
  const turn = await endedTurn(hub, "bob");

  expect(turn.text).toMatch(/^…x+the end$/);
  expect(turn.cut?.text).toBe("begin".length + 300 * 1024 + "the end".length - (turn.text.length - 1));
  expect(JSON.stringify(turn).length).toBeLessThanOrEqual(256 * 1024);
  expect(JSON.stringify(turn).length).toBeGreaterThan(240 * 1024);
  await hub.stop();
});

test("turns come in pages, newest first; an agent sees its own, and nobody else's", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  await spawn(hub, "bob");
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  for (const word of ["one", "two", "three"]) {
    await tell(hub, "bob", `!say ${word}`);
    await eventually(
      async () => (await turnsOf(hub, "bob")).find(({ text }) => text === word),
      `bob said ${word}`,
    );
  }

  const page = async (query: string) =>
    (await hub.http.call("GET", `/api/agents/bob/turns${query}`, { token: hub.operator })).json as {
      turns: TurnView[];
      next: string | null;
    };
  const first = await page("?limit=2");
  const second = await page(`?limit=2&before=${first.next}`);
  expect([...first.turns, ...second.turns].map(({ text }) => text)).toEqual(["three", "two", "one"]);
  expect(second.next).toBeNull();

  const asAnn = (name: string) => hub.http.call("GET", `/api/agents/${name}/turns`, { token: ann.token });
  expect(await asAnn("bob")).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
  expect(await asAnn("ann")).toMatchObject({ status: 200, json: { turns: [], next: null } });
  expect(await page("?before=x")).toMatchObject({ code: "INVALID_INPUT" });
  await hub.stop();
});

test.each([
  ["tail bob --live", ["tail", "bob", "--live"]],
  ["attach bob", ["attach", "bob"]],
])(
  "`huddle %s` shows it in the terminal until Ctrl-C, and with --json each frame as a line",
  {
    timeout,
  },
  async (_, argv) => {
    const hub = await startHostingHub(yard);
    await spawn(hub, "bob");
    const follow = (more: string[], isOver: (printed: string) => boolean) => {
      const leave = new AbortController();
      return cli([...argv, ...more], {
        env: { HUDDLE_HOME: hub.home },
        signal: leave.signal,
        onPrint: (printed) => (isOver(printed) ? leave.abort() : undefined),
      });
    };
    const runs = Promise.all([
      follow([], (printed) => printed.includes("end_turn")),
      follow(["--json"], (printed) => printed.includes('"ended"')),
    ]);
    await eventually(async () => {
      const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
      return Number(json["readers"]) >= 2 ? true : undefined;
    }, "both look");
    await tell(hub, "bob", "!think hm !call in_progress !call completed !say all done");
    const [shown, json] = await runs;

    expect([shown.code, json.code]).toEqual([130, 130]);
    expect(shown.stdout).toMatch(/^── bob begins at .* with 1 message ──\nhm\n/);
    expect(shown.stdout).toContain("all done\n");
    expect(shown.stdout).toMatch(/✓ Read a file \(\d+ ms\)/);
    const frames = json.stdout
      .trim()
      .split("\n")
      .map((line) => liveFrame.parse(JSON.parse(line)));
    expect(frames.at(0)).toMatchObject({ state: "began" });
    expect(frames.at(-1)).toMatchObject({ state: "ended" });
    await hub.stop();
  },
);

const program = (name: string) => resolve("test", "fakes", "scripted-agent", name);

test("an agent that runs headless streams and has turns, too", { timeout }, async () => {
  const hub = await yard.start({
    set: [
      `backends.claude-code.command=${program("headless.mjs")}`,
      "backends.claude-code.runtime=headless",
      'allowed_roots=["/"]',
    ],
  });
  await spawnAgent(hub, { backend: "claude-code", runtime: "headless", name: "bob", project: yard.home() });
  const stream = await look(hub);
  await tell(hub, "bob", "!think hm !stream 30 !say done");
  const end = await stream.until(ended);
  const turn = await endedTurn(hub, "bob");

  expect(turn).toMatchObject({ stop: "end_turn", thoughts: "hm", messages: [expect.any(String)] });
  expect(turn.text).toContain("tick 30");
  expect(stream.textOf("turn" in end ? end.turn : "")).toBe(turn.text);
  const screen = await hub.http.call("GET", "/api/agents/bob/screen", { token: hub.operator });
  expect(screen).toMatchObject({
    status: 409,
    json: { code: "NO_SCREEN", error: expect.stringContaining("runs by headless") as unknown },
  });
  stream.close();
  await hub.stop();
});

test("an agent in a pane has turns with what its screen showed, and the screen itself is the operator's", {
  timeout,
}, async () => {
  const hub = await yard.start({
    set: [
      `backends.claude-code.command=${program("screen.mjs")}`,
      'backends.claude-code.args=["--guise", "claude"]',
      "backends.claude-code.runtime=tmux",
      'allowed_roots=["/"]',
    ],
  });
  const socket = hubSocket(hub.home);
  onTestFinished(() => void tmux(socket, "kill-server"));
  const bob = await spawnAgent(hub, {
    backend: "claude-code",
    runtime: "tmux",
    name: "bob",
    project: yard.home(),
  });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const stream = await look(hub, `?agent=${bob.id}`);
  await tell(hub, "bob", "!say hello from the pane");
  await stream.until(ended, 60_000);
  const turn = await endedTurn(hub, "bob");

  expect(turn).toMatchObject({ stop: "end_turn", messages: [expect.any(String)] });
  expect(turn.text).toContain("hello from the pane");
  const { status, json } = await hub.http.call("GET", "/api/agents/bob/screen", { token: hub.operator });
  expect(status).toBe(200);
  expect(json["columns"]).toBeGreaterThan(20);
  expect(json["rows"]).toBeGreaterThan(5);
  expect(json["text"]).toContain("hello from the pane");
  expect(String(json["text"])).not.toContain("\u001b");
  const uncoloured = stripVTControlCharacters(String(json["ansi"])).split("\n");
  expect(uncoloured.map((row) => row.trimEnd()).join("\n")).toBe(json["text"]);
  const refused = await hub.http.call("GET", "/api/agents/bob/screen", { token: ann.token });
  expect(refused).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
  await hub.http.call("POST", "/api/agents/bob/kill", { token: hub.operator });
  await hub.stop();
});
