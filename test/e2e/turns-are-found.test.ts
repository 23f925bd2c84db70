import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";

const yard = createHubYard();
afterAll(() => yard.clear());

type Hit = { agent: string; turn: string; excerpt: string };
type Found = { messages: { content: string }[]; turns: Hit[]; next: string | null };

/** Shared: the tests only read. */
let hub: HubProcess;
/** Of an agent that has nothing to do with the turns. */
let token: string;

beforeAll(async () => {
  hub = await startHostingHub(yard);
  await spawnAgent(hub, { name: "bob", project: yard.home() });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  for (const n of [1, 2, 3]) {
    const body = { message: `!think about okapi !call completed !say the zebra nr ${n}` };
    await hub.http.call("POST", "/api/agents/bob/messages", { token: hub.operator, body });
    await eventually(async () => {
      const { json } = await hub.http.call("GET", "/api/agents/bob/turns", { token: hub.operator });
      return (json["turns"] as { text: string }[]).find(({ text }) => text === `the zebra nr ${n}`);
    }, `turn ${n}`);
  }
  token = ann.token;
});

const search = async (hub: HubProcess, token: string, query: string) =>
  (await hub.http.call("GET", `/api/search?${query}`, { token })).json as unknown as Found;

test("turns are found beside messages, by what was said, thought and done, and only by whom they are for", async () => {
  const both = await search(hub, hub.operator, "q=zebra");
  expect(both.messages).toHaveLength(3);
  expect(both.turns.map(({ agent, excerpt }) => `${agent}: ${excerpt.split("\n")[0]}`)).toEqual([
    "bob: the zebra nr 3",
    "bob: the zebra nr 2",
    "bob: the zebra nr 1",
  ]);
  expect((await search(hub, hub.operator, "q=%22Read%20a%20file%22")).turns).toHaveLength(3);
  expect((await search(hub, hub.operator, "q=okapi%20from:bob")).turns).toHaveLength(3);
  expect((await search(hub, hub.operator, "q=zebra%20to:bob")).turns).toEqual([]);
  expect((await search(hub, hub.operator, "q=zebra&type=message")).turns).toEqual([]);
  expect(await search(hub, token, "q=zebra")).toMatchObject({ messages: [], turns: [] });
  expect(await search(hub, token, "q=type:turn")).toMatchObject({ messages: [], turns: [] });

  const seen: Found[] = [];
  let cursor = "";
  for (;;) {
    const page = await search(hub, hub.operator, `q=zebra%20type:turn&limit=2${cursor}`);
    seen.push(page);
    if (page.next === null) break;
    cursor = `&cursor=${page.next}`;
  }
  expect(seen.flatMap(({ messages }) => messages)).toEqual([]);
  expect(seen.flatMap(({ turns }) => turns.map(({ turn }) => turn))).toEqual(
    both.turns.map(({ turn }) => turn),
  );

  // With pages of messages, each turn is on exactly one page.
  const turns: string[] = [];
  cursor = "";
  for (;;) {
    const page = await search(hub, hub.operator, `q=zebra&limit=1${cursor}`);
    turns.push(...page.turns.map(({ turn }) => turn));
    if (page.next === null) break;
    cursor = `&cursor=${page.next}`;
  }
  expect(turns).toEqual(both.turns.map(({ turn }) => turn));
});

test("turns are in the log and in exports, where they happened", async () => {
  const run = (argv: string[], env: Record<string, string> = {}) =>
    cli(argv, { env: { HUDDLE_HOME: hub.home, ...env } });

  const log = await run(["log", "zebra"]);
  expect(log.stdout.match(/ turn .* the zebra nr \d/g)).toHaveLength(3);
  const lines = (await run(["export"])).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ type }) => type)).toEqual(["message", "turn", "message", "turn", "message", "turn"]);
  expect(lines[1]).toMatchObject({ agent: "bob", text: "the zebra nr 1", thoughts: "about okapi" });
  const md = (await run(["export", "--format", "md"])).stdout;
  expect(md).toContain("## bob worked");
  expect(md).toContain("> the zebra nr 3");
  expect(md).toMatch(/- Read a file: done, \d+ ms/);
  const others = await run(["export"], { HUDDLE_TOKEN: token, HUDDLE_URL: hub.url });
  expect(others.stdout).not.toContain("zebra");
});
