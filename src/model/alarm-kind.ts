/**
 * What can be due later: a message's expiry and the end of its cooldown (by seq), the end of a given-up name's grace (by
 * name), a request's nudge and expiry (by its id), a work claim's lease (by task), an unanswered permission (by its id), the
 * time that a task has (by its id), the next try of a callback (by
 * its id).
 */
export type AlarmKind =
  | "expire_message"
  | "release_message"
  | "release_name"
  | "nudge_request"
  | "expire_request"
  | "expire_claim"
  | "expire_permission"
  | "expire_task"
  | "send_callback";
