import { askForMail, type Mail } from "../bridge/ask-for-mail.js";
import { Unreachable } from "../bridge/failures.js";
import { startOf } from "../bridge/process-start.js";
import type { HookContext } from "./hook-context.js";
import type { HookEvent } from "./hook-event.js";
import { writeAll } from "./stdio.js";

/*
 * The hook that waits in the background while a session is idle, and wakes it when mail comes: Claude Code starts a turn with
 * what a hook of `asyncRewake` writes to stderr before it exits with 2.
 *
 * It ends without a word when the hub says that another hook of the session ran (so there is one such process for each
 * session, and none while it works), when the CLI has ended, and when the hub stays away.
 */

/** The hook that runs beside this one at the same event is done by then, and has taken what was there. */
const HEAD_START_MS = 1_000;
/** A session starts its bridge and its hooks at once; the bridge may take a while. */
const NO_IDENTITY_MS = 30_000;
const WAIT_SECONDS = 100;
const SILENCE_MS = 110_000;
const HUB_AWAY_MS = 10_000;
const PAUSE_MS = 250;
const WATCH_MS = 1_000;

/** The exit code that wakes. */
const WAKE = 2;

export async function wake(event: HookEvent, context: HookContext): Promise<number> {
  const { handovers, say, cli } = context;
  const began = startOf(cli);
  setInterval(() => {
    if (startOf(cli) !== began) process.exit(0);
  }, WATCH_MS).unref();

  await pause(HEAD_START_MS);
  const keptGoing = (since: number) =>
    handovers.list().some(({ session, by, at }) => session === event.session && by === "Stop" && at >= since);
  if (event.name === "Stop" && keptGoing(performance.timeOrigin - HEAD_START_MS)) {
    say("the turn goes on");
    return 0;
  }
  const mail = await waitForMail(event, context);
  if (mail?.text == null) return 0;
  writeAll(mail.text, 2);
  if (mail.ack !== "") {
    handovers.record({ session: event.session, by: "wake", ack: mail.ack, marker: mail.marker });
  }
  return WAKE;
}

/** Undefined when there is nothing to wait for any more. */
async function waitForMail(event: HookEvent, { identity, say }: HookContext): Promise<Mail | undefined> {
  const isStarting = event.name === "SessionStart";
  let me = identity();
  if (me === undefined && !isStarting) return undefined;
  for (let awaySince: number | undefined; ; me = identity()) {
    const asked = performance.now();
    try {
      if (me === undefined)
        throw new Unreachable("no bridge of this session has an identity, or no hub runs");
      const mail = await askForMail(me, { moment: "idle", wait: WAIT_SECONDS }, SILENCE_MS);
      if (mail === undefined || mail.over || mail.text !== null) return mail;
      awaySince = undefined;
      // A hub that stops answers at once.
      if (performance.now() - asked < PAUSE_MS) await pause(PAUSE_MS);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      say(error.message);
      awaySince ??= performance.now();
      const patienceMs = isStarting && me === undefined ? NO_IDENTITY_MS : HUB_AWAY_MS;
      if (performance.now() - awaySince > patienceMs) return undefined;
      await pause(PAUSE_MS);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
