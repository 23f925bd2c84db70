import { z } from "zod";
import { type RouteOp, routeOps } from "../contract/socket/ops.js";
import { HubError } from "../model/errors.js";
import type { HubLink } from "./hub-link.js";

type Ops = typeof routeOps;
type OpName = keyof Ops;
type RouteOf<K extends OpName> = Ops[K]["route"];

/** The names in a path, under the fields that they have in a frame. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type FieldOf<K extends OpName, Name extends string> = Ops[K] extends { params: infer P }
  ? Name extends keyof P
    ? Extract<P[Name], string>
    : Name
  : Name;
type Params<K extends OpName> = { [Name in ParamNames<RouteOf<K>["path"]> as FieldOf<K, Name>]: string };

/** What the route of an operation takes besides: its body, or its query. */
export type FieldsOf<K extends OpName> =
  RouteOf<K> extends { body: infer B extends z.ZodType }
    ? z.input<B>
    : RouteOf<K> extends { query: infer Q extends z.ZodType }
      ? z.input<Q>
      : unknown;
export type AnswerOf<K extends OpName> =
  RouteOf<K> extends { response: infer R extends z.ZodType } ? z.output<R> : undefined;

export type CallOp = <K extends OpName>(
  op: K,
  fields: Params<K> & FieldsOf<K>,
  options?: { waitMs?: number },
) => Promise<AnswerOf<K>>;

const nothing = z.null().transform(() => undefined);

/** Asks by the names of routes, in the types of their contracts. */
export function callOps(link: Pick<HubLink, "ask">, timeoutMs: number): CallOp {
  return async (op, fields, { waitMs = 0 } = {}) => {
    const { route, again }: RouteOp = routeOps[op];
    const answer = await link.ask({ op, fields, again, timeoutMs, waitMs });
    const decoded = (route.response ?? nothing).safeParse(answer);
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the contract's schema produced it; the generic cannot see that
    if (decoded.success) return decoded.data as never;
    const [issue] = decoded.error.issues;
    throw new HubError("INTERNAL", `The answer to ${op} is not what this program expects: ${say(issue)}`);
  };
}

function say(issue: z.core.$ZodIssue | undefined): string {
  return issue === undefined ? "unknown" : `${issue.path.join(".")}: ${issue.message}`;
}
