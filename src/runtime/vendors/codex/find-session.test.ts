import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/fakes/temp-folder.js";
import { findCodexSession } from "./find-session.js";

const main = "01a1e3bf-c0ff-7521-8f70-6da9e40ce81f";
const next = "01a1e3c0-b6e3-7b51-a68a-46eb1275f7ac";

/** As codex 0.166 writes it. */
function rollout(id: string, { source = "cli", writtenAt }: { source?: unknown; writtenAt: number }): string {
  const file = join(tempFolder(), `rollout-2026-11-16T09-45-57-${id}.jsonl`);
  const text = `You are a coding agent.\u2028${"Be precise. ".repeat(20_000)}`;
  const payload = { session_id: main, id, cwd: "/home/ann/shop", source, base_instructions: { text } };
  const lines = [
    { type: "session_meta", payload },
    { type: "event_msg", payload: {} },
  ];
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
  utimesSync(file, writtenAt, writtenAt);
  return file;
}

test("the session is that of the file which codex holds open", async () => {
  const open = ["/dev/null", "/home/ann/.codex/state_5.sqlite", rollout(main, { writtenAt: 10 })];
  expect(await findCodexSession(open)).toBe(main);
});

test("after a new one was begun in the same screen, it is the one written last", async () => {
  const open = [rollout(next, { writtenAt: 20 }), rollout(main, { writtenAt: 10 })];
  expect(await findCodexSession(open)).toBe(next);
});

test("the session of an agent of its own is not it", async () => {
  const source = { subagent: { thread_spawn: { parent_thread_id: main, depth: 1 } } };
  const open = [rollout(main, { writtenAt: 10 }), rollout(next, { source, writtenAt: 20 })];
  expect(await findCodexSession(open)).toBe(main);
});

test("without a file that can be read, none is known", async () => {
  const begun = join(tempFolder(), "rollout-begun.jsonl");
  writeFileSync(begun, '{"type":"session_meta","payl');
  const open = [begun, "/nowhere/rollout-removed.jsonl", "/dev/null"];
  expect(await findCodexSession(open)).toBeUndefined();
  expect(await findCodexSession([])).toBeUndefined();
});
