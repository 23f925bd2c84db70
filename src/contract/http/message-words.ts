import { z } from "zod";

/** A message in a few words; `cut`: it is longer, `GET /api/messages/:id` has all of it. */
export const messageWords = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  at: z.string(),
  text: z.string(),
  cut: z.literal(true).optional(),
});
