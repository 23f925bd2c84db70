import { expect, test } from "vitest";
import { counts } from "./judge-things.mjs";

const USER = 1000;
const NOBODY = 4_194_304;

const facts = {
  pid: 400,
  parent: 1,
  key: "400",
  cwd: "/",
  program: "/usr/bin/node",
  environ: "",
  files: "",
  ports: [],
};

type Options = {
  command?: string;
  environ?: string;
  place?: Parameters<typeof counts>[0]["place"];
  owner?: number;
  isStrict?: boolean;
};

/** Whether something new in /tmp, or elsewhere, is a leftover of run 300. */
function isLeft(
  name: string,
  { place = "temporary", owner = USER, isStrict = false, ...process }: Options = {},
) {
  const text = place === "mounts" ? `${name} tmpfs` : `/tmp/${name}`;
  const hub = { ...facts, command: "huddle\0up\0", environ: "HUDDLE_HOME=/tmp/huddle-of-ann\0" };
  const copy = { ...facts, command: "sqlite3\0", files: "/tmp/huddle-copy/hub.db" };
  const others = [hub, copy, { ...facts, command: "x", ...process }];
  const judged = { folders: ["/tmp/hud-300-abcdef"], isStrict, user: USER, others };
  return counts({ place, name, text, owner, says: "" }, judged);
}
const isStrict = true;

test("of what is new among temporary files only what is named as the project does counts, in CI also what tests drive", () => {
  expect(isLeft("huddle-e2e-x")).toBe(true);
  expect(isLeft("huddle-e2e-x", { owner: 7 })).toBe(false);
  expect(isLeft("pip-build-x")).toBe(false);
  expect(isLeft("pip-build-x", { isStrict })).toBe(false);
  expect(isLeft("claude-0")).toBe(false);
  expect(isLeft("claude-0", { isStrict })).toBe(true);
  expect(isLeft("node-compile-cache", { isStrict })).toBe(false);
});

test("what a process of somebody else works with is left to it, unless nobody else is at work", () => {
  expect(isLeft("huddle-of-ann")).toBe(false);
  expect(isLeft("huddle-copy")).toBe(false);
  expect(isLeft("huddle-of-ann", { isStrict })).toBe(true);
});

test("what lies among temporary files may be of other tests that run, unless these have folders of their own", () => {
  const command = "node\0/shop/node_modules/.bin/vitest\0";
  expect(isLeft("huddle-e2e-x", { command })).toBe(false);
  expect(isLeft("huddle-e2e-x", { command, isStrict })).toBe(true);
  expect(isLeft("huddle-e2e-x", { command, environ: `TMPDIR=/tmp/hud-${process.pid}-abcdef\0` })).toBe(true);
  expect(isLeft(`children-${NOBODY}-x`, { command, place: "cache" })).toBe(true);
});

test("what another run has made is left to it while it goes on", () => {
  for (const place of ["temporary", "namespaces"] as const) {
    expect(isLeft(`hud-${process.pid}-bridge`, { place, isStrict })).toBe(false);
    expect(isLeft(`hud-${NOBODY}-bridge`, { place, isStrict })).toBe(true);
  }
  expect(isLeft(`hud-${NOBODY}-bridge`, { place: "namespaces" })).toBe(true);
  expect(isLeft(`/tmp/hud-${process.pid}-abcdef/disk`, { place: "mounts", isStrict })).toBe(false);
});

test("whatever names the run counts, and whatever is new in a home but caches and histories", () => {
  expect(isLeft("/tmp/hud-300-abcdef/disk", { place: "mounts" })).toBe(true);
  expect(isLeft("/mnt/stick", { place: "mounts" })).toBe(false);
  expect(isLeft(".codex", { place: "home" })).toBe(true);
  expect(isLeft(".config/opencode", { place: "home" })).toBe(true);
  expect(isLeft(".cache", { place: "home" })).toBe(false);
});

test("in the checkout what is installed and built is usual, and what sources are compiled to for one test is not", () => {
  expect(isLeft("dist", { place: "checkout", isStrict })).toBe(false);
  expect(isLeft("src/hub/new.ts", { place: "checkout" })).toBe(false);
  expect(isLeft("src/hub/new.ts", { place: "checkout", isStrict })).toBe(true);
  expect(isLeft("node-22", { place: "cache", isStrict })).toBe(false);
  expect(isLeft(`children-${NOBODY}-x`, { place: "cache" })).toBe(true);
});
