import { connect } from "node:net";

/*
 * Redis' own protocol on a bare socket, as much of it as is needed: commands go out as they come, and each answer is that to
 * the oldest one without.
 */

export type Reply = string | number | null | Reply[];

export type RedisConnection = {
  ask(...command: readonly (string | number)[]): Promise<Reply>;
  close(): void;
};

const END = Buffer.from("\r\n");

export function openRedis(port: number): RedisConnection {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  const asked: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let isGathering = false;

  socket.on("data", (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let place = 0;
    for (;;) {
      const read = readReply(bytes, place);
      if (read === undefined) break;
      place = read.end;
      const one = asked.shift();
      if (read.reply instanceof Error) one?.reject(read.reply);
      else one?.resolve(read.reply);
    }
    rest = bytes.subarray(place);
  });
  const fail = (error: Error) => {
    for (const { reject } of asked.splice(0)) reject(error);
  };
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("Redis closed the connection")));

  return {
    ask(...command) {
      if (!isGathering) {
        isGathering = true;
        socket.cork();
        process.nextTick(() => {
          isGathering = false;
          socket.uncork();
        });
      }
      const parts = command.map((part) => `$${Buffer.byteLength(String(part))}\r\n${part}\r\n`);
      socket.write(`*${command.length}\r\n${parts.join("")}`);
      return new Promise((resolve, reject) => asked.push({ resolve, reject }));
    },
    close: () => void socket.destroy(),
  };
}

type Read = { reply: Reply | Error; end: number };

/** One reply from a place on; undefined: it is not there yet as a whole. */
function readReply(bytes: Buffer, start: number): Read | undefined {
  const lineEnd = bytes.indexOf(END, start);
  if (lineEnd === -1) return undefined;
  const line = bytes.toString("utf8", start + 1, lineEnd);
  const next = lineEnd + END.length;
  switch (String.fromCharCode(bytes[start] ?? 0)) {
    case "+":
      return { reply: line, end: next };
    case "-":
      return { reply: new Error(line), end: next };
    case ":":
      return { reply: Number(line), end: next };
    case "$":
      return readText(bytes, next, Number(line));
    case "*":
      return readList(bytes, next, Number(line));
    default:
      return { reply: new Error(`no reply of Redis: ${line}`), end: next };
  }
}

function readText(bytes: Buffer, start: number, length: number): Read | undefined {
  if (length < 0) return { reply: null, end: start };
  const end = start + length;
  return bytes.length < end + END.length
    ? undefined
    : { reply: bytes.toString("utf8", start, end), end: end + END.length };
}

function readList(bytes: Buffer, start: number, length: number): Read | undefined {
  if (length < 0) return { reply: null, end: start };
  const list: Reply[] = [];
  let end = start;
  for (let i = 0; i < length; i++) {
    const read = readReply(bytes, end);
    if (read === undefined) return undefined;
    if (read.reply instanceof Error) return read;
    list.push(read.reply);
    end = read.end;
  }
  return { reply: list, end };
}
