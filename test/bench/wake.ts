import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { type Member, registerAgent } from "../fakes/member.js";
import { PACE_MS, prepareEcho, type Timed } from "./echo.js";
import { buildRequest, openConnection } from "./http-connection.js";
import type { BenchHub, Lab } from "./lab.js";
import type { Measurement } from "./row.js";
import { median, type Pair, summarize } from "./statistics.js";
import { within } from "./within.js";

/** Past the size at which the write-ahead log is written back for the first time, as any hub is after a while. */
const WARM_UP = 1000;
const MESSAGE = "x".repeat(200);

/** From the start of a send until a waiting reader holds the message, by long-poll and by event stream. */
export const wake: Measurement = {
  name: "wake",
  async run(lab) {
    const hub = await lab.hub({ set: ["inbox.cap=1000000"] });
    const alice = await registerAgent(hub.http, hub.join, { name: "alice" });
    const echo = await prepareEcho(lab);
    const poll = await prepareLongPoll(lab, hub, alice);
    const stream = await prepareEventStream(lab, hub, alice);

    for (let i = 0; i < WARM_UP; i++) await within(5000, "a send", alice.send("carol", MESSAGE));

    const polls: Pair[] = [];
    const streams: Pair[] = [];
    for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
      const times = { echo: [] as number[], poll: [] as number[], stream: [] as number[] };
      for (let i = 0; i < (lab.quick ? 50 : 100); i++) {
        times.echo.push(await within(5000, "an echo", echo()));
        times.poll.push(await within(5000, "waking a long-poll", poll()));
        times.stream.push(await within(5000, "waking an event stream", stream()));
      }
      const anchor = median(times.echo);
      polls.push({ anchor, ours: median(times.poll) });
      streams.push({ anchor, ours: median(times.stream) });
    }
    const against = "WebSocket echo, p50";
    const limit = { on: "ratio", is: "at most", bound: 4 } as const;
    return [
      {
        what: "Send until a waiting reader has it (long-poll), p50",
        against,
        unit: "ms",
        ...summarize(polls),
        limit,
      },
      { what: "The same, by WebSocket events", against, unit: "ms", ...summarize(streams) },
    ];
  },
};

async function prepareLongPoll(lab: Lab, hub: BenchHub, alice: Member): Promise<Timed> {
  const bob = await registerAgent(hub.http, hub.join, { name: "bob" });
  const [sender, reader] = [openConnection(hub.port), openConnection(hub.port)];
  lab.onClose(sender.close);
  lab.onClose(reader.close);
  const { port } = hub;
  const send = sendRequest(port, alice, "bob");
  const wait = buildRequest({ port, method: "GET", path: "/api/inbox?wait=60", token: bob.token });
  return async () => {
    const reading = reader.ask(wait);
    await sleep(PACE_MS);
    const start = performance.now();
    const sending = sender.ask(send);
    const { messages } = JSON.parse((await reading).body) as { messages: { id: string }[] };
    const took = performance.now() - start;
    await sending;
    const body = { ids: messages.map(({ id }) => id) };
    await reader.ask(buildRequest({ port, method: "POST", path: "/api/inbox/ack", token: bob.token, body }));
    return took;
  };
}

async function prepareEventStream(lab: Lab, hub: BenchHub, alice: Member): Promise<Timed> {
  const carol = await registerAgent(hub.http, hub.join, { name: "carol" });
  const socket = new WebSocket(`${hub.url.replace("http", "ws")}/api/events`, {
    headers: { authorization: `Bearer ${carol.token}` },
    perMessageDeflate: false,
  });
  const sender = openConnection(hub.port);
  lab.onClose(sender.close);
  lab.onClose(() => socket.terminate());
  await within(5000, "connecting to the events", once(socket, "open"));
  const send = sendRequest(hub.port, alice, "carol");
  return async () => {
    await sleep(PACE_MS);
    const woken = new Promise<void>((resolve) => {
      const look = (data: WebSocket.RawData) => {
        const { type } = JSON.parse((data as Buffer).toString("utf8")) as { type: string };
        if (type !== "MessageAccepted") return;
        socket.off("message", look);
        resolve();
      };
      socket.on("message", look);
    });
    const start = performance.now();
    const sending = sender.ask(send);
    await woken;
    const took = performance.now() - start;
    await sending;
    return took;
  };
}

function sendRequest(port: number, { token }: Member, to: string): Buffer {
  const body = { message: MESSAGE };
  return buildRequest({ port, method: "POST", path: `/api/agents/${to}/messages`, token, body });
}
