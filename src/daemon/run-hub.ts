import { homedir } from "node:os";
import { type HuddlePaths, resolvePaths } from "../client/paths.js";
import { requireDriver } from "../journal/sqlite/require-driver.js";
import { systemClock } from "../model/clock.js";
import type { HubError } from "../model/errors.js";
import { loadConfig } from "./config-load.js";
import { removeHubFile, writeHubFile } from "./hub-file.js";
import { acquireLock } from "./lock.js";
import { openLog } from "./log.js";
import { optimizeEarly } from "./optimize-early.js";
import { ensureSecret } from "./secrets.js";
import { startHub } from "./start-hub.js";

type RunHub = {
  set: readonly string[];
  port?: number | undefined;
  json: boolean;
  write: (line: string) => void;
};

/** Long enough for answers that say "outcome unknown" to leave the socket. */
const LAST_WORDS_MS = 300;

/** Runs the hub until it is told to stop; resolves to the exit code. */
export async function runHub({ set, port, json, write }: RunHub): Promise<number> {
  // SQLite makes its files by the umask; nothing of the hub is for other users.
  process.umask(0o077);
  const paths = ownPaths();
  const overrides = port === undefined ? set : [...set, `port=${port}`];
  const { config } = loadConfig({ file: paths.configFile, overrides });
  requireDriver();
  const lock = acquireLock(paths.lock, { pid: process.pid, clock: systemClock, hubFile: paths.hubFile });
  try {
    const secrets = {
      operator: ensureSecret(paths.token, "operator"),
      join: ensureSecret(paths.join, "join"),
    };
    const log = openLog(paths.hubLog, config.log.level);
    let hurry = () => {};
    const ended = new Promise<number>((resolve) => {
      let signals = 0;
      const onSignal = (signal: NodeJS.Signals) => {
        log.info(`stopping on ${signal}`);
        signals++;
        // Asked a second time, or by `huddle down --now`: agents get no time to end their turns.
        if (signals > 1 || signal === "SIGUSR2") hurry();
        resolve(0);
      };
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"] as const) process.on(signal, onSignal);
      fatal = (error) => {
        log.fatal({ err: error }, "the journal's disk failed; stopping");
        process.stderr.write(`✗ ${error.message}\n`);
        // Nothing that agents still do could be recorded.
        hurry();
        setTimeout(() => resolve(1), LAST_WORDS_MS);
      };
    });
    const hub = await startHub({
      config,
      paths,
      secrets,
      clock: systemClock,
      log,
      onFatal: (error) => fatal(error),
    });
    hurry = hub.hurry;
    writeHubFile(paths.hubFile, { url: hub.url, pid: process.pid });
    log.info(`listening at ${hub.url}`);
    write(
      json
        ? JSON.stringify({ url: hub.url, pid: process.pid, data: paths.data, token_file: paths.token })
        : `Huddle is up at ${hub.url} (pid ${process.pid}), data in ${paths.data}. Ctrl-C stops it.`,
    );
    optimizeEarly();
    const code = await ended;
    removeHubFile(paths.hubFile, process.pid);
    await hub.close();
    return code;
  } finally {
    lock.release();
  }
}

let fatal: (error: HubError) => void = (error) => {
  throw error;
};

export function ownPaths(): HuddlePaths {
  return resolvePaths(process.env, homedir());
}
