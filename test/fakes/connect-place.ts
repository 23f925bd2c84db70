import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { type CliRun, type CliWorld, cli } from "./run-cli.js";
import { placeClis } from "./scripted-clis.js";

/** A person's home with CLIs on PATH, in which the built program is run. */
export type ConnectPlace = {
  home: string;
  data: string;
  run(argv: string[], world?: CliWorld): Promise<CliRun>;
  write(path: string, text: string): void;
  read(path: string): string;
  /** Every file of the home, without Huddle's own. */
  files(): Record<string, string>;
};

export function connectPlace(clis: Parameters<typeof placeClis>[1]): ConnectPlace {
  const home = mkdtempSync(join(tmpdir(), "connect "));
  const data = join(home, "huddle");
  const bin = join(home, "bin");
  placeClis(bin, clis);
  mkdirSync(data);
  writeFileSync(join(data, "huddle.yaml"), "port: 0\n");
  const self = [process.execPath, resolve(process.env["HUDDLE_MAIN"] ?? join("dist", "main.js"))] as const;
  const run = (argv: string[], world: CliWorld = {}) =>
    // A hub has half a minute to start, unless it is told otherwise.
    cli([...argv, "--timeout", "5m"], {
      self,
      home,
      ...world,
      // Nothing else of this machine is on the path: its CLIs are none of the test's.
      env: { HOME: home, PATH: bin, HUDDLE_HOME: data, ...world.env },
    });
  onTestFinished(async () => {
    await run(["down", "--now"]);
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  const isTheirs = (path: string) => !/^(?:huddle|bin)(?:\/|$)/.test(path);
  return {
    home,
    data,
    run,
    write(path, text) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    },
    read: (path) => readFileSync(join(home, path), "utf8"),
    files: () =>
      Object.fromEntries(
        readdirSync(home, { recursive: true, encoding: "utf8" })
          .filter((path) => isTheirs(path))
          .map((path) => [
            path,
            statSync(join(home, path)).isFile() ? readFileSync(join(home, path), "utf8") : "folder",
          ]),
      ),
  };
}
