import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { daemon } from "../../src/daemon/daemon.js";
import { connectPlace } from "./connect-place.js";
import type { CliRun, CliWorld } from "./run-cli.js";

export type ServicePlace = {
  home: string;
  run(argv: string[], world?: CliWorld): Promise<CliRun>;
  /** What systemctl was asked for, without `--user`. */
  calls(): string[];
  /** What doctor finds of the service. */
  doctor(): Promise<{ state: string; fix: string | null } | undefined>;
};

/**
 * A person's home with a systemctl on the path that does what one would: it starts the hub of the unit as a process of its own,
 * and ends it.
 */
export function openServicePlace({ answers = true } = {}): ServicePlace {
  const place = connectPlace([]);
  const bin = join(place.home, "bin");
  const log = join(place.home, "calls");
  const script = answers
    ? `
echo "$*" | sed 's/^--user //' >> '${log}'
pid() { cat '${log}.pid' 2>/dev/null || echo 0; }
case "$2" in
  start)
    unit=$(ls "$HOME/.config/systemd/user/$3")
    eval "setsid $(sed -n 's/^ExecStart=//p' "$unit") > '${log}.out' 2>&1 &"
    echo $! > '${log}.pid' ;;
  disable) if [ "$3" = --now ]; then kill "$(pid)"; echo 0 > '${log}.pid'; fi ;;
  show) case "$3" in
    --property=Version) echo Version=252 ;;
    *) echo LoadState=loaded; echo UnitFileState=enabled; echo ActiveState=active; echo SubState=running
       echo "MainPID=$(pid)"; echo Result=success ;;
  esac ;;
esac
exit 0`
    : "echo 'Failed to connect to bus: No medium found' >&2; exit 1";
  writeFileSync(join(bin, "systemctl"), `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`);
  chmodSync(join(bin, "systemctl"), 0o755);
  const before = process.env["HUDDLE_HOME"];
  // The daemon's part of doctor reads the environment of its process, which is this one.
  process.env["HUDDLE_HOME"] = place.data;
  onTestFinished(() => {
    if (before === undefined) delete process.env["HUDDLE_HOME"];
    else process.env["HUDDLE_HOME"] = before;
  });
  const run = (argv: string[], world: CliWorld = {}) => place.run(argv, { stdin: "", daemon, ...world });
  return {
    home: place.home,
    run,
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
    async doctor() {
      const { stdout } = await run(["doctor", "--json"]);
      const { findings } = JSON.parse(stdout) as {
        findings: { check: string; state: string; fix: string | null }[];
      };
      return findings.find(({ check }) => check === "service");
    },
  };
}
