// `huddle service`: a real systemd where that can be had, a scripted systemctl elsewhere. docs/operating.md
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { openServicePlace } from "../fakes/service-place.js";
import { hasSystemd, runInSystemd } from "../fakes/systemd-session.js";
import { tempFolder } from "../fakes/temp-folder.js";

const unitIn = (home: string) => join(home, ".config", "systemd", "user");

test.skipIf(!hasSystemd())(
  "a service is installed, comes back when it is killed, yields to a hub that runs, and is removed",
  async () => {
    const home = tempFolder();
    const data = join(home, `my "hub" at 100% $HOME`);
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(data, "huddle.yaml"), "port: 0\n");
    const main = resolve(process.env["HUDDLE_MAIN"] ?? join("dist", "main.js"));
    const { code, output } = await runInSystemd(
      `
huddle() { "$NODE" "$MAIN" "$@" --timeout 5m; }
pid() { huddle status --json | "$NODE" -pe 'JSON.parse(require("fs").readFileSync(0)).pid'; }
unit=$(basename "$(huddle service install --print --json | "$NODE" -pe 'JSON.parse(require("fs").readFileSync(0)).file')")
main() { systemctl --user show "$unit" --property=MainPID --value; }
echo "== install"; huddle service install
echo "== same: $(pid) $(main)"
echo "== again"; huddle service install
echo "== status"; huddle service status
first=$(main); kill -9 "$first"
until [ "$(main)" != "$first" ] && [ "$(main)" != 0 ] && huddle status >/dev/null 2>&1; do sleep 0.2; done
echo "== back: $([ "$(pid)" = "$(main)" ] && echo by the service)"
huddle down
echo "== down: $(systemctl --user is-active "$unit" || true)"
huddle up --port 0 >/dev/null; hand=$(pid)
echo "== by hand"; huddle service install </dev/null
systemctl --user start "$unit"
until [ "$(systemctl --user is-active "$unit")" = inactive ]; do sleep 0.2; done
echo "== yields: $(systemctl --user show "$unit" --property=Result --value), hub $([ "$(pid)" = "$hand" ] && echo goes on)"
echo "== taken over"; huddle service install --yes
echo "== by the service: $([ "$(pid)" = "$(main)" ] && echo yes)"
echo "== remove"; huddle service remove
echo "== left: $(systemctl --user list-unit-files "$unit" --no-legend | wc -l)"
echo "== status"; huddle service status || echo "code $?"
`,
      { HOME: home, HUDDLE_HOME: data, NODE: process.execPath, MAIN: main },
    );

    expect(output).toContain("== install\n");
    expect(code, output).toBe(0);
    const parts = new Map(
      output.split(/^== /m).map((part): [string, string] => {
        const [head = "", ...rest] = part.split("\n");
        return [head, rest.join("\n")];
      }),
    );
    const heads = [...parts.keys()];
    expect(parts.get("install")).toMatch(
      /✓ The hub runs as a service at http:\/\/127\.0\.0\.1:\d+ \(pid \d+\), and starts when you log in/,
    );
    expect(parts.get("install")).toContain("loginctl enable-linger");
    expect(heads.find((head) => head.startsWith("same: "))).toMatch(/^same: (\d+) \1$/);
    expect(parts.get("again")).toContain("Nothing had to be changed.");
    expect(heads).toEqual(
      expect.arrayContaining([
        "back: by the service",
        "down: inactive",
        "yields: success, hub goes on",
        "by the service: yes",
        "left: 0",
      ]),
    );
    expect(parts.get("by hand")).toMatch(
      /The hub that you started goes on at .*\n.*takes over at your next login, or now: huddle down && systemctl --user start/,
    );
    expect(parts.get("taken over")).toContain("✓ The hub runs as a service");
    expect(parts.get("remove")).toContain(
      "✓ The service is removed, and its hub is stopped. Your data stays.",
    );
    expect(parts.get("status")).toContain("No service is installed.");
    expect(existsSync(join(data, "huddle.db"))).toBe(true);
  },
);

type Run = ReturnType<typeof openServicePlace>["run"];

async function status(run: Run): Promise<{ file: string; problem: string | null }> {
  const { stdout } = await run(["service", "status", "--json"]);
  return JSON.parse(stdout) as { file: string; problem: string | null };
}

test("a second install changes nothing, and one after an upgrade says what it did", async () => {
  const { run, home, calls } = openServicePlace();
  expect(await run(["service", "install"])).toMatchObject({ code: 0 });
  const { file } = await status(run);
  const written = readFileSync(file, "utf8");
  expect(file.startsWith(unitIn(home))).toBe(true);

  const again = await run(["service", "install"]);
  expect(again.stdout).toContain("Nothing had to be changed.");
  expect(readFileSync(file, "utf8")).toBe(written);

  writeFileSync(file, written.replace("main.js", "old.js"));
  expect((await status(run)).problem).toMatch(/old\.js, which is gone$/);
  const upgraded = await run(["service", "install"]);
  expect(upgraded.stderr).toContain("is rewritten.");
  expect(upgraded.stdout).toContain("To start it anew: systemctl --user restart");
  expect(readFileSync(file, "utf8")).toBe(written);

  expect(await run(["service", "remove"])).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(false);
  expect(calls().filter((call) => call.startsWith("disable"))).toHaveLength(1);
  expect((await run(["service", "remove"])).stdout).toBe("No service is installed.\n");
});

test("a unit that Huddle did not write is left alone", async () => {
  const { run } = openServicePlace();
  const { file } = JSON.parse((await run(["service", "install", "--print", "--json"])).stdout) as {
    file: string;
  };
  expect(existsSync(file)).toBe(false);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "[Service]\nExecStart=/bin/true\n");

  const install = await run(["service", "install"]);
  expect(install.code).toBe(1);
  expect(install.stderr).toContain("Huddle did not write it");
  expect(await run(["service", "remove"])).toMatchObject({ code: 1 });
  expect(readFileSync(file, "utf8")).toBe("[Service]\nExecStart=/bin/true\n");
});

test("where no systemd answers, nothing is written, and the way out is said", async () => {
  const { run } = openServicePlace({ answers: false });
  const { file } = JSON.parse((await run(["service", "install", "--print", "--json"])).stdout) as {
    file: string;
  };
  const install = await run(["service", "install", "--json"]);
  expect(install.code).toBe(1);
  expect(JSON.parse(install.stderr)).toMatchObject({
    code: "SERVICE_UNUSABLE",
    error: "No systemd answers for this user here (Failed to connect to bus: No medium found)",
    hint: expect.stringContaining("huddle up --foreground") as unknown,
  });
  expect(existsSync(file)).toBe(false);
  expect((await run(["service", "install"], { env: { WSL_DISTRO_NAME: "Debian" } })).stderr).toContain(
    "/etc/wsl.conf",
  );
});

test("uninstall removes the service, and doctor knows whether it is there and well", async () => {
  const { run, doctor } = openServicePlace();
  expect(await doctor()).toMatchObject({ state: "note", fix: "huddle service install" });
  await run(["service", "install"]);
  expect(await doctor()).toMatchObject({ state: "ok" });
  const { file } = await status(run);
  const written = readFileSync(file, "utf8");
  writeFileSync(file, written.replace("main.js", "old.js"));
  expect(await doctor()).toMatchObject({ state: "problem", fix: "huddle service install" });

  const gone = await run(["uninstall", "--yes"]);
  expect(gone.stdout).toContain("✓ The hub does not start at login any more");
  expect(existsSync(file)).toBe(false);
});
