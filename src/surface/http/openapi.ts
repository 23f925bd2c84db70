import { z } from "zod";
import { errorBody } from "../../contract/http/hub.js";
import type { RouteContract } from "../../contract/http/route.js";
import { allRoutes } from "../../contract/http/routes.js";
import type { HubErrorCode } from "../../model/errors.js";
import { httpStatus } from "../answers/status-codes.js";

const shared: readonly HubErrorCode[] = ["UNAUTHENTICATED", "FORBIDDEN", "INVALID_INPUT"];
const withBody: readonly HubErrorCode[] = ["BAD_JSON", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];
const writing: readonly HubErrorCode[] = ["STORAGE_FULL", "OUTCOME_UNKNOWN", "SHUTTING_DOWN"];

/**
 * The OpenAPI document, made from the very schemas that requests are decoded by. By hand, because a generator takes over the
 * smaller part of it: zod-openapi 6 needs a newer Node than Huddle does and closes the shapes of answers, which may gain fields;
 * zod-to-openapi wants every route registered with it once more.
 */
export function openApiDocument() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of allRoutes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Huddle",
      version: "1",
      description:
        "The hub's HTTP surface. Every route needs a bearer token. PROTOCOL.md explains it in prose.",
    },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { Error: toSchema(errorBody) },
    },
    security: [{ bearer: [] }],
    paths,
  };
}

function operation(route: RouteContract) {
  const codes = [
    ...shared,
    ...(route.body === undefined ? [] : withBody),
    ...(route.method === "GET" ? [] : writing),
    ...(route.errors ?? []),
  ];
  return {
    summary: route.summary,
    description: `Needs: ${route.access}`,
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: json(toSchema(route.body)) } }),
    responses: {
      [route.status]: {
        description: "Success",
        ...(route.response === undefined ? {} : { content: json(toSchema(route.response)) }),
      },
      ...errorResponses(codes),
    },
  };
}

function pathParameters(route: RouteContract) {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(route: RouteContract) {
  return Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: schema instanceof z.ZodType ? toSchema(schema) : {},
  }));
}

function errorResponses(codes: readonly HubErrorCode[]) {
  const byStatus = new Map<number, HubErrorCode[]>();
  for (const code of codes) {
    const status = httpStatus(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      { description: names.join(", "), content: json({ $ref: "#/components/schemas/Error" }) },
    ]),
  );
}

function json(schema: unknown) {
  return { "application/json": { schema } };
}

function toSchema(schema: z.ZodType) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}
