import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileSources, startChild } from "../../test/child-processes.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { refusalOf } from "../../test/refusal-of.js";
import { newToken } from "../hub/rules/credentials.js";
import { ensureSecret } from "./secrets.js";

const isRoot = process.geteuid?.() === 0;

function withSecret(text: string, mode = 0o600): string {
  const file = join(tempFolder(), "token");
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

test("the first start makes a token that only this user can read, in a folder that only this user can enter", () => {
  const folder = join(tempFolder(), "share", "huddle");
  const file = join(folder, "token");
  const token = ensureSecret(file, "operator");
  expect(token).toMatch(/^hud_operator_/);
  expect(readFileSync(file, "utf8")).toBe(`${token}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "..")).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).toEqual(["token"]);
});

test("later starts read the same token", () => {
  const file = join(tempFolder(), "join");
  expect(ensureSecret(file, "join")).toBe(ensureSecret(file, "join"));
});

test("a umask that takes everything away still leaves the owner able to read it", () => {
  const before = process.umask(0o777);
  try {
    const file = join(tempFolder(), "token");
    chmodSync(join(file, ".."), 0o700);
    ensureSecret(file, "operator");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  } finally {
    process.umask(before);
  }
});

test.each(["640", "604", "660", "644", "610"])(
  "mode %s is refused with the command that closes it",
  (mode) => {
    const token = newToken("operator");
    const file = withSecret(token, Number.parseInt(mode, 8));
    const refusal = refusalOf(() => ensureSecret(file, "operator"));
    expect(refusal.code).toBe("DATA_UNUSABLE");
    expect(refusal.message).toContain(`chmod 600 ${file}`);
    expect(JSON.stringify([refusal.message, refusal.details])).not.toContain(token);
    expect(readFileSync(file, "utf8")).toBe(token);
  },
);

test.each([
  ["", "is empty"],
  ["\n", "is empty"],
  ["hunter2", "does not hold the operator token"],
  [newToken("join"), "does not hold the operator token"],
  [`${newToken("operator")}x`, "does not hold the operator token"],
  [`${newToken("operator")}\n${newToken("operator")}`, "does not hold the operator token"],
  ["x".repeat(1_000_000), "does not hold the operator token"],
])("a damaged file is refused, kept, and not quoted (%#)", (text, problem) => {
  const file = withSecret(text);
  const refusal = refusalOf(() => ensureSecret(file, "operator"));
  expect(refusal.code).toBe("DATA_UNUSABLE");
  expect(refusal.message).toContain(`${file} ${problem}`);
  expect(refusal.message).toContain(`rm ${file}`);
  if (text.trim() !== "") expect(refusal.message).not.toContain(text);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a folder or a named pipe in its place is refused at once", () => {
  const folder = tempFolder();
  mkdirSync(join(folder, "token"));
  expect(refusalOf(() => ensureSecret(join(folder, "token"), "operator")).message).toContain("is not a file");
  execFileSync("mkfifo", ["-m", "600", join(folder, "pipe")]);
  expect(refusalOf(() => ensureSecret(join(folder, "pipe"), "operator")).message).toContain("is not a file");
});

test("a place that cannot be written is refused by name", () => {
  const file = withSecret("a file, not a folder");
  const refusal = refusalOf(() => ensureSecret(join(file, "token"), "operator"));
  expect(refusal.code).toBe("DATA_UNUSABLE");
  expect(refusal.message).toContain(file);
});

test.skipIf(!isRoot)("a token of another user is refused, even to root", () => {
  const file = withSecret(newToken("operator"));
  chownSync(file, 12345, 12345);
  const refusal = refusalOf(() => ensureSecret(file, "operator"));
  expect(refusal.code).toBe("DATA_UNUSABLE");
  expect(refusal.message).toContain("belongs to user 12345, and this is user 0");
});

test.skipIf(!isRoot)("a folder of another user is refused with what to check", () => {
  const folder = tempFolder();
  process.seteuid?.(65534);
  try {
    const refusal = refusalOf(() => ensureSecret(join(folder, "token"), "operator"));
    expect(refusal.code).toBe("DATA_UNUSABLE");
    expect(refusal.message).toContain("permissions");
  } finally {
    process.seteuid?.(0);
  }
});

test("processes that start at once agree on one token", async () => {
  const sources = await compileSources("daemon/secrets.ts");
  const file = join(tempFolder(), "data", "token");
  const starters = Array.from({ length: 6 }, () =>
    startChild(`
      import { once } from "node:events";
      import { ensureSecret } from ${JSON.stringify(sources.url("daemon/secrets.ts"))};
      console.log('"ready"');
      await once(process.stdin, "data");
      console.log(JSON.stringify(ensureSecret(${JSON.stringify(file)}, "operator")));
    `),
  );
  try {
    for (const starter of starters) expect(await starter.answer()).toBe("ready");
    for (const starter of starters) starter.say("go");
    const tokens = await Promise.all(starters.map((starter) => starter.answer()));
    expect(new Set(tokens)).toEqual(new Set([readFileSync(file, "utf8").trim()]));
    expect(readdirSync(join(file, ".."))).toEqual(["token"]);
  } finally {
    for (const starter of starters) await starter.kill();
    sources.remove();
  }
}, 30_000);
