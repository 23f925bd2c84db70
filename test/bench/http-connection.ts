import { connect } from "node:net";

/*
 * HTTP on a bare kept-alive socket, with requests that are bytes already: an HTTP client costs as much as the server
 * that is being measured. It knows answers with a content-length, which both servers send.
 */

export type HttpAnswer = { status: number; body: string };

export type HttpConnection = {
  /** One request at a time. */
  send(request: Buffer): void;
  ask(request: Buffer): Promise<HttpAnswer>;
  close(): void;
};

export type Request = {
  port: number;
  method: "GET" | "POST";
  path: string;
  token: string;
  body?: unknown;
  headers?: Record<string, string>;
};

export function buildRequest({ port, method, path, token, body, headers = {} }: Request): Buffer {
  const json = body === undefined ? "" : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${token}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ["content-type: application/json"]),
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(json)}`]),
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${json}`);
}

/** Answers go to `onAnswer`, or to whoever asked. */
export function openConnection(
  port: number,
  onAnswer: (answer: HttpAnswer) => void = () => {},
): HttpConnection {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  let text = "";
  let asking: { resolve: (answer: HttpAnswer) => void; reject: (error: Error) => void } | undefined;

  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
    const answer = parseAnswer(text);
    if (answer === undefined) return;
    text = "";
    const asked = asking;
    asking = undefined;
    if (asked === undefined) onAnswer(answer);
    else asked.resolve(answer);
  });
  socket.on("error", (error) => asking?.reject(error));
  socket.on("close", () => asking?.reject(new Error("the connection closed before the answer")));

  return {
    send: (request) => void socket.write(request),
    ask(request) {
      return new Promise((resolve, reject) => {
        asking = { resolve, reject };
        socket.write(request);
      });
    },
    close: () => void socket.destroy(),
  };
}

const LENGTH = /\r\ncontent-length: (\d+)/i;

function parseAnswer(text: string): HttpAnswer | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const length = LENGTH.exec(text)?.[1];
  // A refusal: some are in chunks, and no measurement expects any.
  if (length === undefined) return { status: Number(text.slice(9, 12)), body: text.slice(end + 4) };
  if (text.length < end + 4 + Number(length)) return undefined;
  return { status: Number(text.slice(9, 12)), body: text.slice(end + 4) };
}
