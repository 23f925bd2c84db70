// The anchor for a durable send: node:http that reads a body, parses it and answers JSON of a receipt's size.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const receipt = {
  delivered: true,
  target: "bob",
  message_id: "01900000-0000-7000-8000-000000000000",
  seq: 123_456,
  state: "accepted",
  delayed_ms: 0,
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { message } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { message: string };
    const body = JSON.stringify({ ...receipt, seq: receipt.seq + message.length });
    response.writeHead(202, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());
