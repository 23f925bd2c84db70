import type { z } from "zod";
import type { RouteContract } from "../contract/http/route.js";
import type { Caller } from "./caller/auth.js";

/*
 * What a route does, apart from what carries the call: an HTTP request, or a frame on an agent's socket. Both decode by the
 * route's contract and run the same function.
 */

type Decoded<R extends RouteContract, K extends "body" | "query"> = R[K] extends z.ZodObject
  ? z.output<R[K]>
  : undefined;

/** Calls back once, when nobody is left to take the answer; what it gives calls that off. */
export type OnHangUp = (listener: () => void) => () => void;

export type Call<R extends RouteContract> = {
  /** An open route asks nobody who they are. */
  caller: R["access"] extends "open" ? undefined : Caller;
  param: (name: string) => string;
  body: Decoded<R, "body">;
  query: Decoded<R, "query">;
  onHangUp: OnHangUp;
};

export type Operation = {
  run: (call: never) => unknown;
  /** Fields that stand beside `error` and `code` in every refusal. */
  onError: Record<string, unknown>;
};

export type Operations = Map<RouteContract, Operation>;
