import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noKeychainHere, scriptedKeychain } from "../../../test/fakes/scripted-keychain.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { HubError } from "../../model/errors.js";
import { resolveSecret, type SecretPlaces } from "./resolve-secret.js";

const SECRET = "a-secret-of-24-bytes-abc";
const isRoot = process.geteuid?.() === 0;

function places(more: Partial<SecretPlaces> = {}): SecretPlaces {
  return { configFolder: tempFolder(), env: {}, keychain: noKeychainHere, ...more };
}

function withFile(text: string, mode = 0o600): SecretPlaces {
  const configFolder = tempFolder();
  writeFileSync(join(configFolder, "comms"), text);
  chmodSync(join(configFolder, "comms"), mode);
  return places({ configFolder });
}

async function complaint(reference: string, from: SecretPlaces): Promise<string> {
  const error: unknown = await resolveSecret(reference, from).then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (!(error instanceof HubError)) throw new Error("it was not refused");
  expect(error.code).toBe("SECRET_UNUSABLE");
  expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toContain(SECRET);
  return error.message.replaceAll(from.configFolder, "CONFIG");
}

test("each store gives the secret that it has", async () => {
  const { open } = scriptedKeychain({ comms: SECRET });

  expect(await resolveSecret("keychain:comms", places({ keychain: open }))).toBe(SECRET);
  expect(await resolveSecret("env:COMMS", places({ env: { COMMS: SECRET } }))).toBe(SECRET);
  expect(await resolveSecret("file:comms", withFile(`${SECRET}\n`))).toBe(SECRET);
});

test("a file may be named by its whole path, too", async () => {
  const { configFolder } = withFile(SECRET);
  expect(await resolveSecret(`file:${join(configFolder, "comms")}`, places())).toBe(SECRET);
});

test("the keychain is opened for a reference to it and for no other", async () => {
  const keychain = scriptedKeychain({ comms: SECRET });
  const from = { ...withFile(SECRET), env: { COMMS: SECRET }, keychain: keychain.open };

  await resolveSecret("file:comms", from);
  await resolveSecret("env:COMMS", from);
  expect(keychain.opened()).toBe(0);
  await resolveSecret("keychain:comms", from);
  expect(keychain.opened()).toBe(1);
});

test("without a keychain it says so, and that a file does", async () => {
  expect(await complaint("keychain:comms", places())).toBe(
    "The secret keychain:comms cannot be used: no keychain answers here (no secret service runs in this session). Use a file instead: huddle secret set comms --store file",
  );
});

test("what is missing is said with the command that makes it", async () => {
  const { open } = scriptedKeychain();
  expect(await complaint("keychain:comms", places({ keychain: open }))).toBe(
    "The secret keychain:comms is not in the keychain. Put it there: huddle secret set comms --store keychain",
  );
  expect(await complaint("env:COMMS", places())).toBe(
    "The secret env:COMMS is not set in the hub's environment. Set it and start the hub anew: export COMMS=…; huddle down; huddle up",
  );
  expect(await complaint("file:secrets/comms", places())).toBe(
    "The secret file:secrets/comms is missing: there is no CONFIG/secrets/comms. Make it: huddle secret set comms --store file",
  );
});

test.each(["640", "604", "644", "660", "700", "400"])("a file of mode %s is refused", async (mode) => {
  expect(await complaint("file:comms", withFile(SECRET, Number.parseInt(mode, 8)))).toBe(
    `The secret file:comms has mode ${mode}, and must be for its owner alone. Close it: chmod 600 CONFIG/comms`,
  );
});

test.runIf(isRoot)("a file of somebody else is refused", async () => {
  const from = withFile(SECRET);
  chownSync(join(from.configFolder, "comms"), 12_345, 0);
  expect(await complaint("file:comms", from)).toBe(
    "The secret file:comms belongs to user 12345, and the hub is user 0. Take it over: chown 0 CONFIG/comms",
  );
});

test("a folder in place of the file is refused", async () => {
  const from = places();
  mkdirSync(join(from.configFolder, "comms"));
  expect(await complaint("file:comms", from)).toContain("is not a file");
});

test.each([
  ["", "is empty"],
  ["\n", "is empty"],
  ["fifteen-bytes-1", "has 15 bytes, and needs at least 16"],
  ["sixteen-bytes 12", "holds a space, a line break or a letter that is not ASCII"],
  ["first-line-of-two\nsecond-line-of-two", "holds a space, a line break or a letter that is not ASCII"],
  ["schlüsselwörter-mit-umlaut", "holds a space, a line break or a letter that is not ASCII"],
  ["x".repeat(4097), "has more than 4096 bytes"],
])("a secret %j is refused, wherever it is kept", async (text, problem) => {
  const { open } = scriptedKeychain({ comms: text });
  expect(await complaint("file:comms", withFile(text))).toContain(problem);
  expect(await complaint("env:COMMS", places({ env: { COMMS: text } }))).toContain(problem);
  expect(await complaint("keychain:comms", places({ keychain: open }))).toContain(problem);
});

test("sixteen bytes are enough", async () => {
  expect(await resolveSecret("file:comms", withFile("sixteen-bytes-16\r\n"))).toBe("sixteen-bytes-16");
});
