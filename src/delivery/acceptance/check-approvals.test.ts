import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventsOf, openCheckLab, passes } from "../../../test/fakes/check-lab.js";
import { refusal } from "../../../test/fakes/refusal.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../../model/agent.js";

test("checks are asked for by names of the configuration alone", async () => {
  const { hub, ann } = await openCheckLab({ checks: { unit: passes, lint: passes } });
  expect(await refusal(hub.assign(ann, "go", { checks: ["unit", "rm -rf /"] }))).toMatchObject({
    code: "CHECK_UNKNOWN",
    details: { available: ["unit", "lint"] },
  });
  const none = openTestHub();
  const ben = await none.register("ben");
  expect(await refusal(none.assign(ben, "go", { checks: ["unit"] }))).toMatchObject({
    code: "CHECK_UNKNOWN",
    details: { available: [] },
  });
});

test("the person is asked before a check runs, as the agent's permission", async () => {
  const { hub, ann, project, reply, asked, answer, ended } = await openCheckLab({ checks: { unit: passes } });
  await hub.execute("updateAgent", { agent: ann, project });
  const id = await hub.assign(ann, "go", { checks: ["unit"] });
  await reply("done");

  const [permission] = await asked();
  expect(permission).toMatchObject({
    agent: ann,
    act: "check",
    title: `run check unit: ${passes.join(" ")} in ${project}`,
    details: { argv: passes, project },
  });
  expect(hub.task(id)).toMatchObject({ state: "checking", results: [] });
  await answer(permission?.id ?? "", "once");

  expect(await ended(id)).toMatchObject({
    state: "done",
    results: [{ name: "unit", passed: true, exit: 0, output: "fine" }],
  });
});

test("once is for one run; always is for this check, as it is, in this project by whatever path", async () => {
  const { hub, ann, project, reply, asked, allow, ended } = await openCheckLab({ checks: { unit: passes } });
  const run = async () => {
    const id = await hub.assign(ann, "go", { checks: ["unit"] });
    await reply("done");
    return id;
  };
  for (const decision of ["once", "always"] as const) {
    const id = await run();
    await allow(decision);
    await ended(id);
  }
  const link = join(tempFolder(), "link");
  symlinkSync(project, link);
  await hub.execute("updateAgent", { agent: ann, project: link });
  expect(await ended(await run())).toMatchObject({ state: "done" });

  await hub.execute("updateAgent", { agent: ann, project: tempFolder() });
  await run();
  expect(await asked()).toHaveLength(1);
});

test("a check whose arguments were changed is asked for again, also after a restart", async () => {
  const first = await openCheckLab({ checks: { unit: passes } });
  const id = await first.hub.assign(first.ann, "go", { checks: ["unit"] });
  await first.reply("done");
  await first.allow("always");
  await first.ended(id);
  await first.end();
  const hub = await first.hub.restart();
  const same = { check: "unit", argv: passes, project: first.project };

  expect(hub.views.allowedChecks.has(same)).toBe(true);
  expect(hub.views.allowedChecks.has({ ...same, argv: [...passes, "--all"] })).toBe(false);
  expect(hub.views.allowedChecks.has({ ...same, check: "lint" })).toBe(false);
  expect(hub.views.allowedChecks.has({ ...same, project: "/" })).toBe(false);
});

test("what is allowed for good is allowed for all that wait for the same", async () => {
  const { hub, ann, project, reply, asked, answer, ended } = await openCheckLab({ checks: { unit: passes } });
  const ben = await hub.register("ben", { project });
  const ids = [
    await hub.assign(ann, "go", { checks: ["unit"] }),
    await hub.assign(ben, "go", { checks: ["unit"] }),
  ];
  await reply("done");
  await hub.read(ben);
  await hub.sendTo(ben, "user", "done", { replyTo: ids[1] });
  const [permission] = await asked(2);

  await answer(permission?.id ?? "", "always");

  for (const id of ids) expect(await ended(id)).toMatchObject({ state: "done" });
  expect(eventsOf(hub, "CheckAllowed")).toHaveLength(1);
});

test("what was allowed for good can be taken back: the next run is asked for again", async () => {
  const { hub, ann, project, reply, asked, answer, ended } = await openCheckLab({ checks: { unit: passes } });
  const first = await hub.assign(ann, "go", { checks: ["unit"] });
  await reply("done");
  const [permission] = await asked();
  await answer(permission?.id ?? "", "always");
  await ended(first);

  expect(await hub.execute("forgetCheck", { check: "unit", project: "/elsewhere", by: HUMAN_ID })).toEqual(
    [],
  );
  const forgotten = await hub.execute("forgetCheck", { check: "unit", by: HUMAN_ID });

  expect(forgotten).toEqual([realpathSync(project)]);
  expect(hub.views.allowedChecks.list()).toEqual([]);
  const second = await hub.assign(ann, "go", { checks: ["unit"] });
  await reply("done");
  const [again] = await asked();
  expect(again?.run).toMatchObject({ task: second, check: "unit" });
  // Allowed without being asked, it is allowed for whoever waits as well.
  const command = { check: "unit", argv: passes, project: realpathSync(project) };
  await hub.execute("allowCheck", { ...command, by: HUMAN_ID });
  expect(await ended(second)).toMatchObject({ state: "done" });
});

test.each([
  ["denied", "The person did not allow it to run."],
  ["unanswered", "Nobody allowed it to run in time."],
  ["left", "Nobody allowed it to run before the agent left."],
])("a check that is not allowed fails the task at once, whatever attempts are left: %s", async (how, why) => {
  const { hub, ann, reply, asked, answer, ended } = await openCheckLab({ checks: { unit: passes } });
  const id = await hub.assign(ann, "go", { checks: ["unit"], attempts: 5 });
  await reply("done");
  const [permission] = await asked();

  if (how === "denied") await answer(permission?.id ?? "", "deny");
  if (how === "left") await hub.deregister(ann);
  if (how === "unanswered") {
    hub.clock.advance(11 * 60_000);
    await hub.ring();
  }

  expect(await ended(id)).toMatchObject({
    state: "failed",
    attempt: 1,
    error: `the check "unit" did not pass: ${why.slice(0, -1)}`,
    results: [{ name: "unit", passed: false, exit: null, output: why }],
  });
});

test("an agent's policy says nothing about what the hub runs", async () => {
  const { hub, ended, asked, answer, project } = await openCheckLab({ checks: { unit: passes } });
  const { id: hal } = await hub.execute("spawnAgent", {
    by: HUMAN_ID,
    name: "hal",
    runtime: "acp",
    project,
    backend: "x",
    permissions: "allow-all",
  });
  const id = await hub.assign(hal, "go", { checks: ["unit"] });
  await hub.execute("offerTurn", { agent: hal, turn: "t", route: "runtime", continues: false, noted: false });
  await hub.execute("recordTaken", { agent: hal, turn: "t", evidence: "acp_prompt", pointer: false });
  await hub.execute("recordSeen", { agent: hal, turn: "t" });
  await hub.execute("recordTurnEnded", { agent: hal, turn: "t", stop: "end_turn", text: "done" });
  const [permission] = await asked();
  // A turn's end, or a restart, does not take back what the hub asks for.
  await hub.execute("cancelPermissions", { agent: hal });

  await answer(permission?.id ?? "", "once");

  expect(await ended(id)).toMatchObject({ state: "done" });
});

test("a task that is cancelled while the person is asked is asked for no more", async () => {
  const { hub, ann, reply, asked, ended } = await openCheckLab({ checks: { unit: passes } });
  const id = await hub.assign(ann, "go", { checks: ["unit"] });
  await reply("done");
  await asked();
  await hub.execute("cancelTask", { task: id, by: HUMAN_ID });

  expect(await ended(id)).toMatchObject({ state: "cancelled" });
  expect(hub.views.permissions.open()).toEqual([]);
});

test("what was asked before a restart is answered after it", async () => {
  const checks = { unit: passes };
  const { hub, ann, reply, asked, end, project } = await openCheckLab({ checks });
  const id = await hub.assign(ann, "go", { checks: ["unit"] });
  await reply("done");
  const [permission] = await asked();
  await end();
  const next = await openCheckLab({ checks, hub: await hub.restart(), project });
  next.checker.begin();

  await next.answer(permission?.id ?? "", "once");

  expect(await next.ended(id)).toMatchObject({ state: "done" });
  expect(eventsOf(next.hub, "PermissionRequested")).toHaveLength(1);
});
