import type { z } from "zod";
import type { deliveryView, messageView } from "../../../contract/http/messages.js";

export type Message = z.output<typeof messageView>;
export type Delivery = z.output<typeof deliveryView>;
export type Step = Delivery["steps"][number];

/** A message with how far it has come. Of what went to many, some of the deliveries; `recipients` is how many there are. */
export type Mail = { message: Message; deliveries: readonly Delivery[]; recipients: number };

/** The delivery that a chat shows: the one to the agent of the page, else the first. */
export function deliveryTo(mail: Mail, agent: string): Delivery | undefined {
  return mail.deliveries.find(({ to }) => to === agent) ?? mail.deliveries[0];
}
