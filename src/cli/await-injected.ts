import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import type { HubClient, Receipt } from "../client/hub-client.js";
import type { deliveryView } from "../contract/http/messages.js";
import { HubError } from "../model/errors.js";
import type { CliContext } from "./context.js";
import { escapeLine } from "./escape-text.js";
import { explainReason } from "./fail-reason.js";
import type { Colors } from "./output.js";

type Delivery = z.output<typeof deliveryView>;

const LOOK_EVERY_MS = 100;
const WAIT_MS = 60_000;
const ARRIVED = ["injected", "seen", "finished", "answered"];
const ENDED = ["failed", "expired", "refused"];

/** Waits until the message was put into its agent, or the agent read it by itself. */
export async function awaitInjected(
  cli: CliContext,
  client: HubClient,
  { message_id, target }: Receipt,
): Promise<Delivery> {
  const signal = cli.io.interruption();
  const waitMs = cli.timeoutMs(WAIT_MS);
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { deliveries } = await client.messageStatus(message_id, { signal });
    const [delivery] = deliveries;
    if (delivery !== undefined && hasArrived(delivery)) return delivery;
    if (delivery !== undefined && ENDED.includes(delivery.state)) {
      const { state, reason } = delivery;
      throw new HubError("NOT_DELIVERED", `The message to ${target} ${state}: ${explainReason(reason)}`, {
        message_id,
        reason,
      });
    }
    if (performance.now() > deadline) {
      throw new HubError(
        "TIMED_OUT",
        `${target} has not taken it within ${waitMs / 1000} s; it waits (${delivery?.state ?? "unknown"})`,
        { message_id, state: delivery?.state },
      );
    }
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** The same for all to whom one message went. Who does not take it in time has not got it. */
export async function awaitEachInjected(
  cli: CliContext,
  client: HubClient,
  message: string,
): Promise<{ successful: string[]; failed: string[] }> {
  const signal = cli.io.interruption();
  const deadline = performance.now() + cli.timeoutMs(WAIT_MS);
  for (;;) {
    const { deliveries } = await client.messageStatus(message, { signal });
    const isOpen = (delivery: Delivery) => !hasArrived(delivery) && !ENDED.includes(delivery.state);
    if (!deliveries.some(isOpen) || performance.now() > deadline) {
      const namesOf = (some: Delivery[]) => some.map(({ to }) => to);
      return {
        successful: namesOf(deliveries.filter(hasArrived)),
        failed: namesOf(deliveries.filter((delivery) => !hasArrived(delivery))),
      };
    }
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

function hasArrived({ steps }: Delivery): boolean {
  return steps.some(({ state }) => ARRIVED.includes(state));
}

export function renderInjected({ target, message_id }: Receipt, delivery: Delivery, colors: Colors): string {
  const step = delivery.steps.findLast(({ state }) => ARRIVED.includes(state));
  const how = step?.evidence === undefined ? "" : ` by ${step.evidence}`;
  return `${colors.green("✓")} ${escapeLine(target)} has it: ${step?.state ?? delivery.state}${how} (message ${escapeLine(message_id)})`;
}
