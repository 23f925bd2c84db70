import type { ServerResponse } from "node:http";
import { type Conversation, isSideCall, type ReplyPart } from "./conversation.js";
import { fillSchema } from "./fill-schema.js";
import { planReply } from "./next-steps.js";
import { performSteps, type Stage } from "./perform-steps.js";
import type { ModelRequest, RequestLog } from "./request-log.js";
import type { Rule } from "./rules.js";
import type { Script } from "./step.js";
import type { Refusal, Wire } from "./wire.js";

export type ModelState = {
  rules: readonly Rule[];
  requests: RequestLog;
  released: Stage["released"];
  /** How often a conversation met its error already. */
  failures: Map<string, number>;
};

type Asked = { lane: string; path: string; body: unknown; wire: Wire };

export async function answerModel(state: ModelState, asked: Asked, response: ServerResponse): Promise<void> {
  const { lane, path, body, wire } = asked;
  const conversation = wire.decode(body, path);
  const side = isSideCall(conversation);
  const { steps, said } = side
    ? { steps: sideReply(conversation), said: "" }
    : planReply(conversation, state.rules, lane);
  const request: ModelRequest = {
    number: state.requests.all.length + 1,
    lane,
    api: wire.api,
    path,
    conversation,
    side,
    body,
    reply: [],
    outcome: { kind: "answering" },
  };
  state.requests.all.push(request);
  state.requests.touch();
  const settle = (outcome: ModelRequest["outcome"]) => {
    request.outcome = outcome;
    state.requests.touch();
  };

  const refusal = dueRefusal(state, `${lane} ${JSON.stringify(conversation.messages)}`, steps, wire);
  if (refusal !== undefined) {
    const { status, headers, body: answer } = refusal;
    settle({ kind: "error", status });
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(answer));
    return;
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const stage = { conversation, said, released: state.released, signal: gone.signal };
  const parts = recordParts(performSteps(steps, stage), request.reply);
  try {
    if (conversation.stream) await sendStream(parts, wire, conversation, response);
    else await sendWhole(parts, wire, conversation, response);
    settle({ kind: "answered" });
  } catch (error) {
    if (!gone.signal.aborted) throw error;
    settle({ kind: "cut" });
  }
}

async function* recordParts(parts: AsyncIterable<ReplyPart>, reply: ReplyPart[]): AsyncGenerator<ReplyPart> {
  for await (const part of parts) {
    reply.push(part);
    yield part;
  }
}

function sideReply({ schema }: Conversation): Script {
  const text = schema === undefined ? "Scripted conversation" : JSON.stringify(fillSchema(schema));
  return [{ kind: "say", text }];
}

function dueRefusal({ failures }: ModelState, key: string, steps: Script, wire: Wire): Refusal | undefined {
  const step = steps.find(({ kind }) => kind === "error" || kind === "limit");
  if (step?.kind !== "error" && step?.kind !== "limit") return undefined;
  const before = failures.get(key) ?? 0;
  failures.set(key, before + 1);
  if (before >= step.times) return undefined;
  if (step.kind === "limit") return wire.limit(new Date(Date.now() + step.resetsInSeconds * 1000));
  return { status: step.status, headers: {}, body: wire.error(step.status, "scripted error") };
}

async function sendStream(
  parts: AsyncIterable<ReplyPart>,
  wire: Wire,
  { model }: Conversation,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const writer = wire.stream(model, (data, event) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`);
  });
  response.flushHeaders();
  writer.begin();
  for await (const part of parts) writer.part(part);
  writer.end();
  response.end();
}

async function sendWhole(
  parts: AsyncIterable<ReplyPart>,
  wire: Wire,
  { model }: Conversation,
  response: ServerResponse,
): Promise<void> {
  const collected: ReplyPart[] = [];
  for await (const part of parts) collected.push(part);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(wire.whole(collected, model)));
}
