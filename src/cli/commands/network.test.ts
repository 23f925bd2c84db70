import { expect, test } from "vitest";
import { cli as runAlone } from "../../../test/fakes/run-cli.js";
import { type Script, scriptedHub } from "../../../test/fakes/scripted-hub.js";

const NOW = Date.parse("2026-03-02T12:00:00.000Z");

async function hubWith(script: Script) {
  const hub = await scriptedHub(script);
  const cli = (argv: string[]) =>
    runAlone(argv, { now: NOW, env: { HUDDLE_URL: hub.url, HUDDLE_TOKEN: "secret" } });
  return { hub, cli };
}

const pair = (from: string, to: string, more = {}) => ({
  from,
  to,
  per_minute: 0.2,
  minutes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  sent_last_minute: 1,
  cap: 10,
  level: 0,
  next_ms: 0,
  paused: false,
  held: 0,
  held_for: [],
  message: "m1",
  conversation: "c1",
  last: "2026-03-02T11:59:50.000Z",
  ...more,
});

const nothing = { held: [], total: 0, reasons: [] };
const unattended = { messages: 3, most: 200 };

/** A hub with these pairs, and with nothing else unless it is given. */
function answers(pairs: unknown[], { held = nothing, paused = [] as unknown[] } = {}): Script {
  return ({ path }) => ({
    status: 200,
    json: path.startsWith("/api/held")
      ? held
      : path.startsWith("/api/conversations")
        ? { conversations: path.includes("state=open") ? [] : paused }
        : { pairs, unattended },
  });
}

test("who writes to whom is a table: rates, cooldowns, what is held, and who only answer each other", async () => {
  const busy = { per_minute: 4, minutes: [0, 0, 0, 0, 0, 2, 4, 4, 8, 2], sent_last_minute: 8 };
  const pairs = [
    pair("ann", "ben", {
      ...busy,
      level: 2,
      next_ms: 3_400,
      held: 3,
      held_for: [
        { reason: "cooldown", messages: 2 },
        { reason: "paused", messages: 1 },
      ],
    }),
    pair("ben", "ann", busy),
    pair("cat", "ann", { paused: true }),
    pair("user", "ann", { cap: null, last: null }),
  ];
  const { cli } = await hubWith(answers(pairs));

  const { stdout, code } = await cli(["network"]);

  expect(code).toBe(0);
  expect(stdout).toBe(
    [
      "FROM  TO   10 MINUTES  RATE     CAP   COOLDOWN     HELD                  LAST",
      "ann   ben  ·····▂▄▄█▂  4/min    8/10  level 2, 4s  2 cooldown, 1 paused  10s ago  back and forth",
      "ben   ann  ·····▂▄▄█▂  4/min    8/10  –            –                     10s ago  back and forth",
      "cat   ann  ·········▁  0.2/min  1/10  –            –                     10s ago  paused",
      "user  ann  ·········▁  0.2/min  –     –            –                     –",
      "",
      "3 of 200 messages between agents without you this hour",
      "",
    ].join("\n"),
  );
});

test("where nobody wrote it says so", async () => {
  const { cli } = await hubWith(answers([]));

  expect((await cli(["network"])).stdout).toBe(
    "Nobody wrote to anybody in the last ten minutes, and nothing is held back.\n\n" +
      "3 of 200 messages between agents without you this hour\n",
  );
});

test("what is held back is told with why and until when, and conversations with their budgets", async () => {
  const words = { id: "m1", from: "ann", to: "ben", at: "2026-03-02T11:59:00.000Z", conversation: "c1" };
  const held = {
    held: [
      { ...words, text: "but then\nrenewals change", reason: "cooldown", until: "2026-03-02T12:00:04.000Z" },
      { ...words, text: "either works", reason: "budget", until: null },
      { ...words, text: "and this", reason: "budget", until: null, behind: true },
    ],
    total: 5,
    reasons: [],
  };
  const paused = [
    {
      id: "c1",
      state: "paused",
      hop: 25,
      hops: 25,
      hops_most: 24,
      messages: 31,
      messages_most: 100,
      held: 2,
      participants: ["ann", "ben", "cat"],
      first: null,
      last: null,
    },
  ];
  const { cli } = await hubWith(answers([], { held: held as never, paused }));

  const { stdout } = await cli(["network"]);

  expect(stdout.split("\n").slice(4)).toEqual([
    "Held back now: 5",
    "FROM  TO   WHY                     UNTIL             MESSAGE",
    "ann   ben  cooldown                in 4s             but then\\nrenewals change",
    "ann   ben  budget                  you let it go on  either works",
    "ann   ben  budget, behind another  you let it go on  and this",
    "2 more",
    "",
    "CONVERSATION  STATE   HOPS   MESSAGES  HELD  WHO",
    "c1            paused  25/24  31/100    2     ann, ben, cat",
    "",
  ]);
});

test("a pair is paused, resumed and reset by name, and a wrong word is a usage error", async () => {
  const { hub, cli } = await hubWith((_, nth) => ({
    status: 200,
    json: { from: "ann", to: "ben", paused: nth === 1, released: nth === 1 ? 0 : 1 },
  }));

  expect((await cli(["network", "pause", "ann", "ben"])).stdout).toBe(
    "✓ ann → ben is paused: its messages wait until you resume it\n",
  );
  expect((await cli(["network", "resume", "ann", "ben"])).stdout).toBe(
    "✓ ann → ben goes on; 1 held message can be read now\n",
  );
  expect((await cli(["network", "reset", "ann", "ben"])).stdout).toContain("has no cooldown now");
  expect(hub.calls.map(({ path }) => path)).toEqual(Array(3).fill("/api/pairs/ann/ben"));
  expect(await cli(["network", "stop", "ann", "ben"])).toMatchObject({ code: 2 });
});
