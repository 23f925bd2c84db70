import { expect, test } from "vitest";
import { type CliWorld, cli } from "../../../test/fakes/run-cli.js";
import type { SecretPort } from "../cli-io.js";

const SECRET = "a-secret-of-24-bytes-abc";

/** The values that reached the store, in order. */
function withSecrets(more: Partial<SecretPort> = {}) {
  const stored: Parameters<SecretPort["set"]>[0][] = [];
  const secrets: SecretPort = {
    async set(secret) {
      stored.push(secret);
      return { reference: "file:secrets/comms", store: "file", noKeychain: "no secret service" };
    },
    remove: async () => ["file"],
    list: async () => ({ secrets: [] }),
    ...more,
  };
  const run = (argv: string[], world: CliWorld = {}) =>
    cli(["secret", ...argv], { ...world, daemon: { secrets } });
  return { run, stored };
}

test("a secret comes from a pipe, and is not repeated", async () => {
  const { run, stored } = withSecrets();

  const { code, stdout, stderr } = await run(["set", "comms"], { stdin: `${SECRET}\n` });

  expect(code).toBe(0);
  expect(stored).toEqual([{ name: "comms", value: SECRET, store: undefined }]);
  expect(stdout).toContain("no keychain answers here: no secret service");
  expect(stdout).toContain("Refer to it in huddle.yaml as file:secrets/comms");
  expect(stdout + stderr).not.toContain(SECRET);
});

test("at a terminal it is typed at a prompt that shows nothing, and Backspace works", async () => {
  const { run, stored } = withSecrets();

  const { code, stdout, stderr } = await run(["set", "comms"], { typed: `${SECRET}xy\u007f\u007f\r` });

  expect(code).toBe(0);
  expect(stored[0]?.value).toBe(SECRET);
  expect(stderr).toBe("Secret comms: \n");
  expect(stdout + stderr).not.toContain(SECRET);
});

test.each([
  ["Ctrl-C", `${SECRET}\u0003`],
  ["only Enter", "\r"],
])("%s at the prompt stores nothing", async (_, typed) => {
  const { run, stored } = withSecrets();
  expect((await run(["set", "comms"], { typed })).code).toBe(2);
  expect(stored).toEqual([]);
});

test("a secret in the arguments is refused", async () => {
  const { run, stored } = withSecrets();
  const { code, stderr } = await run(["set", "comms", SECRET]);
  expect(code).toBe(2);
  expect(stderr).not.toContain(SECRET);
  expect(stored).toEqual([]);
});

test("--generate prints nothing but the reference, and asks for nothing", async () => {
  const { run, stored } = withSecrets();

  const { stdout, stderr } = await run(["set", "comms", "--store", "file", "--generate"]);

  expect(stdout).toBe("file:secrets/comms\n");
  expect(stderr).toBe("");
  expect(stored).toEqual([{ name: "comms", value: undefined, store: "file" }]);
});

test("a store that does not exist is refused", async () => {
  const { run } = withSecrets();
  expect((await run(["set", "comms", "--store", "vault"])).code).toBe(2);
});

test("removing says from where", async () => {
  const { run } = withSecrets({ remove: async () => ["keychain", "file"] });
  expect((await run(["rm", "comms"])).stdout).toContain("comms was removed from the keychain and its file");
});

test("the list says which store is in use, and what is wrong with a secret", async () => {
  const problem = "The secret keychain:comms cannot be read";
  const { run } = withSecrets({
    list: async () => ({
      secrets: [
        {
          name: "comms",
          store: "keychain",
          reference: "keychain:comms",
          usedBy: ["agent-comms.secret"],
          problem,
        },
      ],
      noKeychain: "no secret service",
    }),
  });

  const { stdout } = await run(["list"]);
  expect(stdout).toContain("No keychain answers here (no secret service): new secrets go into files");
  expect(stdout).toMatch(/comms +keychain +keychain:comms +agent-comms\.secret +The secret/);
  expect(JSON.parse((await run(["list", "--json"])).stdout)).toEqual({
    store: "file",
    no_keychain: "no secret service",
    secrets: [
      {
        name: "comms",
        store: "keychain",
        reference: "keychain:comms",
        used_by: ["agent-comms.secret"],
        problem,
      },
    ],
  });
});
