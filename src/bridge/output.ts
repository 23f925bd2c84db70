import type { Id, Json } from "./json.js";

export type Output = {
  /** Writes a line as it is. `onWritten` once the client's pipe has it. */
  line(text: string, onWritten?: () => void): void;
  answer(id: Id | null, outcome: { result: Json } | { error: Json }): void;
  /** A JSON-RPC error of the protocol itself. */
  refuse(id: Id | null, code: number, message: string): void;
};

export function openOutput(stream: NodeJS.WritableStream): Output {
  const line = (text: string, onWritten?: () => void) => void stream.write(`${text}\n`, onWritten);
  const answer = (id: Id | null, outcome: Json) => line(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  return { line, answer, refuse: (id, code, message) => answer(id, { error: { code, message } }) };
}
