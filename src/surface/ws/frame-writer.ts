import type { Duplex } from "node:stream";

/*
 * Text frames for a client, all those of one turn of the event loop in one buffer and one write: to hand each to the socket, its
 * head and its text apart, costs more than to make it.
 */

export type FrameWriter = {
  send(text: string): void;
  /** Writes at once what waits for the end of the turn. */
  flush(): void;
  /** Bytes that wait for it. */
  waiting(): number;
};

/** RFC 6455, 5.2: a whole message of text; what a server sends is not masked. */
const WHOLE_TEXT = 0x81;
const LENGTH_IN_2 = 126;
const LENGTH_IN_8 = 127;

export function createFrameWriter(socket: Duplex): FrameWriter {
  let texts: { text: string; length: number }[] = [];
  let bytes = 0;

  function flush() {
    if (texts.length === 0) return;
    const buffer = Buffer.allocUnsafe(bytes);
    let place = 0;
    for (const { text, length } of texts) {
      place = writeHead(buffer, place, length);
      place += buffer.write(text, place, length, "utf8");
    }
    texts = [];
    bytes = 0;
    if (socket.writable) socket.write(buffer);
  }

  return {
    send(text) {
      if (texts.length === 0) process.nextTick(flush);
      const length = Buffer.byteLength(text);
      texts.push({ text, length });
      bytes += headLength(length) + length;
    },
    flush,
    waiting: () => bytes,
  };
}

function headLength(length: number): number {
  if (length < LENGTH_IN_2) return 2;
  return length < 65_536 ? 4 : 10;
}

function writeHead(buffer: Buffer, place: number, length: number): number {
  buffer[place] = WHOLE_TEXT;
  switch (headLength(length)) {
    case 2:
      buffer[place + 1] = length;
      return place + 2;
    case 4:
      buffer[place + 1] = LENGTH_IN_2;
      return buffer.writeUInt16BE(length, place + 2);
    default:
      buffer[place + 1] = LENGTH_IN_8;
      return buffer.writeBigUInt64BE(BigInt(length), place + 2);
  }
}
