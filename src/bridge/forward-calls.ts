import { parseJson } from "../model/parse-json.js";
import { askHub, type Headers } from "./ask-hub.js";
import type { Exchange } from "./connections.js";
import type { Client } from "./describe-agent.js";
import { Refused, refusalIn, Stopping, Unreachable } from "./failures.js";
import type { HomeHub } from "./home-hub.js";
import type { Identity, Speaker } from "./identity.js";
import { type Id, isId, isObject, type Json } from "./json.js";
import type { Output } from "./output.js";
import { persist } from "./persist.js";
import { clientIn, isModern, requestHeaders } from "./request-headers.js";

/** One request of the client, from its line until its answer. */
type Call = {
  id: Id;
  method: string;
  tool: string | undefined;
  isModern: boolean;
  begun: number;
  line: Buffer;
  headers: Headers;
  request: Exchange | undefined;
  /** Asked as somebody: the hub counts the answers of an agent's connection, and not those of a visitor. */
  isOurs: boolean;
  /** Cancelled: nobody wants its answer. */
  isOver: boolean;
};

type Forwarding = {
  request(id: Id, method: string, params: Json, line: Buffer): void;
  notification(method: string, params: Json, line: Buffer): void;
  /** The client has closed its end: drops what waits, has the rest answered, by the hub or at the end of its time, then calls back. */
  drain(done: () => void): void;
};

type ForwardingParts = {
  hub: HomeHub;
  identity: Identity;
  output: Output;
  route: string;
  /** For how long a client must have stayed before it joins without having called anything. */
  joinAfterMs: number;
  /** The client has the answer to a request of this method. */
  answered(method: string): void;
};

/** Longer than any tool takes. */
const SILENCE_MS = 150_000;
const CALLS_MAX = 1_000;
const STAY_AGAIN_MS = 3_000;
/** Longer than any tool but a wait takes: `echo … | huddle mcp` has closed its end and still wants the answer. */
const DRAIN_MS = 35_000;
const WAITING_TOOL = "wait_for_message";

export function createForwarding({
  hub,
  identity,
  output,
  route,
  joinAfterMs,
  answered,
}: ForwardingParts): Forwarding {
  // Unique to this process: the hub derives message ids from it, so that a call that is tried again sends once.
  const instance = `${process.pid.toString(36)}${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`;
  const calls = new Map<Id, Call>();
  let client: Client | undefined;
  let negotiated: string | undefined;
  let numbered = 0;
  let written = 0;
  let onDrained: (() => void) | undefined;
  let staying: NodeJS.Timeout | undefined;

  async function forward(call: Call): Promise<void> {
    try {
      const line = await persist(
        hub,
        () => !call.isOver,
        () => attempt(call),
      );
      if (!call.isOver && line !== undefined) writeAnswer(call, line);
    } catch (error) {
      if (!call.isOver) fail(call, error);
    }
  }

  function writeAnswer({ method, isOurs }: Call, line: string): void {
    if (method === "initialize") negotiated = versionIn(line) ?? negotiated;
    output.line(line, () => {
      if (isOurs) written++;
      answered(method);
    });
    if (onDrained === undefined) staying ??= setTimeout(() => void stay(), joinAfterMs);
  }

  /** Whoever is still there has come to stay: others are to see it, and write to it. It starts no hub. */
  async function stay(): Promise<void> {
    if (onDrained !== undefined || identity.current() !== undefined) return;
    try {
      await identity.appear(client);
    } catch (error) {
      if (error instanceof Unreachable) {
        hub.lost();
        staying = setTimeout(() => void stay(), STAY_AGAIN_MS);
      } else {
        // The next call is told the same.
        process.stderr.write(`huddle: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
  }

  /** One try. Undefined when the answer came as an event, and is written already. */
  async function attempt(call: Call): Promise<string | undefined> {
    let isAnswered = false;
    let stopping = false;
    const onEvent = (event: string) => {
      if (call.isOver || isAnswered) return;
      const message = parseJson(event);
      isAnswered = isObject(message) && message["id"] === call.id && message["method"] === undefined;
      if (!isAnswered) output.line(event);
      else if (saysStopping(event)) stopping = true;
      else writeAnswer(call, event);
    };
    const ask = ({ token, me, wished }: Speaker) => {
      call.isOurs = me !== undefined;
      return askHub(hub.url(), {
        method: "POST",
        path: route,
        token,
        headers: { ...call.headers, ...waited(call), ...(me ? {} : asVisitor(wished)) },
        body: call.line,
        silenceMs: SILENCE_MS,
        onEvent,
        onRequest: (request) => {
          call.request = request;
          if (call.isOver) request.destroy();
        },
      });
    };
    let speaker = await identity.speaker(call.method, client);
    let answer = await ask(speaker);
    if (answer.status === 403 && speaker.me === undefined) {
      // It is not for visitors: the answer says who we are, or the hub is an older one.
      speaker = await identity.assume(client);
      answer = await ask(speaker);
    }
    const { status, text } = answer;
    if (speaker.me !== undefined) {
      if (status === 401) identity.refused(speaker.me);
      speaker.me.isProven = true;
    }
    // Whatever comes after it answers.
    if (stopping || saysStopping(text)) throw new Stopping("it is stopping");
    if (isAnswered) return undefined;
    if (status === 200 && text !== "") return oneLine(text);
    if (status === 200) throw new Unreachable("the events ended without an answer");
    const body = parseJson(text);
    if (!isObject(body)) throw refusalIn({}, status);
    if (body["jsonrpc"] === "2.0") return JSON.stringify({ ...body, id: call.id });
    if (status === 503) throw new Stopping(String(body["error"]));
    throw refusalIn(body, status);
  }

  function fail({ id, method, isModern: modern }: Call, error: unknown): void {
    const body =
      error instanceof Refused
        ? error.body
        : { error: `The bridge failed: ${String(error)}`, code: "INTERNAL" };
    const { error: sentence, code } = body;
    if (method !== "tools/call" || code === "HUB_UNREACHABLE") {
      const message = `${String(sentence)} (${String(code)})`;
      output.answer(id, { error: { code: -32000, message, data: body } });
      return;
    }
    const content = [{ type: "text", text: JSON.stringify(body) }];
    output.answer(id, { result: { ...(modern ? { resultType: "complete" } : {}), content, isError: true } });
  }

  /** The hub sees the connection close, and aborts the call. */
  function hangUp(call: Call): void {
    call.isOver = true;
    calls.delete(call.id);
    call.request?.destroy();
  }

  function giveUp(): void {
    const error = `The hub has not answered within ${DRAIN_MS / 1000} s of the end of stdin`;
    for (const call of calls.values()) fail(call, new Refused({ error, code: "OUTCOME_UNKNOWN" }));
    onDrained?.();
  }

  /** Nobody waits for a notification's answer, and the hub keeps nothing of it: not worth a second try. */
  async function pass(body: Buffer, headers: Headers): Promise<void> {
    const token = identity.current()?.token;
    if (token !== undefined) await askHub(hub.url(), { method: "POST", path: route, token, headers, body });
  }

  function headersOf(method: string, params: Json): Headers {
    return requestHeaders({ method, params, negotiated, client });
  }

  return {
    request(id, method, params, line) {
      if (calls.size >= CALLS_MAX) {
        output.refuse(id, -32000, `More than ${CALLS_MAX} calls at once`);
        return;
      }
      client = clientIn(params) ?? client;
      const tool = method === "tools/call" && typeof params["name"] === "string" ? params["name"] : undefined;
      const headers = {
        ...headersOf(method, params),
        "huddle-call": `${instance}:${++numbered}`,
        "huddle-written": String(written),
      };
      written = 0;
      const call: Call = {
        id,
        method,
        tool,
        isModern: isModern(params),
        begun: performance.now(),
        line,
        headers,
        request: undefined,
        isOurs: false,
        isOver: false,
      };
      calls.set(id, call);
      void forward(call).finally(() => {
        if (calls.get(id) === call) calls.delete(id);
        if (calls.size === 0) onDrained?.();
      });
    },
    notification(method, params, line) {
      if (method === "notifications/cancelled") {
        const { requestId } = params;
        const call = isId(requestId) ? calls.get(requestId) : undefined;
        if (call !== undefined) hangUp(call);
        return;
      }
      void pass(line, headersOf(method, params)).catch(() => {});
    },
    drain(done) {
      clearTimeout(staying);
      onDrained = done;
      for (const call of calls.values()) if (call.tool === WAITING_TOOL) hangUp(call);
      if (calls.size === 0) done();
      else setTimeout(giveUp, DRAIN_MS);
    },
  };
}

function asVisitor(wished: string | undefined): Headers {
  return { "huddle-unregistered": "1", ...(wished === undefined ? {} : { "huddle-name": wished }) };
}

/** A wait that is made again waits for what is left of its time: its program counts from the first try. */
function waited({ tool, begun }: Call): Headers {
  const ms = Math.floor(performance.now() - begun);
  return tool === WAITING_TOOL && ms >= 1000 ? { "huddle-waited": String(ms) } : {};
}

/** An answer of a tool that the hub could not go on with: nothing of it was done. */
function saysStopping(line: string): boolean {
  if (!line.includes("SHUTTING_DOWN")) return false;
  const message = parseJson(line);
  const result = isObject(message) ? message["result"] : undefined;
  if (!isObject(result) || result["isError"] !== true || !Array.isArray(result["content"])) return false;
  const block: unknown = result["content"][0];
  const body = isObject(block) && typeof block["text"] === "string" ? parseJson(block["text"]) : undefined;
  return isObject(body) && body["code"] === "SHUTTING_DOWN";
}

function versionIn(line: string): string | undefined {
  const message = parseJson(line);
  const result = isObject(message) ? message["result"] : undefined;
  const version = isObject(result) ? result["protocolVersion"] : undefined;
  return typeof version === "string" ? version : undefined;
}

function oneLine(text: string): string {
  return text.includes("\n") ? JSON.stringify(parseJson(text)) : text;
}
