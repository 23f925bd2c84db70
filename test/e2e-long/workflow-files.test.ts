import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Task, Workflow } from "../../src/client/hub-client.js";
import { eventually } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { patiently } from "../fakes/patiently.js";
import { type CliRun, type CliWorld, cli } from "../fakes/run-cli.js";
import { testSocket, tmux } from "../fakes/scripted-pane.js";
import { stepIs } from "../fakes/workflow-calls.js";

/* Definition files and `huddle workflow` (docs/workflows.md): a real hub, and once the real program in a real terminal. */

const program = resolve(process.env["HUDDLE_MAIN"] ?? join("dist", "main.js"));
const examples = resolve("examples");

/** Every vendor's CLI is the scripted agent, which answers a prompt that tells it nothing with that prompt. */
const scripted = [process.execPath, resolve("test", "fakes", "scripted-agent", "acp.mjs"), "--mirror"];
const settings = [
  ...["claude-code", "codex", "scripted"].map((name) => `backends.${name}.acp=${JSON.stringify(scripted)}`),
  ...["claude-code", "codex"].map((name) => `backends.${name}.runtime=acp`),
  'allowed_roots=["/"]',
];

/** What it prints tells the scripted agent what would make it pass. */
const unit = `if (!require("node:fs").existsSync("fixed")) { console.log("1 of 3 failed: !put fixed yes !say Fixed."); process.exit(1) }`;
const checks = JSON.stringify({ unit: [process.execPath, "-e", unit] });

const yard = createHubYard();
const start = (home = yard.home()) => yard.start({ home, set: [...settings, `checks=${checks}`] });
/** Shared: each test has a folder of its own. */
let hub: HubProcess;
beforeAll(async () => {
  hub = await start();
});
afterAll(() => yard.clear());

/** The command line as a person calls it, in the folder where they are. */
const huddleAt = ({ home }: HubProcess, args: string[], world: CliWorld = {}) =>
  cli([...args, "--timeout", "5m"], { stdin: "", ...world, env: { HUDDLE_HOME: home } });
const huddle = (...args: string[]) => huddleAt(hub, args);

/** A folder with these files, in which the person is until the test ends. */
function projectWith(files: Record<string, string>): string {
  const folder = yard.home();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const from = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(from));
  return folder;
}

const read = ({ stdout }: CliRun): Workflow => JSON.parse(stdout) as Workflow;
const stepOf = ({ steps }: Workflow, name: string) => steps.find((step) => step.name === name);

const chain = `
name: A chain
steps:
  - {name: one, agent: scripted, prompt: "!say the quince"}
  - {name: two, agent: scripted, depends_on: [one], prompt: "Look at {{one.output}}"}
`;

test("a file is run to its end, outputs flow, without a terminal --watch is a line for each change, and the program says how it ended", async () => {
  projectWith({
    "chain.yaml": chain,
    "chain.json": JSON.stringify({ name: "J", steps: [{ agent: "scripted", prompt: "!say from json" }] }),
  });

  const run = await huddle("workflow", "run", "chain.yaml", "--watch");
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expectLines(run.stdout);
  expect(run.stdout).toMatch(/^(\d\d:\d\d:\d\d )?✓ A chain is done in \d+s: 2 of 2 steps done/m);
  expect(run.stdout).toContain("the quince");

  const json = await huddle("workflow", "run", "chain.json", "--json");
  expect(json.code).toBe(0);
  expect(read(json)).toMatchObject({
    name: "J",
    status: "done",
    steps: [{ name: "scripted", status: "done", output: "from json" }],
  });

  const id = (await huddle("workflow", "run", "chain.yaml", "--detach")).stdout.trim();
  expect(id).toMatch(/^wf-[\w-]+$/);
  const watched = await huddle("workflow", "watch", id);
  expect(watched.code).toBe(0);
  expect(watched.stdout).toMatch(/✓ two is done/);
  expect((await huddle("workflow", "show", id, "--output", "one")).stdout).toBe("the quince");
  expect((await huddle("workflow")).stdout.split("\n").filter((line) => line.includes("done"))).toHaveLength(
    3,
  );
});

/** Without a terminal: a line for each change. */
function expectLines(stdout: string): void {
  const told = stdout.split("\n").map((line) => line.replace(/^\d\d:\d\d:\d\d /, ""));
  // What a step was before it was first looked at is not told: on a busy machine it may be done by then.
  const changes = told.slice(
    0,
    told.findIndex((line) => line.startsWith("✓ A chain is done")),
  );
  expect(changes.filter((line) => !line.startsWith("●"))).toEqual([
    expect.stringMatching(/^✓ one is done after/),
    expect.stringMatching(/^✓ two is done after/),
  ]);
  const begun = changes.filter((line) => line.startsWith("●"));
  expect(["● one runs (scripted)", "● two runs (scripted)"]).toEqual(expect.arrayContaining(begun));
  expect(stdout).not.toContain("\x1b");
}

test("a step that fails is code 1, what depends on it is blocked, and a retry mends it", async () => {
  const folder = projectWith({
    "x.yaml": `
name: Fails at first
steps:
  - {name: shaky, agent: scripted, prompt: "!exit-unless GATE !say well"}
  - {name: after, agent: scripted, depends_on: [shaky], prompt: "!say after"}
`,
  });
  const gate = join(folder, "gate");
  const file = join(folder, "x.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("GATE", gate));
  const run = await huddle("workflow", "run", "x.yaml");
  expect(run.code).toBe(1);
  const [, id = ""] = /huddle workflow retry (\S+) shaky/.exec(run.stdout) ?? [];

  writeFileSync(gate, "");
  expect(await huddle("workflow", "retry", id, "shaky")).toMatchObject({ code: 0 });
  expect(await huddle("workflow", "watch", id)).toMatchObject({ code: 0 });
});

test("cancelled is code 8, and unknown ones are not found", async () => {
  projectWith({
    "x.yaml": 'name: Hangs\nsteps:\n  - {name: hang, agent: scripted, prompt: "!hang"}\n',
  });
  const id = (await huddle("workflow", "run", "x.yaml", "-d")).stdout.trim();
  await stepIs(hub, id, "hang", "running");
  const watching = huddle("workflow", "watch", id);
  expect((await huddle("workflow", "cancel", id)).stdout).toContain("The workflow is cancelled");
  expect((await watching).code).toBe(8);
  for (const args of [
    ["show", "wf-none"],
    ["watch", "wf-none"],
    ["show", id, "--output", "hagn"],
  ]) {
    expect((await huddle("workflow", ...args)).code).toBe(4);
  }
});

test("a bad file starts nothing: every problem has its line and column", async () => {
  projectWith({
    "bad.yaml": `name: Bad
steps:
  - name: a
    agent: scripted
    prompt: x
    depends_on: [b]
  - name: b
    agent: scripted
    promt: "{{c.output}}"
    depends_on: [a, nobody]
`,
    "strangers.yaml": `name: Strangers
project: .
steps:
  - {name: a, agent: scripted, prompt: x}
  - name: b
    agent: scriptd
    prompt: x
  - name: c
    backend: codexx
    prompt: x
`,
  });
  const bad = await huddle("workflow", "run", "bad.yaml");
  expect(bad).toMatchObject({ code: 2, stdout: "" });
  expect(bad.stderr.split("\n").map((line) => line.trim())).toEqual([
    "✗ bad.yaml has 3 problems; nothing was started:",
    "bad.yaml:6:18: these steps depend on each other in a circle, so that none could begin: a → b → a",
    'bad.yaml:9:5: "promt" is not a key of step 2; did you mean prompt?',
    'bad.yaml:10:21: no step is named "nobody"',
    "",
  ]);
  // What only the hub knows is said in the same way.
  const strangers = await huddle("workflow", "run", "strangers.yaml");
  expect(strangers).toMatchObject({ code: 2, stdout: "" });
  expect(strangers.stderr).toMatch(/ {2}strangers\.yaml:6:12: no agent and no backend is named "scriptd"/);
  expect(strangers.stderr).toMatch(/ {2}strangers\.yaml:9:14: No backend is named "codexx"/);
  const asJson = await huddle("workflow", "run", "bad.yaml", "--json");
  expect(JSON.parse(asJson.stderr)).toMatchObject({
    code: "WORKFLOW_INVALID",
    file: "bad.yaml",
    problems: [
      { line: 6, column: 18 },
      { line: 9, column: 5 },
      { line: 10, column: 21 },
    ],
  });
  expect((await huddle("workflow", "list")).stdout).not.toMatch(/Bad|Strangers/);
});

test("agents work in the file's project, or where the person is", async () => {
  const folder = projectWith({
    "here.yaml": 'name: Here\nsteps:\n  - {agent: scripted, prompt: "!environment"}\n',
  });
  const { steps } = read(await huddle("workflow", "run", "here.yaml", "--json"));
  expect(steps[0]?.output).toContain(`"PWD":"${folder}"`);
});

test("review by two vendors: both run at once, and the third step has what both found", async () => {
  const folder = projectWith({});
  cpSync(join(examples, "review-by-two-vendors.yaml"), join(folder, "review.yaml"));
  const workflow = read(await huddle("workflow", "run", "review.yaml", "--json"));
  expect(workflow.status).toBe("done");
  const [claude, codex, merge] = ["claude-review", "codex-review", "merge"].map((name) =>
    stepOf(workflow, name),
  );
  // Neither waited for the other.
  expect(Date.parse(claude?.started ?? "")).toBeLessThan(Date.parse(codex?.ended ?? ""));
  expect(Date.parse(codex?.started ?? "")).toBeLessThan(Date.parse(claude?.ended ?? ""));
  expect(merge?.output).toContain("output of claude-review");
  expect(merge?.output).toContain("output of codex-review");
  expect(merge?.output).toMatch(/^I was told: Your task: Review/m);
});

test("a fix loop: the check's output goes back to the agent until it passes, once the person allowed the check", async () => {
  const folder = projectWith({});
  cpSync(join(examples, "fix-loop.yaml"), join(folder, "fix-loop.yaml"));
  let told = () => {};
  const waits = new Promise<void>((done) => {
    told = done;
  });
  const running = huddleAt(hub, ["workflow", "run", "fix-loop.yaml", "--watch"], {
    onPrint: (text) => {
      if (text.includes("? fix waits for you: huddle inbox")) told();
    },
  });
  await Promise.race([waits, running]);
  const [, permission = ""] = /huddle approve (\S+)/.exec((await huddle("inbox")).stdout) ?? [];
  expect((await huddle("approve", permission, "always")).code).toBe(0);
  const { code, stdout } = await running;
  expect(stdout).toContain("? fix waits for you: huddle inbox");
  expect(stdout).toContain("✓ fix is done");
  expect(stdout).toContain("– explain is skipped");
  expect(stdout).toMatch(/fix \(codex\):\n {2}Fixed\./);
  expect(code).toBe(0);
});

test("every example is fine by the schema that editors have, and names it", () => {
  const schema = JSON.parse(readFileSync(resolve("schemas", "workflow.schema.json"), "utf8")) as {
    properties: { steps: { items: { properties: object } } };
  };
  expect(Object.keys(schema.properties.steps.items.properties)).toContain("depends_on");
  for (const name of readdirSync(examples).filter((file) => file.endsWith(".yaml"))) {
    const [first = ""] = readFileSync(join(examples, name), "utf8").split("\n");
    expect(first).toBe("# yaml-language-server: $schema=../schemas/workflow.schema.json");
  }
});

test("the diamond on a terminal: drawn in place, waiting for the person, left and watched again", async () => {
  const folder = projectWith({});
  // What is shown stands still until the file is there.
  const gate = join(folder, "gate");
  const text = readFileSync(join(examples, "diamond.yaml"), "utf8")
    .replace("prompt: Build the server's part", 'prompt: "!put part.txt the server !say Built." # ')
    .replace(
      "prompt: Build the client's part",
      `prompt: "!put part.txt the client !gate ${gate} !say Built." # `,
    );
  writeFileSync(join(folder, "diamond.yaml"), text);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  git("init", "-q");
  git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "--allow-empty", "-m", "begin");

  const socket = testSocket();
  const command = `"${process.execPath}" "${program}" workflow run diamond.yaml; echo "code $?"; exec bash --norc`;
  const place = ["-x", "90", "-y", "24", "-c", folder, "-e", `HUDDLE_HOME=${hub.home}`];
  tmux(socket, "new-session", "-d", "-s", "desk", ...place, "bash", "-c", command);
  const screen = () => tmux(socket, "capture-pane", "-p", "-t", "desk").trimEnd();
  /** The screen, once it shows all of it: it may be caught in the middle of a drawing. */
  const shows = (...all: RegExp[]) =>
    patiently(() => {
      const now = screen();
      for (const what of all) expect(now).toMatch(what);
      return now;
    }, 3 * PATIENCE_MS);

  const atWork = await shows(
    /Build it in two parts {2}wf-[\w-]+ {2}running {2}/,
    /████████████░░░░░░░░░░░░ {2}2 of 4 steps/,
    /^✓ plan /m,
    /^├─✓ server +codex /m,
    /^└─● client .* \d+s/m,
    /^ {2}└─○ join .*after server, client$/m,
  );
  // Drawn in place: each line is there once.
  expect(atWork.match(/plan/g)?.length).toBeLessThanOrEqual(2);

  writeFileSync(gate, "");
  const waiting = await shows(
    /→ join waits for you/,
    /huddle workflow approve [\w-]+ join/,
    /running|waiting/,
  );
  const [, id = ""] = /huddle workflow approve ([\w-]+) join/.exec(waiting) ?? [];
  if (process.env["HUDDLE_CAPTURE"] !== undefined)
    writeFileSync(process.env["HUDDLE_CAPTURE"], `${waiting}\n`);

  tmux(socket, "send-keys", "-t", "desk", "C-c");
  const left = await shows(/code 9/, /The workflow goes on and waits for you\./);
  expect(left).toContain(`huddle workflow watch ${id}`);

  const watching = huddle("workflow", "watch", id);
  await huddle("workflow", "approve", id, "join", "-m", "go ahead");
  const watched = await watching;
  expect(watched.code).toBe(0);
  expect(watched.stdout).toContain("✓ join is done");
  const workflow = read(await huddle("workflow", "show", id, "--json"));
  expect(stepOf(workflow, "join")?.output).toContain("go ahead");
  // Each part was written in a worktree of its own, on the branch that the last step is told of.
  expect(existsSync(join(folder, "part.txt"))).toBe(false);
  for (const part of ["server", "client"]) {
    const { task_id } = stepOf(workflow, part) ?? {};
    const task = JSON.parse((await huddle("task", "show", task_id ?? "", "--json")).stdout) as Task;
    expect(task.worktree).toMatchObject({ branch: `huddle/${part}`, kept: true, files: 1 });
    const written = join(task.worktree?.path ?? "", "part.txt");
    expect(readFileSync(written, "utf8")).toBe(`the ${part}\n`);
  }
});

test("who watches goes on when the hub comes back", async () => {
  const home = yard.home();
  const hub = await start(home);
  const folder = yard.home();
  const gate = join(folder, "gate");
  writeFileSync(
    join(folder, "x.yaml"),
    `name: Outlives\nproject: ${folder}\nsteps:\n  - {name: slow, agent: scripted, prompt: "!gate ${gate} !say there"}\n  - {name: next, agent: scripted, depends_on: [slow], prompt: "!say on"}\n`,
  );
  const watching = huddleAt(hub, ["workflow", "run", join(folder, "x.yaml"), "--watch"]);
  const id = await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/workflows", { token: hub.operator });
    return (json["workflows"] as { workflow_id: string }[])[0]?.workflow_id;
  }, "it is there");
  await stepIs(hub, id, "slow", "running");
  await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
    return json["readers"] === 1 ? true : undefined;
  }, "it watches");
  await hub.kill();
  const again = await start(home);
  writeFileSync(gate, "");
  const run = await watching;
  expect(run.stdout).toContain("✓ next is done");
  expect(run).toMatchObject({ code: 0, stderr: "The hub is away; waiting for it…\nThe hub is back.\n" });
  await again.stop();
});
