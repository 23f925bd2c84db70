import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PATIENCE_MS } from "../../../test/fakes/patience.js";
import { living } from "../../../test/fakes/runtime-host.js";
import { testSocket } from "../../../test/fakes/scripted-pane.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { vendorOfCli } from "../vendors/vendors.js";
import { endPane } from "./end-pane.js";
import { defaultPaneTimes } from "./pane.js";
import { createTmuxClient } from "./tmux-client.js";

const script = `
const { appendFileSync } = require("node:fs");
const tell = (word) => appendFileSync(process.argv[1], word + "\\n");
for (const name of ["SIGHUP", "SIGTERM"]) process.on(name, () => tell(name));
setInterval(() => {}, 1000);
tell("up");
`;

test("also a kill is told by SIGHUP first, as by a terminal that closes", { timeout: 300_000 }, async () => {
  const file = join(tempFolder(), "told");
  const tmux = createTmuxClient({ socket: testSocket() });
  writeFileSync(file, "");
  const { id, pid } = await tmux.newSession({
    name: "agent-main-test",
    argv: [process.execPath, "-e", script, file],
    width: 80,
    height: 24,
    owner: "test",
  });
  const told = () => readFileSync(file, "utf8").trim().split("\n");
  await expect.poll(told, { timeout: PATIENCE_MS }).toEqual(["up"]);
  const pane = { tmux, id, pid, hosted: true, rule: vendorOfCli("claude").screen, times: defaultPaneTimes };
  await endPane(pane, { session: "agent-main-test", run: undefined, graceMs: 0 });
  expect(told()).toEqual(["up", "SIGHUP", "SIGTERM"]);
  expect(living([pid])).toEqual([]);
});
