import { z } from "zod";
import { agent, number, text } from "./parts.js";

const request = z.object({
  id: text,
  from: agent,
  fromName: text,
  description: text,
  context: text.optional(),
  timeoutMs: number,
  expiresAt: number,
  nudgeAt: number,
});

export const requestEvents = {
  RequestOpened: z.object({ request }),
  RequestClaimed: z.object({ request: text, from: agent, by: agent, byName: text }),
  RequestReopened: z.object({
    request: text,
    from: agent,
    by: agent,
    reason: text,
    expiresAt: number,
    nudgeAt: number,
  }),
  RequestAnswered: z.object({ request: text, from: agent, by: agent, byName: text, message: text }),
  RequestNudged: z.object({ request: text, from: agent, by: agent }),
  RequestExpired: z.object({ request: text, from: agent }),
  WorkClaimed: z.object({ claim: z.object({ task: text, owner: agent, ownerName: text, until: number }) }),
  WorkReleased: z.object({ task: text, owner: agent, reason: text }),
} as const;
