// `huddle demo`: as a smoke test, watched by a person who answers on the desk, and ended in every way: nothing stays.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../fakes/hosting-hub.js";
import { createCaller } from "../fakes/http-call.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { readProcesses } from "../fakes/processes.js";
import { tempFolder } from "../fakes/temp-folder.js";

type Run = {
  child: ChildProcess;
  /** Where the demo makes its folder, and where it would find the person's own hub. */
  place: string;
  stdout(): string;
  stderr(): string;
  says(words: string | RegExp): Promise<string>;
  ended: Promise<number | null>;
};

function demo(
  args: readonly string[],
  { program = resolve("dist/main.js"), env = {} }: { program?: string; env?: Record<string, string> } = {},
): Run {
  const place = tempFolder();
  const child = spawn(process.execPath, [program, "demo", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: join(place, "home"), TMPDIR: place, ...env },
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
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    child,
    place,
    stdout: () => stdout,
    stderr: () => stderr,
    says: (words) =>
      eventually(
        async () =>
          typeof words === "string" ? (stdout.includes(words) ? words : undefined) : words.exec(stdout)?.[0],
        () => `the demo says ${String(words)}; it said ${stdout}${stderr}`,
        5 * PATIENCE_MS,
      ),
    ended,
  };
}

function isListening(url: string): Promise<boolean> {
  const { port } = new URL(url);
  return new Promise((done) => {
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.destroy();
      done(true);
    });
    socket.once("error", () => done(false));
  });
}

async function expectNothingLeft({ place, stdout }: Run): Promise<void> {
  expect(readdirSync(place)).toEqual([]);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout())?.[0];
  // What was killed takes a moment to be gone.
  await eventually(async () => {
    const named = [...readProcesses("cmdline"), ...readProcesses("environ")];
    const isThere =
      named.some(([, text]) => text.includes(place)) || (url !== undefined && (await isListening(url)));
    return isThere ? undefined : true;
  }, "no process and no port of it is left");
}

test("as a smoke test it sees every step, says so in one document, and leaves nothing", async () => {
  const run = demo(["--fast", "--json"]);

  expect({ code: await run.ended, stderr: run.stderr() }).toEqual({ code: 0, stderr: "" });
  const { ok, scenes } = JSON.parse(run.stdout()) as { ok: boolean; scenes: { scene: string }[] };
  expect(ok).toBe(true);
  expect(scenes.map(({ scene }) => scene)).toEqual([
    "join",
    "message",
    "pacing",
    "request",
    "permission",
    "workflow",
  ]);
  await expectNothingLeft(run);
});

test.each([
  ["SIGINT", "3/6 Pacing"],
  ["SIGTERM", "1/6"],
  ["SIGHUP", "2/6"],
] as const)("%s at %s ends it, and all that it started", async (signal, step) => {
  const run = demo(["--fast"]);
  await run.says(step);

  run.child.kill(signal);
  // Somebody impatient: the second one does not keep it from cleaning up.
  run.child.kill(signal);

  expect(await run.ended).toBe(130);
  await expectNothingLeft(run);
});

test("kill -9 in the middle: its hub notices that, ends, and leaves nothing either", async () => {
  const run = demo(["--fast"]);
  await run.says("2/6");

  run.child.kill("SIGKILL");

  await run.ended;
  await eventually(
    async () => (readdirSync(run.place).length === 0 ? true : undefined),
    "the folder of the demo is gone",
  );
  await expectNothingLeft(run);
});

test("whoever stops reading what it says ends it, too", async () => {
  const run = demo(["--fast"]);
  await run.says("1/6");

  run.child.stdout?.destroy();

  await run.ended;
  await expectNothingLeft(run);
});

test("the person answers on the desk by the link that it prints, and hal does as told", async () => {
  const run = demo([]);
  const link = await run.says(/http:\/\/\S+#code=\S+/);
  await run.says("Answer on the desk.");
  const [folder = ""] = readdirSync(run.place);
  const operator = readFileSync(join(run.place, folder, "token"), "utf8").trim();
  const http = createCaller(new URL(link).origin);

  const code = new URLSearchParams(new URL(link).hash.slice(1)).get("code");
  expect((await http.call("POST", "/auth/exchange", { body: { code } })).status).toBe(200);
  const { json } = await http.call("GET", "/api/permissions", { token: operator });
  const [asked] = json["permissions"] as { id: string; title: string }[];
  expect(asked?.title).toBe("rm -rf build");
  await http.call("POST", `/api/permissions/${asked?.id}`, { token: operator, body: { decision: "deny" } });

  expect(await run.ended).toBe(0);
  expect(run.stdout()).toContain("You denied it");
  expect(run.stdout()).toContain("I left build as it is.");
  await expectNothingLeft(run);
});

test("a step that does not happen fails it, with a reason and a way on", async () => {
  const folder = tempFolder();
  cpSync("dist", join(folder, "dist"), { recursive: true });
  cpSync("package.json", join(folder, "package.json"));
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync("node_modules"))
    symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
  rmSync(join(folder, "dist", "lib", "demo-agent.js"));
  const run = demo(["--fast"], { program: join(folder, "dist", "main.js") });

  expect(await run.ended).not.toBe(0);
  expect(run.stdout()).toContain("5/6 Permission");
  expect(run.stderr()).toMatch(/^✗ .*hal/);
  expect(run.stderr()).toContain("huddle doctor");
  await expectNothingLeft(run);
});

test.each([
  [
    "without a temporary folder",
    { TMPDIR: "/nowhere" },
    /cannot make a folder in \/nowhere \(ENOENT\)\.\n {2}Set TMPDIR/,
  ],
  [
    "inside an agent that a hub runs",
    { HUDDLE_HOSTED: "hub:ann" },
    /does not run inside an agent that a hub runs/,
  ],
])("%s it says why it cannot be played", async (_, env, why) => {
  const run = demo(["--fast"], { env });

  expect(await run.ended).not.toBe(0);
  expect(run.stderr()).toMatch(why);
});
