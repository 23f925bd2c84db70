import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shownTexts } from "../../src/selftest/scripted-model/conversation.js";
import { ask, say } from "../../src/selftest/scripted-model/step.js";
import { claude } from "./claude.js";
import { codex } from "./codex.js";
import { eventually } from "./eventually.js";
import { openOwnHouse } from "./house.js";

/* Two vendors' CLIs in one workflow: each writes the same file, in a worktree of its own, and a third step has both answers. */

type Step = { name: string; status: string; output: string | null; error: string | null; task_id: string };
type Workflow = { status: string; steps: Step[] };

test("two vendors work on one project at once, each in its own worktree, and their outputs flow into one answer", async () => {
  const house = await openOwnHouse([claude, codex]);
  const { model } = house;
  const project = join(house.home, "project");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(project, "who.txt"), "nobody\n");
  git("add", "who.txt");
  git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "begin");
  model.on(/sign as (\w+)/, ({ match }) => [ask(`echo ${match[1]} > who.txt`), say(`signed by ${match[1]}`)]);
  model.on(/who signed/, [say("both signed")]);

  const { http, operator } = house.hub();
  const call = (method: string, path: string, body?: unknown) =>
    http.call(method, path, { token: operator, ...(body === undefined ? {} : { body }) });
  const created = await call("POST", "/api/workflows", {
    name: "two vendors",
    project,
    steps: [
      { name: "one", backend: claude.backend, runtime: "acp", prompt: "sign as claude", worktree: true },
      { name: "two", backend: codex.backend, runtime: "acp", prompt: "sign as codex", worktree: true },
      {
        name: "sum",
        backend: claude.backend,
        runtime: "acp",
        prompt: "who signed?",
        depends_on: ["one", "two"],
      },
    ],
  });
  expect(created.status, created.text).toBe(201);
  const id = String(created.json["workflow_id"]);
  // Each asks the person before it writes, and the workflow waits for the answers.
  const run = await eventually(
    "the workflow has ended",
    async () => {
      const { json } = await call("GET", "/api/permissions");
      for (const { id: asked } of json["permissions"] as { id: string }[])
        await call("POST", `/api/permissions/${asked}`, { decision: "once" });
      const now = (await call("GET", `/api/workflows/${id}`)).json as Workflow;
      return now.status === "running" || now.status === "waiting" ? undefined : now;
    },
    240_000,
  );

  expect(run).toMatchObject({
    status: "done",
    steps: [
      { name: "one", status: "done", output: expect.stringContaining("signed by claude") as unknown },
      { name: "two", status: "done", output: expect.stringContaining("signed by codex") as unknown },
      { name: "sum", status: "done", output: expect.stringContaining("both signed") as unknown },
    ],
  });
  const told = await model.requests.waitFor("the last step has both outputs", ({ conversation }) =>
    shownTexts(conversation).some(
      (text) => text.includes("signed by claude") && text.includes("signed by codex"),
    ),
  );
  expect(told).toBeDefined();
  expect(readFileSync(join(project, "who.txt"), "utf8")).toBe("nobody\n");
  const [one, two] = await Promise.all(
    run.steps
      .slice(0, 2)
      .map(async ({ task_id }) => (await call("GET", `/api/tasks/${task_id}`)).json["worktree"]),
  );
  for (const [tree, word] of [
    [one, "claude"],
    [two, "codex"],
  ] as const) {
    expect(tree).toMatchObject({ kept: true, files: 1 });
    const { path } = tree as { path: string };
    expect(existsSync(join(path, "who.txt"))).toBe(true);
    expect(readFileSync(join(path, "who.txt"), "utf8")).toBe(`${word}\n`);
  }
});
