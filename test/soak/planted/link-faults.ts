import type { PlantedFault } from "./planted-fault.js";

/* Hubs that write to each other: promise 12, over HTTP and over NATS. */

const useDigest = (file: string, first: string, path: string) => ({
  file,
  find: first,
  put: `import { frameDigest } from "${path}";\n${first}`,
});

const handOver = "src/link/hand-over.ts";
/** Both wires take what waits from here. */
const droppedOnSend = [
  useDigest(handOver, 'import { HubError } from "../model/errors.js";\n', "../views/frame-digest.js"),
  {
    file: handOver,
    find: "  try {\n    return { batch, ack: await link.send(peer, batch) };\n",
    put: `  const last = batch.frames.at(-1);
  if (last !== undefined) {
    link.send(peer, batch).catch(() => {});
    return { batch, ack: { epoch: batch.epoch, upTo: last.n, digest: frameDigest(last) } };
  }
  try {
    return { batch, ack: await link.send(peer, batch) };
`,
  },
];

const sendBatch = "src/link/nats/send-batch.ts";

export const linkFaults: readonly PlantedFault[] = [
  {
    name: "over HTTP, what was sent counts as arrived",
    promise: 12,
    edits: droppedOnSend,
    guard: { file: "test/e2e-long/peers.test.ts", test: "both hubs are killed under load" },
    says: /Timed out|deeply equal/i,
  },
  {
    name: "over NATS, what was sent counts as arrived",
    promise: 12,
    edits: droppedOnSend,
    guard: {
      file: "test/e2e-long/fabric.test.ts",
      test: "the server is cut, killed and robbed of its store",
    },
    says: /deeply equal|Timed out/i,
  },
  {
    name: "over NATS, what the server has counts as arrived",
    promise: 12,
    edits: [
      useDigest(
        sendBatch,
        'import { HubError } from "../../model/errors.js";\n',
        "../../views/frame-digest.js",
      ),
      {
        file: sendBatch,
        find: "          one.lies();\n",
        put: `          const last = one.batch.frames.at(-1);
          one.settle(() => ({ epoch: one.batch.epoch, upTo: last.n, digest: frameDigest(last) }));
`,
      },
    ],
    guard: { file: "src/link/nats/faults.test.ts", test: "a server whose store is wiped" },
    says: /deeply equal/,
  },
];
