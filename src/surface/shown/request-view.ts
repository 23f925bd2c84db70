import type { z } from "zod";
import type { requestView } from "../../contract/http/requests.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { obligationText } from "../../model/obligation.js";
import type { Request } from "../../views/requests.js";
import { type Caller, memberId } from "../caller/auth.js";
import type { HubPorts } from "../ports.js";

type RequestView = z.input<typeof requestView>;

/** A request under the names of now; its answer is for its two ends and the operator. */
export function viewRequest(request: Request, caller: Caller, { views, now }: HubPorts): RequestView {
  const { state, reopened } = request;
  const me = memberId(caller);
  const isTheirs = "by" in state && (caller.kind === "operator" || request.from === me || state.by === me);
  const nameOf = (agent: string, then: string) => addressNow(views, agent, then, me);
  return {
    request_id: request.id,
    status: state.kind,
    from: nameOf(request.from, request.fromName),
    description: request.description,
    context: request.context,
    timestamp: new Date(request.openedAt).toISOString(),
    timeout_seconds: request.timeoutMs / 1000,
    expires_in_seconds: state.kind === "open" ? Math.max(0, request.expiresAt - now()) / 1000 : undefined,
    nudges: request.nudges,
    hub: request.hub,
    hubs: request.hubs === undefined ? undefined : [...request.hubs],
    claimed_by: "by" in state ? nameOf(state.by, state.byName) : undefined,
    claimed_at: iso(request.claimedAt),
    reopened_at: iso(reopened?.at ?? null),
    reopened_from: reopened === null ? undefined : nameOf(reopened.by, reopened.byName),
    answered_at: iso(request.answeredAt),
    // Of an answer that went to another hub nothing is known here.
    answer: isTheirs && state.kind === "answered" && state.message !== "" ? state.message : undefined,
    answer_text:
      isTheirs && state.kind === "answered" ? answerText(views, state.by, state.message) : undefined,
  };
}

function answerText(views: HubPorts["views"], by: string, id: string): string | undefined {
  const answer = views.messages.bySender(by, id);
  return answer === undefined ? undefined : obligationText(answer.data.message.content);
}

function iso(ms: number | null): string | undefined {
  return ms === null ? undefined : new Date(ms).toISOString();
}
