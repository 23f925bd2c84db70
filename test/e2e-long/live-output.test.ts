import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type LiveFrame, liveFrame } from "../../src/contract/http/live.js";
import type { TurnView } from "../../src/contract/http/turns.js";
import { Refused } from "../fakes/event-streams.js";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { openLive } from "../fakes/live-stream.js";
import { registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";
import { hubSocket, tmux } from "../fakes/scripted-pane.js";

const program = (name: string) => resolve("test", "fakes", "scripted-agent", name);

const yard = createHubYard();
/** Of the tests that do not end it; each has agents of its own. */
let hub: HubProcess;
beforeAll(async () => {
  hub = await startHostingHub(yard, {
    set: [
      "backends.headless.like=claude-code",
      `backends.headless.command=${program("headless.mjs")}`,
      "backends.headless.runtime=headless",
      "backends.pane.like=claude-code",
      `backends.pane.command=${program("screen.mjs")}`,
      'backends.pane.args=["--guise", "claude"]',
      "backends.pane.runtime=tmux",
    ],
  });
});
afterAll(() => yard.clear());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const look = (at: HubProcess, query = "") => openLive(at.url, query, bearer(at.operator));
const spawn = (at: HubProcess, name: string) => spawnAgent(at, { name, project: yard.home() });
const began = (frame: LiveFrame) => "state" in frame && frame.state === "began";
const ended = (frame: LiveFrame) => "state" in frame && frame.state === "ended";

async function tell(at: HubProcess, name: string, message: string): Promise<string> {
  const answer = await at.http.call("POST", `/api/agents/${name}/messages`, {
    token: at.operator,
    body: { message },
  });
  expect(answer.status).toBe(202);
  return String(answer.json["message_id"]);
}

async function turnsOf(at: HubProcess, name: string, query = ""): Promise<TurnView[]> {
  const { json } = await at.http.call("GET", `/api/agents/${name}/turns${query}`, { token: at.operator });
  return json["turns"] as TurnView[];
}

const endedTurn = (at: HubProcess, name: string) =>
  eventually(
    async () => (await turnsOf(at, name)).find((turn) => turn.ended !== null),
    `${name} ended a turn`,
  );

test("what an agent says and does is told as it happens, at most ten times a second, and then is in the journal", async () => {
  const bob = await spawn(hub, "bob");
  const stream = await look(hub, "?agent=bob");
  const gate = join(bob.project, "gate");

  const message = await tell(
    hub,
    "bob",
    `!think hm !call in_progress !stream 60 !gate ${gate} !call completed !plan !usage 0.5 !say done`,
  );
  const begin = await stream.until(began);
  await stream.until((frame) => "part" in frame && frame.part.kind === "text");
  const [open] = await turnsOf(hub, "bob");
  writeFileSync(gate, "");
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
  expect(turn?.text).toMatch(/^tick 1 tick 2 .* tick 60 done$/);
  // Of the 1200 that it took, the hub may have slept some.
  expect(turn?.tools[0]?.ms).toBeGreaterThan(100);
  expect(stream.textOf(String(of.turn))).toBe(turn?.text);
  const kinds = new Set(stream.frames.flatMap(({ frame }) => ("part" in frame ? [frame.part.kind] : [])));
  expect([...kinds].sort()).toEqual(["plan", "text", "thought", "tool", "usage"]);
  // 60 pieces went by; the beginning, the end and what is left at the end come beside the ten a second.
  const seconds = ((stream.frames.at(-1)?.at ?? 0) - (stream.frames[0]?.at ?? 0)) / 1000;
  expect(stream.frames.length).toBeLessThanOrEqual(Math.ceil(seconds) * 10 + 10);
  stream.close();
});

test("who joins in the middle of a turn first gets what it has so far, and then the rest", async () => {
  const { project } = await spawn(hub, "talks");
  const gate = join(project, "gate");
  const early = await look(hub, "?agent=talks");
  await tell(hub, "talks", `!think first !call in_progress !stream 20 !gate ${gate} !stream 20`);
  await early.until(
    (frame) => "part" in frame && frame.part.kind === "text" && frame.part.text.includes("tick 20 "),
  );

  const late = await look(hub, "?agent=talks");
  await late.until((frame) => "part" in frame && frame.part.kind === "text");
  writeFileSync(gate, "");
  await late.until(ended);
  await early.until(ended);
  const [turn] = await turnsOf(hub, "talks");

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
});

test("live output is the operator's: others are refused before the socket opens, and a ticket opens it once", async () => {
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const refusal = (query: string, headers: Record<string, string>) =>
    openLive(hub.url, query, headers).then(
      (stream) => {
        stream.close();
        return "opened";
      },
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
});

test("a reader that stops reading is dropped and told why; the others go on, and so do the agents", async () => {
  const own = await startHostingHub(yard, {
    set: ["events.buffer=64KiB", "events.stall=1s", "events.linger=5m"],
  });
  const names = ["a", "b", "c", "d"];
  await Promise.all(names.map((name) => spawn(own, name)));
  const [slow, quick] = [await look(own), await look(own)];
  slow.pause();

  await Promise.all(names.map((name) => tell(own, name, "!pour 300 !say done")));
  await Promise.all(
    names.map((name) =>
      quick.until((frame) => ended(frame) && "agent" in frame && frame.agent === name, 300_000),
    ),
  );
  slow.resume();
  const dropped = await slow.until((frame) => "type" in frame && frame.type === "dropped");

  expect(dropped).toMatchObject({ reason: expect.stringContaining("slow reader") as unknown });
  expect((await slow.ended).code).toBe(4008);
  expect(quick.frames.some(({ frame }) => "type" in frame && frame.type === "dropped")).toBe(false);
  // 6 MB went by for each agent: nobody was sent more than the ends of it.
  expect(Math.max(...quick.frames.map(({ bytes }) => bytes))).toBeLessThan(140 * 1024);
  quick.close();
  await own.kill();
});

test("a hub that dies in the middle of a turn ends it when it is back; what was live is not made up for", async () => {
  const own = await startHostingHub(yard);
  await spawn(own, "bob");
  const stream = await look(own);
  await tell(own, "bob", "!stream 1000000");
  const first = await stream.until((frame) => "part" in frame && frame.part.kind === "text");
  await own.kill();

  const again = await startHostingHub(yard, { home: own.home });
  const back = await look(again);
  if (!("turn" in first)) throw new Error("no turn");
  let turns = await turnsOf(again, "bob");
  // On a busy machine the agent may not be there in time, and be started once more: then there are turns in between.
  const [second, cut] = await eventually(
    async () => {
      turns = await turnsOf(again, "bob");
      const [newest] = turns;
      const old = turns.find(({ turn }) => turn === first.turn);
      return newest?.turn !== first.turn && newest?.stop === "end_turn" && old ? [newest, old] : undefined;
    },
    () => `a turn after the cut one has ended; there are ${JSON.stringify(turns)}`,
  );

  expect(second).toMatchObject({ messages: [expect.any(String)] });
  expect(cut).toMatchObject({
    turn: first.turn,
    stop: "hub_restart",
    text: "",
    messages: [expect.any(String)],
  });
  expect(back.frames.filter(({ frame }) => "turn" in frame && frame.turn === first.turn)).toEqual([]);
  back.close();
  await again.kill();
});

test("what an agent had said when it died, was killed or the hub stopped is kept", async () => {
  const own = await startHostingHub(yard, { set: ["hosting.shutdown_within=1s"] });
  for (const name of ["dies", "stopped"]) await spawn(own, name);
  const killed = (await spawn(own, "gone")).id;
  const stream = await look(own);
  await tell(own, "dies", "!say last words !exit 1");
  for (const name of ["gone", "stopped"]) await tell(own, name, "!say so far !hang");
  for (const name of ["gone", "stopped"]) {
    await stream.until((frame) => "part" in frame && frame.agent === name);
  }
  expect(await endedTurn(own, "dies")).toMatchObject({ stop: "died", text: "last words" });
  await own.http.call("POST", "/api/agents/gone/kill", { token: own.operator });
  expect(await endedTurn(own, killed)).toMatchObject({ stop: "died", text: "so far" });
  await own.stop();

  const again = await startHostingHub(yard, { home: own.home });
  expect(await endedTurn(again, "stopped")).toMatchObject({ stop: "hub_stop", text: "so far" });
  await again.kill();
});

test("a turn of 300 KB is cut at 256 KB, visibly", async () => {
  await spawn(hub, "long");
  await tell(hub, "long", `!say begin !repeat ${300 * 1024} !say the end`);
  const turn = await endedTurn(hub, "long");

  expect(turn.text).toMatch(/^…x+the end$/);
  expect(turn.cut?.text).toBe("begin".length + 300 * 1024 + "the end".length - (turn.text.length - 1));
  expect(JSON.stringify(turn).length).toBeLessThanOrEqual(256 * 1024);
  expect(JSON.stringify(turn).length).toBeGreaterThan(240 * 1024);
});

test("turns come in pages, newest first; an agent sees its own, and nobody else's", async () => {
  await spawn(hub, "paged");
  const eve = await registerAgent(hub.http, hub.join, { name: "eve" });
  for (const word of ["one", "two", "three"]) {
    await tell(hub, "paged", `!say ${word}`);
    await eventually(
      async () => (await turnsOf(hub, "paged")).find(({ text }) => text === word),
      `it said ${word}`,
    );
  }

  const page = async (query: string) =>
    (await hub.http.call("GET", `/api/agents/paged/turns${query}`, { token: hub.operator })).json as {
      turns: TurnView[];
      next: string | null;
    };
  const first = await page("?limit=2");
  const second = await page(`?limit=2&before=${first.next}`);
  expect([...first.turns, ...second.turns].map(({ text }) => text)).toEqual(["three", "two", "one"]);
  expect(second.next).toBeNull();

  const asEve = (name: string) => hub.http.call("GET", `/api/agents/${name}/turns`, { token: eve.token });
  expect(await asEve("paged")).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
  expect(await asEve("eve")).toMatchObject({ status: 200, json: { turns: [], next: null } });
  expect(await page("?before=x")).toMatchObject({ code: "INVALID_INPUT" });
});

test.each([
  ["tail NAME --live", "tailed", ["tail", "tailed", "--live"]],
  ["attach NAME", "attached", ["attach", "attached"]],
])(
  "`huddle %s` shows it in the terminal until Ctrl-C, and with --json each frame as a line",
  async (_, name, argv) => {
    await spawn(hub, name);
    const readers = async () => {
      const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
      return json["readers"];
    };
    // Those of earlier tests are gone.
    await eventually(async () => ((await readers()) === 0 ? true : undefined), "nobody looks");
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
    await eventually(async () => ((await readers()) === 2 ? true : undefined), "both look");
    await tell(hub, name, "!think hm !call in_progress !call completed !say all done");
    const [shown, json] = await runs;

    expect([shown.code, json.code]).toEqual([130, 130]);
    expect(shown.stdout).toMatch(new RegExp(`^── ${name} begins at .* with 1 message ──\nhm\n`));
    expect(shown.stdout).toContain("all done\n");
    expect(shown.stdout).toMatch(/✓ Read a file \(\d+ ms\)/);
    const frames = json.stdout
      .trim()
      .split("\n")
      .map((line) => liveFrame.parse(JSON.parse(line)));
    expect(frames.at(0)).toMatchObject({ state: "began" });
    expect(frames.at(-1)).toMatchObject({ state: "ended" });
  },
);

test("an agent that runs headless streams and has turns, too", async () => {
  await spawnAgent(hub, { backend: "headless", runtime: "headless", name: "headless", project: yard.home() });
  const stream = await look(hub, "?agent=headless");
  await tell(hub, "headless", "!think hm !stream 30 !say done");
  const end = await stream.until(ended);
  const turn = await endedTurn(hub, "headless");

  expect(turn).toMatchObject({ stop: "end_turn", thoughts: "hm", messages: [expect.any(String)] });
  expect(turn.text).toContain("tick 30");
  expect(stream.textOf("turn" in end ? end.turn : "")).toBe(turn.text);
  const screen = await hub.http.call("GET", "/api/agents/headless/screen", { token: hub.operator });
  expect(screen).toMatchObject({
    status: 409,
    json: { code: "NO_SCREEN", error: expect.stringContaining("runs by headless") as unknown },
  });
  stream.close();
});

test("an agent in a pane has turns with what its screen showed, and the screen itself is the operator's", async () => {
  const socket = hubSocket(hub.home);
  onTestFinished(() => void tmux(socket, "kill-server"));
  const pane = await spawnAgent(hub, {
    backend: "pane",
    runtime: "tmux",
    name: "pane",
    project: yard.home(),
  });
  const ben = await registerAgent(hub.http, hub.join, { name: "ben" });
  const stream = await look(hub, `?agent=${pane.id}`);
  await tell(hub, "pane", "!say hello from the pane");
  await stream.until(ended);
  const turn = await endedTurn(hub, "pane");

  expect(turn).toMatchObject({ stop: "end_turn", messages: [expect.any(String)] });
  expect(turn.text).toContain("hello from the pane");
  const { status, json } = await hub.http.call("GET", "/api/agents/pane/screen", { token: hub.operator });
  expect(status).toBe(200);
  expect(json["columns"]).toBeGreaterThan(20);
  expect(json["rows"]).toBeGreaterThan(5);
  expect(json["text"]).toContain("hello from the pane");
  expect(String(json["text"])).not.toContain("\u001b");
  const uncoloured = stripVTControlCharacters(String(json["ansi"])).split("\n");
  expect(uncoloured.map((row) => row.trimEnd()).join("\n")).toBe(json["text"]);
  const refused = await hub.http.call("GET", "/api/agents/pane/screen", { token: ben.token });
  expect(refused).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
  await hub.http.call("POST", "/api/agents/pane/kill", { token: hub.operator });
});
