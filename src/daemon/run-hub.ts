import { statSync, writeSync } from "node:fs";
import type { HuddlePaths } from "../client/paths.js";
import { requireDriver } from "../journal/sqlite/require-driver.js";
import { systemClock } from "../model/clock.js";
import { HubError } from "../model/errors.js";
import { createCondition } from "./condition.js";
import { loadConfig } from "./config-load.js";
import { keepHubFile, removeHubFile, writeHubFile } from "./hub-file.js";
import { acquireLock } from "./lock.js";
import { openLog } from "./log.js";
import { optimizeEarly } from "./optimize-early.js";
import { ownPaths } from "./own-paths.js";
import { refuseOpenFolder } from "./private-file.js";
import { ensureSecret, hasSecret } from "./secrets.js";
import { startHub } from "./start-hub.js";

type RunHub = {
  set: readonly string[];
  port?: number | undefined;
  json: boolean;
  write: (line: string) => void;
  onReady?: (url: string) => void;
  /** Ends it at once: agents get no time. */
  signal?: AbortSignal;
};

/** Long enough for answers that say "outcome unknown" to leave the socket. */
const LAST_WORDS_MS = 300;
/** A hub that cannot store anything ends within this time, whatever else fails. */
const END_WITHIN_MS = 5000;

/** Runs the hub until it is told to stop; resolves to the exit code. */
export async function runHub({ set, port, json, write, onReady, signal }: RunHub): Promise<number> {
  // SQLite makes its files by the umask; nothing of the hub is for other users.
  process.umask(0o077);
  const paths = ownPaths();
  for (const folder of [paths.data, paths.config, paths.state]) refuseOpenFolder(folder);
  const overrides = port === undefined ? set : [...set, `port=${port}`];
  const { config } = loadConfig({ file: paths.configFile, overrides });
  requireDriver();
  const lock = acquireLock(paths.lock, { pid: process.pid, clock: systemClock, hubFile: paths.hubFile });
  try {
    const secrets = findSecrets(paths);
    const log = openLog(paths.hubLog, config.log.level);
    const condition = createCondition({ database: paths.database, log, say });
    let hurry = () => {};
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let signals = 0;
    let code = 0;
    const onSignal = (signal: NodeJS.Signals) => {
      log.info(`stopping on ${signal}`);
      signals++;
      // Asked a second time, or by `huddle down --now`: agents get no time to end their turns.
      if (signals > 1 || signal === "SIGUSR2") hurry();
      end();
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"] as const) process.on(signal, onSignal);
    const hub = await startHub({
      config,
      paths,
      secrets,
      clock: systemClock,
      log,
      condition,
      onFatal(error) {
        code = 1;
        // Nothing that closes orderly may keep it: it could wait for the very disk that failed.
        setTimeout(() => process.exit(code), END_WITHIN_MS);
        condition.fail(error);
        // Nothing that agents still do could be recorded.
        hurry();
        setTimeout(end, LAST_WORDS_MS);
      },
    });
    hurry = hub.hurry;
    const self = { url: hub.url, pid: process.pid };
    writeHubFile(paths.hubFile, self);
    const letGo = keepHubFile(paths.hubFile, self, (error) =>
      log.warn({ err: error }, "hub.json cannot be written"),
    );
    log.info(`listening at ${hub.url}`);
    write(
      json
        ? JSON.stringify({ url: hub.url, pid: process.pid, data: paths.data, token_file: paths.token })
        : `✓ Huddle is up at ${hub.url}. Ctrl-C stops it.`,
    );
    onReady?.(hub.url);
    optimizeEarly();
    const abort = () => {
      hurry();
      end();
    };
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort, { once: true });
    await ended;
    letGo();
    removeHubFile(paths.hubFile, process.pid, (problem) => {
      log.warn(problem);
      say(`! ${problem}`);
    });
    if (code === 0) await hub.close();
    else {
      await hub.close().catch((error: unknown) => log.error({ err: error }, "the hub did not close orderly"));
      // At once: what the process would still do by itself touches files that may be another's by now.
      process.exit(code);
    }
    return code;
  } finally {
    lock.release();
  }
}

/** In the background this goes to a file on the very disk that may have failed: the stream would end the hub by its error. */
function say(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // Health and the answers say it as well.
  }
}

/** Refuses secrets that cannot be used, and an empty database beside them, before anything is opened. */
function findSecrets({ token, join, database }: HuddlePaths) {
  const [isUsed] = [hasSecret(token, "operator"), hasSecret(join, "join")];
  if (isUsed && statSync(database, { throwIfNoEntry: false })?.size === 0) {
    throw new HubError(
      "DATA_CORRUPT",
      `${database} is empty, but ${token} says that a hub has run here: its journal is lost. ` +
        `Restore a backup to ${database}, or remove the empty file to start afresh: rm ${database}`,
      { file: database },
    );
  }
  return () => ({ operator: ensureSecret(token, "operator"), join: ensureSecret(join, "join") });
}
