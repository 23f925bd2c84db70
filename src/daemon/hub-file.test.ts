import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { refusalOf } from "../../test/refusal-of.js";
import { readHubFile } from "../client/hub-file.js";
import { removeHubFile, writeHubFile } from "./hub-file.js";

test("what the hub writes is what a client reads, and only this user can", () => {
  const file = join(tempFolder(), "deep", "hub.json");
  writeHubFile(file, { url: "http://127.0.0.1:9223", pid: 7 });
  expect(readHubFile(file)).toEqual({ url: "http://127.0.0.1:9223", pid: 7 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
});

test("a later hub replaces what an earlier one left, whole", () => {
  const folder = tempFolder();
  const file = join(folder, "hub.json");
  writeHubFile(file, { url: "http://127.0.0.1:9223", pid: 7 });
  writeHubFile(file, { url: "http://127.0.0.1:1", pid: 8 });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ url: "http://127.0.0.1:1", pid: 8 });
  expect(readdirSync(folder)).toEqual(["hub.json"]);
});

test("a hub removes its own file, twice without harm, and never another hub's", () => {
  const file = join(tempFolder(), "hub.json");
  const problems: string[] = [];
  const remove = (pid: number) => removeHubFile(file, pid, (problem) => problems.push(problem));
  writeHubFile(file, { url: "http://127.0.0.1:9223", pid: 7 });
  remove(8);
  expect(readHubFile(file)?.pid).toBe(7);
  remove(7);
  remove(7);
  expect(readHubFile(file)).toBeUndefined();
  expect(problems).toEqual([]);
});

test("one that cannot be removed is said, and throws nothing", () => {
  const file = join(tempFolder(), "hub.json");
  mkdirSync(file);
  const problems: string[] = [];
  removeHubFile(file, 7, (problem) => problems.push(problem));
  expect(problems).toEqual([expect.stringContaining(file)]);
});

test("a place that cannot be written is refused by name, and nothing is left behind", () => {
  const folder = tempFolder();
  const file = join(folder, "hub.json");
  mkdirSync(file);
  const refusal = refusalOf(() => writeHubFile(file, { url: "http://127.0.0.1:9223", pid: 7 }));
  expect(refusal.code).toBe("DATA_UNUSABLE");
  expect(refusal.message).toContain(file);
  expect(readdirSync(folder)).toEqual(["hub.json"]);
});
