import type { z } from "zod";
import { errorBody } from "../contract/http/hub.js";
import { HubError, type HubErrorCode, hubErrorCodes } from "../model/errors.js";
import { parseJson } from "../model/parse-json.js";
import type { WireAnswer } from "./transport.js";

/** The answer as the route's contract describes it, or the refusal as the HubError that the hub threw. */
export function decodeAnswer<Out>(answer: WireAnswer, schema: z.ZodType<Out>): Out {
  if (answer.status >= 300) throw decodeRefusal(answer);
  const decoded = schema.safeParse(parseJson(answer.text));
  if (decoded.success) return decoded.data;
  throw notUnderstood(
    `does not match what this program expects: ${describeIssue(decoded.error.issues[0])}`,
    answer,
  );
}

export function decodeRefusal(answer: WireAnswer): HubError {
  const decoded = errorBody.safeParse(parseJson(answer.text));
  if (!decoded.success)
    return notUnderstood(`is not an answer of a Huddle hub (status ${answer.status})`, answer);
  return toRefusal({ ...retryDetails(answer), ...decoded.data });
}

/** What the hub said of a refusal, as the error that it threw. */
export function toRefusal({ error, code, ...details }: z.output<typeof errorBody>): HubError {
  if (isHubErrorCode(code)) return new HubError(code, error, details);
  // A newer hub: keep what it says, so that a person can still act on it.
  return new HubError("INTERNAL", `${error} (${code})`, { ...details, hub_code: code });
}

export function isHubErrorCode(code: string): code is HubErrorCode {
  const known: readonly string[] = hubErrorCodes;
  return known.includes(code);
}

function retryDetails(answer: WireAnswer) {
  return answer.retryAfterMs === undefined ? {} : { retry_after_ms: answer.retryAfterMs };
}

function notUnderstood(what: string, answer: WireAnswer): HubError {
  return new HubError("INTERNAL", `What came back ${what}`, {
    status: answer.status,
    answer: answer.text.slice(0, 200),
  });
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "unknown";
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}
