import { z } from "zod";

/** What the demo reads of the answers to its agents' tools. */

export const receipt = z.object({
  message_id: z.string(),
  delivered: z.literal(true),
  delayed_ms: z.number().optional(),
});

export const waited = z.object({
  message: z.object({ id: z.string(), content: z.string() }).nullable(),
});

export const status = z.object({
  deliveries: z.array(z.object({ to: z.string(), state: z.string(), evidence: z.string().nullish() })),
});

export const opened = z.object({ request_id: z.string() });

export const claim = z.object({
  claimed: z.boolean(),
  request: z.object({ claimed_by: z.string().nullish() }),
});
