import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/fakes/temp-folder.js";
import { ageSession } from "./age-session.js";

const session = "2f1c9f3e-0d5f-4f0c-8f57-1f5f3d9b7a10";
const now = Date.parse("2026-11-17T10:00:42Z");

function chatsWith(...names: string[]) {
  const tmp = tempFolder();
  const chats = join(tmp, "shop", "chats");
  mkdirSync(chats, { recursive: true });
  for (const name of names) writeFileSync(join(chats, name), name);
  return { tmp, chats };
}

test("a session of this minute gets the name of the minute before; its words and other sessions stay", async () => {
  const [mine, others] = [
    "session-2026-11-17T10-00-2f1c9f3e.jsonl",
    "session-2026-11-17T10-00-99999999.jsonl",
  ];
  const { tmp, chats } = chatsWith(mine, others);
  await ageSession(session, tmp, now);
  const aged = "session-2026-11-17T09-59-2f1c9f3e.jsonl";
  expect(readdirSync(chats).sort()).toEqual([aged, others].sort());
  expect(readFileSync(join(chats, aged), "utf8")).toBe(mine);
});

test("what is older, or was aged already, is left alone", async () => {
  const older = "session-2026-11-17T09-59-2f1c9f3e.jsonl";
  const begun = "session-2026-11-17T10-00-2f1c9f3e.jsonl";
  const { tmp, chats } = chatsWith(older, begun);
  await ageSession(session, tmp, now);
  expect(readFileSync(join(chats, older), "utf8")).toBe(older);
  expect(readFileSync(join(chats, begun), "utf8")).toBe(begun);
});

test("without any session of gemini there is nothing to do", async () => {
  await ageSession(session, join(tempFolder(), "tmp"), now);
});
