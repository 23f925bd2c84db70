import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { refusal } from "../../test/fakes/refusal.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { refusalOf } from "../../test/refusal-of.js";
import { checkProject } from "./check-project.js";

/** A root with a folder in it, and a folder outside. */
function openRoot() {
  const root = realpathSync(tempFolder());
  const outside = realpathSync(tempFolder());
  const inside = join(root, "shop");
  mkdirSync(inside);
  return { root, inside, outside };
}

test("a project outside of the allowed roots is refused by name, with the way out", () => {
  const { root, outside } = openRoot();
  symlinkSync(outside, join(root, "link"));

  for (const project of [outside, join(root, "link"), `${root}/shop/../..`, "/etc"]) {
    const refused = refusalOf(() => checkProject(project, [root]));
    expect(refused).toMatchObject({
      code: "PROJECT_NOT_ALLOWED",
      details: { project, allowed_roots: [root] },
    });
    expect(refused.message).toContain(`Agents may not work in "${project}": it is not below ${root}`);
  }
});

test("a folder whose name begins with two dots is one like any other, and a root may be a link", () => {
  const { root, inside, outside } = openRoot();
  mkdirSync(join(root, "..x"));
  symlinkSync(root, join(outside, "root"));

  expect(checkProject(join(root, "..x"), [root])).toBe(join(root, "..x"));
  expect(checkProject(inside, [join(outside, "root")])).toBe(inside);
  expect(checkProject(join(outside, "root", "shop"), [root])).toBe(inside);
});

test("what is no folder, or no absolute path, is no project", () => {
  const { root } = openRoot();
  writeFileSync(join(root, "file"), "");
  for (const project of [join(root, "file"), join(root, "none"), "shop"]) {
    expect(refusalOf(() => checkProject(project, [root]))).toMatchObject({ code: "INVALID_INPUT" });
  }
});

test("an agent is spawned below the roots only, also where it takes its project from its parent", async () => {
  const { root, inside, outside } = openRoot();
  const hub = await openHostedHub({ allowedRoots: [root] });
  const ann = await hub.register("ann", { project: outside });

  expect(await refusal(hub.spawn({ project: outside }))).toMatchObject({ code: "PROJECT_NOT_ALLOWED" });
  expect(await refusal(hub.spawn({ by: ann, project: undefined }))).toMatchObject({
    code: "PROJECT_NOT_ALLOWED",
  });
  expect(await hub.spawn({ project: inside })).toMatchObject({ project: inside });
  expect(hub.runtime.agents.map(({ launch }) => launch.cwd)).toEqual([inside]);
});

test("a folder that became a link is seen when the next process starts, after a crash of the hub as well", async () => {
  const { root, inside, outside } = openRoot();
  const before = await openHostedHub({ allowedRoots: [root] });
  const { id: bob } = await before.spawn({ name: "bob", project: inside });
  renameSync(inside, `${inside}-old`);
  symlinkSync(outside, inside);
  const hub = await before.crash();
  const started = hub.runtime.agents.length;

  await hub.send("human", bob, "hello");
  await hub.until(() => hub.happened("AgentCrashed").length > 0);

  expect(hub.happened("AgentCrashed")[0]?.data.why).toContain(
    `it did not start: Agents may not work in '${inside}'`,
  );
  expect(hub.runtime.agents).toHaveLength(started);
});

test("a project that an earlier version let an agent take does not decide where it is started", async () => {
  const { root, inside } = openRoot();
  const hub = await openHostedHub({ allowedRoots: [root] });
  const { id: bob } = await hub.spawn({ name: "bob", project: inside });
  await hub.execute("updateAgent", { agent: bob, project: "/etc" });
  hub.runtime.agent().exit(1);
  await hub.until(() => hub.status(bob) === "error");
  await hub.send("human", bob, "hello");
  hub.timers.advance(1000);
  await hub.until(() => hub.happened("AgentCrashed").length === 2);

  expect(hub.happened("AgentCrashed")[1]?.data.why).toContain("Agents may not work in '/etc'");
  expect(hub.runtime.agents).toHaveLength(1);
});

test("a folder that became a link while its agent was spawned refuses the spawn by name", async () => {
  const { root, inside, outside } = openRoot();
  const hub = await openHostedHub({ allowedRoots: [root] });
  // Between the look at the folder and the start of the process.
  hub.onApplied((events) => {
    if (!events.some(({ type }) => type === "SpawnRequested")) return;
    renameSync(inside, `${inside}-old`);
    symlinkSync(outside, inside);
  });

  expect(await refusal(hub.spawn({ name: "bob", project: inside }))).toMatchObject({
    code: "PROJECT_NOT_ALLOWED",
    details: { reason: "PROJECT_NOT_ALLOWED" },
  });
  expect(hub.runtime.agents).toHaveLength(0);
});

test("a pane that the person started is taken wherever it is, again after a restart, and never moved", async () => {
  const { root } = openRoot();
  const runtime = createScriptedRuntime("tmux");
  const before = await openHostedHub({ allowedRoots: [root], runtime });
  const adopted = { target: "%1", pid: 1 };
  const { id: bob, project } = await before.spawn({
    name: "bob",
    runtime: "tmux",
    adopted,
    project: undefined,
  });
  await before.execute("updateAgent", { agent: bob, project: "/etc" });

  const hub = await before.crash();
  await hub.send("human", bob, "hello");
  await hub.until(() => hub.runtime.agents.length === 2);

  expect(project).toBeNull();
  expect(hub.runtime.agents.map(({ launch }) => [launch.cwd, launch.adopt])).toEqual([
    ["/", adopted],
    ["/", adopted],
  ]);
});
