import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noKeychainHere, scriptedKeychain } from "../../../test/fakes/scripted-keychain.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { listSecrets, removeSecret, setSecret } from "./keep-secrets.js";
import { resolveSecret } from "./resolve-secret.js";

const SECRET = "a-secret-of-24-bytes-abc";
const given = { name: "comms", value: SECRET, store: undefined };

test("a secret goes to the keychain where one answers, and into no file", async () => {
  const keychain = scriptedKeychain();
  const places = { configFolder: tempFolder(), env: {}, keychain: keychain.open };

  expect(await setSecret(given, places)).toEqual({ reference: "keychain:comms", store: "keychain" });

  expect([...keychain.items]).toEqual([["comms", SECRET]]);
  expect(readdirSync(places.configFolder)).toEqual([]);
});

test("without a keychain it goes into a file that only this user can read, and that is said", async () => {
  const places = { configFolder: tempFolder(), env: {}, keychain: noKeychainHere };

  const stored = await setSecret(given, places);

  expect(stored).toEqual({
    reference: "file:secrets/comms",
    store: "file",
    noKeychain: "no secret service runs in this session",
  });
  const file = join(places.configFolder, "secrets", "comms");
  expect(readFileSync(file, "utf8")).toBe(`${SECRET}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(places.configFolder, "secrets")).mode & 0o777).toBe(0o700);
  expect(await resolveSecret(stored.reference, places)).toBe(SECRET);
});

test("a keychain that is asked for and does not answer is a refusal, not a file", async () => {
  const places = { configFolder: tempFolder(), env: {}, keychain: noKeychainHere };

  await expect(setSecret({ ...given, store: "keychain" }, places)).rejects.toMatchObject({
    code: "SECRET_UNUSABLE",
    message: expect.stringContaining("huddle secret set comms --store file") as string,
  });
  expect(readdirSync(places.configFolder)).toEqual([]);
});

test("a secret that is made here is good, and another each time", async () => {
  const keychain = scriptedKeychain();
  const places = { configFolder: tempFolder(), env: {}, keychain: keychain.open };

  await setSecret({ name: "one", value: undefined, store: undefined }, places);
  await setSecret({ name: "two", value: undefined, store: undefined }, places);

  expect(keychain.items.get("one")).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(keychain.items.get("one")).not.toBe(keychain.items.get("two"));
});

test.each(["short", "with a space in its middle", ""])("%j is not stored", async (value) => {
  const places = { configFolder: tempFolder(), env: {}, keychain: noKeychainHere };
  await expect(setSecret({ ...given, value }, places)).rejects.toMatchObject({ code: "SECRET_UNUSABLE" });
  expect(readdirSync(places.configFolder)).toEqual([]);
});

test.each(["../huddle", "a/b", ".hidden", "", "a\0b", "-rf", "a b"])("%j is no name", async (name) => {
  const places = { configFolder: tempFolder(), env: {}, keychain: noKeychainHere };
  await expect(setSecret({ ...given, name }, places)).rejects.toMatchObject({ code: "SECRET_UNUSABLE" });
  await expect(removeSecret(name, places)).rejects.toMatchObject({ code: "SECRET_UNUSABLE" });
  expect(readdirSync(places.configFolder)).toEqual([]);
});

test("it is removed from every store that has it, and one that no store has is refused", async () => {
  const keychain = scriptedKeychain({ comms: SECRET });
  const places = { configFolder: tempFolder(), env: {}, keychain: keychain.open };
  await setSecret({ ...given, store: "file" }, places);

  expect(await removeSecret("comms", places)).toEqual(["keychain", "file"]);

  expect(keychain.items.size).toBe(0);
  expect(readdirSync(join(places.configFolder, "secrets"))).toEqual([]);
  await expect(removeSecret("comms", places)).rejects.toMatchObject({ code: "SECRET_UNUSABLE" });
});

test("the list has what is stored and what is referred to, who refers to it, and never a value", async () => {
  const places = { configFolder: tempFolder(), env: {}, keychain: scriptedKeychain({ comms: SECRET }).open };
  await setSecret({ name: "r2", value: SECRET, store: "file" }, places);

  const listed = await listSecrets(
    [
      { key: "agent-comms.secret", reference: "keychain:comms" },
      { key: "agent-comms.peers.r2.secret", reference: "env:R2" },
    ],
    places,
  );

  expect(listed).toEqual({
    secrets: [
      { name: "comms", store: "keychain", reference: "keychain:comms", usedBy: ["agent-comms.secret"] },
      { name: "r2", store: "file", reference: "file:secrets/r2", usedBy: [] },
      {
        name: "R2",
        store: "env",
        reference: "env:R2",
        usedBy: ["agent-comms.peers.r2.secret"],
        problem: expect.stringContaining("is not set") as string,
      },
    ],
  });
  expect(JSON.stringify(listed)).not.toContain(SECRET);
});
