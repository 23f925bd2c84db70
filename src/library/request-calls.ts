import type { CallOp, FieldsOf } from "./call-ops.js";
import { named } from "./named.js";

/** Calls for help that one agent claims. */
export function requestCalls(call: CallOp) {
  return {
    /** Asks everybody. The answer comes into the inbox, with `request_id`. */
    open: (request: string | FieldsOf<"open_request">) =>
      call("open_request", named(typeof request === "string" ? { description: request } : request)),
    list: (query: FieldsOf<"list_requests"> = {}) => call("list_requests", query),
    get: (id: string) => call("get_request", { request_id: id }),
    /** `claimed: false` when another was first: that is no error. */
    claim: (id: string) => call("claim_request", { request_id: id }),
    answer: (id: string, answer: string | FieldsOf<"answer_request">) =>
      call("answer_request", {
        request_id: id,
        ...named(typeof answer === "string" ? { message: answer } : answer),
      }),
    nudge: (id: string) => call("nudge_request", { request_id: id }),
  };
}
