import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { refusalOf } from "../../test/refusal-of.js";
import { readHubFile } from "./hub-file.js";

const newFile = () => join(tempFolder(), "hub.json");

test("without a file there is no hub to name", () => {
  expect(readHubFile(newFile())).toBeUndefined();
});

test("the file says where the hub answers", () => {
  const file = newFile();
  writeFileSync(file, '{"url":"http://127.0.0.1:9223","pid":42,"later":true}');
  expect(readHubFile(file)).toEqual({ url: "http://127.0.0.1:9223", pid: 42 });
});

test.each([
  "",
  "{",
  "null",
  "[]",
  '{"pid":42}',
  '{"url":"file:///etc/passwd","pid":42}',
  '{"url":"nonsense","pid":42}',
  '{"url":"http://127.0.0.1:1","pid":"42"}',
  '{"url":"http://127.0.0.1:1","pid":-1}',
])("a file that holds %j is as good as none", (text) => {
  const file = newFile();
  writeFileSync(file, text);
  expect(readHubFile(file)).toBeUndefined();
});

test("a file that cannot be read is an error that names it", () => {
  const file = newFile();
  mkdirSync(file);
  const refusal = refusalOf(() => readHubFile(file));
  expect(refusal.code).toBe("DATA_UNUSABLE");
  expect(refusal.message).toContain(file);
});
