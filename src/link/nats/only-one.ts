import type { NatsConnection } from "@nats-io/transport-node";
import type { Clock } from "../../model/clock.js";
import type { HubId } from "../../model/link.js";
import type { LinkLog } from "../link-log.js";
import type { Sealer } from "./seal.js";
import { findTwin, type TwinAnswer } from "./twin.js";

/*
 * Of all hubs with one key only one takes part. Always in one of these modes:
 *
 *   idle     not connected yet
 *   asks     connected, and heard by others with this key; not known yet whether there are any: whoever asks something waits
 *   checks   there was none; asked once more, since two may have asked before either was heard
 *   serves   this hub takes part
 *   waits    another one does: nothing is read, answered or sent
 *
 * any -> asks on each connect, and from time to time while it waits; asks -> checks -> serves; asks, checks -> waits.
 */
type Mode = { kind: "idle" | "serves" } | Asking | { kind: "waits"; twinSince: number };

type Asking = { kind: "asks" | "checks"; decided: Promise<void>; twinSince: number | undefined };

export type OnlyOne = {
  /** Finds out whether this hub serves. Undefined: it connected anew meanwhile, and that is found out again. */
  decide(connection: NatsConnection): Promise<boolean | undefined>;
  /** As it is once that is known. */
  serves(): Promise<boolean>;
  /** What others with this key are told. */
  told(): TwinAnswer;
  twinSince(): number | undefined;
};

type OnlyOneOptions = {
  self: HubId;
  run: string;
  sealer: Sealer;
  now: () => NatsConnection | undefined;
  clock: Clock;
  log: LinkLog;
};

export function createOnlyOne({ self, run, sealer, now, clock, log }: OnlyOneOptions): OnlyOne {
  const asking = { self, run, sealer, box: sealer.own.box };
  let mode: Mode = { kind: "idle" };

  const twinSince = () => ("twinSince" in mode ? mode.twinSince : undefined);

  function wait() {
    if (twinSince() === undefined)
      log.warn(
        {},
        "another hub on the fabric has this hub's key, as after a copy of its data: nothing is read here",
      );
    mode = { kind: "waits", twinSince: twinSince() ?? clock.wall() };
  }

  async function decide(connection: NatsConnection): Promise<boolean | undefined> {
    let end = () => {};
    const decided = new Promise<void>((resolve) => {
      end = resolve;
    });
    const own: Asking = { kind: "asks", decided, twinSince: twinSince() };
    mode = own;
    const isStale = () => mode !== own || now() !== connection;
    try {
      // Once the server knows that this hub hears such questions, one of two that ask is heard by the other.
      await connection.flush();
      let isTwin = await findTwin(connection, asking, "asks");
      if (!isTwin && !isStale()) {
        own.kind = "checks";
        isTwin = await findTwin(connection, asking, "checks");
      }
      if (isStale()) return undefined;
      if (isTwin) wait();
      else mode = { kind: "serves" };
      return !isTwin;
    } finally {
      end();
    }
  }

  return {
    decide,
    async serves() {
      while ("decided" in mode) {
        const { decided } = mode;
        await decided;
        // Not found out: the connection is gone.
        if ("decided" in mode && mode.decided === decided) return false;
      }
      return mode.kind === "serves";
    },
    told: () => ({
      run,
      reads: mode.kind === "checks" || mode.kind === "serves",
      is: mode.kind === "idle" ? "asks" : mode.kind,
    }),
    twinSince,
  };
}
