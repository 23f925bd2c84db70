import type { RouteContract } from "../../src/contract/http/route.js";
import { allRoutes } from "../../src/contract/http/routes.js";
import type { HubErrorCode } from "../../src/model/errors.js";
import { httpStatus } from "../../src/surface/answers/status-codes.js";
import type { Part } from "./blocks.js";
import { fieldTable } from "./field-table.js";
import { namedShapes, toJsonSchema } from "./json-schema.js";
import { code, paragraphs } from "./markdown.js";
import { writeShape } from "./write-shape.js";

/** What every route says of itself: who may call it, what it takes, what it answers. */
export function routeParts(routes: readonly RouteContract[] = allRoutes): Part[] {
  return routes.map((route) => [`route ${route.method} ${route.path}`, writeRoute(route)]);
}

export function shapeParts(): Part[] {
  return [...namedShapes].map(([name, shape]) => {
    const schema = toJsonSchema(shape);
    return [
      `shape ${name}`,
      paragraphs(`${code(name)} is ${code(writeShape(schema))}.`, fieldTable("Field", schema, "described")),
    ];
  });
}

function writeRoute(route: RouteContract): string {
  const { body, query, errors = [] } = route;
  return paragraphs(
    `Who: ${route.access}. ${writeAnswer(route)}`,
    body === undefined ? "" : fieldTable("Field", toJsonSchema(body), "all"),
    query === undefined ? "" : fieldTable("Parameter", toJsonSchema(query), "all"),
    errors.length === 0 ? "" : `Errors: ${writeErrors(errors)}.`,
  );
}

function writeAnswer({ status, response }: RouteContract): string {
  return response === undefined
    ? `Answers ${status}.`
    : `Answers ${status} ${code(writeShape(toJsonSchema(response)))}.`;
}

function writeErrors(errors: readonly HubErrorCode[]): string {
  const statuses = [...new Set(errors.map(httpStatus))].sort((a, b) => a - b);
  return statuses
    .map(
      (status) =>
        `${status} ${errors
          .filter((one) => httpStatus(one) === status)
          .map(code)
          .join(", ")}`,
    )
    .join("; ");
}
