import { type Agent, isAway } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { NewEvent } from "../../model/events.js";
import { isOnScreen } from "../../model/runtime-traits.js";
import type { HubContext, HubDecider } from "../context.js";
import { notify } from "../rules/notify.js";
import { STOP_NOTICE_MS } from "../rules/stop-notices.js";

/**
 * Tells everybody who is there that the hub stops: those that it runs to finish their turns; those on a screen, where the
 * person may be at work, and those that a person started, so that they know. It is no end for good: all are taken up again,
 * or come back, when the hub does.
 */
export const announceStop: HubDecider<{ withinMs: number }, void> = ({ withinMs }, context) => {
  const there = context.views.roster.present().filter(hears);
  const isEnded = (agent: Agent) => agent.runtime !== null && !isOnScreen(agent);
  const inTime = withinMs < 1000 ? "" : ` within ${Math.floor(withinMs / 1000)} s`;
  return decided(
    [
      ...tell(context, there.filter(isEnded), {
        type: "shutdown",
        content: `The hub stops now: finish what you are at and end your turn${inTime}. Your mail waits; when the hub is back, you go on with it.`,
      }),
      ...tell(
        context,
        there.filter((agent) => !isEnded(agent)),
        {
          type: "system",
          content:
            "The hub stops now: finish what you are at. Your mail waits, and comes when the hub is back.",
        },
      ),
    ],
    undefined,
  );
};

/** One that the hub runs and that has no process reads nothing. */
function hears({ status }: Agent): boolean {
  return !isAway(status) && status !== "dormant" && status !== "error";
}

type Words = { type: "shutdown" | "system"; content: string };

function tell(context: HubContext, agents: readonly Agent[], words: Words): NewEvent[] {
  if (agents.length === 0) return [];
  const to = agents.map(({ id }) => id);
  const expiresAt = context.now + STOP_NOTICE_MS;
  return [notify(context, { to, ...words, attention: "fyi", notice: "stop", expiresAt })];
}
