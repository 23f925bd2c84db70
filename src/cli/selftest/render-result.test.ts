import { Readable, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { buildBackends } from "../../runtime/backends/build-backends.js";
import { type Behaviour, behaviourNames, type Cell } from "../../selftest/cell.js";
import type { RunFacts } from "../../selftest/document.js";
import { offlineClients } from "../../selftest/offline/offline-clients.js";
import type { BackendResult } from "../../selftest/run-selftest.js";
import type { Surveyed } from "../../selftest/survey.js";
import { openContext } from "../context.js";
import { renderResult } from "./render-result.js";
import { createView } from "./view.js";

function context(columns: number | undefined) {
  let text = "";
  const stream = () =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _, done) {
          text += chunk.toString("utf8");
          done();
        },
      }),
      columns === undefined ? {} : { isTTY: true, columns },
    );
  const io = {
    env: { NO_COLOR: "1" },
    home: "/home/ann",
    stdin: Readable.from([]),
    stdout: stream(),
    stderr: stream(),
    now: () => 0,
    interruption: () => new AbortController().signal,
    self: ["/bin/huddle"] as const,
    loadDaemon: () => Promise.reject(new Error("this test has no daemon")),
  };
  const globals = { json: false, quiet: false, color: true, timeout: undefined, hub: undefined, open: false };
  const cli = openContext(io, globals, () => Promise.reject(new Error("not described")));
  return { cli, printed: () => text };
}

function codex(runtimes: Surveyed["runtimes"], isHere = true): Surveyed {
  const backend = buildBackends({}).get("codex");
  if (backend === undefined) throw new Error("not built");
  return {
    backend,
    client: offlineClients.codex,
    path: isHere ? "/bin/codex" : undefined,
    version: "0.166.0",
    install: "npm i -g @openai/codex",
    runtimes,
  };
}

const works: Cell = { kind: "works", ms: 900 };
const allWork = new Map<Behaviour, Cell>(behaviourNames.map((name) => [name, works]));
const facts: RunFacts = {
  ok: true,
  seconds: 41,
  budgetSeconds: 60,
  refused: [],
  remembered: 2,
  logs: undefined,
};
const all = { behaviours: new Set<Behaviour>(behaviourNames), runtimes: ["acp", "headless", "tmux"] };

test("for a program the grid stands with the result, and what is missing has the command that installs it", () => {
  const { cli } = context(undefined);
  const found = codex([
    { runtime: "headless", program: "/bin/codex" },
    { runtime: "acp", program: undefined, reason: "codex-acp is not installed", fix: "npm i -g codex-acp" },
  ]);
  const [headless, acp] = found.runtimes;
  if (headless === undefined || acp === undefined) throw new Error("not there");
  const cells = new Map(allWork).set("permission", { kind: "cannot", reason: "its help has no option" });
  const results: BackendResult[] = [
    {
      found,
      rows: [
        { ...headless, cells },
        { ...acp, cells: new Map() },
      ],
    },
    { found: codex([], false), rows: [] },
  ];
  expect(renderResult(cli, results, facts, all).split("\n")).toEqual([
    "            spawn  receive  tool  queue  permission  interrupt  resume  kill",
    "codex 0.166.0",
    "  headless  ✓      ✓        ✓     ✓      –           ✓          ✓       ✓",
    "– codex headless, permission: its help has no option",
    "· codex acp: codex-acp is not installed. Install it with: npm i -g codex-acp",
    "· Not installed here: codex. See: huddle backends",
    "✓ 7 of 8 cells work, in 41 s. The hub prefers what works from now on.",
    "✓ works  ↻ second try  ✗ fails  ? could not be tried  – cannot be  · not run",
  ]);
});

test("on a terminal the grid fills in place, and every line fits 80 columns", () => {
  const { cli, printed } = context(80);
  const found = codex([
    { runtime: "acp", program: "/bin/codex-acp" },
    { runtime: "tmux", program: "/bin/codex" },
  ]);
  const row = (runtime: "acp" | "tmux") => ({
    backend: "codex",
    runtime,
    hubBackend: "codex",
    lane: "codex",
    behaviours: all.behaviours,
    cannotAsk: undefined,
  });
  const view = createView(cli, all);
  view.backend(found);
  view.cell(row("acp"), "spawn", undefined);
  view.cell(row("acp"), "spawn", works);
  view.cell(row("tmux"), "spawn", { kind: "fails", ms: 1, reason: "it ended", fix: "look" });

  const frames = printed()
    .split("\x1b[?2026h")
    .map((frame) => stripVTControlCharacters(frame).replaceAll("\r", ""));
  expect(
    frames
      .at(-1)
      ?.trimEnd()
      .split("\n")
      .map((line) => line.trimEnd()),
  ).toEqual(["codex 0.166.0", "  acp       ✓", "  tmux      ✗"]);
  expect(frames[2]).toContain("  acp       …");
  for (const line of printed().split("\n")) expect(line.length).toBeLessThan(120);

  const cells = new Map<Behaviour, Cell>([
    [
      "spawn",
      { kind: "fails", ms: 1, reason: `it ended ${"and said so ".repeat(20)}`, fix: "To see more: x" },
    ],
  ]);
  const [acp] = found.runtimes;
  if (acp === undefined) throw new Error("not there");
  const text = renderResult(
    cli,
    [{ found, rows: [{ ...acp, cells }] }],
    { ...facts, ok: false, remembered: 0 },
    all,
  );
  expect(text).not.toContain("codex 0.166.0");
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});
