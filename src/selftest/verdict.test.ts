import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { buildBackends } from "../runtime/backends/build-backends.js";
import { type Behaviour, behaviourNames, type Cell } from "./cell.js";
import { explain } from "./explain.js";
import { offlineClients } from "./offline/offline-clients.js";
import type { BackendResult, RowResult } from "./run-selftest.js";
import { isWell, remember, verdictOf } from "./verdict.js";

const works: Cell = { kind: "works", ms: 1 };
const fails: Cell = { kind: "fails", ms: 1, reason: "r", fix: "f" };
const blocked: Cell = { kind: "blocked", ms: 1, reason: "r", fix: "f" };
const cannot: Cell = { kind: "cannot", reason: "r" };
const notRun: Cell = { kind: "not_run", reason: "r" };

const whole = (changes: Partial<Record<Behaviour, Cell>> = {}) =>
  new Map<Behaviour, Cell>(behaviourNames.map((name) => [name, changes[name] ?? works]));

function result(rows: RowResult[], isHere = true): BackendResult {
  const backend = buildBackends({}).get("codex");
  if (backend === undefined) throw new Error("not built");
  const found = {
    backend,
    client: offlineClients.codex,
    path: isHere ? "/bin/codex" : undefined,
    version: "1.0.0",
    install: null,
    runtimes: [],
  };
  return { found, rows };
}

const row = (cells: RowResult["cells"], program = "/bin/codex"): RowResult => ({
  runtime: "acp",
  program,
  cells,
});
const missing: RowResult = { runtime: "acp", program: undefined, reason: "r", fix: null, cells: new Map() };
const nobody = { backends: false, runtimes: false };

test.each([
  ["works", row(whole())],
  ["works", row(whole({ permission: cannot, queue: { kind: "retried", ms: 1, reason: "r" } }))],
  ["fails", row(whole({ resume: fails, kill: notRun }))],
  ["unknown", row(whole({ spawn: blocked, receive: notRun }))],
  ["missing", missing],
] as const)("a row comes to %s", (verdict, one) => {
  expect(verdictOf(one)).toBe(verdict);
});

test("all is well when something was tried and all of it works; what is not here counts if it was named", () => {
  const good = row(whole());
  expect(isWell([result([good, missing])], nobody)).toBe(true);
  expect(isWell([result([good, missing])], { backends: true, runtimes: true })).toBe(false);
  expect(isWell([result([good]), result([missing], false)], nobody)).toBe(true);
  expect(isWell([result([good]), result([missing], false)], { backends: true, runtimes: false })).toBe(false);
  expect(isWell([result([row(whole({ spawn: blocked }))])], nobody)).toBe(false);
  expect(isWell([result([missing], false)], nobody)).toBe(false);
});

test("only whole rows that say something for certain are remembered, in a folder that is made if need be", () => {
  const folder = tempFolder();
  const program = join(folder, "codex");
  writeFileSync(program, "");
  const file = join(folder, "data", "runtimes.json");
  const at = "2026-11-18T07:00:00.000Z";
  const some = new Map<Behaviour, Cell>([["spawn", works]]);
  expect(
    remember([result([row(some, program), row(whole({ spawn: blocked }), program), missing])], file, at),
  ).toBe(0);
  expect(existsSync(file)).toBe(false);

  expect(remember([result([row(whole({ queue: fails, resume: fails }), program)])], file, at)).toBe(1);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    "codex acp": {
      program: expect.stringContaining(program) as unknown,
      selftest: { fails: ["queue", "resume"], version: "1.0.0", at },
    },
  });
});

test.each([
  ["spawn", "codex is not signed in: run `codex` once", "blocked"],
  ["receive", "401 Unauthorized", "blocked"],
  ["resume", "401 Unauthorized", "fails"],
  ["spawn", "codex ended as it started (exit 1)", "fails"],
] as const)("%s: %s is %s, with a line that repeats it", (behaviour, reason, kind) => {
  const cell = explain({ backend: "codex", runtime: "acp" }, behaviour, new Error(reason), 7);
  expect(cell).toMatchObject({ kind, reason, ms: 7 });
  expect(cell).toHaveProperty(
    "fix",
    expect.stringContaining(`huddle selftest codex --runtime acp --behaviour ${behaviour} --verbose`),
  );
});
