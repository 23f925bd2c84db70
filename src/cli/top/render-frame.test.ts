import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { agentRow, coloured, permission, plain, topScene } from "../../../test/fakes/top-scene.js";
import { ESCAPES, replaceUnsafe } from "../../model/unsafe-text.js";
import { renderFrame } from "./render-frame.js";
import { chosenNeed, openTop, type TopState } from "./top-state.js";
import { noTraffic } from "./traffic.js";

const PERMISSION = "01a1e569-bcd2-7f14-8790-33661c0ffee0";
const draw = (state: TopState, columns: number, rows: number) =>
  renderFrame(state, plain, { columns, rows }).lines.map((line) => stripVTControlCharacters(line).trimEnd());

test("80 columns: the agents, what needs you, and the live output of the chosen one", () => {
  expect(draw(topScene(), 80, 24)).toMatchInlineSnapshot(`
    [
      "huddle top  ● live  3 need you · 10 agents · 3 busy · 11 messages/min",
      "  NAME        STATUS             FOR  UNREAD  HELD  /MIN  ON",
      "▸ api-dev     ● busy             3m   0       0     0.4   "Add rate limits to t…",
      "  cart-dev    ◔ waiting for you  41s  2       0     0     "Fix the rounding in…",
      "  db-dev      ● busy             8s   0       0     0.4   "Migrate orders to UU…",
      "  docs        ○ idle             12m  0       0     0     ~/docs · gemini (acp)",
      "  infra       ○ dormant          2h   1       0     0     ~/shop · claude-code…",
      "  janus-dev   ◔ pacing (4 s)     3s   3       0     10    ~/shop · claude-code…",
      "  mobile      ! stalled          15m  0       0     0     ~/shop · codex (acp)",
      "  puppet-dev  ● busy             1m   0       3     10    "Write the e2e tests…",
      "  review      ◔ listening        30s  0       0     0     ~/shop · claude-code…",
      "  search      ⏳ limited         30m  0       0     0     ~/shop · claude-code…",
      "── Needs you: 3 ────────────────────────────────────────────────────────────────",
      "  ? mobile says nothing 15m  mobile: no output for 15 minutes",
      "  ? api-dev wrote 5m  Should /search count towards the limit?",
      "  ? cart-dev asks permission 41s  rm -rf build && npm test -- --run totals",
      "── api-dev ● busy 3m, its turn runs ────────────────────────────────────────────",
      "I will look at how the router is built before I add anything to it.",
      "▸ Read src/router.ts",
      "✓ Read src/router.ts (12 ms)",
      "The limits belong in front of the handlers, so that a refused call costs",
      "nothing. I add a bucket for each token.",
      "▸ Edit src/limits.ts",
      "j k move   Enter output   Tab needs you   / filter   ? keys   q quit",
    ]
  `);
});

test("80 columns: what is chosen among what needs you is shown whole, with its keys", () => {
  expect(draw(topScene({ place: "needs", need: PERMISSION }), 80, 24)).toMatchInlineSnapshot(`
    [
      "huddle top  ● live  3 need you · 10 agents · 3 busy · 11 messages/min",
      "  NAME        STATUS             FOR  UNREAD  HELD  /MIN  ON",
      "· api-dev     ● busy             3m   0       0     0.4   "Add rate limits to t…",
      "  cart-dev    ◔ waiting for you  41s  2       0     0     "Fix the rounding in…",
      "  db-dev      ● busy             8s   0       0     0.4   "Migrate orders to UU…",
      "  docs        ○ idle             12m  0       0     0     ~/docs · gemini (acp)",
      "  infra       ○ dormant          2h   1       0     0     ~/shop · claude-code…",
      "  janus-dev   ◔ pacing (4 s)     3s   3       0     10    ~/shop · claude-code…",
      "  mobile      ! stalled          15m  0       0     0     ~/shop · codex (acp)",
      "  puppet-dev  ● busy             1m   0       3     10    "Write the e2e tests…",
      "  review      ◔ listening        30s  0       0     0     ~/shop · claude-code…",
      "  search      ⏳ limited         30m  0       0     0     ~/shop · claude-code…",
      "── Needs you: 3 ────────────────────────────────────────────────────────────────",
      "  ? mobile says nothing 15m  mobile: no output for 15 minutes",
      "  ? api-dev wrote 5m  Should /search count towards the limit?",
      "▸ ? cart-dev asks permission 41s  rm -rf build && npm test -- --run totals",
      "── cart-dev asks permission (41s ago, 11h 40m left) ────────────────────────────",
      "  in ~/shop/cart",
      "  rm -rf build && npm test -- --run totals",
      "  o Yes   s Yes, for this session   a Always   d No",
      "",
      "",
      "",
      "j k move   Space read on   Enter whole   Tab agents   ? keys   q quit",
    ]
  `);
});

test("200 columns: the details stand beside the lists", () => {
  expect(draw(topScene(), 200, 30)).toMatchInlineSnapshot(`
    [
      "huddle top  ● live  3 need you · 10 agents · 3 busy · 11 messages/min",
      "  NAME        STATUS             FOR  UNREAD  HELD  /MIN  10 MINUTES  ON                                       │ ── api-dev ● busy 3m, its turn runs ───────────────────────────────────────────────────",
      "▸ api-dev     ● busy             3m   0       0     0.4   ······▁··▁  "Add rate limits to the public API" for… │ ── api-dev begins at 11:56:50 UTC, with 1 message ──",
      "  cart-dev    ◔ waiting for you  41s  2       0     0                 "Fix the rounding in totals" for user ·… │ I will look at how the router is built before I add anything to it.",
      "  db-dev      ● busy             8s   0       0     0.4   ······▁··▁  "Migrate orders to UUIDs" for user · ~/… │ ▸ Read src/router.ts",
      "  docs        ○ idle             12m  0       0     0                 ~/docs · gemini (acp)                    │ ✓ Read src/router.ts (12 ms)",
      "  infra       ○ dormant          2h   1       0     0                 ~/shop · claude-code (acp)               │ The limits belong in front of the handlers, so that a refused call costs nothing. I",
      "  janus-dev   ◔ pacing (4 s)     3s   3       0     10    ·▁▂▅▄▆▇▅█▇  ~/shop · claude-code (acp)               │ add a bucket for each token.",
      "  mobile      ! stalled          15m  0       0     0                 ~/shop · codex (acp)                     │ ▸ Edit src/limits.ts",
      "  puppet-dev  ● busy             1m   0       3     10    ·▁▂▅▄▆▇▅█▇  "Write the e2e tests for checkout" for…  │",
      "  review      ◔ listening        30s  0       0     0                 ~/shop · claude-code (acp)               │",
      "  search      ⏳ limited         30m  0       0     0                 ~/shop · claude-code (acp)               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "                                                                                                               │",
      "── Needs you: 3 ────────────────────────────────────────────────────────────────────────────────────────────── │",
      "  ? mobile says nothing 15m  mobile: no output for 15 minutes                                                  │",
      "  ? api-dev wrote 5m  Should /search count towards the limit?                                                  │",
      "  ? cart-dev asks permission 41s  rm -rf build && npm test -- --run totals                                     │",
      "j k move   Enter output   Tab needs you   / filter   ? keys   q quit",
    ]
  `);
});

const reply: TopState["mode"] = {
  kind: "reply",
  need: permission("1", "ann", "?"),
  text: "Yes, ".repeat(50),
};
const always = { action: "always", label: "Always", command: "" };
const scenes: Record<string, TopState> = {
  agents: topScene(),
  needs: topScene({ place: "needs", need: PERMISSION }),
  "the details": topScene({ view: "details" }),
  "a need as a whole": topScene({ view: "details", place: "needs", need: PERMISSION }),
  help: topScene({ mode: { kind: "help" } }),
  "a filter": topScene({ filter: "dev", mode: { kind: "filter", before: "" } }),
  "an answer": topScene({ mode: reply }),
  "a question": topScene({ mode: { kind: "confirm", need: permission("1", "ann", "?"), action: always } }),
  "a hub that is away": topScene({ link: { kind: "away", since: plain.now } }),
  "nobody there": openTop({ agents: [], needs: [], traffic: noTraffic }),
  "a notice": topScene({ notice: { tone: "bad", text: "It did not work. ".repeat(30) } }),
};

test.each(Object.entries(scenes))(
  "%s: every size has its rows, and no line is wider than the terminal",
  (_, state) => {
    for (const look of [plain, coloured])
      for (const columns of [1, 10, 23, 24, 40, 60, 80, 129, 130, 200, 400])
        for (const rows of [1, 3, 6, 8, 10, 15, 24, 60]) {
          const { lines } = renderFrame(state, look, { columns, rows });
          expect(lines).toHaveLength(rows);
          for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        }
  },
);

const hostile = [
  "\x1b[2J\x1b[H\x1b]0;owned\x07",
  "\x9b31m\x90q\x9c",
  "\u202Egnp.exe\u2066",
  "Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308algo",
  "宽字符👩‍👩‍👧‍👦",
  "a\r\nb\tc\u2028d",
].join(" ");

test.each([80, 200])("what agents write drives nothing, at %i columns", (columns) => {
  const nasty = permission("p", hostile, `${hostile}\n${hostile}`);
  const state = openTop({
    agents: [
      agentRow("ann", {
        label: hostile,
        evidence: hostile,
        project: `/${hostile}`,
        on: { kind: "turn", text: hostile, for: hostile, since: "" },
      }),
    ],
    needs: [{ ...nasty, actions: nasty.actions.map((one) => ({ ...one, label: hostile })) }],
    traffic: noTraffic,
  });
  for (const shown of [state, { ...state, place: "needs" as const, need: "p" }]) {
    const { lines } = renderFrame(shown, coloured, { columns, rows: 40 });
    for (const line of lines) {
      expect(line.replaceAll(ESCAPES, "")).toBe(replaceUnsafe(line.replaceAll(ESCAPES, ""), () => ""));
      expect(line.match(ESCAPES) ?? []).toEqual(
        (line.match(ESCAPES) ?? []).filter((one) => /\d+[mG]$/.test(one)),
      );
      expect(line).not.toMatch(/\p{M}{4}/u);
      expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    }
    expect(lines.join("\n")).toContain("\\x1b[2J");
  }
});

test("without colours there are none", () => {
  for (const line of renderFrame(topScene(), plain, { columns: 80, rows: 24 }).lines)
    expect(line).toBe(stripVTControlCharacters(line));
});

test("a text that does not fit is not seen to its end before it is read there", () => {
  const text = Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n");
  const state: TopState = {
    ...openTop({ agents: [agentRow("ann")], needs: [permission("p", "ann", text)], traffic: noTraffic }),
    place: "needs",
    need: "p",
  };
  const size = { columns: 80, rows: 24 };
  const first = renderFrame(state, plain, size);
  expect(first.shown).toMatchObject({ need: { id: "p" }, isEndSeen: false });
  expect(first.lines.join("\n")).toMatch(/↓ \d+ more lines/);
  expect(first.lines.join("\n")).toContain("o Yes");

  const last = renderFrame({ ...state, scroll: first.shown.mostScroll }, plain, size);
  expect(last.shown.isEndSeen).toBe(true);
  expect(last.lines.join("\n")).toContain("line 59");
});

test("what is not on the screen cannot be answered", () => {
  const state = topScene({ place: "needs", need: PERMISSION });
  expect(chosenNeed(state)?.need.id).toBe(PERMISSION);
  expect(renderFrame(state, plain, { columns: 80, rows: 24 }).shown.need?.id).toBe(PERMISSION);
  expect(renderFrame(state, plain, { columns: 80, rows: 7 }).shown.need).toBeUndefined();
  expect(renderFrame(state, plain, { columns: 20, rows: 24 }).shown.need).toBeUndefined();
  expect(
    renderFrame({ ...state, mode: { kind: "help" } }, plain, { columns: 80, rows: 24 }).shown.need,
  ).toBeUndefined();
});
