// `huddle selftest` with a small agent CLI that has a model: what people and programs read, and what the hub is told.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { behaviourNames } from "../../src/selftest/cell.js";
import { documentOf, memoryOf, selftest } from "../fakes/selftest-run.js";

/** For one behaviour: what works is not waited out. */
const unhurried = ["--timeout", "5m"];

test("a CLI that does all of it: every cell works, the hub is told, and the person's hub and home are as they were", async () => {
  const run = selftest(["scripted", "--runtime", "acp", "--json", ...unhurried]);
  const { code, document, row } = await documentOf(run);

  expect(row.behaviours.filter(({ result }) => result !== "works")).toEqual([]);
  expect(row.behaviours.map(({ behaviour }) => behaviour)).toEqual(behaviourNames);
  expect({ code, ok: document.ok, version: document.backends[0]?.version }).toEqual({
    code: 0,
    ok: true,
    version: "1.2.3",
  });
  expect(run.stderr()).toMatch(/^scripted acp: spawn works \(\d+\.\d s\)$/m);
  expect(memoryOf(run)).toEqual({
    "scripted acp": {
      program: expect.stringContaining(process.execPath) as unknown,
      selftest: { fails: [], version: "1.2.3", at: expect.any(String) as unknown },
    },
  });
  expect(readdirSync(run.home).sort()).toEqual([".cache", "huddle", "tmp"]);
  expect(readdirSync(run.huddle).sort()).toEqual(["huddle.yaml", "runtimes.json"]);
});

test("people read a grid, with the reason and the way out of what fails; the hub is told", async () => {
  const run = selftest(["scripted", "--runtime", "acp", "--verbose", ...unhurried], { flags: ["--forget"] });

  expect(await run.ended).toBe(8);
  const lines = run.stdout().split("\n");
  expect(lines.slice(0, 5)).toEqual([
    "            spawn  receive  tool  queue  permission  interrupt  resume  kill",
    "scripted 1.2.3",
    "  acp       ✓      ✓        ✓     ✓      ✓           ✓          ✗       ✓",
    "✗ scripted acp, resume: It began a new session: its model was not shown what was said before the restart",
    "  To see more: huddle selftest scripted --runtime acp --behaviour resume --verbose",
  ]);
  expect(run.stdout()).toContain("✗ 7 of 8 cells work");
  expect(memoryOf(run)).toMatchObject({ "scripted acp": { selftest: { fails: ["resume"] } } });
  const logs = /^Logs: (.+)$/m.exec(run.stdout())?.[1] ?? "";
  expect(readdirSync(logs).sort()).toEqual(["hub.log", "model.txt", "scripted-acp-resume.txt"]);
  expect(readFileSync(join(logs, "scripted-acp-resume.txt"), "utf8")).toContain("go on after the restart");
});

test("what is not installed is named with the command that installs it", async () => {
  const run = selftest(["codex", "--json"], { env: { PATH: "/usr/bin:/bin" } });
  const { code, document, row } = await documentOf(run);

  expect(document.backends).toMatchObject([{ backend: "codex", installed: false, version: null }]);
  expect(row).toMatchObject({ verdict: "missing", behaviours: [] });
  expect(code).toBe(8);
});

test.each([
  [["chess"], 2, /No backend is named "chess"/],
  [
    ["scripted", "--runtime", "chess"],
    2,
    /--runtime does not take "chess". Allowed choices are acp, headless, tmux/,
  ],
  [["--behaviour", "chess"], 2, /--behaviour does not take "chess". Allowed choices are spawn, receive/],
])("%j is refused with what there is", async (args, code, words) => {
  const run = selftest(args);

  expect(await run.ended).toBe(code);
  expect(run.stderr()).toMatch(words);
});

test("inside an agent that a hub runs it says why it does not run", async () => {
  const run = selftest([], { env: { HUDDLE_HOSTED: "hub:ann" } });

  expect(await run.ended).toBe(2);
  expect(run.stderr()).toMatch(/does not run inside an agent that a hub runs/);
});
