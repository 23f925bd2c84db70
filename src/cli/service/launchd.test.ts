import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { launchd } from "./launchd.js";
import type { ServiceProgram } from "./service-program.js";

const program: ServiceProgram = {
  name: "huddle",
  argv: ["/usr/local/bin/node", "/opt/huddle/dist/main.js", "up"],
  env: {},
  logFile: "/Users/ann/my logs/hub.log",
};

/** A home with a launchctl that notes what it is asked, and knows of one agent once that is loaded. */
function place(script = "") {
  const home = tempFolder();
  const calls = join(home, "calls");
  const file = join(home, "launchctl");
  writeFileSync(
    file,
    `#!/bin/sh
PATH=/usr/bin:/bin
echo "$*" >> '${calls}'
${script}
case "$1" in
  bootstrap) touch '${home}/loaded' ;;
  bootout) rm -f '${home}/loaded' ;;
  print) case "$2" in
    */dev.huddle.huddle) [ -e '${home}/loaded' ] || exit 113; printf '\\tstate = running\\n\\tpid = 4242\\n' ;;
  esac ;;
esac
exit 0
`,
  );
  chmodSync(file, 0o755);
  const manager = launchd({ io: { env: { PATH: home }, home } }, program);
  return {
    manager,
    home,
    calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []),
  };
}

const domain = `gui/${process.getuid?.() ?? 0}`;

test("a launch agent is loaded, told of, and taken out", async () => {
  const { manager, home, calls } = place();
  expect(manager.file).toBe(join(home, "Library", "LaunchAgents", "dev.huddle.huddle.plist"));
  await manager.check();
  expect(await manager.state()).toMatchObject({ isLoaded: false, running: undefined });

  await manager.enable();
  await manager.start();
  expect(await manager.state()).toEqual({
    isLoaded: true,
    isEnabled: true,
    running: { pid: 4242 },
    words: "running",
  });
  expect(calls()).toEqual(
    expect.arrayContaining([`enable ${domain}/dev.huddle.huddle`, `bootstrap ${domain} ${manager.file}`]),
  );

  await manager.disable(true);
  expect(await manager.state()).toMatchObject({ isLoaded: false });
  expect(manager.says.logs).toBe("tail -f '/Users/ann/my logs/hub.log'");
});

test("without launchd the way out is said, and what launchd refuses is passed on", async () => {
  await expect(place('echo "Could not find domain" >&2; exit 125').manager.check()).rejects.toMatchObject({
    code: "SERVICE_UNUSABLE",
    details: { hint: expect.stringContaining("~/.zprofile") as unknown },
  });
  const refusing = place('[ "$1" = bootstrap ] && { echo "Bootstrap failed: 5" >&2; exit 5; }');
  await expect(refusing.manager.start()).rejects.toMatchObject({
    code: "SERVICE_UNUSABLE",
    message: expect.stringContaining("Bootstrap failed: 5") as unknown,
  });
});
