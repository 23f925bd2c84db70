// Loads an HTTP server with one request over and over, on several connections, and counts the answers.
import { buildRequest, type HttpConnection, openConnection } from "../http-connection.js";

export type Load = {
  port: number;
  path: string;
  token: string;
  body: unknown;
  connections: number;
  /** Not counted: connections open and both sides get warm. */
  warmUpMs: number;
  countMs: number;
};

export type Loaded = { perSecond: number; refused: number; refusal?: string };

process.on("message", (load) => void run(load as Load).then((result) => process.send?.(result)));
process.once("disconnect", () => process.exit());
process.send?.("ready");

async function run({ port, path, token, body, connections, warmUpMs, countMs }: Load): Promise<Loaded> {
  const request = buildRequest({ port, method: "POST", path, token, body });
  let answered = 0;
  let refused = 0;
  let refusal: string | undefined;
  let isOver = false;
  const open: HttpConnection[] = [];
  for (let i = 0; i < connections; i++) {
    const connection = openConnection(port, (answer) => {
      answered++;
      if (answer.status !== 202) {
        refused++;
        refusal ??= answer.body;
      }
      if (!isOver) connection.send(request);
    });
    open.push(connection);
    connection.send(request);
  }
  await sleep(warmUpMs);
  const [from, before] = [performance.now(), answered];
  await sleep(countMs);
  const perSecond = ((answered - before) * 1000) / (performance.now() - from);
  isOver = true;
  await sleep(100); // The last answers come in, so that nothing is left for the next to be measured.
  for (const connection of open) connection.close();
  return { perSecond, refused, ...(refusal === undefined ? {} : { refusal }) };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
