import type { HubError } from "../model/errors.js";
import { escapeJson, escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";

const LISTED = 20;

/** `✗ What went wrong. What you may have meant?` and below it what helps. */
export function renderError(error: HubError, colors: Colors): string {
  // A message may have lines of its own, as one that lists every problem of a file has.
  const [headline, ...hints] = describeError(error).flatMap((text) => text.split("\n").map(escapeLine));
  return [`${colors.red("✗")} ${headline}`, ...hints.map((hint) => `  ${hint}`)].join("\n");
}

export function renderErrorJson(error: HubError): string {
  return escapeJson({ error: error.message, code: error.code, ...error.details });
}

function describeError(error: HubError): string[] {
  const hints = [...hintsOf(error)];
  if (error.code === "AGENT_NOT_FOUND") return [agentNotFound(error), ...hints];
  return [asSentence(error.message), ...hints];
}

function agentNotFound(error: HubError): string {
  const { name, did_you_mean: meant, renamed_to: renamed } = error.details;
  if (typeof name !== "string") return asSentence(error.message);
  if (typeof renamed === "string") return `No agent is named "${name}" any more: it is now ${renamed}.`;
  return `No agent is named "${name}".${typeof meant === "string" ? ` Did you mean ${meant}?` : ""}`;
}

function* hintsOf({ code, details }: HubError): Generator<string> {
  const { available, suggestion, retry_after_ms: retryAfter, message_id: id, hint } = details;
  if (Array.isArray(available)) yield known(code, available.map(String));
  if (typeof suggestion === "string") yield `Try: ${suggestion}`;
  if (typeof id === "string" && (details["sent"] === true || code === "OUTCOME_UNKNOWN")) {
    yield `It may have arrived. Sent again with --id ${id}, it will arrive only once.`;
  }
  if (typeof retryAfter === "number" && retryAfter > 0)
    yield `Try again in ${Math.ceil(retryAfter / 1000)} s.`;
  if (typeof hint === "string") yield hint;
}

function known(code: string, names: readonly string[]): string {
  const ofHubs = code === "PEER_NOT_FOUND";
  // What comes with it are agents of this hub, and none of them was meant.
  if (code === "HUB_NOT_FOUND")
    return "The hubs that are linked: huddle peers. Link one more: huddle peers invite";
  if (names.length === 0)
    return ofHubs
      ? "No hubs are linked yet. Link one: huddle peers invite"
      : "No agents yet. Start one: huddle spawn claude";
  const more = names.length > LISTED ? ` … (${ofHubs ? "huddle peers" : "huddle agents"} lists all)` : "";
  return `Known: ${names.slice(0, LISTED).join(", ")}${more}`;
}

function asSentence(text: string): string {
  return /[.?!:]$/.test(text) || text.includes("\n") ? text : `${text}.`;
}
