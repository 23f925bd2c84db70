import { expect, test } from "vitest";
import { leftProcesses } from "./judge-processes.mjs";

const RUN = 300;
const SUPERVISOR = 20;
const EDITOR = 40;
const NOBODY = 4_194_304;

/** Init, a supervisor that adopts orphans, this run, and an editor that was there before. */
const there = [
  processOf({ pid: 1, parent: 0 }),
  processOf({ pid: SUPERVISOR, parent: 1 }),
  processOf({ pid: RUN, parent: SUPERVISOR, command: "node\0/shop/scripts/run-tests.mjs\0" }),
  processOf({ pid: EDITOR, parent: 1, command: "editor\0" }),
];

type Facts = { pid: number; parent: number } & Partial<{
  command: string;
  environ: string;
  cwd: string;
  ports: number[];
}>;

function processOf({ pid, parent, command = "x\0", environ = "", cwd = "/", ports = [] }: Facts) {
  return { pid, parent, key: String(pid), command, environ, cwd, program: "/usr/bin/node", files: "", ports };
}

/** Those of these new processes that are left. */
function leftOf(facts: readonly Facts[], { isStrict = false } = {}) {
  const before = new Set(there.map(({ key }) => key));
  const run = { folders: ["/tmp/hud-300-abcdef"], project: "/shop", isStrict, before };
  const processes = [...there, ...facts.map(processOf)];
  return leftProcesses(processes, { ...run, own: new Set([RUN, SUPERVISOR]) }).map(
    ({ process, isCertain }) => [process.pid, isCertain],
  );
}

const hub = "node\0/shop/dist/main.js\0up\0";
const strict = { isStrict: true };

test("who names a folder of the run is left, whoever its parent is", () => {
  expect(leftOf([{ pid: 400, parent: EDITOR, environ: "TMPDIR=/tmp/hud-300-abcdef/hub\0" }])).toEqual([
    [400, true],
  ]);
});

test("an orphan that runs the checkout is left, whether init or a supervisor above the run has adopted it", () => {
  expect(
    leftOf([
      { pid: 400, parent: 1, command: hub },
      { pid: 401, parent: SUPERVISOR, command: hub },
      { pid: 402, parent: 1, command: "node\0/shop-window/dist/main.js\0" },
    ]),
  ).toEqual([
    [400, true],
    [401, true],
  ]);
});

test("who runs the checkout and has a parent is left in CI only, and is not ended", () => {
  const shell = { pid: 400, parent: 1 };
  expect(leftOf([shell, { pid: 401, parent: 400, command: hub }])).toEqual([]);
  expect(leftOf([shell, { pid: 401, parent: 400, command: hub }], strict)).toEqual([[401, false]]);
});

test("what a program started that was there before is none of the run's, in CI as well", () => {
  const terminal = { pid: 400, parent: EDITOR };
  expect(leftOf([terminal, { pid: 401, parent: 400, command: hub, ports: [80] }], strict)).toEqual([]);
});

test("an orphan that listens is left where it is in the checkout, and in CI anywhere", () => {
  const orphans = [
    { pid: 400, parent: 1, cwd: "/shop", ports: [80] },
    { pid: 401, parent: 1, cwd: "/", ports: [81] },
    { pid: 402, parent: 1, cwd: "/shop" },
  ];
  expect(leftOf(orphans)).toEqual([[400, false]]);
  expect(leftOf(orphans, strict)).toEqual([
    [400, false],
    [401, false],
  ]);
});

test("what names another run is left to that one while it goes on", () => {
  const orphan = (pid: number) => ({
    pid: 400,
    parent: 1,
    command: hub,
    environ: `HOME=/tmp/hud-${pid}-ghijkl/hub\0`,
  });
  expect(leftOf([orphan(process.pid)], strict)).toEqual([]);
  expect(leftOf([orphan(NOBODY)], strict)).toEqual([[400, true]]);
});
