import { setTimeout as sleep } from "node:timers/promises";
import type { ExecuteCommand } from "../hub/deciders.js";
import { stopNotices } from "../hub/rules/stop-notices.js";
import type { TightViews } from "../views/tight.js";

/** A stop waits no longer for a disk that takes no more. */
const WITHIN_MS = 1000;

type StopNoticePorts = {
  execute: ExecuteCommand;
  views: TightViews;
  /** Hub time. */
  now: () => number;
  onError: (error: unknown) => void;
};

type StopNotice = {
  /** Once it is in the journal; open waits are answered with it. */
  announce(withinMs: number): Promise<void>;
  /** Nobody reads it in the next life of the hub. Also at a start: the hub may have been killed while it stopped. */
  withdraw(): Promise<void>;
};

/** What agents are told of a stop of the hub. Whatever fails about it, the hub stops. */
export function createStopNotice({ execute, views, now, onError }: StopNoticePorts): StopNotice {
  const soon = (done: Promise<unknown>) =>
    Promise.race([done.catch(onError), sleep(WITHIN_MS, undefined, { ref: false })]);
  return {
    async announce(withinMs) {
      await soon(execute("announceStop", { withinMs }));
    },
    async withdraw() {
      if (stopNotices(views, now()).length > 0) await soon(execute("withdrawStopNotice", {}));
    },
  };
}
