import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { runServer } from "./run-server.js";
import { SERVER_CONF } from "./server-files.js";

function program(script: string): { file: string; folder: string } {
  const folder = tempFolder();
  const file = join(folder, "server");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  // It is told to read it anew when that changes, also where it comes to be.
  writeFileSync(join(folder, SERVER_CONF), "");
  return { file, folder };
}

test.each([
  ["exit 3", /nats-server has ended by itself \(exit code 3\).*huddle fabric up/],
  ["kill -9 $$", /nats-server has ended by itself \(SIGKILL\)/],
])("a server that ends by itself (%s) is told of", async (script, told) => {
  const { file, folder } = program(script);
  await expect(runServer(file, folder, new AbortController().signal)).rejects.toMatchObject({
    code: "FABRIC_UNUSABLE",
    message: expect.stringMatching(told) as unknown,
  });
});

test("one that is ended has ended as it should", async () => {
  const { file, folder } = program("exec sleep 600");
  const ending = new AbortController();
  const running = runServer(file, folder, ending.signal);
  ending.abort();
  await running;
});
