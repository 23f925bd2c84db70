import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { PATIENCE_MS } from "../../../test/fakes/patience.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { listOpenFiles, readLsof } from "./open-files.js";

function holdOpen(file: string): number {
  writeFileSync(file, "");
  // A shell with a child, as a wrapper with its CLI: the child holds the file.
  const child = spawn("/bin/sh", ["-c", `sleep 60 3<"$1" & wait`, "sh", file], { detached: true });
  const pid = child.pid ?? 0;
  onTestFinished(() => void process.kill(-pid, "SIGKILL"));
  return pid;
}

test("the files of one process group are found, of its children too, and not those of another", async () => {
  const folder = tempFolder();
  const [one, other] = [join(folder, "one"), join(folder, "other")];
  const [first, second] = [holdOpen(one), holdOpen(other)];
  const options = { timeout: PATIENCE_MS };
  await vi.waitUntil(async () => (await listOpenFiles(first)).includes(one), options);
  await vi.waitUntil(async () => (await listOpenFiles(second)).includes(other), options);
  expect(await listOpenFiles(first)).not.toContain(other);
  expect(await listOpenFiles(second)).not.toContain(one);
});

test("a group that is not there has no open files", async () => {
  expect(await listOpenFiles(2 ** 30)).toEqual([]);
});

test("the names in what lsof prints are read", () => {
  const output = "p41\ng41\nfcwd\nn/Users/ann/shop\nf12\nn/Users/ann/.codex/a b.jsonl\nf13\nn->0x5f\n";
  expect(readLsof(output)).toEqual(["/Users/ann/shop", "/Users/ann/.codex/a b.jsonl"]);
});
