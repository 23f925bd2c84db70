import { z } from "zod";
import { agent, number, text } from "./parts.js";

const callback = { callback: text, agent, message: text, from: agent, peer: text, attempt: number };

export const callbackEvents = {
  CallbackDue: z
    .object({ ...callback, url: text, due: number, failed: text.optional() })
    .describe(
      "The answer `message` of `agent` is to be POSTed to the `callbackUrl` of `from` at `due` (hub time); `failed`: why the try before was in vain (9.12)",
    ),
  CallbackDone: z
    .object({ ...callback, outcome: text, reason: text.optional() })
    .describe("`delivered`: the peer took it; `given_up`: it did not, for the `reason`"),
} as const;
