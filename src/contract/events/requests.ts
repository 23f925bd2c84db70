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
  hubs: z.array(text).readonly().optional(),
  hub: text.optional(),
});

export const requestEvents = {
  RequestOpened: z
    .object({ request })
    .describe(
      "An agent asked for help; `expiresAt` and `nudgeAt` are hub time. `hubs` get it too; `hub` is the one whose request it is, if another",
    ),
  RequestClaimed: z
    .object({ request: text, from: agent, by: agent, byName: text })
    .describe("`from` asked, `by` has it; an empty `by` is somebody of another hub"),
  RequestReopened: z
    .object({
      request: text,
      from: agent,
      by: agent,
      reason: text,
      expiresAt: number,
      nudgeAt: number,
    })
    .describe("`by`, who had it, died or left"),
  RequestAnswered: z
    .object({ request: text, from: agent, by: agent, byName: text, message: text })
    .describe("`message` is the id of the answer"),
  RequestNudged: z
    .object({ request: text, from: agent, by: agent })
    .describe("`by` is `hub` at half of its time"),
  RequestExpired: z
    .object({ request: text, from: agent })
    .describe("Nobody claimed it in time, or `from` left"),
  MailForwarded: z
    .object({ agent, to: agent.nullable(), toName: text })
    .describe("Mail to `agent` goes to `to`, since it handed its work over; null: to itself again"),
  WorkClaimed: z
    .object({
      claim: z.object({
        task: text,
        owner: agent,
        ownerName: text,
        until: number,
        hub: text.optional(),
        since: number.optional(),
      }),
      told: agent.optional(),
    })
    .describe(
      "Taken or renewed; `until` is hub time. `hub`: the claim of an agent of that hub, `since` by the clock there; `told`: the agent of another hub that hears of it",
    ),
  WorkReleased: z
    .object({
      task: text,
      owner: agent,
      ownerName: text.optional(),
      reason: text,
      byName: text.optional(),
      hub: text.optional(),
    })
    .describe(
      "`reason`: `released`, `expired`, `owner_gone`; `byName` released it, if not its owner; `hub`: it was a claim of that hub",
    ),
} as const;
