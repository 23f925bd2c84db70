import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServedRequest } from "./create-server.js";
import type { RpcBody } from "./rpc-body.js";
import type { Era } from "./usual-form.js";

/** A message that is being answered, with all that answering it takes. */
export type Served = ServedRequest & {
  body: RpcBody;
  /** Of a request in the usual form of its era. */
  era: Era | undefined;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  /** Aborted when the client hangs up or cancels. */
  signal: AbortSignal;
  /** Whether anything may be told before the answer; then it comes as an event stream. */
  streams: boolean;
};
