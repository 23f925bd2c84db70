import type { z } from "zod";
import type { HubErrorCode } from "../../model/errors.js";

/**
 * Who may call a route: `open` anybody; `any` a holder of any token; `join` those who may register agents; `member` an
 * agent or the operator; `operator` the person.
 */
export type Access = "open" | "any" | "join" | "member" | "operator";

/** One route as data: the server decodes by it, the client is typed by it, and the OpenAPI document is made from it. */
export type RouteContract = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: `/${string}`;
  summary: string;
  access: Access;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** What success answers, and with which status. */
  status: 200 | 201 | 202 | 204;
  response?: z.ZodType;
  /** Refusals beyond those that every route shares. */
  errors?: readonly HubErrorCode[];
  /** What to say when a body has more keys than any may have: what it is likely to have too many of. */
  ifTooWide?: (limits: { workflowSteps: number }) => string;
};
