import type { z } from "zod";
import type { messageStatus as contract, deliveryView } from "../../contract/http/messages.js";
import { absence } from "../../hub/rules/absence.js";
import { addressThen, forReader } from "../../hub/rules/address-of.js";
import { paneWait } from "../../model/delivery.js";
import { HubError } from "../../model/errors.js";
import type { Message } from "../../model/message.js";
import type { StoredMessage } from "../../views/messages.js";
import { type Caller, memberId } from "../caller/auth.js";
import type { HubPorts } from "../ports.js";
import { viewDelivery, viewMessage } from "./message-view.js";
import { viewTmux } from "./tmux-view.js";

type StatusPorts = Pick<HubPorts, "views" | "hosting">;

/** A message of the caller's and how far it has come; a recipient sees only its own delivery. */
export function messageStatus(id: string, caller: Caller, ports: StatusPorts): z.input<typeof contract> {
  const { views } = ports;
  const me = memberId(caller);
  const known = views.messages.byId(id);
  const mine = known.findLast(
    ({ data: { message } }) =>
      caller.kind === "operator" || message.from === me || message.to.some(({ agent }) => agent === me),
  );
  if (mine === undefined) {
    throw new HubError("MESSAGE_NOT_FOUND", `No message of yours has the id "${id.slice(0, 128)}"`);
  }
  const { message } = mine.data;
  const isSender = caller.kind === "operator" || message.from === me;
  const shown = message.to.filter(({ agent }) => isSender || agent === me);
  const { seq, at } = mine;
  return {
    message: viewMessage({ seq, at, message: forReader(views, message, me) }, views, me),
    deliveries: viewDeliveries(mine, shown, caller, ports),
  };
}

/** How far a message has come with these of its recipients. */
export function viewDeliveries(
  { seq, at }: StoredMessage,
  recipients: Message["to"],
  caller: Caller,
  ports: StatusPorts,
): z.input<typeof deliveryView>[] {
  const { views } = ports;
  return recipients.flatMap(({ agent, name, hold }) => {
    const delivery = views.inbox.get(seq, agent);
    if (delivery === undefined) return [];
    const waits = views.inbox.holdBefore(delivery) ?? absence(views, agent) ?? paneWait(delivery.steps);
    const to = addressThen(views, agent, name, memberId(caller));
    const facts = { to, acceptedAt: at, hold, waits };
    return [{ ...viewDelivery(delivery, facts), ...viewTmux(agent, caller, ports) }];
  });
}
