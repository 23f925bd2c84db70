import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { isOurPlist, readPlist, renderPlist } from "./launchd-plist.js";
import type { ServiceProgram } from "./service-program.js";

const path = `/Users/ann/it's <a> "b" & 100% ]]> c/node`;

const program: ServiceProgram = {
  name: "huddle",
  argv: [path, "/opt/huddle/dist/main.js", "up", "--foreground", "--unless-running"],
  env: { HUDDLE_HOME: path, PATH: "/usr/bin:/bin" },
  logFile: "/Users/ann/hub.log",
};

test("what it runs is read back as it was written", () => {
  const plist = renderPlist(program);
  expect(isOurPlist(plist)).toBe(true);
  expect(readPlist(plist)).toEqual([path, "/opt/huddle/dist/main.js"]);
});

const python = spawnSync("python3", ["--version"]);

test.skipIf(python.error !== undefined)("a parser of property lists reads what was meant", () => {
  const script = "import json,plistlib,sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
  const { stdout, stderr } = spawnSync("python3", ["-c", script], {
    input: renderPlist(program),
    encoding: "utf8",
  });

  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    Label: "dev.huddle.huddle",
    ProgramArguments: program.argv,
    EnvironmentVariables: program.env,
    WorkingDirectory: "/",
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 30,
    ExitTimeOut: 90,
    AbandonProcessGroup: true,
    StandardOutPath: program.logFile,
    StandardErrorPath: program.logFile,
  });
});
