import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import type { ServiceProgram } from "./service-program.js";
import { isOurUnit, readUnit, renderUnit } from "./systemd-unit.js";

const program: ServiceProgram = {
  name: "huddle",
  argv: ["/usr/bin/node", "/opt/huddle/dist/main.js", "up", "--foreground"],
  env: { HUDDLE_HOME: "/home/ann/hub", PATH: "/usr/bin:/bin" },
  logFile: "/home/ann/hub/logs/hub.log",
};

test("a unit names whole paths, restarts after failures a few times, and starts at login", () => {
  const unit = renderUnit(program);
  expect(isOurUnit(unit)).toBe(true);
  expect(unit.split("\n")).toEqual(
    expect.arrayContaining([
      'ExecStart="/usr/bin/node" "/opt/huddle/dist/main.js" "up" "--foreground"',
      'Environment="HUDDLE_HOME=/home/ann/hub"',
      "Restart=on-failure",
      "StartLimitBurst=5",
      "WantedBy=default.target",
    ]),
  );
});

const strange = [
  "/opt/my node/bin/node",
  '/opt/a "quoted" one/node',
  "/opt/100%/node",
  "/opt/%h/node",
  "/opt/$HOME/node",
  "/opt/back\\slash/node",
  "/opt/it's/node",
  "/opt/semi ; colon/node",
  "/opt/two\nlines/node",
];

test.each(strange)("the path %j is read back as it was written", (path) => {
  const unit = renderUnit({ ...program, argv: [path, path, "up"], env: { HUDDLE_HOME: path } });
  expect(readUnit(unit)).toEqual([path, path]);
  expect(unit.split("\n").filter((line) => line.startsWith("ExecStart="))).toHaveLength(1);
});

const analyze = spawnSync("systemd-analyze", ["--version"]);

test.skipIf(analyze.error !== undefined)(
  "systemd finds nothing wrong with a unit, whatever the paths",
  () => {
    for (const path of ["/bin/node", ...strange.filter((one) => !one.includes("\n"))]) {
      const folder = tempFolder();
      const node = join(folder, path);
      mkdirSync(dirname(node), { recursive: true });
      writeFileSync(node, "#!/bin/sh\n");
      chmodSync(node, 0o755);
      const file = join(folder, "huddle.service");
      writeFileSync(file, renderUnit({ ...program, argv: [node, node, "up"], env: { HUDDLE_HOME: node } }));

      const { status, stdout, stderr } = spawnSync(
        "systemd-analyze",
        ["verify", "--user", "--man=no", file],
        {
          encoding: "utf8",
          env: { ...process.env, XDG_RUNTIME_DIR: folder },
        },
      );

      // It complains of the machine's other units, too: only what it says of this one counts.
      const said = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("huddle"));
      expect({ path, status, said }).toEqual({ path, status: 0, said: [] });
    }
  },
);
