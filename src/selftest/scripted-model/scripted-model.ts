import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parseJson } from "../../model/parse-json.js";
import { answerModel, type ModelState } from "./answer-model.js";
import { createHolds } from "./holds.js";
import { createRequestLog, type RequestLog } from "./request-log.js";
import { findRoute } from "./routes.js";
import type { Rule } from "./rules.js";

/*
 * A model for real agent CLIs, without an account: one HTTP server on loopback that speaks the Anthropic Messages, OpenAI
 * Responses, OpenAI Chat Completions and Gemini APIs and does what directives (`directives.ts`) or the test's rules
 * say. `/lane/NAME` before the API's path tells apart who asks, where one server serves several CLIs.
 */

export type ScriptedModel = {
  url: string;
  /** Where the CLI of a lane finds the model. */
  laneUrl(lane: string): string;
  requests: RequestLog;
  /** Every path that was asked for, with those that no API has: what a CLI tries besides. */
  paths: string[];
  /** What to do on a text that fits. Later rules go before earlier ones. */
  on(pattern: RegExp, script: Rule["script"], lane?: string): void;
  /** Lets scripts go on behind `hold(name)`. */
  release(name: string): void;
  close(): Promise<void>;
};

export async function startScriptedModel(): Promise<ScriptedModel> {
  const rules: Rule[] = [];
  const holds = createHolds();
  const requests = createRequestLog();
  const paths: string[] = [];
  const state: ModelState = { rules, requests, released: holds.wait, failures: new Map() };

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const { lane, path } = splitLane(request.url ?? "/");
    paths.push(`${request.method ?? ""} ${lane === "" ? "" : `[${lane}] `}${path}`);
    const body = await readBody(request);
    const route = findRoute(request.method ?? "", path);
    if (route === undefined) {
      answerJson(response, 404, {
        error: { message: `the scripted model has no ${path}`, type: "not_found_error" },
      });
      return;
    }
    if (route.kind === "fixed") answerJson(response, 200, route.answer);
    else await answerModel(state, { lane, path, body, wire: route.wire }, response);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else answerJson(response, 400, { error: { message: String(error), type: "invalid_request_error" } });
    });
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    url,
    laneUrl: (lane) => `${url}/lane/${lane}`,
    requests,
    paths,
    on: (pattern, script, lane) => void rules.unshift({ pattern, script, lane }),
    release: holds.release,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function splitLane(url: string): { lane: string; path: string } {
  const match = /^\/lane\/([^/]+)(\/.*)?$/.exec(url);
  return { lane: match?.[1] ?? "", path: match === null ? url : (match[2] ?? "/") };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? undefined : (parseJson(text) ?? text);
}

function answerJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
