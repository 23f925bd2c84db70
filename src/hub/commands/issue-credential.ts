import type { AgentId } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";
import { isPresent } from "../rules/present-agent.js";

type IssueCredential = { agent: AgentId; hash: string };

/** A hosted agent gets a token of its own for each start; the ones before are dead. */
export const issueCredential: HubDecider<IssueCredential, void> = ({ agent, hash }, { views }) =>
  decided(
    isPresent(views, agent) ? [newEvent("CredentialIssued", agent, { agent, hash, replaces: true })] : [],
    undefined,
  );
