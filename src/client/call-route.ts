import { z } from "zod";
import type { RouteContract } from "../contract/http/route.js";
import { decodeAnswer } from "./decode-answer.js";
import type { Transport } from "./transport.js";

type Route<Path extends string, Out> = Pick<RouteContract, "method" | "body" | "query"> & {
  path: Path;
  response: z.ZodType<Out>;
};
type SilentRoute<Path extends string> = Pick<RouteContract, "method" | "body" | "query"> & {
  path: Path;
  status: 204;
};

/** What the route's own schemas accept: a body or a query that it does not name cannot be given. */
type Input<R> = (R extends { body: infer B extends z.ZodType } ? { body: z.input<B> } : { body?: never }) &
  (R extends { query: infer Q extends z.ZodType } ? { query?: z.input<Q> } : { query?: never });

export type CallOptions = { signal?: AbortSignal | undefined; timeoutMs?: number | undefined };

type CallRoute = <Path extends string, Out, R extends Route<Path, Out>>(
  route: R & Route<Path, Out>,
  params: PathParams<Path>,
  input: Input<R>,
  options?: CallOptions,
) => Promise<Out>;

type CallSilentRoute = <Path extends string>(
  route: SilentRoute<Path>,
  params: PathParams<Path>,
  options?: CallOptions,
) => Promise<void>;

const nothing = z.undefined();

export function callRoutes(
  transport: Transport,
  timeoutMs: number,
): { call: CallRoute; callSilent: CallSilentRoute } {
  const ask = (method: string, path: string, body: unknown, options: CallOptions = {}) =>
    transport.request({
      method,
      path,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs: options.timeoutMs ?? timeoutMs,
      signal: options.signal,
    });
  return {
    call: async (route, params, input, options) => {
      const answer = await ask(route.method, routePath(route.path, params, input.query), input.body, options);
      return decodeAnswer(answer, route.response);
    },
    callSilent: async (route, params, options) => {
      const answer = await ask(route.method, routePath(route.path, params), undefined, options);
      decodeAnswer(answer, nothing);
    },
  };
}

/** The names that stand behind colons in a route's path. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A route's path with its parameters and query filled in and encoded. */
export function routePath<Path extends string>(
  path: Path,
  params: PathParams<Path>,
  query: Query = {},
): string {
  const given = new Map(Object.entries(params ?? {}));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(String(given.get(name))));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

/** Dots alone would be read as "here" and "above" by whatever normalises the path. */
function encodeSegment(segment: string): string {
  return /^\.{1,2}$/.test(segment) ? segment.replaceAll(".", "%2E") : encodeURIComponent(segment);
}
