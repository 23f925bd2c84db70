import type { z } from "zod";
import type { EventType } from "../../model/events.js";
import { agentEvents } from "./agents.js";
import { callbackEvents } from "./callbacks.js";
import { hostingEvents } from "./hosting.js";
import { memoryEvents } from "./memory.js";
import { messageEvents } from "./messages.js";
import { pairEvents } from "./pairs.js";
import { peerEvents } from "./peers.js";
import { requestEvents } from "./requests.js";
import { taskEvents } from "./tasks.js";
import { workflowEvents } from "./workflows.js";

/** What the hub keeps to itself. */
type Hidden = "CredentialIssued" | "AlarmFired" | "FramesNumbered" | "FramesAcknowledged" | "FramesReceived";
export type ShownType = Exclude<EventType, Hidden>;

/** The data of every event that a stream shows. One that is missing does not compile. */
export const eventContracts = {
  ...agentEvents,
  ...messageEvents,
  ...hostingEvents,
  ...memoryEvents,
  ...pairEvents,
  ...peerEvents,
  ...callbackEvents,
  ...requestEvents,
  ...taskEvents,
  ...workflowEvents,
} as const satisfies Record<ShownType, z.ZodObject>;

export type ShownEvent = {
  [T in ShownType]: { type: T; data: z.output<(typeof eventContracts)[T]> };
}[ShownType];

// The keys of the record above.
export const shownTypes = Object.keys(eventContracts) as readonly ShownType[];

/** The event that a frame carries, or undefined for one that this program does not know. */
export function readEvent({ type, data }: { type: string; data: unknown }): ShownEvent | undefined {
  const known = shownTypes.find((one) => one === type);
  if (known === undefined) return undefined;
  const read = eventContracts[known].safeParse(data);
  // A union cannot be rebuilt from a generic tag.
  return read.success ? ({ type: known, data: read.data } as ShownEvent) : undefined;
}
