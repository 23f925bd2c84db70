import { setTimeout as delay } from "node:timers/promises";
import type { HubClient, InboxPage, Receipt } from "../client/hub-client.js";
import type { TurnView } from "../contract/http/turns.js";
import { HubError } from "../model/errors.js";
import { followDeliveries } from "./await-injected.js";
import type { CliContext } from "./context.js";

type Answer =
  | { kind: "message"; message: InboxPage["messages"][number] }
  /** The turn that the message was in, of an agent that the hub runs and that wrote nothing back. */
  | { kind: "turn"; turn: TurnView };

/** Below the hub's own limit of 120 s: a longer wait is several. */
const WAIT_SLICE_MS = 110_000;
/** So many of its newest turns are looked at: others may have ended meanwhile. */
const TURNS = 20;

/** What the agent answers, or else what it says in the turn that the message was in. Throws TIMED_OUT. */
export async function awaitAnswer(
  cli: CliContext,
  client: HubClient,
  receipt: Receipt,
  waitMs: number,
): Promise<Answer> {
  const interruption = cli.io.interruption();
  const enough = new AbortController();
  const stop = () => enough.abort(interruption.reason);
  interruption.addEventListener("abort", stop, { once: true });
  try {
    const waiting = { signal: enough.signal, waitMs };
    return await Promise.race([
      awaitMessage(client, receipt, waiting),
      awaitTurn(cli, client, receipt, waiting),
    ]);
  } finally {
    stop();
    interruption.removeEventListener("abort", stop);
  }
}

type Waiting = { signal: AbortSignal; waitMs: number };

/**
 * The first message of that agent that replies to ours, or that ours caused: one that the hub runs is given the words of a
 * message and not its id. Others of it stay unread.
 */
async function awaitMessage(
  client: HubClient,
  receipt: Receipt,
  { signal, waitMs }: Waiting,
): Promise<Answer> {
  const deadline = performance.now() + waitMs;
  const passed = new Set<string>();
  for (;;) {
    const leftMs = deadline - performance.now();
    const wait = Math.max(0, Math.ceil(Math.min(leftMs, WAIT_SLICE_MS))) / 1000;
    const { message, page } = await lookForAnswer(client, receipt, { wait, signal });
    if (message !== undefined) return { kind: "message", message };
    if (leftMs <= 0) {
      throw new HubError("TIMED_OUT", `${receipt.target} did not answer within ${waitMs / 1000} s`, {
        message_id: receipt.message_id,
      });
    }
    // Unread mail of it that is no answer would be handed out again at once.
    if (page.every(({ id }) => passed.has(id))) await delay(Math.min(250, Math.max(1, leftMs)));
    for (const { id } of page) passed.add(id);
  }
}

async function lookForAnswer(
  client: HubClient,
  receipt: Receipt,
  { wait, signal }: { wait: number; signal: AbortSignal },
): Promise<{ message?: InboxPage["messages"][number]; page: InboxPage["messages"] }> {
  const status = await client.messageStatus(receipt.message_id);
  const by = status.deliveries[0]?.steps.find((step) => step.by !== undefined)?.by;
  if (by !== undefined) return { message: (await client.messageStatus(by)).message, page: [] };
  if (wait === 0) return { page: [] };
  const { messages } = await client.inbox({ from: receipt.target, wait }, { signal });
  const { conversation } = status.message;
  const message = messages.find((one) => one.seq > receipt.seq && one.conversation === conversation);
  return { ...(message === undefined ? {} : { message }), page: messages };
}

/** Never comes of an agent that the person runs: its turns are not known. */
async function awaitTurn(
  cli: CliContext,
  client: HubClient,
  receipt: Receipt,
  { signal, waitMs }: Waiting,
): Promise<Answer> {
  const { message_id, target } = receipt;
  for await (const [delivery] of followDeliveries(cli, client, message_id, { signal, waitMs })) {
    const ended = delivery?.steps.findLast(({ state }) => state === "finished")?.turn;
    if (ended === undefined) continue;
    // What it wrote in that turn is the better answer.
    const { message } = await lookForAnswer(client, receipt, { wait: 0.001, signal });
    if (message !== undefined) return { kind: "message", message };
    const { turns } = await client.turns(target, { limit: TURNS });
    const turn = turns.find((one) => one.turn === ended);
    if (turn !== undefined) return { kind: "turn", turn };
  }
  // The time is up, and the other one says so.
  return new Promise(() => {});
}
