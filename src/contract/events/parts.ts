import { z } from "zod";

/* What events are made of. Words such as statuses and reasons are texts here: a newer hub may know more of them. */

export const text = z.string();
export const number = z.number();
/** An agent's id; `human` is the person, `hub` the hub itself. */
export const agent = z.string();

/** One message on its way to one recipient. */
export const delivery = z.object({ seq: number, id: text, from: agent });
export const deliveries = z.array(delivery).readonly();

/** A pane that the person started; `bridged`: the CLI in it has a bridge of its own. */
export const adoptedPane = z.object({
  target: text,
  socket: text.optional(),
  pid: number.optional(),
  bridged: z.literal(true).optional(),
});
