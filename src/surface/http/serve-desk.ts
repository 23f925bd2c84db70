import { randomBytes } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { HubError } from "../../model/errors.js";
import { errorAnswer } from "../answers/error-answer.js";
import type { Serve } from "./bind-route.js";
import type { DeskFile, DeskFiles } from "./desk-files.js";

/*
 * The desk's page and what it loads. Both are open: a browser asks for them before it has a token, and they hold nothing of
 * this hub.
 */

const A_YEAR = 365 * 24 * 60 * 60;

type Options = { files: DeskFiles; onError: (error: unknown, what: string) => void };

export function createServeDesk({ files, onError }: Options): { page: Serve; asset: Serve } {
  function serving(
    answer: (incoming: IncomingMessage, outgoing: ServerResponse, name: string) => Promise<void>,
  ) {
    const serve: Serve = async ({ incoming, outgoing, params }) => {
      try {
        await answer(incoming, outgoing, params["file"] ?? "");
      } catch (error) {
        if (!(error instanceof HubError)) onError(error, `${incoming.method} ${incoming.url}`);
        const { status, headers, body } = errorAnswer(error);
        outgoing.writeHead(status, { ...headers, ...guarded, "cache-control": "no-store" }).end(body);
      }
    };
    return serve;
  }
  return {
    page: serving(async (incoming, outgoing) => {
      const build = await files.load();
      const nonce = randomBytes(16).toString("base64url");
      const html = build === undefined ? notBuilt : withNonce(build.page, nonce);
      const headers = {
        "content-type": "text/html; charset=utf-8",
        // The nonce is of this answer alone.
        "cache-control": "no-store",
        "content-security-policy": contentPolicy(incoming.headers.host, nonce),
        ...pageHeaders,
      };
      end(outgoing, build === undefined ? 503 : 200, headers, Buffer.from(html));
    }),
    asset: serving(async (incoming, outgoing, name) => {
      const file = (await files.load())?.assets.get(name);
      if (file === undefined)
        throw new HubError("ROUTE_NOT_FOUND", "The desk has no such file; load its page again: /");
      const { bytes, encoding } = chooseForm(file, incoming.headers["accept-encoding"]);
      const headers = {
        "content-type": file.type,
        // Its name changes with its content.
        "cache-control": `public, max-age=${A_YEAR}, immutable`,
        vary: "accept-encoding",
        ...(encoding === undefined ? {} : { "content-encoding": encoding }),
        ...guarded,
      };
      end(outgoing, 200, headers, bytes);
    }),
  };
}

function end(outgoing: ServerResponse, status: number, headers: OutgoingHttpHeaders, bytes: Buffer): void {
  outgoing.writeHead(status, { ...headers, "content-length": bytes.length }).end(bytes);
}

/** No other site may load it, and no browser may take it for something else. */
const guarded = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
} as const;

const pageHeaders = {
  ...guarded,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
  "permissions-policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()",
} as const;

/**
 * Scripts, styles, fonts, pictures and connections of this origin, and nothing else. The nonce is for libraries that make
 * style elements as they run. `'self'` did not cover WebSockets in every browser, so that origin is named; CSP has no way to
 * write an IPv6 address.
 */
function contentPolicy(host: string | undefined, nonce: string): string {
  const socket = host !== undefined && /^[a-z0-9.-]+(:\d+)?$/i.test(host) ? ` ws://${host}` : "";
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self'",
    `connect-src 'self'${socket}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");
}

/** Where scripts of the page find it, as Vite's own do. Style sheets cannot read it. */
function withNonce(page: string, nonce: string): string {
  return page.replace(/<head>/i, (head) => `${head}<meta property="csp-nonce" nonce="${nonce}">`);
}

/** The smallest form that the browser takes. */
function chooseForm({ plain, br, gzip }: DeskFile, accepted = ""): { bytes: Buffer; encoding?: string } {
  const takes = (name: string) =>
    accepted
      .toLowerCase()
      .split(",")
      .some((part) => {
        const [one, ...settings] = part.split(";").map((word) => word.trim());
        return one === name && !settings.some((setting) => /^q=0(\.0*)?$/.test(setting));
      });
  if (br !== undefined && takes("br")) return { bytes: br, encoding: "br" };
  if (gzip !== undefined && takes("gzip")) return { bytes: gzip, encoding: "gzip" };
  return { bytes: plain };
}

const notBuilt = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Huddle</title>
</head>
<body>
<h1>The hub runs, but the desk is not built</h1>
<p>Build it in the folder of Huddle, then load this page again:</p>
<pre>npm run build</pre>
<p>The command line works without it: <code>huddle status</code>, <code>huddle agents</code>, <code>huddle inbox</code>.</p>
</body>
</html>
`;
