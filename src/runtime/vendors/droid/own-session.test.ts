import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/fakes/temp-folder.js";
import { readSession, tellSession } from "./own-session.js";

const ids = ["83220cad-27b2-4b2a-9c62-65f25c2bab4a", "0a33e3a4-7a54-44ad-8d3b-6b8a6f6f3f57"];

test("the session that the hook was told last is known, whatever the folder is called", async () => {
  const folder = join(tempFolder(), "it's $(a) folder");
  mkdirSync(folder);
  expect(await readSession(folder)).toBeUndefined();
  for (const id of ids) {
    const input = JSON.stringify({ session_id: id, hook_event_name: "SessionStart", source: "startup" });
    execFileSync("/bin/sh", ["-c", tellSession(folder)], { input });
    expect(await readSession(folder)).toBe(id);
  }
});

test("what is no session's id is not taken for one", async () => {
  const folder = tempFolder();
  execFileSync("/bin/sh", ["-c", tellSession(folder)], { input: '{"session_id":"unknown"}' });
  expect(await readSession(folder)).toBeUndefined();
});
