import type { OwnHub } from "../../selftest/hub-link.js";
import type { Place } from "../../selftest/place.js";
import { stopHub } from "../commands/down.js";
import { type CliContext, openContext } from "../context.js";
import { ensureHub } from "../ensure-hub.js";
import { lookAtHomeHub } from "../home-hub.js";

const LOOK_MS = 5_000;

/** A hub in the place of the self-test: it shares neither files nor the port with the one that the person may run. */
export function createOwnHub(
  { io, globals, describe }: CliContext,
  place: Place,
  signal: AbortSignal,
): OwnHub {
  // The time that was asked for is that of a behaviour.
  const usual = { ...globals, hub: undefined, timeout: undefined };
  const own = openContext({ ...io, env: place.env, home: place.home }, usual, describe);
  return {
    async start() {
      signal.throwIfAborted();
      await ensureHub(own, { set: [] });
      return own.locate();
    },
    async stop() {
      const hub = await lookAtHomeHub(own.paths, LOOK_MS);
      if (hub.kind === "up") await stopHub(own, hub.health.pid, false);
    },
  };
}
