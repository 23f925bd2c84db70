/** Every refusal the hub can give, in one place. A surface derives its own status from the code. */
export const hubErrorCodes = [
  "BAD_JSON",
  "BODY_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "INVALID_INPUT",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "HOST_NOT_ALLOWED",
  "ORIGIN_NOT_ALLOWED",
  "SENDER_MISMATCH",
  "ROUTE_NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "TOOL_NOT_FOUND",
  "REQUEST_TIMEOUT",
  "AGENT_NOT_FOUND",
  "AGENT_GONE",
  "NAME_AMBIGUOUS",
  "HUB_NOT_FOUND",
  "MESSAGE_NOT_FOUND",
  "REPLY_TARGET_NOT_FOUND",
  "REPLY_AMBIGUOUS",
  "SELF_SEND",
  "NAME_INVALID",
  "NAME_RESERVED",
  "ID_REUSED",
  "INBOX_FULL",
  "RATE_LIMITED",
  "CONVERSATION_FROZEN",
  "CONVERSATION_NOT_FOUND",
  "NO_RECIPIENTS",
  "REQUEST_NOT_FOUND",
  "REQUEST_EXPIRED",
  "OWN_REQUEST",
  "NOT_CLAIMER",
  "REQUEST_ANSWERED",
  "REQUESTS_FULL",
  "CLAIMS_FULL",
  "BUDGET_NOT_REACHED",
  "TASK_NOT_FOUND",
  "TASKS_FULL",
  "CHECK_UNKNOWN",
  "WORKFLOW_INVALID",
  "WORKFLOW_NOT_FOUND",
  "WORKFLOWS_FULL",
  "STEP_NOT_FOUND",
  "STEP_NOT_ENDED",
  "STEP_NOT_WAITING",
  "SESSION_NOT_FOUND",
  "DEPTH_LIMIT",
  "HOSTED_LIMIT",
  "BACKEND_UNKNOWN",
  "BACKEND_MISSING",
  "RUNTIME_UNAVAILABLE",
  "PROJECT_NOT_ALLOWED",
  "TARGET_INVALID",
  "SPAWN_FAILED",
  "NOT_HOSTED",
  "PERMISSION_NOT_FOUND",
  "PERMISSION_ANSWERED",
  "DIALOG_IN_PANE",
  "TOO_MANY_READERS",
  "STORAGE_FULL",
  "TOO_FEW_HANDLES",
  "OUTCOME_UNKNOWN",
  "SHUTTING_DOWN",
  "CONFIG_INVALID",
  "HUB_RUNNING",
  "HUB_UNREACHABLE",
  "PORT_TAKEN",
  "DATA_NEWER",
  "DATA_CORRUPT",
  "DATA_UNUSABLE",
  "DATABASE_UNAVAILABLE",
  "FILE_EXISTS",
  "FILE_UNUSABLE",
  "MAINTENANCE_RUNNING",
  "NOT_DELIVERED",
  "TIMED_OUT",
  "INTERNAL",
] as const;

export type HubErrorCode = (typeof hubErrorCodes)[number];

type ErrorDetails = Readonly<Record<string, unknown>>;

export class HubError extends Error {
  readonly code: HubErrorCode;
  readonly details: ErrorDetails;

  constructor(code: HubErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = "HubError";
    this.code = code;
    this.details = details;
  }
}
