import type { Receipt } from "../client/hub-client.js";
import { CellFailure } from "./cell.js";
import { type Stage, until } from "./stage.js";

/* What a behaviour does as the second agent: it writes, follows what becomes of that, and reads what comes back. */

export function send(
  { hub, peer, agent, signal }: Stage,
  message: string,
  attention: "queue" | "interrupt" = "queue",
): Promise<Receipt> {
  return hub.as(peer.token).send(agent, { message, attention }, { signal });
}

/** The steps of a delivery once nothing more is to come. */
export async function untilSettled(stage: Stage, { message_id: id }: Receipt): Promise<string[]> {
  const delivery = await until(stage, "the hub saw the end of the turn that got the message", async () => {
    const { deliveries } = await stage.hub.as(stage.peer.token).messageStatus(id);
    const [one] = deliveries;
    const isOver = one?.state === "finished" || one?.state === "answered" || one?.state === "failed";
    return isOver || (one?.state === "seen" && one.evidence === "turn_end") ? one : undefined;
  });
  if (delivery.state === "failed")
    throw new CellFailure(
      "fails",
      `The message was not delivered: ${delivery.reason ?? "no reason is known"}`,
    );
  return delivery.steps.map(({ state }) => state);
}

/** What the agent wrote to the second one; `meanwhile` throws what keeps it from that. */
export function untilMail(stage: Stage, content: string, meanwhile: () => Promise<void>): Promise<true> {
  const client = stage.hub.as(stage.peer.token);
  return until(stage, `it wrote "${content}" by Huddle's tool`, async () => {
    await meanwhile();
    const { messages } = await client.inbox();
    const found = messages.some((mail) => mail.content.trim() === content);
    if (messages.length > 0)
      await client.ack(
        messages.map(({ id }) => id),
        { signal: stage.signal },
      );
    return found ? true : undefined;
  });
}
