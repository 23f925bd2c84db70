import type { EventFrame } from "../client/event-stream.js";
import type { HubClient, NeedsYou } from "../client/hub-client.js";
import { readEvent } from "../contract/events/events.js";
import { HUMAN_ID } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import type { CliContext } from "./context.js";
import { reportState } from "./report-state.js";

export type Need = NeedsYou["items"][number];

/** After these something may wait for the person that did not before. */
const mayAsk: ReadonlySet<string> = new Set([
  "PermissionRequested",
  "ConversationPaused",
  "BudgetReached",
  "PresenceChanged",
  "StepWaiting",
]);

/**
 * Tells of each thing that begins to wait for the person, until the signal; `all` is everything that waits then. First of
 * what waits already, if anything does. A hub that restarts is waited for, and nothing is missed.
 */
export async function followNeeds(
  cli: CliContext,
  signal: AbortSignal,
  onNew: (fresh: readonly Need[], all: readonly Need[]) => Promise<void> | void,
): Promise<void> {
  const [{ followEvents }, { nodeSocket }, { locateHub }] = await Promise.all([
    import("../client/event-stream.js"),
    import("../client/node-socket.js"),
    import("../client/connect.js"),
  ]);
  let client: HubClient = await cli.client();
  let known: ReadonlySet<string> = new Set();
  let failure: Error | undefined;
  const enough = new AbortController();
  const stop = () => enough.abort();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();

  async function look(): Promise<void> {
    const { items } = await client.needsYou({ signal: enough.signal });
    const fresh = items.filter(({ id }) => !known.has(id));
    // What is settled is forgotten: a conversation can be paused again.
    known = new Set(items.map(({ id }) => id));
    if (fresh.length > 0) await onNew(fresh, items);
  }

  /** One look after the other; what happens while one waits for its turn is in it. */
  let looking: Promise<void> = Promise.resolve();
  let isWaiting = false;
  let wasAway = false;
  function lookSoon(): void {
    if (isWaiting) return;
    isWaiting = true;
    looking = looking.then(async () => {
      isWaiting = false;
      try {
        // It may be at another port now.
        if (wasAway) client = await cli.client();
        wasAway = false;
        await look();
      } catch (error) {
        // When the hub is back, the stream is, and then it is looked again.
        if (enough.signal.aborted || (error instanceof HubError && error.code === "HUB_UNREACHABLE")) return;
        failure = error instanceof Error ? error : new Error(String(error));
        stop();
      }
    });
  }

  const report = reportState(cli.output);
  const stream = followEvents({
    open: nodeSocket(() => locateHub({ env: cli.io.env, home: cli.io.home, hub: cli.globals.hub })),
    onState(state) {
      report(state);
      if (state.kind === "reconnecting") wasAway = true;
      // Only now nothing more can be missed.
      else lookSoon();
    },
    signal: enough.signal,
  });
  try {
    for await (const frame of stream) if (concernsPerson(frame)) lookSoon();
    await looking;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (failure !== undefined) throw failure;
}

function concernsPerson(frame: EventFrame): boolean {
  if (mayAsk.has(frame.type)) return true;
  const event = readEvent(frame);
  return event?.type === "MessageAccepted" && event.data.message.to.some(({ agent }) => agent === HUMAN_ID);
}
