import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { patiently } from "../../../test/fakes/patiently.js";
import { createFrameWriter, type FrameWriter } from "./frame-writer.js";

async function openWriter() {
  const http = createServer().listen(0, "127.0.0.1");
  const server = new WebSocketServer({ noServer: true });
  const opened = new Promise<{ writer: FrameWriter; writes: number[]; client: WebSocket }>((resolve) => {
    http.on("upgrade", (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (client) => {
        const writes: number[] = [];
        const counted = new Transform({
          transform(chunk: Buffer, _, done) {
            writes.push(chunk.length);
            done(null, chunk);
          },
        });
        counted.pipe(socket);
        resolve({ writer: createFrameWriter(counted), writes, client });
      }),
    );
  });
  await once(http, "listening");
  const reader = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const texts: string[] = [];
  reader.on("message", (data: Buffer, isBinary) => texts.push(isBinary ? "binary" : data.toString("utf8")));
  onTestFinished(() => {
    reader.terminate();
    http.close();
  });
  return { ...(await opened), reader, texts };
}

test("texts of any length and alphabet arrive as they were sent, in order", async () => {
  const { writer, client, reader, texts } = await openWriter();
  const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000];
  const sent = [...lengths.map((length) => "x".repeat(length)), "für Ännchen", "日本語", "🦊".repeat(40_000)];

  for (const text of sent) writer.send(text);
  writer.flush();
  client.close(4008, "done");
  const [code] = (await once(reader, "close")) as [number];

  expect(texts).toEqual(sent);
  expect(code).toBe(4008);
});

test("those of one turn of the event loop are one write", async () => {
  const { writer, writes, texts } = await openWriter();

  for (let i = 0; i < 50; i++) writer.send(`${i}`);
  expect(writer.waiting()).toBeGreaterThan(50);
  await new Promise((resolve) => setImmediate(resolve));
  writer.send("another turn");
  await patiently(() => expect(texts.length).toBe(51));

  expect(writes).toHaveLength(2);
  expect(writer.waiting()).toBe(0);
});
