import { z } from "zod";
import type { Access } from "../../contract/http/route.js";
import { paramFields, type RouteOp, routeOps } from "../../contract/socket/ops.js";
import { decode } from "../../decoding/decode.js";
import { HubError } from "../../model/errors.js";
import type { Caller } from "../caller/auth.js";
import type { OnHangUp, Operation, Operations } from "../operations.js";

/** What a frame asks for, besides `op` and `n`. */
type Fields = Record<string, unknown>;

/** An operation as frames call it. */
export type SocketOp = {
  access: Access;
  onError: Record<string, unknown>;
  /** The answer as JSON, or a refusal. */
  run(caller: Caller, fields: Fields, onHangUp: OnHangUp): Promise<string>;
};

const noFields = z.strictObject({});

/** The routes that frames can call, by their names: each decoded by its own contract, and run as over HTTP. */
export function bindSocketOps(operations: Operations): Map<string, SocketOp> {
  const bound = new Map<string, SocketOp>();
  for (const [name, op] of Object.entries(routeOps)) {
    const operation = operations.get(op.route);
    if (operation === undefined) throw new HubError("INTERNAL", `${name}: its route is not bound`);
    bound.set(name, bindOp(op, operation));
  }
  return bound;
}

function bindOp(op: RouteOp, { run, onError }: Operation): SocketOp {
  const { body, query, access } = op.route;
  const named = paramFields(op);
  const params = z.object(Object.fromEntries(named.map(([, field]) => [field, z.string().min(1).max(512)])));
  const fieldsOf = new Map(named);
  return {
    access,
    onError,
    async run(caller, fields, onHangUp) {
      const given: Fields = decode(params, fields, "arguments");
      const rest = named.length === 0 ? fields : without(fields, given);
      const decoded = decode(body ?? query ?? noFields, rest, "arguments");
      const param = (name: string) => String(given[fieldsOf.get(name) ?? name]);
      const call = { caller, param, onHangUp, body: body && decoded, query: query && decoded };
      // oxlint-disable-next-line typescript/consistent-type-assertions -- the contract's schemas produced it
      const reply: unknown = await run(call as never);
      return JSON.stringify(reply) ?? "null";
    },
  };
}

function without(fields: Fields, taken: Fields): Fields {
  const rest: Fields = {};
  for (const key in fields) if (!(key in taken)) rest[key] = fields[key];
  return rest;
}
