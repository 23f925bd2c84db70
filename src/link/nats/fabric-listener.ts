import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { LRUCache } from "lru-cache";
import { answered, asked } from "../../contract/link/fabric.js";
import { parseStrictJson } from "../../decoding/strict-json.js";
import { ackSubject, inboxPrefix, linkSubject, originOf, rpcSubject } from "../../fabric/subjects.js";
import { HubError } from "../../model/errors.js";
import type { HubId } from "../../model/link.js";
import type { Peer } from "../../model/peer.js";
import { JSON_LIMITS } from "../http/peer-listener.js";
import type { PeerRoute } from "../http/peer-routes.js";
import { refusalBody, refusalHeaders, statusOf } from "../http/write-answer.js";
import type { LinkLog } from "../link-log.js";
import type { Ignored } from "./ignored.js";
import type { Handled } from "./mailbox-line.js";
import type { OnlyOne } from "./only-one.js";
import { readSaid, writeSaid } from "./said.js";
import type { Sealer } from "./seal.js";

type ListenerOptions = {
  self: HubId;
  onlyOne: OnlyOne;
  sealer: Sealer;
  routes: ReadonlyMap<string, PeerRoute>;
  /** The peer that this hub of the fabric is; undefined where it is nobody's to take from. */
  meet: (hub: HubId) => Promise<Peer | undefined>;
  ignored: Ignored;
  log: LinkLog;
};

export type FabricListener = {
  /** Something that lay in the mailbox. */
  takeBatch(connection: NatsConnection, subject: string, payload: Uint8Array): Promise<Handled>;
  /** A question that waits for its answer. */
  answer(message: Msg): Promise<void>;
};

const AT_ONCE = 64;
const MARKS = 10_000;
const REFUSED = { refused: 403, error: "This hub does not know you" } as const;

/** The body is written, and signed, only where it goes out. */
type Answer = { status: number; retryAfter?: string; body: () => Record<string, unknown> };

/**
 * Answers what comes over the fabric by the routes that HTTP has. Who it is from is decided by its seal, never by the subject alone:
 * the server's own answers can be led to any subject.
 */
export function createFabricListener(options: ListenerOptions): FabricListener {
  const { self, onlyOne, sealer, routes, meet, ignored, log } = options;
  const seen = new LRUCache<string, true>({ max: MARKS });
  let working = 0;

  async function answerBy(route: PeerRoute | undefined, origin: HubId, body: Buffer): Promise<Answer> {
    try {
      if (route === undefined) throw new HubError("ROUTE_NOT_FOUND", "There is nothing of that name here");
      if (body.length > route.bytes && route.bytes > 0) throw tooLarge(route.bytes);
      const value = route.bytes === 0 ? undefined : parseStrictJson(body, JSON_LIMITS);
      const shownToAll = route.lookUp?.(value);
      if (shownToAll !== undefined) return { status: 200, body: () => shownToAll };
      const peer = await meet(origin);
      if (peer === undefined) return refuseStranger();
      const shown = { isCommon: false, peers: [peer] };
      const query = new URLSearchParams();
      return { status: 200, body: await take(route, { shown, query, body: value, address: "" }) };
    } catch (error) {
      return refuse(error instanceof HubError ? error : hidden(error));
    }
  }

  function hidden(error: unknown): HubError {
    log.warn({ error }, "a request of a peer failed");
    return new HubError("INTERNAL", "The hub failed on this request; its log has the reason");
  }

  function read(kind: "batch" | "ask", origin: HubId, payload: Uint8Array) {
    const opened = sealer.open(kind, origin, payload);
    if (opened.kind === "forged") ignored(origin, `whoever sent it ${opened.why}`);
    const said = opened.kind === "opened" ? readSaid(asked, opened.content) : undefined;
    return opened.kind === "opened" && said !== undefined ? { ...said, sender: opened.sender } : undefined;
  }

  function close(kind: "ack" | "answer", to: { id: HubId; box: string }, re: string, answer: Answer): Buffer {
    const { status, retryAfter, body } = answer;
    const head = { re, status, ...(retryAfter === undefined ? {} : { retryAfter }) };
    return sealer.seal(kind, to, writeSaid(answered, head, JSON.stringify(body())));
  }

  return {
    async takeBatch(connection, subject, payload) {
      const origin = originOf(subject, (from) => linkSubject(self, from));
      const said = origin === undefined ? undefined : read("batch", origin, payload);
      if (origin === undefined || said?.head.path !== "/agent/link") return "never";
      if (!(await onlyOne.serves())) return "later";
      const answer = await answerBy(routes.get(said.head.path), origin, said.body);
      // What this hub cannot do now stays where it is, for its sender may be gone by then.
      if (answer.status >= 500 || connection.isClosed()) return "later";
      const { sender, head } = said;
      return {
        answer: () => connection.publish(ackSubject(origin, self), close("ack", sender, head.re, answer)),
        isLast: answer.status !== 200,
      };
    },
    async answer(message) {
      const origin = originOf(message.subject, (from) => rpcSubject(self, from));
      const reply = message.reply ?? "";
      if (origin === undefined || !reply.startsWith(`${inboxPrefix(origin)}.`)) return;
      const said = read("ask", origin, message.data);
      // A question that was listened to and asked again is not answered again.
      if (said === undefined || working >= AT_ONCE || seen.has(said.head.re)) return;
      seen.set(said.head.re, true);
      working++;
      try {
        // Another hub with this one's key answers, where that one serves.
        if (origin !== self && !(await onlyOne.serves())) return;
        const answer =
          origin === self
            ? { status: 200, body: onlyOne.told }
            : await answerBy(routes.get(said.head.path), origin, said.body);
        message.respond(close("answer", said.sender, said.head.re, answer));
      } finally {
        working--;
      }
    },
  };
}

async function take(route: PeerRoute, request: Parameters<PeerRoute["answer"]>[0]) {
  if (route.take !== undefined) return route.take(request);
  const body = await route.answer(request);
  return () => body;
}

function refuse(error: HubError): Answer {
  const retryAfter = refusalHeaders(error)["retry-after"];
  return {
    status: statusOf(error),
    body: () => refusalBody(error),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

function refuseStranger(): Answer {
  return {
    status: REFUSED.refused,
    body: () => ({ ok: false, queued: false, error: REFUSED.error, code: "PEER_UNKNOWN" }),
  };
}

function tooLarge(limit: number): HubError {
  return new HubError("BODY_TOO_LARGE", `This is larger than ${limit} bytes`, { limit });
}
