import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PACE_MS, prepareEcho, type Timed } from "./echo.js";
import { buildRequest, openConnection } from "./http-connection.js";
import type { BenchHub, Lab } from "./lab.js";
import type { Measurement } from "./row.js";
import { median, type Pair, summarize } from "./statistics.js";
import { within } from "./within.js";

const WARM_UP = 200;
const MESSAGE = "x".repeat(200);

/** From the start of a send until the process of an agent has it: the prompt when it waits, the cancel when it is busy. */
export const inject: Measurement = {
  name: "inject",
  async run(lab) {
    const bell = await openBell(lab);
    const hub = await hostingHub(lab, bell.path);
    const echo = await prepareEcho(lab);
    const send = sender(lab, hub);
    await spawnAgents(hub, ["bob"]);
    await within(30_000, "the agent to come up", bell.connected);

    const idle = async () => {
      for (;;) {
        const { json } = await hub.http.call("GET", "/api/agents/bob", { token: hub.operator });
        if (json["state"] === "idle") return;
        await sleep(1);
      }
    };
    const prompt: Timed = async () => {
      await within(5000, "the agent to be idle", idle());
      await sleep(PACE_MS);
      const start = performance.now();
      const [arrived] = await Promise.all([bell.rings("p").then(() => performance.now()), send(MESSAGE)]);
      return arrived - start;
    };
    const cancel: Timed = async () => {
      await within(5000, "the agent to be idle", idle());
      await Promise.all([bell.rings("p"), send("stay")]);
      await sleep(PACE_MS);
      const start = performance.now();
      const cut = bell.rings("c").then(() => performance.now());
      const next = bell.rings("p");
      await send("cut", "interrupt");
      const took = (await cut) - start;
      await next;
      return took;
    };

    for (let i = 0; i < (lab.quick ? 50 : WARM_UP); i++) await within(5000, "a prompt", prompt());
    const prompts: Pair[] = [];
    const cancels: Pair[] = [];
    for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
      const times = { echo: [] as number[], prompt: [] as number[], cancel: [] as number[] };
      for (let i = 0; i < (lab.quick ? 30 : 60); i++) {
        times.echo.push(await within(5000, "an echo", echo()));
        times.prompt.push(await within(5000, "a prompt", prompt()));
        times.cancel.push(await within(5000, "a cancel", cancel()));
      }
      const anchor = median(times.echo);
      prompts.push({ anchor, ours: median(times.prompt) });
      cancels.push({ anchor, ours: median(times.cancel) });
    }
    const against = "WebSocket echo, p50";
    const limit = { on: "ratio", is: "at most", bound: 10 } as const;
    return [
      {
        what: "Send until a waiting ACP agent has the prompt, p50",
        against,
        unit: "ms",
        ...summarize(prompts),
        limit,
      },
      {
        what: "Send until a busy ACP agent has the cancel, p50",
        against,
        unit: "ms",
        ...summarize(cancels),
        limit,
      },
    ];
  },
};

export async function hostingHub(lab: Lab, bell?: string, set: readonly string[] = []): Promise<BenchHub> {
  const program = resolve("test", "bench", "children", "acp-agent.mjs");
  const acp = [process.execPath, program, ...(bell === undefined ? [] : [bell])];
  return lab.hub({
    set: [`backends.bench.acp=${JSON.stringify(acp)}`, 'allowed_roots=["/"]', "inbox.cap=1000000", ...set],
  });
}

export async function spawnAgents(hub: BenchHub, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const body = { backend: "bench", name, project: hub.home };
    const answer = await hub.http.call("POST", "/api/agents/spawn", { token: hub.operator, body });
    if (answer.status !== 201) throw new Error(`not spawned: ${answer.text}`);
  }
}

/** Where agents say what has arrived, one letter each. */
export async function openBell(lab: Lab) {
  const path = join(lab.folder(), "bell.sock");
  let waiting: { letter: string; ring: () => void }[] = [];
  let connect: (socket: Socket) => void = () => {};
  const connected = new Promise<Socket>((done) => {
    connect = done;
  });
  const server = createServer((socket) => {
    connect(socket);
    socket.setEncoding("utf8").on("data", (letters: string) => {
      for (const letter of letters) {
        const next = waiting.find((one) => one.letter === letter);
        waiting = waiting.filter((one) => one !== next);
        next?.ring();
      }
    });
  });
  server.listen(path);
  await once(server, "listening");
  lab.onClose(() => server.close());
  const rings = (letter: string) =>
    new Promise<void>((ring) => {
      waiting.push({ letter, ring });
    });
  return { path, connected, rings };
}

function sender(lab: Lab, hub: BenchHub) {
  const connection = openConnection(hub.port);
  lab.onClose(connection.close);
  return (message: string, attention = "queue") =>
    connection.ask(
      buildRequest({
        port: hub.port,
        method: "POST",
        path: "/api/agents/bob/messages",
        token: hub.operator,
        body: { message, attention },
      }),
    );
}
