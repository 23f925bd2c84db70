import type { HubClient } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { newUuid7 } from "../../model/uuid7.js";
import { escapeLine } from "../escape-text.js";
import type { Need, NeedAction } from "./top-state.js";

/** Does what the hub offers to do about a need, and says what came of it. */
export async function actOnNeed(client: HubClient, need: Need, { action }: NeedAction): Promise<string> {
  const who = escapeLine(need.agent ?? "");
  const { facts } = need;
  switch (action) {
    case "once":
    case "session":
    case "always":
    case "deny": {
      const { outcome } = await client.answerPermission(need.id, action);
      return outcome === "deny" ? `${who} may not` : `${who} may (${escapeLine(outcome)})`;
    }
    case "ack":
      await client.ack([need.id]);
      return "Marked as read";
    case "kill":
      await client.kill(need.id);
      return `${who} is ended`;
    case "continue":
    case "freeze":
    case "stop":
      if (facts?.about === "budget" && action !== "freeze") {
        await client.decideBudget(facts.of, facts.key, action);
        return `${escapeLine(facts.name)} ${action === "continue" ? "goes on, with as much again" : "is ended"}`;
      }
      if (action === "stop") break;
      await client.decideConversation(need.id, action);
      return action === "continue" ? "The conversation goes on" : "The conversation is frozen";
    case "approve":
    case "reject":
      if (facts?.about !== "step") break;
      if (action === "approve") await client.approveStep(facts.workflow, facts.step);
      else await client.rejectStep(facts.workflow, facts.step);
      return `${escapeLine(facts.step)} is ${action === "approve" ? "approved" : "rejected"}`;
    default:
  }
  throw new HubError("INVALID_INPUT", "This program is too old for that", {
    hint: need.actions.find((one) => one.action === action)?.command,
  });
}

type Answer = { need: Need; text: string; id: string };

/** An answer that is sent again because nobody knows whether it came has the same id, and so comes once. */
export function replySender(): (client: HubClient, need: Need, text: string) => Promise<string> {
  let last: Answer | undefined;
  return async (client, need, text) => {
    if (need.agent === null) throw new HubError("INVALID_INPUT", "Nobody would read an answer");
    const isSame = last?.need.id === need.id && last.text === text;
    const answer: Answer = isSame && last !== undefined ? last : { need, text, id: newUuid7() };
    last = answer;
    await client.send(need.agent, { message: text, reply_to: need.id, id: answer.id });
    return `${escapeLine(need.agent)} has your answer`;
  };
}
