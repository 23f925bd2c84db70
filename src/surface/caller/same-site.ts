import type { IncomingHttpHeaders } from "node:http";
import { HubError } from "../../model/errors.js";

/**
 * Which Host and Origin a request may carry. A web page that talks a browser into calling us (CSRF, DNS rebinding)
 * cannot choose these. Exact matches, port included; a request without Origin is not from a web page.
 */
export type SameSite = { check(headers: IncomingHttpHeaders): HubError | undefined };

export function createSameSite(host: string, port: number): SameSite {
  const names = new Set(["127.0.0.1", "localhost", "[::1]", host.includes(":") ? `[${host}]` : host]);
  const hosts = new Set([...names].map((name) => `${name}:${port}`));
  // The default port of HTTP is left out by every client.
  if (port === 80) for (const name of names) hosts.add(name);
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  return {
    check({ host: asked, origin }) {
      if (asked === undefined || !hosts.has(asked.toLowerCase())) {
        return new HubError("HOST_NOT_ALLOWED", `This hub answers to ${[...hosts].join(", ")} only`, {
          allowed: [...hosts],
        });
      }
      if (origin !== undefined && !origins.has(origin.toLowerCase())) {
        return new HubError("ORIGIN_NOT_ALLOWED", "Web pages of other origins may not call this hub");
      }
      return undefined;
    },
  };
}
