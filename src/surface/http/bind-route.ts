import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { RouteContract } from "../../contract/http/route.js";
import { decode, decodeQuery } from "../../decoding/decode.js";
import { readBody } from "../../decoding/read-body.js";
import { parseStrictJson } from "../../decoding/strict-json.js";
import { HubError } from "../../model/errors.js";
import { errorAnswer, toHubError } from "../answers/error-answer.js";
import { writeResponse } from "../answers/write-response.js";
import { type Authenticate, checkAccess } from "../caller/auth.js";
import type { Call, OnHangUp, Operations } from "../operations.js";
import type { HubPorts } from "../ports.js";
import type { RouteTable } from "./route-table.js";

/** A request that found its route. It answers whatever happens, and never throws. */
export type Serve = (request: Request) => Promise<void>;

type Request = {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  params: Readonly<Record<string, string>>;
  /** What follows the `?`. */
  query: string;
};

/** A call that answers by itself what no other carrier could: a stream. */
export type ExchangeCall<R extends RouteContract> = Call<R> & {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
};

/** From somebody who showed no token, no more is read. */
const OPEN_BODY_BYTES = 4096;

/** The handler has answered, or goes on answering, by itself. */
export const ANSWERED = { answered: true } as const;

type Reply<R extends RouteContract> = R["response"] extends z.ZodType
  ? z.input<R["response"]>
  : Response | typeof ANSWERED | undefined;

export type BindRoute = <R extends RouteContract>(
  route: R,
  handler: (call: Call<R>) => Reply<R> | Promise<Reply<R>>,
  /** Fields that stand beside `error` and `code` in every refusal of this route. */
  onError?: Record<string, unknown>,
) => void;

export type BindExchange = <R extends RouteContract>(
  route: R,
  handler: (call: ExchangeCall<R>) => Reply<R> | Promise<Reply<R>>,
) => void;

type Binders = {
  bind: BindRoute;
  /** For what only HTTP can carry. */
  bindExchange: BindExchange;
  /** What `bind` bound, for other carriers. */
  operations: Operations;
};

/** Joins a route's contract to its handler: authenticate, decode, call, encode. One function, no chain to follow. */
export function createBindRoute(
  table: RouteTable<Serve>,
  ports: HubPorts,
  authenticate: Authenticate,
): Binders {
  const { bodyBytes, jsonDepth, jsonKeys } = ports.limits;
  const limits = { depth: jsonDepth, keys: jsonKeys };

  const operations: Operations = new Map();
  return {
    operations,
    bindExchange: add,
    bind(route, handler, onError = {}) {
      operations.set(route, { run: handler, onError });
      add(route, handler, onError);
    },
  };

  function add(
    contract: RouteContract,
    handler: (call: never) => unknown,
    onError: Record<string, unknown> = {},
  ): void {
    const { access, body: bodySchema, query: querySchema, status } = contract;
    table.add(contract, async ({ incoming, outgoing, params, query: text }) => {
      try {
        const caller = access === "open" ? undefined : authenticate(incoming.headers.authorization);
        if (caller !== undefined) checkAccess(caller, access);
        if (caller?.kind === "agent") ports.presence.touch(caller.agent);
        const query = querySchema && decodeQuery(querySchema, new URLSearchParams(text));
        const body = bodySchema && decode(bodySchema, await readJson(incoming, contract), "body");
        const param = (name: string) => params[name] ?? "";
        const call = { caller, param, body, query, onHangUp: hangUpOf(outgoing), incoming, outgoing };
        // oxlint-disable-next-line typescript/consistent-type-assertions -- the contract's schemas produced it; the generic cannot see that
        const reply: unknown = await handler(call as never);
        if (reply === ANSWERED) return;
        if (reply instanceof Response) await writeResponse(outgoing, reply);
        else if (reply === undefined) outgoing.writeHead(status).end();
        else writeJson(outgoing, status === 204 ? 200 : status, JSON.stringify(reply));
      } catch (error) {
        refuse({ incoming, outgoing }, error, onError);
      }
    });
  }

  async function readJson(incoming: IncomingMessage, { access, ifTooWide }: RouteContract): Promise<unknown> {
    const type = incoming.headers["content-type"] ?? "";
    if (!/^application\/json *(;|$)/i.test(type)) {
      throw new HubError(
        "UNSUPPORTED_MEDIA_TYPE",
        `Send JSON with the header Content-Type: application/json (this was ${type === "" ? "none" : `"${type.slice(0, 80)}"`})`,
      );
    }
    const most = access === "open" ? Math.min(bodyBytes, OPEN_BODY_BYTES) : bodyBytes;
    const advice = { ifTooWide: ifTooWide?.(ports.limits) };
    return parseStrictJson(await readBody(incoming, most), { ...limits, ...advice });
  }

  function refuse(
    { incoming, outgoing }: Pick<Request, "incoming" | "outgoing">,
    thrown: unknown,
    onError: Record<string, unknown>,
  ): void {
    const error = ports.explain(thrown);
    if (toHubError(error) !== error) ports.logError(error, `${incoming.method} ${incoming.url}`);
    if (outgoing.headersSent) {
      outgoing.destroy(); // Half of an answer is none.
      return;
    }
    const { status, headers, body } = errorAnswer(error, onError);
    outgoing.writeHead(status, headers).end(body);
  }
}

function hangUpOf(outgoing: ServerResponse): OnHangUp {
  return (listener) => {
    outgoing.once("close", listener);
    return () => outgoing.off("close", listener);
  };
}

function writeJson(outgoing: ServerResponse, status: number, json: string): void {
  outgoing
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(json) })
    .end(json);
}
