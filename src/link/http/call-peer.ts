import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from "node:http";
import { HubError } from "../../model/errors.js";
import type { Peer } from "../../model/peer.js";
import { linkClosed } from "../link.js";

export type CallLimits = {
  /** From the call to the end of the answer. */
  answerMs: number;
  connectMs: number;
};

const CALL_LIMITS: CallLimits = { answerMs: 30_000, connectMs: 5000 };

/** `host` is empty where a peer has no address of its own, and `hubId` is how the fabric finds it. */
type Place = Pick<Peer, "name" | "host" | "port"> & Partial<Pick<Peer, "hubId">>;

type Asked = {
  method: "GET" | "POST";
  path: string;
  body?: string;
  secret?: string | undefined;
  /** More of an answer is not read. */
  answerBytes: number;
};

export type PeerAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

export type CallPeer = {
  /** The answer, whatever its status. Rejects with PEER_UNREACHABLE if none came, whole and in time. */
  call(peer: Place, asked: Asked): Promise<PeerAnswer>;
  close(): void;
};

/** Calls peers over connections that are kept open. Nothing is followed, and nothing goes on after `close`. */
export function createCallPeer(limits: CallLimits = CALL_LIMITS): CallPeer {
  const agent = new Agent({ keepAlive: true, maxSockets: 4, maxFreeSockets: 1, timeout: 60_000 });
  const open = new Set<(error: HubError) => void>();
  let isClosed = false;

  function callOnce(peer: Place, asked: Asked): Promise<PeerAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = begin(peer, asked, agent);
      const settle = (act: () => void) => {
        open.delete(fail);
        clearTimeout(connecting);
        clearTimeout(answering);
        act();
      };
      const fail = (error: HubError) =>
        settle(() => {
          outgoing.destroy();
          reject(error);
        });
      const late = (what: string, ms: number) => () =>
        fail(unreachable(peer, `${what} within ${ms / 1000} s`));
      const connecting = setTimeout(late("did not take the connection", limits.connectMs), limits.connectMs);
      const answering = setTimeout(late("did not answer", limits.answerMs), limits.answerMs);
      open.add(fail);
      outgoing.once("socket", (socket) => {
        if (socket.connecting) socket.once("connect", () => clearTimeout(connecting));
        else clearTimeout(connecting);
      });
      outgoing.once("error", (error) => fail(noAnswer(peer, error, outgoing)));
      outgoing.once("response", (incoming) => {
        collect(incoming, asked.answerBytes, (body) => {
          if (typeof body === "string") fail(unreachable(peer, body));
          else settle(() => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }));
        });
      });
      outgoing.end(asked.body);
    });
  }

  return {
    async call(peer, asked) {
      if (isClosed) throw linkClosed();
      try {
        return await callOnce(peer, asked);
      } catch (error) {
        // Such as a secret that no header can carry, or a port that is none.
        if (!(error instanceof HubError))
          throw unreachable(peer, `cannot be called: ${String(error)}`, error);
        // The peer had closed a connection that we kept. If it did read this, it knows it by its id or number: once more.
        if (isClosed || !(error instanceof StaleConnection)) throw error;
        return callOnce(peer, asked);
      }
    },
    close() {
      isClosed = true;
      for (const fail of open) fail(linkClosed());
      agent.destroy();
    },
  };
}

/** A connection that was kept open turned out to be closed. */
class StaleConnection extends HubError {}

function begin(peer: Place, { method, path, body, secret }: Asked, agent: Agent): ClientRequest {
  return request({
    agent,
    host: peer.host,
    port: peer.port,
    method,
    path,
    headers: {
      accept: "application/json",
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      ...(body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    },
  });
}

function collect(incoming: IncomingMessage, limit: number, done: (body: Buffer | string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) done(`answers with more than ${limit} bytes`);
    else chunks.push(chunk);
  });
  incoming.once("end", () => {
    if (size <= limit) done(Buffer.concat(chunks));
  });
  incoming.once("error", () => done("broke off in the middle of its answer"));
}

function noAnswer(peer: Place, error: Error, outgoing: ClientRequest): HubError {
  const code = "code" in error ? String(error.code) : "";
  const problem = `cannot be reached (${code === "" ? error.message : code})`;
  const isStale = outgoing.reusedSocket && (code === "ECONNRESET" || code === "EPIPE");
  if (isStale) return new StaleConnection("PEER_UNREACHABLE", sentence(peer, problem), { peer: peer.name });
  return unreachable(peer, problem, error);
}

export function unreachable(peer: Place, problem: string, cause?: unknown, status?: number): HubError {
  const details = { peer: peer.name, ...(status === undefined ? {} : { status }) };
  return new HubError("PEER_UNREACHABLE", sentence(peer, problem), details, { cause });
}

function sentence({ name, host, port }: Place, problem: string): string {
  const place = host === "" ? "" : ` at ${host.includes(":") ? `[${host}]` : host}:${port}`;
  return `"${name}"${place} ${problem}`;
}
