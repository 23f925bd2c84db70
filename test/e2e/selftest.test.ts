// `huddle selftest` with a small agent CLI that has a model, and with the same one going wrong in every way; ended in every way: nothing stays.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { behaviourNames } from "../../src/selftest/cell.js";
import { eventually } from "../fakes/hosting-hub.js";
import { readProcesses } from "../fakes/processes.js";
import { tempFolder } from "../fakes/temp-folder.js";

const program = resolve("test/fakes/scripted-agent/modelled.mjs");

type Run = {
  child: ChildProcess;
  /** The person's home, and the home of their hub. */
  home: string;
  huddle: string;
  stdout(): string;
  stderr(): string;
  says(words: string): Promise<string>;
  ended: Promise<number | null>;
};

/** On a machine that has one backend, `scripted`, whose ACP form goes wrong as the flags say. */
function selftest(
  args: readonly string[],
  { flags = [], env = {} }: { flags?: readonly string[]; env?: Record<string, string> } = {},
): Run {
  const home = tempFolder();
  const huddle = join(home, "huddle");
  mkdirSync(huddle);
  const scripted = { like: "claude-code", command: program, acp: [process.execPath, program, ...flags] };
  writeFileSync(join(huddle, "huddle.yaml"), JSON.stringify({ backends: { scripted } }));
  const child = spawn(process.execPath, [resolve("dist/main.js"), "selftest", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      HUDDLE_HOME: huddle,
      ANTHROPIC_API_KEY: "sk-of-the-person",
      ...env,
    },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((done) => {
    child.once("close", done);
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await expectNothingLeft(home);
  });
  return {
    child,
    home,
    huddle,
    stdout: () => stdout,
    stderr: () => stderr,
    says: (words) =>
      eventually(
        async () => (stderr.includes(words) ? words : undefined),
        `it says ${words}; it said ${stdout}${stderr}`,
      ),
    ended,
  };
}

/** Neither a process nor a folder of it. */
async function expectNothingLeft(home: string): Promise<void> {
  const folder = join(home, ".cache", "huddle");
  await eventually(async () => {
    const named = [...readProcesses("cmdline"), ...readProcesses("environ")];
    const left = named.filter(([, text]) => text.includes(join(folder, "st-")));
    const isEmpty = !existsSync(folder) || readdirSync(folder).length === 0;
    return left.length === 0 && isEmpty ? true : undefined;
  }, `nothing of it is left in ${folder}`);
}

type Behaviour = { behaviour: string; result: string; reason: string | null; fix: string | null };
type Runtime = { runtime: string; verdict: string; reason: string | null; behaviours: Behaviour[] };
type Document = {
  ok: boolean;
  remembered: number;
  logs: string | null;
  backends: { backend: string; version: string | null; installed: boolean; runtimes: Runtime[] }[];
};

async function documentOf(run: Run): Promise<{ code: number | null; document: Document; row: Runtime }> {
  const code = await run.ended;
  const document = JSON.parse(run.stdout()) as Document;
  const row = document.backends[0]?.runtimes[0];
  if (row === undefined) throw new Error(`it tried nothing: ${run.stdout()}${run.stderr()}`);
  return { code, document, row };
}

const memoryOf = ({ huddle }: Run) => {
  const file = join(huddle, "runtimes.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>) : {};
};

test("a CLI that does all of it: every cell works, the hub is told, and the person's hub and home are as they were", async () => {
  const run = selftest(["scripted", "--runtime", "acp", "--json"]);
  const { code, document, row } = await documentOf(run);

  expect(row.behaviours.filter(({ result }) => result !== "works")).toEqual([]);
  expect(row.behaviours.map(({ behaviour }) => behaviour)).toEqual(behaviourNames);
  expect({ code, ok: document.ok, version: document.backends[0]?.version }).toEqual({
    code: 0,
    ok: true,
    version: "1.2.3",
  });
  expect(run.stderr()).toMatch(/^scripted acp: spawn works \(\d+\.\d s\)\n/);
  expect(memoryOf(run)).toEqual({
    "scripted acp": {
      program: expect.stringContaining(process.execPath) as unknown,
      selftest: { fails: [], version: "1.2.3", at: expect.any(String) as unknown },
    },
  });
  expect(readdirSync(run.home).sort()).toEqual([".cache", "huddle"]);
  expect(readdirSync(run.huddle).sort()).toEqual(["huddle.yaml", "runtimes.json"]);
});

test("people read a grid, with the reason and the way out of what fails; the hub is told", async () => {
  const run = selftest(["scripted", "--runtime", "acp", "--verbose"], { flags: ["--forget"] });

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

describe("a CLI that goes wrong gives a cell with the reason, within its time", () => {
  test.each([
    ["hangs as it starts", "--hang", "spawn", "fails", /^Not within 3 s: it started/],
    ["prints what is no ACP", "--garbage", "spawn", "fails", /^Not within 3 s: it started/],
    [
      "crashes as it starts",
      "--crash",
      "spawn",
      "fails",
      /cannot start with sk-ant-scripted\S+ in \S+\/home/,
    ],
    ["wants a log-in", "--login", "spawn", "blocked", /is not signed in/],
    ["never asks its model", "--mute", "receive", "blocked", /It asked the scripted model nothing at all/],
    ["shows a message twice", "--double", "receive", "fails", /was shown the message 2 times/],
    ["has no tools of Huddle's", "--toolless", "tool", "fails", /was not offered Huddle's tools/],
    ["acts unasked", "--pushy", "permission", "fails", /It ran touch \S+ without asking/],
    ["acts in spite of a no", "--disobey", "permission", "fails", /may not run touch \S+, and did/],
    ["heeds no interrupt", "--deaf", "interrupt", "fails", /^Not within|cancel|interrupt/],
  ])("%s", async (_, flag, behaviour, result, reason) => {
    const time = behaviour === "spawn" || flag === "--mute" ? "3s" : "20s";
    const args = ["scripted", "--runtime", "acp", "--behaviour", behaviour, "--timeout", time, "--json"];
    const run = selftest(args, { flags: [flag] });
    const { code, document, row } = await documentOf(run);

    const cell = row.behaviours.find((one) => one.behaviour === behaviour);
    expect(cell).toMatchObject({ result, reason: expect.stringMatching(reason) as unknown });
    expect(cell?.fix).toContain(`huddle selftest scripted --runtime acp --behaviour ${behaviour} --verbose`);
    expect({ code, ok: document.ok, remembered: document.remembered }).toEqual({
      code: 8,
      ok: false,
      remembered: 0,
    });
    expect(memoryOf(run)).toEqual({});
  });

  test("floods its output, and works all the same", async () => {
    const args = ["scripted", "--runtime", "acp", "--behaviour", "receive", "--json"];
    const { code, row } = await documentOf(selftest(args, { flags: ["--flood"] }));

    expect(row.behaviours.map(({ behaviour, result }) => [behaviour, result])).toEqual([
      ["spawn", "works"],
      ["receive", "works"],
    ]);
    expect(code).toBe(0);
  });
});

test.each([
  ["SIGINT", "spawn works"],
  ["SIGTERM", "receive works"],
  ["SIGHUP", "queue works"],
  ["SIGINT", "interrupt works"],
  ["SIGINT", "resume works"],
] as const)("%s after %s ends it, and all that it started; the hub is told nothing", async (signal, step) => {
  const run = selftest(["scripted", "--runtime", "acp"]);
  await run.says(step);

  run.child.kill(signal);
  // Somebody impatient: the second one does not keep it from cleaning up.
  run.child.kill(signal);

  expect(await run.ended).toBe(130);
  await expectNothingLeft(run.home);
  expect(memoryOf(run)).toEqual({});
});

test("Ctrl-C before anything runs, and while the hub starts, leaves nothing", async () => {
  for (const wanted of [".cache/huddle", "hub"]) {
    const run = selftest(["scripted", "--runtime", "acp"]);
    await eventually(async () => {
      const folder = join(run.home, ".cache", "huddle");
      const [place] = existsSync(folder) ? readdirSync(folder) : [];
      if (wanted !== "hub") return place;
      return place !== undefined && existsSync(join(folder, place, "hub", "huddle.lock")) ? place : undefined;
    }, "it has begun");

    run.child.kill("SIGINT");

    expect(await run.ended).toBe(130);
    await expectNothingLeft(run.home);
  }
});

test("kill -9 in the middle leaves nothing either", async () => {
  const run = selftest(["scripted", "--runtime", "acp"]);
  await run.says("receive works");

  run.child.kill("SIGKILL");

  await run.ended;
  await expectNothingLeft(run.home);
});

test("whoever stops reading what it says ends it, too", async () => {
  const run = selftest(["scripted", "--runtime", "acp"]);
  await run.says("spawn works");

  run.child.stderr?.destroy();

  await run.ended;
  await expectNothingLeft(run.home);
});

test("what is not installed is named with the command that installs it", async () => {
  const run = selftest(["codex", "--json"], { env: { PATH: "/usr/bin:/bin" } });
  const { code, document, row } = await documentOf(run);

  expect(document.backends).toMatchObject([{ backend: "codex", installed: false, version: null }]);
  expect(row).toMatchObject({ verdict: "missing", behaviours: [] });
  expect(code).toBe(8);
});

test.each([
  [["chess"], 4, /No backend is named "chess"/],
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
