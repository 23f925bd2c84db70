import { z } from "zod";
import type { RouteContract } from "./route.js";

const issuedCode = z.object({
  code: z.string(),
  /** Seconds. */
  expires_in: z.number(),
});

const exchangeBody = z.strictObject({
  code: z.string().min(1).max(200).describe("The one-time code in the link that `huddle ui` opens"),
});

const exchanged = z.object({
  token: z.string(),
  /** Seconds. */
  expires_in: z.number(),
});

/** How the desk in a browser gets its token. The code goes in the fragment of a link, which browsers send to no server. */
export const authRoutes = {
  code: {
    method: "POST",
    path: "/auth/code",
    summary: "A one-time code with which the desk can be opened within `desk.code_life`",
    access: "operator",
    status: 200,
    response: issuedCode,
  },
  exchange: {
    method: "POST",
    path: "/auth/exchange",
    summary: "Trade a one-time code for the desk's token, which lasts for `desk.token_life`",
    access: "open",
    body: exchangeBody,
    status: 200,
    response: exchanged,
    errors: ["CODE_INVALID", "RATE_LIMITED"],
  },
} as const satisfies Record<string, RouteContract>;
