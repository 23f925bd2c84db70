import type { IncomingMessage } from "node:http";
import { allRoutes } from "../../contract/http/routes.js";
import { HubError } from "../../model/errors.js";
import type { Authenticate } from "../caller/auth.js";
import { matchesPattern } from "./route-table.js";

/** Why nothing answers here. Without a token nobody learns which routes exist. */
export function unknownRoute(incoming: IncomingMessage, path: string, authenticate: Authenticate): unknown {
  try {
    authenticate(incoming.headers.authorization);
  } catch (error) {
    return error;
  }
  const methods = allRoutes.filter((route) => matchesPattern(route.path, path)).map(({ method }) => method);
  if (methods.length > 0) return methodNotAllowed(incoming.method, methods);
  return new HubError("ROUTE_NOT_FOUND", `There is no ${incoming.method} ${path}`);
}

function methodNotAllowed(method: string | undefined, allow: readonly string[]): HubError {
  return new HubError("METHOD_NOT_ALLOWED", `${method} is not possible here; use ${allow.join(" or ")}`, {
    allow,
  });
}
