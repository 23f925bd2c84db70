import { damaged, isDamage } from "../journal/storage-error.js";
import { HubError } from "../model/errors.js";
import type { Log } from "./log.js";

/*
 * What is wrong with the hub, for whoever asks after its health. A lasting problem (damage, or the failure that it ends
 * by) stays until the hub is started again; a passing one until it is over. Each is said once, where it is seen: in the log
 * and, if it lasts, to whoever started the hub.
 */

export type Condition = {
  problem(): HubError | undefined;
  /** The hub ends by this: it stands above everything else. */
  fail(error: HubError): void;
  /** A damaged journal as a refusal that says what to do, and remembered; every other error as it is. */
  explain(error: unknown): unknown;
  /** One of its kind: undefined when it is over. */
  pass(kind: string, problem: HubError | undefined): void;
};

type ConditionPorts = { database: string; log: Log; say: (line: string) => void };

export function createCondition({ database, log, say }: ConditionPorts): Condition {
  let failure: HubError | undefined;
  let damage: HubError | undefined;
  const passing = new Map<string, HubError>();

  function report(error: HubError) {
    log.fatal({ err: error }, error.message);
    say(`✗ ${error.message}`);
  }

  return {
    problem: () => failure ?? damage ?? passing.values().next().value,
    fail(error) {
      failure = error;
      report(error);
    },
    explain(error) {
      const found = isDamage(error) ? damaged(database, messageOf(error), error) : error;
      // An index that is rebuilt is damaged as well, for a moment, and names no file.
      const isJournal =
        found instanceof HubError && found.code === "DATA_CORRUPT" && found.details["file"] === database;
      if (!isJournal) return found;
      if (damage === undefined) report(found);
      damage ??= found;
      return found;
    },
    pass(kind, problem) {
      const before = passing.get(kind);
      if (problem === undefined) {
        if (before !== undefined) log.info(`over: ${before.message}`);
        passing.delete(kind);
      } else {
        if (before === undefined) log.warn({ err: problem }, problem.message);
        passing.set(kind, problem);
      }
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
