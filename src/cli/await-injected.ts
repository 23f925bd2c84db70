import type { z } from "zod";
import type { HubClient, Receipt } from "../client/hub-client.js";
import type { deliveryView } from "../contract/http/messages.js";
import { type PaneWait, paneWait } from "../model/delivery.js";
import { HubError } from "../model/errors.js";
import type { CliContext } from "./context.js";
import { escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";
import { renderTmux } from "./render-tmux.js";
import { shortId } from "./short-id.js";

type Delivery = z.output<typeof deliveryView>;

const WAIT_MS = 60_000;
const ARRIVED = ["injected", "seen", "finished", "answered"];
const ENDED = ["failed", "expired", "refused"];

/** Waits until the message was put into its agent, or the agent read it by itself. */
export async function awaitInjected(
  cli: CliContext,
  client: HubClient,
  { message_id, target }: Receipt,
): Promise<Delivery> {
  let last: Delivery | undefined;
  for await (const [delivery] of followDeliveries(cli, client, message_id)) {
    if (delivery !== undefined && hasArrived(delivery)) return delivery;
    if (delivery !== undefined && ENDED.includes(delivery.state)) {
      const { state, reason } = delivery;
      throw new HubError("NOT_DELIVERED", `The message to ${target} ${state}: ${explainReason(reason)}`, {
        message_id,
        reason,
      });
    }
    const wait = delivery === undefined ? undefined : paneWait(delivery.steps);
    if (delivery !== undefined && wait !== undefined) throw stillWaiting(delivery, wait, message_id);
    last = delivery;
  }
  throw new HubError(
    "TIMED_OUT",
    `${target} has not taken it within ${cli.timeoutMs(WAIT_MS) / 1000} s; it waits (${last?.state ?? "unknown"})`,
    { message_id, state: last?.state },
  );
}

/** The same for all to whom one message went. Who does not take it in time has not got it. */
export async function awaitEachInjected(
  cli: CliContext,
  client: HubClient,
  message: string,
): Promise<{ successful: string[]; failed: string[] }> {
  const isOpen = (delivery: Delivery) =>
    !hasArrived(delivery) && !ENDED.includes(delivery.state) && paneWait(delivery.steps) === undefined;
  let all: Delivery[] = [];
  for await (const deliveries of followDeliveries(cli, client, message)) {
    all = deliveries;
    if (!all.some(isOpen)) break;
  }
  const namesOf = (some: Delivery[]) => some.map(({ to }) => to);
  return {
    successful: namesOf(all.filter(hasArrived)),
    failed: namesOf(all.filter((delivery) => !hasArrived(delivery))),
  };
}

type Until = { signal?: AbortSignal; waitMs?: number };

/** The message's deliveries as they are, and again after each event that names the message, until the time is up. */
export async function* followDeliveries(
  cli: CliContext,
  client: HubClient,
  id: string,
  { signal: interruption = cli.io.interruption(), waitMs = cli.timeoutMs(WAIT_MS) }: Until = {},
): AsyncGenerator<Delivery[], void, undefined> {
  const [{ followEvents }, { nodeSocket }, { locateHub }] = await Promise.all([
    import("../client/event-stream.js"),
    import("../client/node-socket.js"),
    import("../client/connect.js"),
  ]);
  const { io, globals } = cli;
  // Not AbortSignal.any: Node 20 forgets its sources when garbage is collected, and then it never aborts.
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, waitMs);
  interruption.addEventListener("abort", end, { once: true });
  const look = async () => client.messageStatus(id, { signal: interruption });
  const open = nodeSocket(() => locateHub({ env: io.env, home: io.home, hub: globals.hub }));
  try {
    const { message, deliveries } = await look();
    yield deliveries;
    for await (const { data } of followEvents({ open, after: message.seq, signal: over.signal })) {
      if (JSON.stringify(data).includes(JSON.stringify(id))) yield (await look()).deliveries;
    }
    interruption.throwIfAborted();
  } finally {
    clearTimeout(timer);
    interruption.removeEventListener("abort", end);
  }
}

function hasArrived({ steps }: Delivery): boolean {
  return steps.some(({ state }) => ARRIVED.includes(state));
}

export function renderInjected({ target, message_id }: Receipt, delivery: Delivery, colors: Colors): string {
  const step = delivery.steps.findLast(({ state }) => ARRIVED.includes(state));
  const how = step?.evidence === undefined ? "" : ` by ${step.evidence}`;
  const pane = renderTmux(delivery.tmux);
  const where = pane === undefined ? "" : ` in ${pane}`;
  return `${colors.green("✓")} ${escapeLine(target)} has it: ${step?.state ?? delivery.state}${how}${where} (${shortId(message_id)})`;
}

/** Its pane did not take it, for as long as the steps say. */
function stillWaiting({ to, steps, tmux }: Delivery, wait: PaneWait, id: string): HubError {
  const since = steps.find(({ state }) => state === "offered")?.at ?? steps[0]?.at ?? "";
  const until = steps.find(({ reason }) => reason === wait)?.at ?? "";
  const seconds = Math.round((Date.parse(until) - Date.parse(since)) / 1000);
  const why = wait === "pane_not_ready" ? "was not ready for" : "did not take it within";
  return new HubError(
    "NOT_DELIVERED",
    `${to} has not got it: its pane ${why} ${seconds} s. It waits, and is put in when the pane is ready`,
    {
      message_id: id,
      reason: wait,
      ...(tmux === undefined ? {} : { hint: `Look at the pane: ${attach(tmux)}` }),
    },
  );
}

function attach({ session, socket }: NonNullable<Delivery["tmux"]>): string {
  const server = typeof socket !== "string" ? "" : `${socket.includes("/") ? "-S" : "-L"} ${socket} `;
  return `tmux ${server}attach -t ${session}`;
}

/** What the reasons of an end say to a person. */
const sentences: Readonly<Record<string, string>> = {
  agent_gone: "the agent has left",
  frozen: "you ended its conversation",
  died: "the agent ended while it had it; huddle inbox has the reason",
  not_started: "the agent could not be started; huddle inbox has the reason",
  not_read: "the agent did not read it",
  hub_restart: "the hub ended without warning each time that the agent was at it",
};

/** A reason in words; one that is not known here is shown as it is. */
function explainReason(reason: string | null): string {
  return reason === null ? "no reason was given" : (sentences[reason] ?? reason);
}
