import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { readConfigFile, writeConfigFile } from "./config-file.js";

function place(text = "{}\n") {
  const folder = tempFolder();
  const file = join(folder, "settings.json");
  writeFileSync(file, text);
  return { folder, file };
}

const isRoot = process.geteuid?.() === 0;

test("a file is written whole, keeps its mode, and nothing else is left beside it", () => {
  const { folder, file } = place();
  chmodSync(file, 0o640);

  writeConfigFile(readConfigFile(file), '{"a":1}\n');

  expect(readFileSync(file, "utf8")).toBe('{"a":1}\n');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder)).toEqual(["settings.json"]);
});

test("a new file is for this user alone, in folders that are made for it", () => {
  const file = join(tempFolder(), "a", "b", "settings.json");

  writeConfigFile(readConfigFile(file), "{}\n");

  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("what another program wrote meanwhile is not overwritten", () => {
  const { folder, file } = place();
  const read = readConfigFile(file);
  writeFileSync(file, '{"theirs":1}\n');

  expect(() => writeConfigFile(read, "{}\n")).toThrow(/changed by another program/);

  expect(readFileSync(file, "utf8")).toBe('{"theirs":1}\n');
  expect(readdirSync(folder)).toEqual(["settings.json"]);
});

test.each<[string, (file: string) => void, RegExp]>([
  ["is a link", (file) => symlinkSync(file, `${file}.link`), /symbolic link to/],
  ["is read-only", (file) => chmodSync(file, 0o444), /is read-only/],
  ["is not UTF-8", (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x41])), /is not UTF-8/],
])("a file that %s is refused, with what to do", (_, spoil, problem) => {
  const { file } = place();
  spoil(file);
  const path = problem.source.includes("link") ? `${file}.link` : file;

  expect(() => readConfigFile(path)).toThrow(problem);
  expect(() => readConfigFile(path)).toThrow(expect.objectContaining({ code: "FILE_UNUSABLE" }));
});

test("a folder in its place is refused", () => {
  const file = join(tempFolder(), "settings.json");
  mkdirSync(file);
  expect(() => readConfigFile(file)).toThrow(/is not a file/);
});

test.runIf(isRoot)("a file of another user is refused, also by root", () => {
  const { file } = place();
  chownSync(file, 12_345, 12_345);
  expect(() => readConfigFile(file)).toThrow(/belongs to user 12345/);
});
