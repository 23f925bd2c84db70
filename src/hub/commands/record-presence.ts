import { decided } from "../../model/decision.js";
import type { HubDecider } from "../context.js";
import { type StatusChange, statusChange } from "../rules/status-change.js";

/** Notes that an agent fell silent or came back; nothing when that is known already or the agent has left. */
export const recordPresence: HubDecider<StatusChange, void> = (input, context) =>
  decided(statusChange(context, input), undefined);
