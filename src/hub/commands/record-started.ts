import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";
import { isPresent } from "../rules/present-agent.js";

export type RecordStarted = { agent: AgentId; session?: string | undefined; resumed: boolean };

/** A hosted agent can take prompts. */
export const recordStarted: HubDecider<RecordStarted, void> = (input, context) => {
  const { agent, session, resumed } = input;
  if (!isPresent(context.views, agent)) return decided([], undefined);
  const started = { agent, ...(session === undefined ? {} : { session }), resumed };
  return decided([newEvent("AgentStarted", agent, started)], undefined);
};

/** The vendor's session, by which the agent is taken up again. */
export const recordSession: HubDecider<{ agent: AgentId; session: string }, void> = (input, { views }) => {
  const known = views.roster.byId(input.agent);
  if (known === undefined || known.session === input.session) return decided([], undefined);
  return decided([newEvent("SessionChanged", input.agent, { ...input })], undefined);
};

export type IssueCredential = { agent: AgentId; hash: string };

/** A hosted agent gets a token of its own for each start; the ones before are dead. */
export const issueCredential: HubDecider<IssueCredential, void> = ({ agent, hash }, { views }) =>
  decided(
    isPresent(views, agent) ? [newEvent("CredentialIssued", agent, { agent, hash, replaces: true })] : [],
    undefined,
  );
