import { z } from "zod";
import { agent } from "./parts.js";

const pair = { from: agent, to: agent, by: agent };

export const pairEvents = {
  PairPaused: z
    .object(pair)
    .describe("What `from` sends to `to` from now on is held until the pair is resumed (29.2)"),
  PairResumed: z.object(pair).describe("What was held because the pair was paused can be read"),
  PairReset: z.object(pair).describe("The cooldown of the pair begins anew (9.6)"),
} as const;
